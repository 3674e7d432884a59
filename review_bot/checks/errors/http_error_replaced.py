"""An HTTP error raised in a ``try`` whose own handler of every exception turns it into another one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.node_types import LOOPS
from review_bot.analysis.python.statements import caught_names, last_name, tries_of
from review_bot.analysis.python.syntax import argument_values, hit_at, keyword, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_ERROR = "HTTPException"
_EVERY = frozenset({"Exception", "BaseException"})
_RECORDS = re.compile(
    r"[A-Z]|(?:critical|debug|error|exception|format|info|log\w*|print|repr|str|type|warn|warning"
    r"|(?:capture|format|log|print|record)_exception)$"
)
"""Functions that record an exception or make text of it, and classes."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such ``raise``. Raises CannotParse."""
    for attempt in tries_of(source.tree):
        handler = _catches_all(attempt)
        if handler is None or _passes_on(handler):
            continue
        for node in own_nodes(_unguarded(attempt.body)):
            if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call) or last_name(node.exc) != _ERROR:
                continue
            raised = _status(node.exc)
            effect = _effect(handler, raised)
            if effect is not None:
                where = "bare `except`" if handler.type is None else f"`except {ast.unparse(handler.type)}`"
                values = {"status": raised, "handler": where, "line": str(handler.lineno), "effect": effect}
                related = (Related(source.path, handler.lineno, "catches it"),)
                yield hit_at(source, node, values=values, related=related)


def _catches_all(attempt: ast.Try | ast.TryStar) -> ast.ExceptHandler | None:
    """Return the handler that gets an HTTP error because it takes every exception; None if another one gets it."""
    for handler in attempt.handlers:
        names = caught_names(handler)
        if names & _EVERY:
            return handler
        if any("HTTP" in each or "Starlette" in each for each in names):
            return None
    return None


def _passes_on(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler may treat an HTTP error as one.

    It raises what it caught again, asks what it is, or hands it to a function that may do so.
    """
    for node in own_nodes(handler.body):
        if isinstance(node, ast.Raise):
            caught = isinstance(node.exc, ast.Name) and node.exc.id == handler.name
            if node.exc is None or caught:
                return True
        if isinstance(node, ast.Call) and last_name(node.func) in {"isinstance", "getattr", "hasattr"}:
            return True
        given = argument_values(node) if isinstance(node, ast.Call) and not _RECORDS.match(last_name(node.func)) else []
        if any(isinstance(each, ast.Name) and each.id == handler.name for each in given):
            return True
        if isinstance(node, ast.Attribute) and node.attr == "status_code" and isinstance(node.value, ast.Name):
            return node.value.id == handler.name
    return False


def _unguarded(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a ``try`` and below it, without those that a ``try`` of their own guards."""
    found: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, (ast.Raise, ast.Expr, ast.Assign, ast.Return)):
            found.append(statement)
        elif isinstance(statement, (ast.If, *LOOPS)):
            found += _unguarded([*statement.body, *statement.orelse])
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            found += _unguarded(statement.body)
    return found


def _status(call: ast.Call) -> str:
    """Return the status of an HTTP error as it is written, in short: ``404``, ``HTTP_404_NOT_FOUND``."""
    status = keyword(call, "status_code") or (call.args[0] if call.args else None)
    if status is None:
        return ""
    return last_name(status) or ast.unparse(status)


def _effect(handler: ast.ExceptHandler, raised: str) -> str | None:
    """Return what the client gets instead, in words; None if it gets the same status.

    A handler that only logs is left alone too: the error may be raised to reach it.
    """
    for node in own_nodes(handler.body):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and last_name(node.exc) == _ERROR:
            replaced = _status(node.exc)
            return None if _number(replaced) == _number(raised) else f"the client gets the status {replaced} instead"
        if isinstance(node, ast.Raise) and node.exc is not None:
            return f"the caller gets `{last_name(node.exc)}` instead"
    returned = any(isinstance(node, ast.Return) and node.value is not None for node in own_nodes(handler.body))
    return "the caller gets what the handler returns instead" if returned else None


def _number(status: str) -> str:
    """Return the three digits in a status, or its name."""
    digits = "".join(each for each in status if each.isdigit())
    names = {"BAD_REQUEST": "400", "UNAUTHORIZED": "401", "FORBIDDEN": "403", "NOT_FOUND": "404"}
    names |= {"INTERNAL_SERVER_ERROR": "500", "SERVICE_UNAVAILABLE": "503", "BAD_GATEWAY": "502"}
    return digits or names.get(status, status)


CHECK = file_check(examine, CheckTraits(literals=("HTTPException except",)))
