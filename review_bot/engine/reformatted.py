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
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from review_bot.changes.node_lines import last_line, lines_of
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile

MOST_LINES = 20_000
"""Added and removed lines of a file; in a larger change of one file nothing is recognised."""

Kind = tuple[str, type[ast.stmt]]
"""The names of the definitions around a statement, and its class."""


class Reformatted:
    """The statements of one file that are equal at both ends of the change, though the change touched their lines."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._pairs: dict[Kind, dict[int, ast.stmt]] = {}

    def lines_at_base(self, line: int) -> Sequence[int]:
        """Return the lines at the base of the innermost statement on an added line; none if the statement is new."""
        found = self._innermost.get(line)
        before = None if found is None else self._paired(found[0]).get(id(found[1]))
        return () if before is None else range(before.lineno, last_line(before) + 1)

    @cached_property
    def _innermost(self) -> dict[int, tuple[Kind, ast.stmt]]:
        """The innermost statement on each added line."""
        return {
            line: (kind, each) for kind, each in self._added for line in lines_of(each) if line in self._source.added
        }

    def _paired(self, kind: Kind) -> dict[int, ast.stmt]:
        """Return the equal statement at the base of each added one of a kind, by the identity of the latter."""
        if kind not in self._pairs:
            left: defaultdict[str, list[ast.stmt]] = defaultdict(list)
            for other, each in reversed(self._removed):
                if other == kind and (structure := _structure(each)):
                    left[structure].append(each)
            pairs = self._pairs[kind] = {}
            for other, each in self._added if left else ():
                if other == kind and (equal := left.get(_structure(each))):
                    pairs[id(each)] = equal.pop()
        return self._pairs[kind]

    @cached_property
    def _added(self) -> list[tuple[Kind, ast.stmt]]:
        source = self._source
        if source.known_old_tree is None or len(source.added) + len(source.removed) > MOST_LINES:
            return []
        try:
            return list(_touched(source.tree, source.added))
        except CannotParse:
            return []

    @cached_property
    def _removed(self) -> list[tuple[Kind, ast.stmt]]:
        tree = self._source.known_old_tree
        return [] if tree is None else list(_touched(tree, self._source.removed))


def _touched(tree: ast.Module, lines: Mapping[int, str]) -> Iterator[tuple[Kind, ast.stmt]]:
    """Yield the statements that hold one of some lines, each before those within it."""
    numbers = sorted(lines)
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        scope, node = waiting.pop()
        if isinstance(node, ast.stmt):
            at = bisect_left(numbers, node.lineno)
            if at == len(numbers) or numbers[at] > last_line(node):
                continue
            yield (scope, type(node)), node
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                scope = f"{scope}.{node.name}"
        if not isinstance(node, ast.expr):
            waiting += reversed([(scope, child) for child in ast.iter_child_nodes(node)])


def _structure(node: ast.stmt) -> str:
    """Return the syntax tree of a statement as text; empty if it is nested too deeply to be compared."""
    try:
        return ast.dump(node)
    except RecursionError:
        return ""
