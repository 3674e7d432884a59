"""A broad handler that takes another way without a word: no log, no raise, no use of the error."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from review_bot.analysis.python.statements import Function, caught_names, is_string, last_name, statements
from review_bot.analysis.python.syntax import hit_on
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_TELLS = LazyRegex(r"log|warn|print|error|fail|abort|put|traceback|exc|debug|info|critical|exit|report|record|notify")
_LOGS = LazyRegex(r"\b_?log\w*$|^print$|^warn")
_PROBE = LazyRegex(
    r"^_*(is|has|supports?|can|check|try|maybe|probe|detect|safe|guess|match)(_|$)|available|compile|version|_ip(_|$)|^_*(close|shutdown|cleanup|clean_up|stop|teardown"
    r"|terminate|destroy|release|del|exit|aexit)(_|$)"
)

_ANNOUNCES = LazyRegex(r"(?i)best[- ]effort|never (?:raise|fail)|\bany (?:error|exception|failure)")
_IMPORTING = frozenset({"import_module", "find_spec", "version", "metadata", "compile", "__import__"})
_NUMBERS = frozenset({"int", "float", "bool", "str", "len"})
_PARSERS = _NUMBERS | {
    "loads",
    "dumps",
    "literal_eval",
    "decode",
    "encode",
    "strptime",
    "fromisoformat",
    "Version",
    "UUID",
}
_READS = _PARSERS | {"get", "isinstance", "strip", "split", "append"}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each ``except Exception`` in a function whose body says nothing of the error. Raises CannotParse."""
    for function in source.functions:
        if _PROBE.search(function.name.lower()):
            continue
        logged = {id(each) for each in _before_a_log(function)}
        tries = [
            each
            for each in statements(function.body, into_definitions=False)
            if isinstance(each, (ast.Try, ast.TryStar))
        ]
        broad = [handler for outer in tries for handler in outer.handlers if _is_broad(handler)]
        inside = {id(each) for handler in broad for each in statements(handler.body)}
        for statement in tries:
            if id(statement) in inside or _cannot_hide_much(statement):
                continue  # the way that is taken after one failure may fail too
            for handler in statement.handlers:
                if id(statement) in logged and not _leaves(handler):
                    continue
                if (
                    _is_broad(handler)
                    and _is_silent(handler, returns=_returns(statement))
                    and not _is_explained(source, handler)
                    and not _is_announced(source, function, statement, handler)
                ):
                    yield hit_on(source, handler)


def _before_a_log(function: Function) -> Iterator[ast.stmt]:
    """Yield each ``try`` that a log call follows, which records the way taken."""
    for owner in (function, *statements(function.body, into_definitions=False)):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(owner, field, None) or ()
            for statement, following in pairwise(block):
                call = following.value if isinstance(following, ast.Expr) else None
                if (
                    isinstance(statement, (ast.Try, ast.TryStar))
                    and isinstance(call, ast.Call)
                    and _LOGS.search(_called(call).lower())
                ):
                    yield statement


def _leaves(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler does not go on behind its ``try``."""
    return isinstance(handler.body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _cannot_hide_much(statement: ast.Try | ast.TryStar) -> bool:
    """Return whether a ``try`` only imports something optional, or converts and parses values."""
    inner = list(statements(statement.body, into_definitions=False))
    calls = {last_name(node) for each in inner for node in walk(each) if isinstance(node, ast.Call)}
    if not calls.isdisjoint(_IMPORTING) or (calls <= _READS and not calls.isdisjoint(_PARSERS)):
        return True
    return not calls and any(isinstance(each, (ast.Import, ast.ImportFrom)) for each in inner)


def _returns(statement: ast.Try | ast.TryStar) -> bool:
    return any(isinstance(each, ast.Return) for each in statements(statement.body, into_definitions=False))


def _is_broad(handler: ast.ExceptHandler) -> bool:
    return handler.type is not None and not caught_names(handler).isdisjoint({"Exception", "BaseException"})


def _is_silent(handler: ast.ExceptHandler, *, returns: bool) -> bool:
    """Return whether a handler hides its error and something else is done instead; ``returns``: the try has one."""
    body = [each for each in handler.body if not isinstance(each, ast.Pass) and not _is_filler(each)]
    if not body:
        return returns  # what follows the try is the other way
    if all(isinstance(each, (ast.Continue, ast.Break)) for each in body) or _only_says_no(body) or _only_waits(body):
        return False
    for statement in body:
        for node in walk(statement):
            if isinstance(node, (ast.Raise, ast.Assert)):
                return False
            if isinstance(node, ast.Name) and node.id == handler.name:
                return False
            if isinstance(node, ast.Call) and _TELLS.search(_called(node).lower()):
                return False
    return True


def _called(call: ast.Call) -> str:
    """Return the dotted name of what is called, as far as it is one, the last part first."""
    parts = []
    node: ast.AST = call.func
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
    return ".".join(parts)


def _is_filler(statement: ast.stmt) -> bool:
    return is_string(statement) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and statement.value.value is ...
    )


def _only_says_no(body: list[ast.stmt]) -> bool:
    """``return False`` and ``return None`` answer a question; the caller learns of the failure.

    ``self.available = False`` keeps the answer for those who ask later.
    """
    *kept, last = body
    if not isinstance(last, ast.Return):
        return all(map(_keeps_flag, body))
    value = last.value
    says_no = value is None or (isinstance(value, ast.Constant) and value.value in {False, None})
    return says_no and all(map(_keeps_flag, kept))


def _keeps_flag(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Attribute)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, bool)
    )


def _only_waits(body: list[ast.stmt]) -> bool:
    """``time.sleep(1)`` before the next attempt: nothing else is done instead."""
    (first, *rest) = body
    call = first.value if isinstance(first, ast.Expr) else None
    call = call.value if isinstance(call, ast.Await) else call
    return not rest and isinstance(call, ast.Call) and last_name(call.func) == "sleep"


def _is_announced(
    source: SourceFile, function: Function, statement: ast.Try | ast.TryStar, handler: ast.ExceptHandler
) -> bool:
    """Return whether the docstring, or a comment above the ``try`` or in the handler, says that any failure is met."""
    above = source.lines_of_authors[statement.lineno - 2] if statement.lineno > 1 else ""
    comments = [above, *source.lines_of_authors[handler.lineno - 1 : handler.end_lineno]]
    said = [line.partition("#")[2] for line in comments]
    return any(map(_ANNOUNCES.search, [ast.get_docstring(function) or "", *said]))


def _is_explained(source: SourceFile, handler: ast.ExceptHandler) -> bool:
    """Return whether a comment in a handler explains the value that is taken instead; more work is no such value."""
    if any(isinstance(node, ast.Call) for each in handler.body for node in walk(each)):
        return False
    last = last_line(handler.body[-1])
    return any("#" in line for line in source.lines_of_authors[handler.lineno - 1 : last])


CHECK = file_check(examine, CheckTraits(literals=("except",)))
