"""An environment variable that is set after the library that reads it was imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, text_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, FileCheck, without_options
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
    imports = _imports(source.tree)
    if not imports or _STARTS_OTHERS & imports.keys() or _STARTS.search(source.text or ""):
        return
    names = imported_names(source.tree)
    if any(name.startswith("torch.multiprocessing") for name in names.values()):
        return
    seen: set[str] = set()
    for node, name in sorted(_assigned(source, names), key=lambda pair: pair[0].lineno):
        packages, effect = _SETTINGS.get(name, ((), ""))
        above = [package for package in packages if imports.get(package, node.lineno) < node.lineno]
        if above and name not in seen:
            package = min(above, key=imports.__getitem__)
            line = imports[package]
            values = {"package": package, "line": str(line), "effect": effect.format(name=name)}
            yield hit_at(source, node, values=values, related=(Related(source.path, line, "the import"),))
        seen.add(name)


def _imports(tree: ast.Module) -> dict[str, int]:
    """Return the packages that the module imports whenever it is imported, with the line of the first import."""
    found: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.setdefault(alias.name.partition(".")[0], node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.setdefault(node.module.partition(".")[0], node.lineno)
    return found


def _assigned(source: SourceFile, names: dict[str, str]) -> Iterator[tuple[ast.expr, str]]:
    """Yield the places that set an environment variable, each with its name."""
    for node in source.nodes(ast.Subscript):
        if isinstance(node.ctx, ast.Store) and full_name(node.value, names) == "os.environ":
            yield node, text_of(node.slice) or ""
    for call in source.nodes(ast.Call):
        if full_name(call.func, names) in {"os.environ.setdefault", "os.putenv"} and call.args:
            yield call, text_of(call.args[0]) or ""


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("environ", "putenv")))
