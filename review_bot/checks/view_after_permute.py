"""``view`` on a tensor whose axes ``permute`` or ``transpose`` left out of order, where it must merge some of them.

Two neighbours merge without a copy only if they were neighbours, in this order, before. A view that only splits axes,
or merges those that still follow each other, is legal and is left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from review_bot.changes.source_file import SourceFile
from review_bot.checks.python.syntax import hit_at, imported_names, unpacks
from review_bot.checks.python.tensor_values import expressions, flow, value_of
from review_bot.findings import Suggestion
from review_bot.rules.rule import Hit, Options

LITERALS = (".view(", ".permute(", ".transpose(")
READS_OLD = False


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each such call of ``view``. Raises CannotParse."""
    del options
    text = source.text or ""
    if ".view(" not in text or not (".permute(" in text or ".transpose(" in text):
        return
    imported = imported_names(source.tree)
    for function in source.functions:
        for statement, names in flow(function, imported):
            for node in expressions(statement):
                if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                    continue
                if node.func.attr != "view" or unpacks(node):
                    continue
                axes = value_of(node.func.value, names, imported).axes
                if axes and _must_copy(axes, _length(node)):
                    order = ", ".join(str(axis) for axis in axes)
                    yield hit_at(source, node, values={"order": order}, suggestion=_fix(source, node))


def _length(call: ast.Call) -> int:
    """Return how many axes a call of ``view`` asks for; 0: its text does not tell."""
    if len(call.args) == 1:
        given = call.args[0]
        if isinstance(given, (ast.Tuple, ast.List)):
            return 0 if any(isinstance(each, ast.Starred) for each in given.elts) else len(given.elts)
        return 1 if isinstance(given, ast.UnaryOp) else 0
    return len(call.args)


def _must_copy(axes: tuple[int, ...], length: int) -> bool:
    """Tell whether a view of fewer axes merges two that no longer follow each other."""
    mergeable = sum(right == left + 1 for left, right in pairwise(axes))
    return bool(length) and len(axes) - length > mergeable


def _fix(source: SourceFile, call: ast.Call) -> Suggestion | None:
    assert isinstance(call.func, ast.Attribute)  # noqa: S101  # the caller has looked
    line, end = call.func.end_lineno or 0, call.func.end_col_offset or 0
    text = source.lines[line - 1]
    if not text.isascii() or text[end - 4 : end] != "view":
        return None
    return Suggestion(line, line, text[: end - 4] + "reshape" + text[end:])
