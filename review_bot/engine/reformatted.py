"""Python statements that a change only reformatted: other line ends, parentheses, quotes or commas, one syntax tree.

::

    base                                head
    if shape:                      1    if (           1      head lines 1 to 4 are base lines 1 to 2
        reward += distance         2        shape      2
                                        ):             3
                                            reward ... 4

A statement is compared as a whole, with all that is below it, and within its definition. The first of
several equal ones is the first at the base, so that no more are recognised than the base has.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile

Place = tuple[str, ast.stmt]
"""The names of the definitions around a statement, and the statement."""


class Reformatted:
    """The statements of one file that are equal at both ends of the change, though the change touched their lines."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source

    def lines_at_base(self, line: int) -> Sequence[int]:
        """Return the lines at the base of the innermost statement on an added line; none if the statement is new."""
        around = [place for place in self._added if place[1].lineno <= line <= _end(place[1])]
        if not around:
            return ()
        scope, statement = around[-1]
        text = ast.dump(statement)
        equal = [each for where, each in self._added if where == scope and _may_equal(each, statement)]
        before = [each for where, each in self._removed if where == scope and _may_equal(each, statement)]
        number = sum(ast.dump(each) == text for each in equal[: equal.index(statement)])
        same = [each for each in before if ast.dump(each) == text]
        return range(same[number].lineno, _end(same[number]) + 1) if number < len(same) else ()

    @cached_property
    def _added(self) -> list[Place]:
        if self._source.known_old_tree is None:
            return []
        try:
            return list(_touched(self._source.tree, self._source.added))
        except CannotParse:
            return []

    @cached_property
    def _removed(self) -> list[Place]:
        tree = self._source.known_old_tree
        return [] if tree is None else list(_touched(tree, self._source.removed))


def _touched(tree: ast.Module, lines: Mapping[int, str]) -> Iterator[Place]:
    """Yield the statements that hold one of some lines, each before those within it."""
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        scope, node = waiting.pop()
        if isinstance(node, ast.stmt):
            if not any(line in lines for line in range(node.lineno, _end(node) + 1)):
                continue
            yield scope, node
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                scope = f"{scope}.{node.name}"
        if not isinstance(node, ast.expr):
            waiting += reversed([(scope, child) for child in ast.iter_child_nodes(node)])


def _may_equal(one: ast.stmt, other: ast.stmt) -> bool:
    return type(one) is type(other) and [*map(type, ast.iter_child_nodes(one))] == [
        *map(type, ast.iter_child_nodes(other))
    ]


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno
