"""Statements behind a return, raise, continue or break of the same block."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import blocks, is_string, last_line
from review_bot.analysis.python.syntax import hit_on
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_WORDS: dict[type[ast.stmt], str] = {
    ast.Return: "return",
    ast.Raise: "raise",
    ast.Continue: "continue",
    ast.Break: "break",
}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the statement that ends a block early, or what follows it if only that was added. Raises CannotParse."""
    for block in blocks(source.tree.body):
        for position, statement in enumerate(block[:-1]):
            if type(statement) not in _WORDS:
                continue
            rest = block[position + 1 :]
            if not _makes_a_generator(rest) and not all(map(_does_nothing, rest)):
                first, last = rest[0].lineno, last_line(rest[-1])
                where = statement if statement.lineno in source.added else rest[0]
                yield hit_on(
                    source,
                    where,
                    values={
                        "word": _WORDS[type(statement)],
                        "line": str(statement.lineno),
                        "lines": f"line {first}" if first == last else f"lines {first} to {last}",
                    },
                )
            break


def _does_nothing(statement: ast.stmt) -> bool:
    """Return whether a statement has no effect: a text, a bare ``return``, ``pass``, ``break``, ``continue``."""
    if isinstance(statement, ast.Return):
        return statement.value is None
    return is_string(statement) or isinstance(statement, (ast.Pass, ast.Break, ast.Continue))


def _makes_a_generator(rest: list[ast.stmt]) -> bool:
    """Return whether what follows is a lone ``yield``, which makes the function a generator."""
    (first, *more) = rest
    return not more and isinstance(first, ast.Expr) and isinstance(first.value, (ast.Yield, ast.YieldFrom))


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("return", "raise", "continue", "break")))
