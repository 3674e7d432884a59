"""What code does to objects by syntax and built-in functions, and the methods that it needs for that.

::

    with pool: ...          __enter__ and __exit__
    pool(1)                 __call__
    for job in pool: ...    __iter__ or __getitem__
    1 in pool               __contains__, __iter__ or __getitem__

Python looks these methods up in the class of the object, and not in the object
(https://docs.python.org/3/reference/datamodel.html#special-method-lookup).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.syntax import own_nodes, structure
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple

_ITERATES = frozenset({
    "all", "any", "dict", "enumerate", "filter", "frozenset", "iter", "list", "map", "max", "min", "set", "sorted",
    "sum", "tuple", "zip",
})  # fmt: skip
_ONLY_FIRST = frozenset({"dict", "max", "min"})
"""Of these, they take other arguments too, or other objects, where more than one is given."""
_SECOND = frozenset({"filter", "map"})
_ASKS = frozenset({"callable", "getattr", "hasattr", "isinstance", "issubclass", "type"})
_ITERABLE = frozenset({"__iter__", "__getitem__"})
_SUBSCRIPTS = {ast.Load: "__getitem__", ast.Store: "__setitem__", ast.Del: "__delitem__"}

METHODS = frozenset({
    "__aenter__", "__aexit__", "__aiter__", "__anext__", "__await__", "__call__", "__contains__", "__delitem__",
    "__enter__", "__exit__", "__getitem__", "__iter__", "__len__", "__next__", "__setitem__",
})  # fmt: skip


class Operation(NamedTuple):
    """What is done to an object, in words, and the methods of which it needs one."""

    value: ast.expr
    words: str
    needs: frozenset[str]


def operations(tree: ast.Module) -> Iterator[Operation]:
    """Yield what a file does to objects; not to those of which it asks what they are."""
    asked = {
        structure(call.args[0])
        for call in nodes_of(tree, ast.Call)
        if call.args and isinstance(call.func, ast.Name) and call.func.id in _ASKS
    }
    for each in _operations(tree):
        if not asked or structure(each.value) not in asked:
            yield each


def _operations(tree: ast.Module) -> Iterator[Operation]:
    bound = binding_counts(tree)
    for call in nodes_of(tree, ast.Call):
        yield Operation(call.func, "calls", frozenset({"__call__"}))
        if isinstance(call.func, ast.Name) and not call.keywords and not bound[call.func.id] and not bound["*"]:
            yield from _by_function(call.func.id, call.args)
        yield from (_iterated(each.value) for each in call.args if isinstance(each, ast.Starred))
    yield from _entered(tree)
    yield from _looped_over(tree)
    for entry in nodes_of(tree, ast.Subscript):
        yield Operation(entry.value, "looks into", frozenset({_SUBSCRIPTS[type(entry.ctx)]}))
    for test in nodes_of(tree, ast.Compare):
        for operator, container in zip(test.ops, test.comparators, strict=True):
            if isinstance(operator, (ast.In, ast.NotIn)):
                yield Operation(container, "looks into", _ITERABLE | {"__contains__"})


def _entered(tree: ast.Module) -> Iterator[Operation]:
    for synchronous in nodes_of(tree, ast.With):
        for item in synchronous.items:
            for name in ("__enter__", "__exit__"):
                yield Operation(item.context_expr, "enters", frozenset({name}))
    for asynchronous in nodes_of(tree, ast.AsyncWith):
        for item in asynchronous.items:
            for name in ("__aenter__", "__aexit__"):
                yield Operation(item.context_expr, "enters", frozenset({name}))


def _looped_over(tree: ast.Module) -> Iterator[Operation]:
    for loop in nodes_of(tree, ast.For):
        yield _iterated(loop.iter)
    for stream in nodes_of(tree, ast.AsyncFor):
        yield Operation(stream.iter, "iterates over", frozenset({"__aiter__"}))
    for part in nodes_of(tree, ast.comprehension):
        needs = frozenset({"__aiter__"}) if part.is_async else _ITERABLE
        yield Operation(part.iter, "iterates over", needs)
    waits = nodes_of(tree, ast.Await)
    refused = {
        id(each) for function in (nodes_of(tree, ast.FunctionDef) if waits else ()) for each in own_nodes(function.body)
    }
    for wait in waits:
        if id(wait) in refused:
            continue  # a syntax error
        yield Operation(wait.value, "awaits", frozenset({"__await__"}))
    for assignment in nodes_of(tree, ast.Assign):
        if any(isinstance(target, (ast.Tuple, ast.List)) for target in assignment.targets):
            yield _iterated(assignment.value)


def _iterated(value: ast.expr) -> Operation:
    return Operation(value, "iterates over", _ITERABLE)


def _by_function(name: str, arguments: list[ast.expr]) -> Iterator[Operation]:
    if not arguments or any(isinstance(each, ast.Starred) for each in arguments):
        return
    if name == "len" and len(arguments) == 1:
        yield Operation(arguments[0], "takes the length of", frozenset({"__len__"}))
    elif name == "next":
        yield Operation(arguments[0], "takes the next of", frozenset({"__next__"}))
    elif name in _SECOND and len(arguments) > 1:
        yield _iterated(arguments[1])
    elif name in _ITERATES - _SECOND - _ONLY_FIRST and not (name == "iter" and len(arguments) > 1):
        yield _iterated(arguments[0])
