"""The async functions of a file that it gives to a web framework as the handlers of a route.

::

    web.post("/images", create)                  aiohttp
    app.router.add_get("/health", self.health)   aiohttp
    app.add_api_route("/images", create)         FastAPI
    Route("/images", endpoint=create)            Starlette
    app.get("/images")(create)                   the decorator of a route, called
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import (
    Function,
    assigned_values,
    functions_of,
    is_function,
    last_name,
    parameter_names,
)
from review_bot.analysis.python.syntax import class_at, classes, full_name, imported_names, owners_of
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.changes.node_lines import lines_of
from review_bot.text.lazy_regex import LazyRegex

_ADDS = LazyRegex(
    r"^add_(get|post|put|delete|patch|head|options|route|view|api_route|websocket_route|api_websocket_route)$"
)
"""Methods of an application or a router. Sources: https://docs.aiohttp.org/en/stable/web_reference.html,
https://www.starlette.io/routing/, https://fastapi.tiangolo.com/reference/fastapi/
"""
_MAKES = LazyRegex(
    r"^(aiohttp\.web\.(get|post|put|delete|patch|head|options|route|view)"
    r"|(starlette|fastapi)\.routing\.(Route|WebSocketRoute|APIRoute|APIWebSocketRoute))$"
)
"""Functions and classes that make a route."""
_VERBS = frozenset({"get", "post", "put", "delete", "patch", "head", "options", "websocket"})
_DECORATES = _VERBS | {"route", "api_route", "websocket_route"}


@kept_on_node
def registered_handlers(tree: ast.Module) -> frozenset[ast.AsyncFunctionDef]:
    """Return the async functions and methods that a module gives to a framework by name."""
    imported = imported_names(tree)
    given = [(call, each) for call in nodes_of(tree, ast.Call) for each in _given(call, imported)]
    if not given:
        return frozenset()
    found = _Definitions(tree)
    handlers = (each for call, handler in given for each in found.meant_by(handler, call))
    return frozenset(each for each in handlers if isinstance(each, ast.AsyncFunctionDef))


def _given(call: ast.Call, imported: dict[str, str]) -> Iterator[ast.expr]:
    """Yield what a call gives to a framework as a handler, among other arguments."""
    function = call.func
    if isinstance(function, ast.Call):
        if isinstance(function.func, ast.Attribute) and function.func.attr in _DECORATES:
            yield from call.args[:1]
    elif (isinstance(function, ast.Attribute) and _ADDS.match(function.attr)) or _MAKES.match(
        full_name(function, imported) or ""
    ):
        yield from call.args[1:3]
        yield from (each.value for each in call.keywords if each.arg in {"handler", "endpoint", "route"})


class _Definitions:
    """Finds what the expressions of a module mean, where only one function, method or class can be meant."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._functions = functions_of(tree)
        self._owners = owners_of(tree)
        self._classes = {each.name: each for each in classes(tree)}

    def meant_by(self, handler: ast.expr, call: ast.Call) -> Iterator[Function]:
        """Yield the function that a handler is, bound by ``partial`` too, or the handlers of a class of views."""
        if isinstance(handler, ast.Call) and last_name(handler.func) == "partial" and handler.args:
            handler = handler.args[0]
        if isinstance(handler, ast.Name):
            if handler.id in self._classes:
                yield from (each for each in self._methods(self._classes[handler.id]) if each.name in _VERBS)
            elif not self._is_parameter(handler.id, call):
                named = [each for each in self._functions if each.name == handler.id and each not in self._owners]
                yield from named if len(named) == 1 else ()
        elif isinstance(handler, ast.Attribute) and isinstance(handler.value, ast.Name):
            owner = self._class_of(handler.value.id, call)
            yield from (each for each in self._methods(owner) if each.name == handler.attr) if owner else ()

    def _class_of(self, name: str, call: ast.Call) -> ast.ClassDef | None:
        """Return the class of ``self``, or of an object that is made once, as in ``server = Server()``."""
        if name == "self":
            return self._classes.get(class_at(call.lineno, self._tree))
        values = [
            value for target, value in assigned_values(self._tree) if isinstance(target, ast.Name) and target.id == name
        ]
        made = values[0] if len(values) == 1 else None
        return self._classes.get(last_name(made.func)) if isinstance(made, ast.Call) else None

    def _is_parameter(self, name: str, call: ast.Call) -> bool:
        around = (each for each in self._functions if call.lineno in lines_of(each))
        return any(name in parameter_names(each) for each in around)

    @staticmethod
    def _methods(owner: ast.ClassDef) -> list[Function]:
        return [each for each in owner.body if is_function(each)]
