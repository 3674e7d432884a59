"""A copy to the host with ``non_blocking=True`` that is read before anything waits for the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import hit_at, imported_names, own_nodes
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_READS = frozenset({"numpy", "item", "tolist"})
"""Methods that read the memory of a host tensor, or make a view of it. ``item`` and ``tolist`` wait for the device only
if the tensor is still there."""

_WAITS = LazyRegex(r"sync|wait|query")
_ALSO_WAITS = frozenset({"cpu", "item", "nonzero", "tolist"})
"""Methods that wait for all earlier work of the stream, if their tensor is on the device."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each read of such a copy with nothing between that waits. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.functions:
        if not any(isinstance(node, ast.Call) and _read(node) for node in own_nodes(function.body)):
            continue  # there is nothing to follow values to
        for statement, names in flow(function, imported):
            for node in expressions(statement):
                if not isinstance(node, ast.Call):
                    continue
                copied = _read(node)
                if copied is None:
                    continue
                made = value_of(copied, names, imported).pending
                is_view = last_name(node) == "numpy"  # which may be read after a wait, and by another function
                last = function.end_lineno if is_view else node.lineno
                if made and not (is_view and _keeps(statement)) and not _waits_between(function, made, last or made):
                    values = {"reader": last_name(node), "line": str(made), "does": "reads", "where": "in between"}
                    values |= {"does": "makes a view of", "where": "in this function"} if is_view else {}
                    yield hit_at(source, node, values=values)


def _keeps(statement: ast.stmt) -> bool:
    """Return whether a statement stores something in an attribute or an entry, for other functions to read."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return any(isinstance(each, ast.Attribute | ast.Subscript) for each in targets)


def _read(call: ast.Call) -> ast.expr | None:
    if isinstance(call.func, ast.Attribute) and call.func.attr in _READS:
        return call.func.value
    return None


def _waits_between(function: Function, first: int, last: int) -> bool:
    """Return whether a call between two lines of a function may wait for the device, by its name."""
    return any(
        isinstance(node, ast.Call)
        and first <= node.lineno <= last
        and (_WAITS.search(last_name(node.func)) or (first < node.lineno < last and last_name(node) in _ALSO_WAITS))
        for node in ast.walk(function)
    )


CHECK = file_check(examine, CheckTraits(literals=("non_blocking",)))
