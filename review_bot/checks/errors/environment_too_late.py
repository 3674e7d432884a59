"""An environment variable that is set after the library that reads it was imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from review_bot.analysis.python.statements import Function, functions, last_name, statements
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_HUB = ("huggingface_hub", "transformers", "diffusers", "datasets")
_KEPT = "keeps the value of `{name}` that it found when it was imported"
_SETTINGS = {
    **dict.fromkeys(
        (
            "HF_HOME", "HF_ENDPOINT", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE",
            "HF_HUB_DISABLE_TELEMETRY", "HF_HUB_DISABLE_PROGRESS_BARS", "HF_HUB_DISABLE_SYMLINKS_WARNING",
            "HF_HUB_DOWNLOAD_TIMEOUT", "HF_HUB_ETAG_TIMEOUT",
        ),
        (_HUB, _KEPT),
    ),
    **dict.fromkeys(("HF_DATASETS_CACHE", "HF_DATASETS_OFFLINE"), (("datasets",), _KEPT)),
    **dict.fromkeys(
        ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"),
        (("numpy",), "brings OpenBLAS, which reads `{name}` once, when it is loaded"),
    ),
    "MPLBACKEND": (("matplotlib",), _KEPT),
    "KERAS_BACKEND": (("keras",), _KEPT),
}  # fmt: skip
"""The variables that a library reads once, by their names: the packages whose import reads them, and what they do then.
Sources: the module ``huggingface_hub.constants`` and its documentation of environment variables; the module
``datasets.config``; OpenBLAS's README (runtime variables), measured with the wheels of numpy; the documentation of
matplotlib and Keras."""
_STARTS_OTHERS = frozenset({
    "accelerate", "concurrent", "deepspeed", "joblib", "lightning", "multiprocess", "multiprocessing",
    "pytorch_lightning", "ray", "sglang", "submitit", "subprocess", "vllm",
})  # fmt: skip
"""Packages that start processes, to which the variable may be addressed."""
_STARTS = LazyRegex(r"\b(os\.(exec|spawn|posix_spawn|system|popen)|mp\.|Popen\b|Process\(|\w*reload\()|start_method")
"""What a file has that starts another process, or imports a module again."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each first assignment of a variable below the import that reads it. Raises CannotParse."""
    imports = list(_imports(source.tree))
    if any(each.package in _STARTS_OTHERS for each in imports) or _STARTS.search(source.text or ""):
        return
    names = imported_names(source.tree)
    if any(name.startswith("torch.multiprocessing") for name in names.values()):
        return
    seen: set[str] = set()
    for node, name in sorted(_assigned(source, names), key=lambda pair: pair[0].lineno):
        packages, effect = _SETTINGS.get(name, ((), ""))
        around = source.functions_around(node.lineno)
        above = [each for each in imports if each.package in packages and each.runs_above(node.lineno, around)]
        if above and name not in seen:
            package, line, _ = min(above, key=lambda each: each.line)
            values = {"package": package, "line": str(line), "effect": effect.format(name=name)}
            yield hit_at(source, node, values=values, related=(Related(source.path, line, "the import"),))
        seen.add(name)


class _Import(NamedTuple):
    """A package that a line imports, in ``function`` or, where that is None, with the module."""

    package: str
    line: int
    function: Function | None

    def runs_above(self, line: int, around: Sequence[Function]) -> bool:
        """Return whether it has run when a line in some functions does."""
        return self.line < line and (self.function is None or any(self.function is each for each in around))


def _imports(tree: ast.Module) -> Iterator[_Import]:
    """Yield what the module and its functions import, in the order of the text."""
    inside = {id(each): function for function in functions(tree.body) for each in statements(function.body)}
    for_types = {id(each) for block in nodes_of(tree, ast.If) if _checks_types(block) for each in block.body}
    for node in statements(tree.body):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield _Import(alias.name.partition(".")[0], node.lineno, inside.get(id(node)))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield _Import(node.module.partition(".")[0], node.lineno, inside.get(id(node)))


def _checks_types(block: ast.If) -> bool:
    return last_name(block.test) == "TYPE_CHECKING"


def _assigned(source: SourceFile, names: dict[str, str]) -> Iterator[tuple[ast.expr, str]]:
    """Yield the places that set an environment variable, each with its name."""
    for node in source.nodes(ast.Subscript):
        if isinstance(node.ctx, ast.Store) and full_name(node.value, names) == "os.environ":
            yield node, text_of(node.slice) or ""
    for call in source.nodes(ast.Call):
        if full_name(call.func, names) in {"os.environ.setdefault", "os.putenv"} and call.args:
            yield call, text_of(call.args[0]) or ""


CHECK = file_check(examine, CheckTraits(literals=("environ", "putenv")))
