"""A condition on the size of one axis around code that cuts another axis of the same tensor, from the same number on.

::

    tail = queue[1:, :] if queue.shape[1] > 1 else None         axis 1 is asked for, axis 0 is cut
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.bindings import bound_places
from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.analysis.tensors.sizes import integer
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


class _Size(NamedTuple):
    """``array`` (as written) has more than ``least`` elements along an axis; ``written`` is the text of the size."""

    array: str
    axis: int
    least: int
    written: str


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such expression. Raises CannotParse."""
    choices: list[ast.If | ast.IfExp] = [*source.nodes(ast.IfExp), *source.nodes(ast.If)]
    for choice in choices:
        asked = [each for each in _parts(choice.test) if isinstance(each, ast.Compare)]
        sizes = [size for each in asked if (size := _size(each)) is not None]
        if len({size.array for size in sizes}) != 1 or len(sizes) > 1:
            continue
        size = sizes[0]
        body = [choice.body] if isinstance(choice, ast.IfExp) else choice.body[:1]
        if isinstance(choice, ast.If) and bound_places(body) & {size.array}:
            body = [each.value for each in body if isinstance(each, ast.Assign)]
        nodes = list(own_nodes(body))
        if any(_measures(each, size) for each in nodes):
            continue
        for node in nodes:
            cut = _cut(node, size)
            if cut is not None and isinstance(node, ast.Subscript):
                values = {"size": size.written, "axis": str(size.axis), "cut": ast.unparse(node), "other": str(cut)}
                yield hit_at(source, node, values={**values, "meant": f"{size.array}.shape[{cut}]"})
                break


def _parts(test: ast.expr) -> list[ast.expr]:
    """Return the conditions that all hold where one does."""
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


def _size(test: ast.Compare) -> _Size | None:
    """Return what ``x.shape[1] > 1`` or ``x.size(1) >= 2`` says."""
    bound = integer(test.comparators[0])
    if len(test.ops) != 1 or bound is None:
        return None
    operation, left = test.ops[0], test.left
    least = bound if isinstance(operation, ast.Gt) else bound - 1 if isinstance(operation, ast.GtE) else None
    axis: int | None = None
    owner: ast.expr | None = None
    if isinstance(left, ast.Subscript) and isinstance(left.value, ast.Attribute) and left.value.attr == "shape":
        owner, axis = left.value.value, integer(left.slice)
    elif isinstance(left, ast.Call) and isinstance(left.func, ast.Attribute) and left.func.attr == "size" and left.args:
        owner, axis = left.func.value, integer(left.args[0])
    if owner is None or axis is None or axis < 0 or least is None or least < 0:
        return None
    return _Size(ast.unparse(owner), axis, least, ast.unparse(left))


def _measures(node: ast.AST, size: _Size) -> bool:
    """Return whether code looks at the shape of the tensor, so that the condition may serve that."""
    return isinstance(node, ast.Attribute) and node.attr in {"shape", "size"} and ast.unparse(node.value) == size.array


def _cut(node: ast.AST, size: _Size) -> int | None:
    """Return the only axis that a subscript cuts, if it is another one, and cut from the number that is asked for."""
    if not isinstance(node, ast.Subscript) or ast.unparse(node.value) != size.array:
        return None
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    cut = [(axis, each) for axis, each in enumerate(parts) if not _is_whole(each)]
    if len(cut) != 1 or cut[0][0] == size.axis:
        return None
    axis, part = cut[0]
    begin = part.lower if isinstance(part, ast.Slice) and part.upper is None and part.step is None else None
    return axis if begin is not None and size.least > 0 and integer(begin) == size.least else None


def _is_whole(part: ast.expr) -> bool:
    return isinstance(part, ast.Slice) and part.lower is None and part.upper is None and part.step is None


CHECK = file_check(examine, CheckTraits(literals=("shape >", "size >")))
