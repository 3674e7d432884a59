"""Calls over whose results a loop or comprehension goes, and unpacks each into names.

::

    for a, b in walk(x)                 found = walk(x);  for a, b in found
    async for a, b in stream(x)         [a async for a, b in stream(x)]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.facts.placed_calls import Place
from review_bot.analysis.facts.stored_values import held_value, stored_values
from review_bot.analysis.python.statements import Function, functions_of, last_name, parameter_names
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.records import NamedTuple


class UnpackedItems(NamedTuple):
    """A call whose items are unpacked into ``size`` names each, on line ``at``. ``is_async``: by ``async for``."""

    line: int
    column: int
    name: str
    size: int
    is_async: bool
    at: int

    @property
    def place(self) -> Place:
        """The place of the call."""
        return self.line, self.column, self.name


@kept_on_node
def unpacked_items(tree: ast.AST) -> tuple[UnpackedItems, ...]:
    """Return such calls of a file."""
    return tuple(_found(tree))


def _found(tree: ast.AST) -> Iterator[UnpackedItems]:
    functions: list[Function] | None = None
    for target, value, is_async in _loops(tree):
        if not isinstance(target, (ast.Tuple, ast.List)) or any(isinstance(each, ast.Starred) for each in target.elts):
            continue
        call: ast.expr | None = value
        if isinstance(value, ast.Name):
            functions = functions_of(tree) if functions is None else functions
            call = _held(functions, value)
        if isinstance(call, ast.Call) and not isinstance(call.func, ast.Call):
            name = last_name(call.func)
            yield UnpackedItems(call.lineno, call.col_offset, name, len(target.elts), is_async, target.lineno)


def _loops(tree: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, bool]]:
    yield from ((each.target, each.iter, False) for each in nodes_of(tree, ast.For))
    yield from ((each.target, each.iter, True) for each in nodes_of(tree, ast.AsyncFor))
    yield from ((each.target, each.iter, bool(each.is_async)) for each in nodes_of(tree, ast.comprehension))


def _held(functions: list[Function], name: ast.Name) -> ast.expr | None:
    """Return the only value of a name in the innermost function around it that binds the name."""
    around = [each for each in functions if each.lineno <= name.lineno <= last_line(each)]
    for function in sorted(around, key=lambda each: each.lineno, reverse=True):
        if name.id in stored_values(function) or name.id in parameter_names(function):
            return held_value(function, name.id)
    return None
