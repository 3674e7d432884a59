"""Values that a loop of a hot function copies from a device to the host one by one.

A function is hot by its name, or as a method of a module or a model runner. Whether the tensor is on a device is not
known, unless the copy says so (``.cpu()``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, is_function, last_name, named_parameters
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, names_in, own_nodes, owners_of
from review_bot.changes.node_index import below
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_HOT = LazyRegex(
    r"^_?(forward|execute_model|diffuse|denois(e|ing)|sample|step|generate|decode|prefill|embed|prepare_inputs"
    r"|compute_logits|get_input_embeddings|get_multimodal_embeddings|process_(image|video|audio|mm|vision)_"
    r"|parse_and_validate)"
)
_COLD = LazyRegex(
    r"init|load|save|weight|quanti|calibrat|export|convert|offload|checkpoint|state_dict|profil|dummy|debug|log|dump|"
    r"(^|_)(from|to)_pretrained|setup|build|test|main|metric|summar|repr|print|plot|vis(ual|$)|evaluat|valid(?!ate)"
)
_OWNERS = LazyRegex(r"Runner|Sampler|Scheduler$|Engine$")
_COLD_OWNERS = LazyRegex(
    r"Preprocess|Dataset|Collat|Loader|Observer|Trainer|Calibrat|Quantiz|Convert|Export|Metric|Test"
)
_DENOISING = LazyRegex(r"(?i)timestep|sigmas|num_inference_steps|denois")
"""Loops that ``diffusion/sync-in-denoise-loop`` looks at."""
_ON_HOST = LazyRegex(r"(?i)(^|_|\.)(cpu|host|np|numpy|list|batch_sizes)(_|\b)|tolist|\.numpy\(")
_MADE_ON_HOST = LazyRegex(r"\btorch\.tensor\(|\breturn_tensors\b")
"""What makes a tensor on the host, unless it names a device."""
_MOVES = LazyRegex(r"\.(?:to|cuda)\(|\bdevice\b")
_RESULT = LazyRegex(r"(?i)video|frames?\b|media\b|waveform|audio_encoder|metric")
"""What each iteration produces as its result, and frees from the device as a whole."""
_QUIET = LazyRegex(r"(?i)debug|log(?!it)|verbose|profil|rank\b|offload|is_cpu|device == ")
_NUMBERS = frozenset({"int", "float", "bool"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such copy. Raises CannotParse."""
    owners = owners_of(source.tree)
    for function in source.functions:
        if not is_hot(function, owners.get(function)):
            continue
        known: tuple[set[str], set[str]] | None = None
        for loop in own_nodes(function.body):
            if not isinstance(loop, (ast.For, ast.While)):
                continue
            if isinstance(loop, ast.For) and _DENOISING.search(ast.unparse(loop.iter)):
                continue
            known = known or tensors_of(function, imported_names(source.tree))
            for node, copied in copies(loop.body, items_of(loop, known[0]), *known):
                yield hit_at(source, node, values={"value": copied})


def is_hot(function: Function, owner: ast.ClassDef | None) -> bool:
    """Return whether a function runs for each step or request, by its name or by that of its class."""
    if is_cold(function, owner) or isinstance(function, ast.AsyncFunctionDef):
        return False
    if _HOT.match(function.name):
        return True
    is_module = owner is not None and any(last_name(base) == "Module" for base in owner.bases)
    return owner is not None and (is_module or bool(_OWNERS.search(owner.name)))


def is_cold(function: Function, owner: ast.ClassDef | None) -> bool:
    """Return whether a function runs seldom, by its name or by that of its class."""
    return bool(_COLD.search(function.name)) or (owner is not None and bool(_COLD_OWNERS.search(owner.name)))


