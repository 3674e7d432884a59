"""A batch that is doubled for classifier-free guidance and never split again."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import (
    argument_values,
    full_name,
    hit_at,
    imported_names,
    keyword,
    own_nodes,
    structure,
)
from review_bot.analysis.tensors.sizes import integer
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_SPLITTING = frozenset({"chunk", "split", "tensor_split", "unbind", "view", "reshape", "unflatten", "rearrange"})
_HALVES = LazyRegex(r"//\s*2|\[:\s*\w|\[\w+:")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such doubling. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.touched_functions:
        doubled = [node for node in own_nodes(function.body) if _doubles(node, imported)]
        if doubled and _steps(function) and not _splits(function):
            for node in doubled:
                yield hit_at(source, node, values={"name": ast.unparse(node)})


def _doubles(node: ast.AST, imported: Mapping[str, str]) -> bool:
    """Return whether a node is ``torch.cat([x] * 2)`` or ``torch.cat([x, x])`` along the first axis."""
    if not isinstance(node, ast.Call) or full_name(node.func, imported) not in {"torch.cat", "torch.concat"}:
        return False
    axis = node.args[1] if len(node.args) > 1 else keyword(node, "dim")
    if axis is not None and integer(axis) != 0:
        return False
    parts = node.args[0] if node.args else None
    if isinstance(parts, ast.BinOp) and isinstance(parts.op, ast.Mult) and isinstance(parts.left, ast.List):
        return len(parts.left.elts) == 1 and integer(parts.right) == 2
    if isinstance(parts, (ast.List, ast.Tuple)) and len(parts.elts) == 2:
        return structure(parts.elts[0]) == structure(parts.elts[1])
    return False


def _steps(function: Function) -> bool:
    """Return whether a function steps a scheduler itself: otherwise its caller may split the batch."""
    calls = (node for node in ast.walk(function) if isinstance(node, ast.Call) and last_name(node.func) == "step")
    return any(len(argument_values(each)) > 1 for each in calls)  # that of an optimizer takes no prediction


def _splits(function: Function) -> bool:
    text = ast.unparse(function)
    return bool(_HALVES.search(text)) or any(
        isinstance(node, ast.Call) and last_name(node.func) in _SPLITTING for node in ast.walk(function)
    )


CHECK = file_check(examine, CheckTraits(literals=("cat torch",)))
