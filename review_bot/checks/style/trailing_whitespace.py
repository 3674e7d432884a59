"""White space at the end of added lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Suggestion
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each added line that ends with blanks or tabs."""
    found = {number: text for number, text in source.added.items() if text.removesuffix("\r")[-1:] in {" ", "\t"}}
    values = _values(source) if found and source.text is not None else None
    for number, text in found.items():
        bare = text.removesuffix("\r")
        yield Hit(
            number,
            number,
            len(bare.rstrip(" \t")) + 1,
            len(text) + 1,
            suggestion=None if values is None or number in values else _without(source, found, values, number),
        )


def _without(source: SourceFile, found: dict[int, str], values: frozenset[int], number: int) -> Suggestion | None:
    """Return lines without the white space at their ends.

    An empty text would delete a line: one that is blank is written together with the line above it, and so with all
    the blank lines around it.
    """
    first = last = number
    while first > 1 and not source.lines[first - 1].strip():
        first -= 1
    while last < len(source.lines) and last + 1 in found and not found[last + 1].strip():
        last += 1
    if not source.lines[first - 1].strip() or not values.isdisjoint(range(first, last + 1)):
        return None
    lines = [
        source.lines[each - 1].rstrip(" \t") if each in found else source.lines[each - 1]
        for each in range(first, last + 1)
    ]
    return Suggestion(first, last, "\n".join(lines))


def _values(source: SourceFile) -> frozenset[int] | None:
    """Return the lines that end inside a string whose text the white space belongs to; None if this cannot be known.

    A docstring is not such a string, unless it contains examples that are compared letter by letter.
    """
    try:
        texts: list[ast.Constant | ast.JoinedStr] = [*source.nodes(ast.Constant), *source.nodes(ast.JoinedStr)]
        told = {id(each.value) for each in source.nodes(ast.Expr)}
    except CannotParse:
        return None
    lines: set[int] = set()
    for each in texts:
        told_only = id(each) in told and isinstance(each, ast.Constant) and ">>>" not in str(each.value)
        if not told_only and each.end_lineno is not None:
            lines.update(range(each.lineno, each.end_lineno))
    return frozenset(lines)


CHECK = file_check(examine, CheckTraits(literals=None))