def copies(
    body: list[ast.stmt], items: set[str], tensors: set[str], on_host: set[str]
) -> Iterator[tuple[ast.Call, str]]:
    """Yield the copies to the host in some statements, loops below them aside, each with the text of what is copied."""
    waiting: list[ast.AST] = [*reversed(body)]
    while waiting:
        node = waiting.pop()
        if is_function(node) or isinstance(node, (ast.ClassDef, ast.Lambda, ast.ExceptHandler, ast.Raise, ast.Assert)):
            continue
        if isinstance(node, (ast.For, ast.While)):
            continue  # it is looked at by itself
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and last_name(node.value) in {"cpu", "to"}:
            continue  # it moves a module: what a tensor returns would be lost
        if isinstance(node, ast.If) and _QUIET.search(ast.unparse(node.test)):
            waiting += [*reversed(node.orelse)]
            continue
        if isinstance(node, ast.Call):
            copied = _copied(node, items, tensors)
            if copied is not None and not is_left_out(copied, on_host):
                yield node, ast.unparse(copied)
                continue
            if _QUIET.search(last_name(node.func.value) if isinstance(node.func, ast.Attribute) else last_name(node)):
                continue
        waiting += below(node)


def is_left_out(value: ast.expr, on_host: set[str]) -> bool:
    """Return whether a value is on the host already, or is the result that leaves the device as a whole."""
    names = names_in(value)
    text = ast.unparse(value)
    return bool(names & on_host) or bool(_ON_HOST.search(text) or _RESULT.search(text))


def _copied(call: ast.Call, items: set[str], tensors: set[str]) -> ast.expr | None:
    """Return what a call copies to the host: ``x.item()``, ``x.cpu()``, ``x.to("cpu")``, ``int(x[0])``."""
    function = call.func
    if isinstance(function, ast.Attribute):
        to_host = function.attr in {"item", "cpu"} and not call.args and not call.keywords
        if function.attr == "to" and call.args and isinstance(call.args[0], ast.Constant):
            to_host = call.args[0].value == "cpu"
        return function.value if to_host else None
    if isinstance(function, ast.Name) and function.id in _NUMBERS and len(call.args) == 1:
        value = call.args[0]
        if isinstance(value, ast.Name) and value.id in items:
            return value
        if isinstance(value, ast.Subscript) and not isinstance(value.slice, ast.Slice):
            base = value.value
            return value if isinstance(base, ast.Name) and base.id in items | tensors else None
    return None


def items_of(loop: ast.For | ast.While, tensors: set[str]) -> set[str]:
    """Return the names that a loop over a tensor binds to its items."""
    if not isinstance(loop, ast.For):
        return set()
    iterated, target = loop.iter, loop.target
    if isinstance(iterated, ast.Call) and last_name(iterated) == "enumerate" and iterated.args:
        iterated = iterated.args[0]
        target = target.elts[1] if isinstance(target, ast.Tuple) and len(target.elts) == 2 else target
    if not isinstance(iterated, ast.Name) or iterated.id not in tensors:
        return set()
    return {target.id} if isinstance(target, ast.Name) else set()


def tensors_of(function: Function, imported: dict[str, str]) -> tuple[set[str], set[str]]:
    """Return the names that a function shows to be tensors, on no known device, and those of what is on the host."""
    found: set[str] = set()
    other: set[str] = set()
    on_host: set[str] = set()
    for each in named_parameters(function):
        if each.annotation is not None:
            (found if _is_tensor(each.annotation, imported) else other).add(each.arg)
    for node in own_nodes(function.body):
        if isinstance(node, ast.Call) and last_name(node) == "isinstance" and len(node.args) == 2:
            if _is_tensor(node.args[1], imported):
                found.add(last_name(node.args[0]) if isinstance(node.args[0], ast.Name) else "")
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            made = ast.unparse(node.value)
            names = names_in(node.value) - imported.keys()
            stays = bool(_MADE_ON_HOST.search(made)) or bool(names and names <= on_host)
            if _ON_HOST.search(made) or (stays and not _MOVES.search(made)):
                on_host.add(node.targets[0].id)
    return found - other - on_host - {""}, on_host


def _is_tensor(kind: ast.expr, imported: dict[str, str]) -> bool:
    """Return whether an annotation or a class is that of tensors, perhaps of none."""
    if isinstance(kind, ast.Subscript) and last_name(kind.value) == "Optional":
        return _is_tensor(kind.slice, imported)
    if isinstance(kind, ast.BinOp) and isinstance(kind.op, ast.BitOr):
        return _is_tensor(kind.left, imported)
    if isinstance(kind, ast.Constant):
        return kind.value in {"torch.Tensor", "Tensor"}
    return full_name(kind, imported) in {"torch.Tensor", "Tensor"}


CHECK = file_check(examine, CheckTraits(literals=("item", "cpu", "Tensor int", "Tensor float")))
