"""Calls that take long or wait, by what the imports and assignments of their file show them to be.

::

    time.sleep(1)                                   waits
    self._thread = threading.Thread(...)
    self._thread.join()                             waits
    export_to_video(frames, path)                   media
    AutoModel.from_pretrained(name)                 load
    self.pipe = FluxPipeline.from_pretrained(...)
    self.pipe(prompt)                               model
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Literal

from review_bot.analysis.facts.fact import facts_of_file
from review_bot.analysis.python.contract_names import contract_names
from review_bot.analysis.python.statements import assigned_values
from review_bot.analysis.python.syntax import dotted, full_name, imported_names, is_literal, keyword
from review_bot.changes.node_index import nodes_of
from review_bot.contracts.contract_store import effects_of, is_own
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

Kind = Literal["blocking", "media", "load", "wait", "model", "collective"]
"""``blocking``: what linters for asyncio know. ``collective``: waits for other ranks."""

_MEDIA_ANYWHERE = frozenset({"export_to_gif", "export_to_video", "write_video"})
"""Functions that have this meaning in every package."""

_LOADS = LazyRegex(
    r"^(torch\.(load|save)|safetensors\.torch\.(load_file|save_file)|joblib\.load"
    r"|shutil\.(copytree|rmtree|make_archive|unpack_archive)|git\.Repo\.clone_from)$"
    r"|(^|\.)(snapshot_download|hf_hub_download|load_checkpoint_and_dispatch)$"
    r"|\.from_pretrained$"
)
_IN_MEMORY = LazyRegex(r"(?i)bytes|buf|io\b|stream")
"""Arguments that are no file: what is read from memory is read quickly."""
_COLLECTIVE = LazyRegex(
    r"^torch\.distributed\.((all_)?gather_object|(broadcast|scatter)_object_list|(monitored_)?barrier)$"
)
_TENSOR_COLLECTIVE = LazyRegex(r"^torch\.distributed\.(all_reduce|all_gather|broadcast|gather|scatter|reduce)$")
"""They return at once for a group of devices, whose stream waits, and block for one of processors."""
_ON_PROCESSORS = LazyRegex(r"(?i)gloo|cpu")
_METHODS: Mapping[str, LazyRegex] = {
    "join": LazyRegex(r"^(threading\.(Thread|Timer)|(torch\.)?multiprocessing\.(\w+\.)*Process)$"),
    "get": LazyRegex(
        r"^(queue\.(Simple|Lifo|Priority)?Queue|(torch\.)?multiprocessing\.(\w+\.)*(Simple|Joinable)?Queue)$"
    ),
    "wait": LazyRegex(r"^(threading\.(Event|Condition|Barrier)|subprocess\.Popen)$"),
    "communicate": LazyRegex(r"^subprocess\.Popen$"),
    "result": LazyRegex(r"^asyncio\.run_coroutine_threadsafe$"),
}
"""Methods that wait, by what makes the object that they are called on."""


_MODELS = LazyRegex(r"Pipeline|Model|ForCausalLM|ForConditionalGeneration")
_MODEL_MAKERS = frozenset({"transformers.pipeline", "vllm.LLM", "vllm.entrypoints.llm.LLM"})
"""What makes a model that runs when it is called, besides ``from_pretrained`` of a class with such a name."""
_RUNS = frozenset({"generate", "chat", "encode", "embed", "beam_search"})


_GIVES_BACK = frozenset({"to", "eval", "cuda", "half", "bfloat16", "float", "requires_grad_", "train"})


def _is_in_memory(call: ast.Call) -> bool:
    return any(_IN_MEMORY.search(ast.unparse(each)) for each in call.args)


class SlowCall(NamedTuple):
    """A call that takes long. ``name`` is what is called, as it is written."""

    name: str
    kind: Kind


class Made(NamedTuple):
    """The function that makes the object in a place, such as ``self._thread``.

    ``maker`` is empty where something else than a call is stored. ``on_cpu``: it is made with ``device="cpu"``.
    """

    place: str
    maker: str
    on_cpu: bool = False


@facts_of_file
def made_objects(tree: ast.Module) -> list[Made]:
    """Return what is stored in each attribute and name of a file, by full names."""
    imported = imported_names(tree)
    found: list[Made] = []
    for target, value in assigned_values(tree):
        place = dotted(target)
        if place is None or value is None or is_literal(value, None):
            continue
        made = _first_call(value)
        maker = None if made is None else full_name(made.func, imported)
        device = None if made is None else keyword(made, "device")
        found.append(Made(place, maker or "", isinstance(device, ast.Constant) and device.value == "cpu"))
    return found


class SlowCalls:
    """Recognises the slow calls of one file."""

    def __init__(self, tree: ast.Module, path: str) -> None:
        self._imported = contract_names(tree, path)
        self._makers: dict[str, set[str]] = {}
        self._on_cpu = {each.place for each in made_objects(tree) if each.on_cpu}
        for each in made_objects(tree):
            self._makers.setdefault(each.place, set()).add(each.maker)
        for argument in nodes_of(tree, ast.arg):
            self._makers.pop(argument.arg, None)

    def kind(self, call: ast.Call) -> SlowCall | None:
        """Return what makes a call slow, or None."""
        function = call.func
        name = full_name(function, self._imported) or ""
        last = name.rpartition(".")[2] or (function.attr if isinstance(function, ast.Attribute) else "")
        found: Kind | None = None
        effects = effects_of(name)
        if "blocks" in effects and "collective" not in effects:
            found = "wait" if is_own(name) else "blocking"
        elif "media" in effects or last in _MEDIA_ANYWHERE:
            found = None if name == "av.open" and _is_in_memory(call) else "media"  # decoding comes later
        elif _LOADS.search(name) and not _is_in_memory(call):
            found = "load"
        elif _COLLECTIVE.match(name) or (_TENSOR_COLLECTIVE.match(name) and self._is_on_processors(call)):
            found = None if is_literal(keyword(call, "async_op"), True) else "collective"
        elif isinstance(function, ast.Attribute) and last in _METHODS and self._waits(call, function):
            found = "wait"
        elif self._is_model(function.value if isinstance(function, ast.Attribute) and last in _RUNS else function):
            found = "model"
        return None if found is None else SlowCall(ast.unparse(function), found)

    def _is_on_processors(self, call: ast.Call) -> bool:
        group = keyword(call, "group")
        named = group is not None and bool(_ON_PROCESSORS.search(ast.unparse(group)))
        return named or any(dotted(each) in self._on_cpu for each in call.args[:1])

    def _is_model(self, value: ast.expr) -> bool:
        makers = self._makers.get(dotted(value) or "")
        return makers is not None and all(map(_makes_model, makers))

    def _waits(self, call: ast.Call, function: ast.Attribute) -> bool:
        """Return whether a method waits: that of a thread, a process, a queue or an event of threads."""
        if isinstance(function.value, ast.Call):
            makers = {full_name(function.value.func, self._imported) or ""}
        else:
            makers = self._makers.get(dotted(function.value) or "", set())
        if not makers or not all(_METHODS[function.attr].match(maker) for maker in makers):
            return False
        if function.attr != "get":
            return not _is_zero(keyword(call, "timeout"), *call.args[:1])
        return not any(is_literal(each, False) for each in (keyword(call, "block"), *call.args[:1]))


def _makes_model(maker: str) -> bool:
    owner, _, method = maker.rpartition(".")
    return maker in _MODEL_MAKERS or (method == "from_pretrained" and bool(_MODELS.search(owner.rpartition(".")[2])))


def _first_call(value: ast.expr | None) -> ast.Call | None:
    """Return the call that makes an object, without ``.to(...)`` and the like, which give back the object."""
    if not isinstance(value, ast.Call):
        return None
    function = value.func
    gives_back = isinstance(function, ast.Attribute) and function.attr in _GIVES_BACK
    inner = _first_call(function.value) if gives_back and isinstance(function, ast.Attribute) else None
    return value if inner is None else inner


def _is_zero(*values: ast.expr | None) -> bool:
    return any(isinstance(each, ast.Constant) and each.value == 0 for each in values)
