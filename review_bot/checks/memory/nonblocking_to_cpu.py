"""A copy to the host with ``non_blocking=True`` that is read before anything waits for the device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import hit_at, imported_names, own_nodes
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_READS = frozenset({"numpy", "item", "tolist"})
"""Methods that read the memory of a host tensor at once. ``item`` and ``tolist`` wait for the device only if the
tensor is still there."""

_WAITS = LazyRegex(r"sync|wait|query")


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
                # ``numpy`` only makes a view, which may be read after a wait
                last = function.end_lineno if last_name(node) == "numpy" else node.lineno
                if made and not _waits_between(function, made, last or node.lineno):
                    values = {"reader": last_name(node), "line": str(made)}
                    yield hit_at(source, node, values=values)


def _read(call: ast.Call) -> ast.expr | None:
    if isinstance(call.func, ast.Attribute) and call.func.attr in _READS:
        return call.func.value
    return None


def _waits_between(function: Function, first: int, last: int) -> bool:
    """Return whether a call between two lines of a function may wait for the device, by its name."""
    return any(
        isinstance(node, ast.Call) and first <= node.lineno <= last and _WAITS.search(last_name(node.func))
        for node in ast.walk(function)
    )


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("non_blocking",)))
