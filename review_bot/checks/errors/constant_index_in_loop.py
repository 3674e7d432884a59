"""A loop over the length of something that reads its first element in every round and never the one of the round."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import dotted, hit_at, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_FORM = frozenset({"device", "dim", "dtype", "ndim", "numel", "shape", "size"})
"""Attributes and methods that all elements have in common."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such read of a loop. Raises CannotParse."""
    for function in source.functions:
        lengths = {
            node.targets[0].id: counted
            for node in own_nodes(function.body)
            if isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and (counted := _counted(node.value)) is not None
        }
        for loop in own_nodes(function.body):
            if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name):
                hit = _first_of_all(source, loop, loop.target.id, lengths)
                if hit is not None:
                    yield hit


def _first_of_all(source: SourceFile, loop: ast.For, index: str, lengths: dict[str, str]) -> Hit | None:
    call = loop.iter
    if not isinstance(call, ast.Call) or dotted(call.func) != "range" or len(call.args) != 1:
        return None
    bound = call.args[0]
    counted = lengths.get(bound.id) if isinstance(bound, ast.Name) else _counted(bound)
    if counted is None:
        return None
    inside = [node for statement in loop.body for node in ast.walk(statement)]
    if any(isinstance(node, (ast.If, ast.IfExp)) for node in inside):
        return None  # a round may differ from the others
    reads = [node for node in inside if isinstance(node, ast.Subscript) and dotted(node.value) == counted]
    fixed = [node for node in reads if isinstance(node.slice, ast.Constant) and node.slice.value == 0]
    uses = [node for node in inside if isinstance(node, ast.Name) and node.id == index]
    whole = [node for node in inside if isinstance(node, (ast.Name, ast.Attribute)) and dotted(node) == counted]
    if not fixed or len(fixed) != len(reads) or len(whole) != len(reads) or not uses:
        return None
    like = {id(part) for node in inside for part in _only_compared(node)}
    if not isinstance(fixed[0].ctx, ast.Load) or all(id(node) in like for node in fixed):
        return None
    return hit_at(
        source,
        next(node for node in fixed if id(node) not in like),
        values={"name": counted, "index": index, "line": str(loop.lineno)},
        related=(Related(source.path, loop.lineno, f"goes through the length of `{counted}`"),),
    )


def _only_compared(node: ast.AST) -> list[ast.expr]:
    """Return the expressions of which a node asks the form, or to which it relates something else."""
    if isinstance(node, ast.Attribute):
        return [node.value] if node.attr in _FORM else []
    if isinstance(node, ast.Call):
        return node.args[:1] if dotted(node.func) == "len" else []
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    return [node.left, *node.comparators] if isinstance(node, ast.Compare) else []


def _counted(value: ast.expr) -> str | None:
    """Return what ``len(x)``, ``x.shape[0]`` or ``x.size(0)`` counts."""
    if isinstance(value, ast.Call) and dotted(value.func) == "len" and len(value.args) == 1:
        return dotted(value.args[0])
    if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Attribute) and value.value.attr == "shape":
        is_first = isinstance(value.slice, ast.Constant) and value.slice.value == 0
        return dotted(value.value.value) if is_first else None
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "size":
        first = value.args[0] if len(value.args) == 1 else None
        is_first = isinstance(first, ast.Constant) and first.value == 0
        return dotted(value.func.value) if is_first else None
    return None


CHECK = file_check(examine, CheckTraits(literals=("range",)))
