"""A route behind one with a parameter that matches it too: the first one that matches is taken."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.statements import blocks, is_function
from review_bot.analysis.python.syntax import dotted, hit_at, imported_names
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_METHODS = frozenset({"delete", "get", "head", "options", "patch", "post", "put", "websocket"})
_ANY = re.compile(r"\{\w+\}")
"""A segment that matches any text but the empty one (Starlette: ``[^/]+``)."""
_REST = re.compile(r"\{\w+:path\}")


class Route(NamedTuple):
    """A route: the object that holds it, its method, the segments of its path, and its decorator."""

    router: str
    method: str
    path: str
    node: ast.Call


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each route that another one before it hides. Raises CannotParse.

    Other frameworks, such as aiohttp, look for a route without parameters first.
    """
    if not {"fastapi", "starlette"} & {each.partition(".")[0] for each in imported_names(source.tree).values()}:
        return
    for block in blocks(source.tree.body):
        earlier: list[Route] = []
        for route in _routes(block):
            hiding = next((each for each in earlier if _hides(each, route)), None)
            if hiding is not None:
                values = {"path": route.path, "hiding": hiding.path, "line": str(hiding.node.lineno)}
                yield hit_at(source, route.node, values=values)
            earlier.append(route)


def _routes(block: list[ast.stmt]) -> Iterator[Route]:
    for statement in block:
        if not is_function(statement):
            continue
        for each in reversed(statement.decorator_list):  # the lowest is applied first
            if not isinstance(each, ast.Call) or not isinstance(each.func, ast.Attribute) or not each.args:
                continue
            path, router = each.args[0], dotted(each.func.value)
            if each.func.attr in _METHODS and router and isinstance(path, ast.Constant) and isinstance(path.value, str):
                yield Route(router, each.func.attr, path.value, each)


def _hides(one: Route, other: Route) -> bool:
    """Return whether every request for the second route is taken by the first."""
    if (one.router, one.method) != (other.router, other.method) or one.path == other.path:
        return False
    segments, wanted = one.path.split("/"), other.path.split("/")
    for position, segment in enumerate(segments):
        if _REST.fullmatch(segment) and position == len(segments) - 1:
            return len(wanted) > position and "{" not in "".join(wanted[position:])
        if position >= len(wanted):
            return False
        if segment != wanted[position] and not (
            _ANY.fullmatch(segment) and wanted[position] and "{" not in wanted[position]
        ):
            return False
    return len(segments) == len(wanted)


CHECK = file_check(examine, CheckTraits(literals=tuple(sorted(_METHODS))))
