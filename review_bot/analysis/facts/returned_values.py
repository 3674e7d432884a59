"""How many values each ``return`` of a function gives, or each ``yield``, where it writes them out.

::

    return a, b                      2, also as one of what a condition chooses from
    pair = a, b;  return pair        2, if nothing else binds ``pair``
    return None                      nothing that can be unpacked
    return g(x)                      not known, and so nothing is known of the function
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.facts.stored_values import held_value
from review_bot.analysis.python.statements import (
    Function,
    inner_blocks,
    is_definition,
    is_stub,
    last_name,
    named_parameters,
)
from review_bot.analysis.python.syntax import is_generator, is_literal, is_name, own_nodes
from review_bot.changes.node_lines import last_line, span_of
from review_bot.records import NamedTuple

_KEEPS_RESULT = frozenset({
    "cache", "classmethod", "enable_grad", "final", "inference_mode", "lru_cache", "no_grad", "override",
    "staticmethod",
})  # fmt: skip
"""Decorators that leave the result of a function as it is."""


class Returned(NamedTuple):
    """What a ``return`` gives, in words, at a line; ``size`` is that of a tuple or list, and None of what is none.

    ``is_aside``: it is reached after an error, or where there is no data, which callers do not choose. ``span``: the
    first and last lines of where the values are written.
    """

    line: int
    size: int | None
    words: str
    is_aside: bool
    span: tuple[int, int]


class Yielded(NamedTuple):
    """How many values a ``yield`` gives, and its first and last lines."""

    line: int
    last: int
    size: int


def returned_values(function: Function, *, is_awaited: bool) -> list[Returned]:
    """Return what each ``return`` of a function gives; nothing if one of them does not show it."""
    if (
        is_generator(function)
        or is_stub(function)
        or not all(last_name(each) in _KEEPS_RESULT for each in function.decorator_list)
        or is_awaited != isinstance(function, ast.AsyncFunctionDef)
    ):
        return []
    found = [
        _read(each, value, function, is_aside=is_aside)
        for each, is_aside in _returns(function)
        for value in _chosen(each.value)
    ]
    if not found and not isinstance(function.body[-1], ast.Raise):
        found = [Returned(function.lineno, None, "nothing", is_aside=False, span=(0, 0))]
    shown = [each for each in found if each is not None]
    return shown if len(shown) == len(found) else []


def yielded_values(function: Function) -> list[Yielded]:
    """Return what each ``yield`` of a generator gives; nothing if one of them does not show it."""
    if is_stub(function) or not all(last_name(each) in _KEEPS_RESULT for each in function.decorator_list):
        return []
    yields = [each for each in own_nodes(function.body) if isinstance(each, (ast.Yield, ast.YieldFrom))]
    tuples = [each for each in yields if isinstance(each, ast.Yield) and isinstance(each.value, ast.Tuple)]
    sizes = [(each, each.value.elts) for each in tuples if isinstance(each.value, ast.Tuple)]
    shown = [
        Yielded(each.lineno, last_line(each), len(values))
        for each, values in sizes
        if not any(isinstance(value, ast.Starred) for value in values)
    ]
    return sorted(shown) if len(shown) == len(yields) else []


def _returns(function: Function) -> Iterator[tuple[ast.Return, bool]]:
    """Yield each ``return`` of a function, and whether it is reached after an error or where there is no data."""
    own = {each.arg for each in named_parameters(function)}
    waiting: list[tuple[ast.stmt, bool]] = [(each, False) for each in function.body]
    while waiting:
        statement, is_aside = waiting.pop()
        if isinstance(statement, ast.Return):
            yield statement, is_aside
        if is_definition(statement):
            continue
        aside = {id(handler.body) for handler in getattr(statement, "handlers", ())}
        if isinstance(statement, ast.If) and _is_of_no_data(statement.test, own):
            aside.add(id(statement.body))
        for block in inner_blocks(statement):
            waiting += [(each, is_aside or id(block) in aside) for each in block]


def _is_of_no_data(test: ast.expr, own: set[str]) -> bool:
    """Return whether a test is true where a name that is no parameter is None, or where something has no length."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _is_length(test.operand)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    left, right = test.left, test.comparators[0]
    if isinstance(test.ops[0], ast.Is):
        return isinstance(left, ast.Name) and left.id not in own and is_literal(right, None)
    return isinstance(test.ops[0], (ast.Eq, ast.Lt, ast.LtE)) and _is_length(left)


def _is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and is_name(node.func, "len")


def _chosen(value: ast.expr | None) -> Iterator[ast.expr | None]:
    """Yield what the conditions in an expression choose from."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.IfExp):
            waiting += each.orelse, each.body
        else:
            yield each


def _read(statement: ast.Return, value: ast.expr | None, function: Function, *, is_aside: bool) -> Returned | None:
    written: ast.stmt | ast.expr = statement
    held = held_value(function, value.id) if isinstance(value, ast.Name) else None
    if isinstance(held, ast.Tuple):  # a list may grow until it is returned
        value, written = held, held
    words, size = "", None
    if isinstance(value, (ast.Tuple, ast.List)) and not any(isinstance(each, ast.Starred) for each in value.elts):
        size = len(value.elts)
        words = f"{size} value{'s' * (size != 1)}"
    elif value is None or is_literal(value, None):
        words = "nothing"
    elif isinstance(value, ast.Constant) and not isinstance(value.value, (str, bytes)):
        words = f"`{ast.unparse(value)}`"
    span = span_of(written)
    return Returned(statement.lineno, size, words, is_aside, span) if words else None
