"""Imports of a module that may fail: which names then have no value, and what the module does about it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.conditions import truth
from review_bot.analysis.python.statements import caught_names, last_name
from review_bot.analysis.python.syntax import bound_name
from review_bot.changes.node_index import nodes_of

_CAUGHT = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_SAYS = frozenset({
    "critical", "debug", "error", "exception", "info", "print", "print_exc", "warn", "warning", "warning_once",
})  # fmt: skip


def running(body: list[ast.stmt], constants: Mapping[str, object]) -> Iterator[ast.stmt]:
    """Yield the statements of a module, those below a condition that is always true among them."""
    for statement in body:
        if isinstance(statement, ast.If) and truth(statement.test, constants) is True:
            yield from running(statement.body, constants)
        else:
            yield statement


def left_unbound(attempt: ast.Try | ast.TryStar) -> frozenset[str]:
    """Return the names that a ``try`` imports and that have no value where the import fails."""
    if not attempt.handlers or not all(_CAUGHT & (caught_names(each) or _CAUGHT) for each in attempt.handlers):
        return frozenset()
    handled = [each for handler in attempt.handlers for each in handler.body]
    if not all(map(_goes_on, handled)):
        return frozenset()
    imports = [each for each in attempt.body if isinstance(each, (ast.Import, ast.ImportFrom))]
    found = {bound_name(alias) for each in imports for alias in each.names}
    return frozenset(found) - bound_names([*handled, *attempt.finalbody]) - {"*"}


def _goes_on(statement: ast.stmt) -> bool:
    """Return whether a statement of a handler surely goes on: it does nothing, assigns, or says what is missing."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return last_name(statement.value.func) in _SAYS
    if isinstance(statement, ast.Assign):
        return not any(nodes_of(statement, ast.Call))
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )
