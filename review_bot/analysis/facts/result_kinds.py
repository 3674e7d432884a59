"""What a file does to the results of calls, and what a function gives instead of what it returns.

::

    async def load(path): ...               load(path)["size"]       a coroutine: TypeError
    def rows(path): yield path              len(rows(path))          a generator
    async def stream(path): yield path      await stream(path)       an asynchronous generator
    def save(path): log(path)               await save(path)         `None`
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import AsyncGeneratorType, CoroutineType, GeneratorType

from review_bot.analysis.facts.operations import operations
from review_bot.analysis.facts.returned_values import returned_values
from review_bot.analysis.facts.stored_values import held_value
from review_bot.analysis.python.statements import Function, functions_of, is_stub, last_name
from review_bot.analysis.python.syntax import is_generator
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.records import NamedTuple

_PLAIN = frozenset({"classmethod", "final", "override", "staticmethod"})
"""Decorators that leave what a call gives as it is."""


class ResultKind(NamedTuple):
    """What a call gives, in words, what it supports, and what to do to get what the function returns or yields.

    ``waits``: something has to wait for it or go through it first.
    """

    words: str
    supports: frozenset[str]
    advice: str
    waits: bool = True

    def lacks(self, needs: frozenset[str]) -> bool:
        """Return whether it has none of these; of a value that is not waited for, only what waiting needs is known."""
        return needs <= _TO_WAIT if not self.waits else needs.isdisjoint(self.supports)


class ResultUse(NamedTuple):
    """What is done to the result of a call, in words, and the methods or the attribute of which it needs one.

    ``value``: the call itself, or a name that holds its result.
    """

    call: ast.Call
    value: ast.expr
    words: str
    needs: frozenset[str]


_TO_WAIT = frozenset({"__aenter__", "__aexit__", "__aiter__", "__await__"})
_COROUTINE = ResultKind("a coroutine", frozenset(dir(CoroutineType)), "Await it.")
_STREAM = ResultKind("an asynchronous generator", frozenset(dir(AsyncGeneratorType)), "Use `async for`.")
_GENERATOR = ResultKind("a generator", frozenset(dir(GeneratorType)), "Loop over it, or make a list of it.")
_NOTHING = ResultKind("`None`", frozenset(), "Leave the `await` out, or make it a coroutine function.", waits=False)
_VALUE = _NOTHING._replace(words="a plain value")


def result_kind(function: Function) -> ResultKind | None:
    """Return what calls of a function give if code may take it for something else; None: that is not known."""
    if is_stub(function) or not all(last_name(each) in _PLAIN for each in function.decorator_list):
        return None
    if isinstance(function, ast.AsyncFunctionDef):
        return _STREAM if is_generator(function) else _COROUTINE
    if is_generator(function):
        return _GENERATOR
    returned = returned_values(function, is_awaited=False)
    return None if not returned else _NOTHING if all(each.words == "nothing" for each in returned) else _VALUE


def result_uses(tree: ast.Module) -> Iterator[ResultUse]:
    """Yield what a file does to the results of calls, and to local names that hold one and that nothing asks about."""
    done = [(each.value, each.words, each.needs) for each in operations(tree)]
    done += [
        (each.value, f"reads `{each.attr}` of", frozenset({each.attr}))
        for each in nodes_of(tree, ast.Attribute)
        if isinstance(each.ctx, ast.Load)
    ]
    named: list[tuple[ast.Name, str, frozenset[str]]] = []
    for value, words, needs in done:
        if isinstance(value, ast.Call):
            yield ResultUse(value, value, words, needs)
        elif isinstance(value, ast.Name):
            named.append((value, words, needs))
    for function in functions_of(tree) if named else ():
        held = _held(function)
        own = set(nodes_of(function, ast.Name)) if held else set()
        for name, words, needs in named:
            if name.id in held and name in own and _is_below(name, held[name.id]):
                yield ResultUse(held[name.id], name, words, needs)


def _is_below(name: ast.Name, call: ast.Call) -> bool:
    return (name.lineno, name.col_offset) > (last_line(call), call.end_col_offset or 0)


def _held(function: Function) -> dict[str, ast.Call]:
    """Return the local names of a function that hold the result of one call, unless a call may ask what that is."""
    stored = {each.targets[0] for each in nodes_of(function, ast.Assign) if isinstance(each.value, ast.Call)}
    names = {each.id for each in stored if isinstance(each, ast.Name)}
    for call in nodes_of(function, ast.Call) if names else ():
        if last_name(call.func).startswith(("is", "has", "type", "getattr", "callable")):
            names -= {each.id for one in call.args for each in nodes_of(one, ast.Name)}
    found = {name: held_value(function, name) for name in names}
    return {name: each for name, each in found.items() if isinstance(each, ast.Call)}
