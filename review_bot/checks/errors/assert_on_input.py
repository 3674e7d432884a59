"""Asserts that check what a client sent: in a module that serves requests, or on a parameter of a route's handler."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, defaults_of, last_name, own_parameters
from review_bot.analysis.python.syntax import hit_at, own_nodes, text_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_FOLDERS = frozenset({"api", "entrypoints", "routers", "routes"})
_FILES = ("api_server", "http", "serving")
_INPUT = frozenset({"body", "http_request", "payload", "raw_request", "request", "user_input"})
_SUBJECT = LazyRegex(r"(?:not )?(?:(?:isinstance|len|all|any)\()?(\w+)\b")
_NARROWS = LazyRegex(r"[\w.]+(?: is not None)?|isinstance\([\w.]+,.*")
"""Conditions from which a type checker learns what a name holds."""
_ROUTES = frozenset({"api_route", "delete", "get", "patch", "post", "put", "route", "websocket"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such assert. Raises CannotParse."""
    *folders, name = source.path.split("/")
    serves = not _FOLDERS.isdisjoint(folders) or any(each in name for each in _FILES)
    for function in source.functions:
        sent = (_INPUT if serves else frozenset()) | (_sent(function) if _is_route(function) else frozenset())
        for node in own_nodes(function.body) if sent else ():
            if isinstance(node, ast.Assert):
                what = ast.unparse(node.test)
                subject = _SUBJECT.match(what)
                if subject and subject[1] in sent and not _NARROWS.fullmatch(what):
                    yield hit_at(source, node, values={"what": what})


def _sent(function: Function) -> frozenset[str]:
    """Return the parameters of a handler that the client fills in; what ``Depends`` gives is the server's own."""
    own = {
        parameter.arg for parameter, default in defaults_of(function) if last_name(default) in {"Depends", "Security"}
    }
    return frozenset(own_parameters(function)) - own


def _is_route(function: Function) -> bool:
    """Return whether a decorator such as ``@app.post("/images")`` makes a function the handler of a route."""
    calls = (each for each in function.decorator_list if isinstance(each, ast.Call))
    return any(
        isinstance(each.func, ast.Attribute)
        and each.func.attr in _ROUTES
        and each.args
        and (text_of(each.args[0]) or "").startswith("/")
        for each in calls
    )


CHECK = file_check(examine, CheckTraits(literals=("assert",)))
