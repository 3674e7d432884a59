"""Coroutines that nothing awaits: made by a statement of its own, or used as if it were what it gives.

::

    self.disconnect(peer)                    an ``async def`` of the class
    queue.put(item)                          of a queue of asyncio, as its contract says
    if request.is_disconnected(): ...        a coroutine is always true
    client.get(url).json()                   a coroutine has no such attribute
    async with client.get(url) as response:  a coroutine is no context manager
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.library_objects import LibraryObjects
from review_bot.analysis.python.statements import attributes_of_self, is_function
from review_bot.analysis.python.syntax import classes, hit_at, imported_names, is_coroutine_function
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_LIBRARIES = ("aiohttp", "asyncio", "fastapi", "httpx")
_OF_COROUTINES = frozenset({"__await__", "close", "cr_await", "cr_code", "cr_frame", "cr_running", "send", "throw"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call that only makes a coroutine. Raises CannotParse."""
    plain = {each.name for each in source.tree.body if is_function(each) and is_coroutine_function(each)}
    if plain:
        plain -= _bound_elsewhere(source)
    methods = {id(call) for owner in classes(source.tree) for call in _calls_on_self(owner)}
    for statement in source.nodes(ast.Expr):
        call = statement.value
        if not isinstance(call, ast.Call):
            continue
        if id(call) in methods or (isinstance(call.func, ast.Name) and call.func.id in plain):
            yield hit_at(
                source,
                call,
                values={"what": f"`{ast.unparse(call.func)}` is `async`", "so": "without `await` its body never runs"},
            )
    packages = {each.partition(".")[0] for each in imported_names(source.tree).values()}
    if not packages.isdisjoint(_LIBRARIES):
        yield from _of_libraries(source)


def _of_libraries(source: SourceFile) -> Iterator[Hit]:
    """Yield each coroutine of a library that is made for nothing, or used in the place of what it gives."""
    objects = LibraryObjects(source.tree, source.path)
    for node, scopes in objects.nodes():
        for used, so in _uses(node):
            if isinstance(used, (ast.Call, ast.Name)) and objects.type_of(used, scopes) == "coroutine":
                called = ast.unparse(used.func) if isinstance(used, ast.Call) else ""
                what = f"`{called}` is `async`" if called else f"`{ast.unparse(used)}` is a coroutine"
                yield hit_at(source, used, values={"what": what, "so": so})


def _uses(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yield the expressions of a node that can be no coroutine, and what happens if one is."""
    always = "without `await` the condition is always true"
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node.value, "without `await` its body never runs"
    elif isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        yield node.test, always
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand, "without `await` the condition is always false"
    elif isinstance(node, ast.BoolOp):
        yield from ((each, "without `await` it is always true") for each in node.values[:-1])
    elif isinstance(node, ast.Attribute) and node.attr not in _OF_COROUTINES:
        yield node.value, f"without `await` it has no `{node.attr}`"
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value, "without `await` it cannot be indexed"
    elif isinstance(node, (ast.For, ast.comprehension)) and not getattr(node, "is_async", 0):
        yield node.iter, "without `await` it cannot be iterated over"
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        yield from ((each.context_expr, "a coroutine cannot be entered by a `with` statement") for each in node.items)


def _bound_elsewhere(source: SourceFile) -> set[str]:
    """Return names that mean something besides a function at the top of the module."""
    names = {argument.arg for argument in source.nodes(ast.arg)}
    names |= {function.name for function in source.functions if not isinstance(function, ast.AsyncFunctionDef)}
    names |= {each.name for each in source.nodes(ast.AsyncFunctionDef) if each not in source.tree.body}
    return names | {node.id for node in source.nodes(ast.Name) if isinstance(node.ctx, ast.Store)}


def _calls_on_self(owner: ast.ClassDef) -> Iterator[ast.Call]:
    """Yield each ``self.method(...)`` in a class that calls one of its own coroutine functions."""
    coroutines = {each.name for each in owner.body if is_function(each) and is_coroutine_function(each)}
    coroutines -= {each.name for each in owner.body if isinstance(each, ast.FunctionDef)}
    if not coroutines:
        return
    own = {id(each) for each in attributes_of_self(owner) if each.attr in coroutines}
    yield from (node for node in walk(owner) if isinstance(node, ast.Call) and id(node.func) in own)


CHECK = file_check(examine, CheckTraits(literals=("async def", *_LIBRARIES)))
