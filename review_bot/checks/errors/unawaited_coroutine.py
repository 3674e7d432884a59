"""Calls of a coroutine function as a statement of their own, without ``await``: the body never runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import attributes_of_self, is_coroutine_function, is_function
from review_bot.analysis.python.syntax import classes, full_name, hit_at, imported_names
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_OF_ASYNCIO = frozenset(
    f"asyncio.{name}"
    for name in (
        *("create_subprocess_exec", "create_subprocess_shell", "open_connection", "open_unix_connection", "sleep"),
        *("start_server", "start_unix_server", "to_thread", "wait", "wait_for"),
    )
)
"""Its coroutine functions; https://docs.python.org/3/library/asyncio-api-index.html. ``gather`` schedules at once."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call that only makes a coroutine. Raises CannotParse."""
    plain = {each.name for each in source.tree.body if is_function(each) and is_coroutine_function(each)}
    if plain:
        plain -= _bound_elsewhere(source)
    methods = {id(call) for owner in classes(source.tree) for call in _calls_on_self(owner)}
    names = imported_names(source.tree)
    for statement in source.nodes(ast.Expr):
        call = statement.value
        if not isinstance(call, ast.Call):
            continue
        own = id(call) in methods or (isinstance(call.func, ast.Name) and call.func.id in plain)
        if own or full_name(call.func, names) in _OF_ASYNCIO:
            yield hit_at(source, call, values={"name": ast.unparse(call.func)})


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


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("async def", "asyncio")))
