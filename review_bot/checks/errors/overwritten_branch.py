"""An ``if`` whose work the next ``if``/``else`` does over again: a missing ``elif``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from review_bot.analysis.python.statements import blocks
from review_bot.analysis.python.syntax import hit_at, names_in
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each ``if`` all of whose assignments are overwritten, those of a broken chain aside. Raises CannotParse."""
    found = list(_overwritten(source))
    if found:
        from review_bot.checks.errors import broken_elif_chain  # most files have no such branch

        reported = {hit.values["second"] for hit in broken_elif_chain.examine(source)}
        yield from (hit for hit in found if str(hit.line) not in reported)


def _overwritten(source: SourceFile) -> Iterator[Hit]:
    for block in blocks(source.tree.body):
        for first, second in pairwise(block):
            if not (isinstance(first, ast.If) and isinstance(second, ast.If) and second.orelse) or first.orelse:
                continue
            names = _names_set(first.body)
            if names and _overwrites([second], names):
                listed = ", ".join(f"`{name}`" for name in sorted(names))
                yield hit_at(source, second, values={"names": listed, "first": str(first.lineno)})


def _names_set(block: list[ast.stmt]) -> frozenset[str]:
    """Return the names that a block sets, if that is all it does."""
    found: set[str] = set()
    for statement in block:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return frozenset()
        target = statement.targets[0]
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        if len(names) != len(parts):
            return frozenset()
        found.update(names)
    return frozenset(found)


def _overwrites(block: list[ast.stmt], names: frozenset[str]) -> bool:
    """Return whether every way through a block sets all of the names before it reads one of them."""
    left = names
    for statement in block:
        if isinstance(statement, ast.If):
            if left & names_in(statement.test, ast.Load):
                return False
            if statement.orelse and _overwrites(statement.body, left) and _overwrites(statement.orelse, left):
                return True
        if left & names_in(statement, ast.Load):
            return False
        if isinstance(statement, ast.Raise):
            return True
        if isinstance(statement, ast.Assign):
            left = left.difference(*map(names_in, statement.targets))
        if not left:
            return True
    return False


CHECK = file_check(examine, CheckTraits(literals=("if else", "if elif")))
