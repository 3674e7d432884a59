"""What handlers do with the error that the use of None, or of an unbound name, raises."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from review_bot.analysis.python.statements import caught_names, last_name
from review_bot.flow.effects import logs

_BROAD = frozenset({"BaseException", "Exception"})
_CATCHING = _BROAD | {"AttributeError", "NameError", "TypeError", "UnboundLocalError"}
"""What a handler names that catches the use of None or of an unbound name."""
_QUIET = frozenset({"debug", "info", "log"})
"""Functions that log what the author may have expected."""


def catches(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler catches the use of None or of an unbound name."""
    return not _CATCHING.isdisjoint(caught_names(handler))


def logging_handler(handlers: Iterable[ast.ExceptHandler]) -> int:
    """Return the line of the handler that catches every error and only reports it to a log, or 0.

    One that names the error, or that logs it for debugging alone, may expect it.
    """
    catching = [each for each in handlers if catches(each)]
    if len(catching) != 1 or not caught_names(catching[0]) <= _BROAD:
        return 0
    written = [_is_report(each) for each in catching[0].body if not isinstance(each, (ast.Import, ast.ImportFrom))]
    return catching[0].lineno if written and all(written) else 0


def _is_report(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    name = last_name(statement.value.func)
    return name == "print_exc" or (logs(statement.value) and name not in _QUIET)
