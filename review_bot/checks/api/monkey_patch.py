"""A function or class of another package that is replaced in place."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.project.module_tree import is_standard
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_UPSTREAM = frozenset({
    "vllm", "torch", "transformers", "diffusers", "accelerate", "peft", "xformers", "flash_attn", "deepspeed",
    "huggingface_hub", "safetensors", "sglang", "megatron", "triton", "ray", "fastapi", "uvicorn", "starlette", "numpy",
    "PIL",
})  # fmt: skip
_SWITCH = LazyRegex(
    r"\.(?:backends|_dynamo|_inductor|config|_functorch|envs?|logger|logging)\.|\.(?:default_\w+|[A-Z][A-Z0-9_]+)$"
)
"""Settings that a package offers to be set."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each assignment to what an import of another package stands for. Raises CannotParse."""
    names = imported_names(source.tree)
    tops = {name.partition(".")[0] for name in names.values()}
    if tops.isdisjoint(_UPSTREAM) and "sys" not in tops:
        return
    if not any(map(_may_patch, source.nodes(ast.Assign))) and "setattr" not in (source.text or ""):
        return
    rebound = _bound_names(source)
    own = source.path.removeprefix("src/").partition("/")[0]
    found: list[tuple[str, ast.stmt]] = []
    for assignment in source.nodes(ast.Assign):
        for target in assignment.targets:
            patched = _patched(target, assignment.value, names, rebound)
            if patched is not None:
                found.append((patched, assignment))
    for expression in source.nodes(ast.Expr):
        call = expression.value
        if isinstance(call, ast.Call) and dotted(call.func) == "setattr" and len(call.args) == 3:
            attribute, value = call.args[1], call.args[2]
            home = _foreign(call.args[0], names, rebound)
            if home is not None and isinstance(attribute, ast.Constant) and not isinstance(value, ast.Constant):
                found.append((f"{home}.{attribute.value!s}", expression))
    times = Counter(name for name, _ in found)
    for patched_name, statement in found:
        package = patched_name.partition(".")[0]
        # What is assigned twice is put back.
        if package != own and times[patched_name] == 1 and not _SWITCH.search(patched_name):
            yield hit_at(source, statement, values={"name": patched_name, "package": package})


def _may_patch(assignment: ast.Assign) -> bool:
    return any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in assignment.targets)


def _patched(target: ast.expr, value: ast.expr, names: dict[str, str], rebound: frozenset[str]) -> str | None:
    """Return the full name of what an assignment replaces, if it belongs to another package."""
    if isinstance(value, ast.Constant):
        return None
    if isinstance(target, ast.Attribute):
        home = _foreign(target.value, names, rebound)
        return None if home is None else f"{home}.{target.attr}"
    if isinstance(target, ast.Subscript) and full_name(target.value, names) == "sys.modules":
        key = target.slice.value if isinstance(target.slice, ast.Constant) else None
        if isinstance(key, str) and key.partition(".")[0] in _UPSTREAM:
            return key
    return None


def _foreign(node: ast.expr, names: dict[str, str], rebound: frozenset[str]) -> str | None:
    """Return the full name of a module or class that is imported from another package; None for anything else."""
    written = dotted(node)
    if written is None:
        return None
    first = written.partition(".")[0]
    name = full_name(node, names)
    if name is None or first not in names or first in rebound or is_standard(name.partition(".")[0]):
        return None
    return name if name.partition(".")[0] in _UPSTREAM else None


def _bound_names(source: SourceFile) -> frozenset[str]:
    """Return the names that something else than an import binds too: they may stand for an object of our own."""
    bound = {node.id for node in source.nodes(ast.Name) if not isinstance(node.ctx, ast.Load)}
    return frozenset(bound | {node.arg for node in source.nodes(ast.arg)})


CHECK = file_check(examine, CheckTraits(literals=("=", "setattr")))
