"""``view`` on a tensor whose axes ``permute`` or ``transpose`` left out of order, where it must merge some of them.

Two neighbours merge without a copy only if they were neighbours, in this order, before. A view that only splits axes,
or merges those that still follow each other, is legal and is left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import hit_at, imported_names, own_nodes, unpacks
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.analysis.tensors.sizes import integer
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Suggestion
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_CHANNELS: dict[tuple[int, ...], tuple[int, ...]] = {(0, 2, 3, 1): (0, 3, 1, 2), (0, 2, 3, 4, 1): (0, 4, 1, 2, 3)}
"""Orders that bring the channels of images and of videos to the end → what brought them to the front."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such call of ``view``. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.functions:
        if not any(isinstance(node, ast.Call) and last_name(node.func) == "view" for node in own_nodes(function.body)):
            continue  # there is nothing to follow values to
        goes_back = _goes_back(function)
        lengths: dict[str, int] = {}
        for statement, names in flow(function, imported):
            lengths.update(_lengths_of(statement))
            for node in expressions(statement):
                if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                    continue
                if node.func.attr != "view" or unpacks(node):
                    continue
                axes = value_of(node.func.value, names, imported).axes
                if axes and axes not in goes_back and _must_copy(axes, _wanted(node), lengths):
                    order = ", ".join(str(axis) for axis in axes)
                    yield hit_at(source, node, values={"order": order}, suggestion=_fix(source, node))


def _goes_back(function: Function) -> set[tuple[int, ...]]:
    """Return the orders that bring channels back to the end, where the function has brought them to the front.

    Convolutions keep the layout of what they get, so that the way back needs no copy.
    """
    orders = {
        tuple(integer(each) for each in call.args)
        for call in nodes_of(function, ast.Call)
        if isinstance(call.func, ast.Attribute) and call.func.attr == "permute"
    }
    return {there for there, back in _CHANNELS.items() if back in orders}


def _lengths_of(statement: ast.stmt) -> dict[str, int]:
    """Return which axis each name is the length of, after ``b, n, d = x.shape``."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Tuple):
        return {}
    shape = statement.value.func if isinstance(statement.value, ast.Call) else statement.value
    if not isinstance(shape, ast.Attribute) or shape.attr not in {"shape", "size"}:
        return {}
    return {each.id: axis for axis, each in enumerate(statement.targets[0].elts) if isinstance(each, ast.Name)}


def _wanted(call: ast.Call) -> list[ast.expr]:
    """Return the lengths that a call of ``view`` asks for; empty: its text does not show them."""
    wanted = call.args
    if len(wanted) == 1:
        if isinstance(wanted[0], (ast.Tuple, ast.List)):
            wanted = wanted[0].elts
        elif not isinstance(wanted[0], ast.UnaryOp):
            return []
    return [] if any(isinstance(each, ast.Starred) for each in wanted) else wanted


def _must_copy(axes: tuple[int, ...], wanted: list[ast.expr], lengths: dict[str, int]) -> bool:
    """Return whether a view merges two axes that no longer follow each other.

    An axis at either end that the view keeps, by the name of its length, merges with nothing. A length of one between
    two such is new; elsewhere it may be an axis that was there.
    """
    if not wanted:
        return False
    axes_left, wanted_left = list(axes), list(wanted)
    for end, next_one in ((-1, -2), (0, 1)):
        while axes_left and wanted_left:
            is_new = len(wanted_left) > 1 and integer(wanted_left[end]) == 1
            if is_new and _is_length(wanted_left[next_one], axes_left[end], lengths):
                wanted_left.pop(end)
            if not _is_length(wanted_left[end], axes_left[end], lengths):
                break
            axes_left.pop(end)
            wanted_left.pop(end)
    mergeable = sum(right == left + 1 for left, right in pairwise(axes_left))
    return bool(wanted_left) and len(axes_left) - len(wanted_left) > mergeable


def _is_length(node: ast.expr, axis: int, lengths: dict[str, int]) -> bool:
    return isinstance(node, ast.Name) and lengths.get(node.id) == axis


def _fix(source: SourceFile, call: ast.Call) -> Suggestion | None:
    assert isinstance(call.func, ast.Attribute)  # noqa: S101  # the caller has looked
    line, end = last_line(call.func), call.func.end_col_offset or 0
    text = source.lines[line - 1]
    if not text.isascii() or text[end - 4 : end] != "view":
        return None
    return Suggestion(line, line, text[: end - 4] + "reshape" + text[end:])


CHECK = file_check(examine, CheckTraits(literals=("view permute", "view transpose")))
