"""Statements of a function that the same file holds a second time, white space aside.

Signatures, docstrings and tables of a class are no statements of a function, and may have to be repeated. Where the
file had ``_USUAL`` such copies before, or a comment says that a function or the file was copied, the copies are
deliberate.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from review_bot.analysis.python.statements import (
    decorator_names,
    first_line,
    inner_blocks,
    is_function,
    is_string,
)
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, FileCheck
from review_bot.rules.rule import Hit, Options
from review_bot.text.lazy_regex import LazyRegex

_WINDOW = 4
"""Statements whose equality starts a search for more."""
_USUAL = 2
_WORD = LazyRegex(r"\w+")
_MARKED = LazyRegex(r"(?:#|\"\"\"|^)\s*(?:Adapted|Copied|Modified)(?:\s+and\s+\w+)?\s+from\b")
_OPENING = 15
"""Lines at the start of a file that say where all of it comes from."""


class _Line(NamedTuple):
    """One statement, or the head of a compound one: its text without white space, its lines, and its function."""

    text: str
    first: int
    last: int
    owner: int


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each copy that the change adds, with the earlier place. Raises CannotParse.

    ``lines``: how many lines of code a copy must hold; ``words``: how many words.
    """
    if len(source.added) < options["lines"] or any(map(_MARKED.search, source.lines[:_OPENING])):
        return
    code = list(_code(source))
    places: dict[tuple[str, ...], list[int]] = {}
    for start in range(len(code) - _WINDOW + 1):
        if code[start].owner == code[start + _WINDOW - 1].owner:
            places.setdefault(tuple(each.text for each in code[start : start + _WINDOW]), []).append(start)
    hits: list[Hit] = []
    usual = done = 0
    for start in range(len(code) - _WINDOW + 1):
        earlier = places.get(tuple(each.text for each in code[start : start + _WINDOW]), [])
        runs = [(_length(code, other, start), other) for other in earlier if other < start] if start >= done else []
        if not runs:
            continue
        length, other = max(runs, key=lambda run: (run[0], -run[1]))
        copy, original = code[start : start + length], code[other : other + length]
        if not _is_large(copy, options):
            continue
        done = start + length
        if source.old_text is not None and _words(source.old_lines).count(_words(each.text for each in copy)) > 1:
            usual += 1  # lines that were only reformatted
        elif source.mostly_added(copy[0].first, copy[-1].last):
            hits.append(_hit(source, copy, original))
        elif source.mostly_added(original[0].first, original[-1].last):
            hits.append(_hit(source, original, copy))
        else:
            usual += 1
    if usual < _USUAL:
        yield from hits


def _length(code: list[_Line], one: int, other: int) -> int:
    """Return how many statements are equal from two places on, without reaching the second place from the first."""
    length = 0
    while (
        other + length < len(code)
        and one + length < other
        and code[one + length].text == code[other + length].text
        and code[one + length].owner == code[one].owner
        and code[other + length].owner == code[other].owner
    ):
        length += 1
    return length


def _is_large(copy: list[_Line], options: Options) -> bool:
    lines = sum(each.last - each.first + 1 for each in copy)
    words = sum(len(_WORD.findall(each.text)) for each in copy)
    return bool(lines >= options["lines"] and words >= options["words"])


def _words(lines: Iterable[str]) -> str:
    """Return the words of lines, but for those that are comments, in a form in which equal ones can be counted."""
    code = (line for line in lines if not line.lstrip().startswith("#"))
    return f" {'  '.join(_WORD.findall(' '.join(code)))} "


def _hit(source: SourceFile, copy: list[_Line], original: list[_Line]) -> Hit:
    first, last, twin, twin_last = copy[0].first, copy[-1].last, original[0].first, original[-1].last
    lines = sum(each.last - each.first + 1 for each in copy)
    values = {"lines": str(lines), "last": str(last), "twin": str(twin), "twin_last": str(twin_last)}
    related = (Related(source.path, twin, f"the same statements, up to line {twin_last}"),)
    return Hit(source.first_added(first, last) or first, values=values, related=related)


def _code(source: SourceFile) -> Iterator[_Line]:
    """Yield the statements of each function, in the order of the text."""
    for owner, function in enumerate(source.functions):
        above = first_line(function) - 2
        if above >= 0 and _MARKED.search(source.lines[above]):
            continue
        if "jit" in decorator_names(function):
            continue  # loops over tiles are repeated where a call would cost registers
        body = function.body[1:] if is_string(function.body[0]) else function.body
        yield from _flat(body, owner, source)


def _flat(body: list[ast.stmt], owner: int, source: SourceFile) -> Iterator[_Line]:
    for statement in body:
        if is_function(statement) or isinstance(statement, ast.ClassDef | ast.Import | ast.ImportFrom):
            continue
        blocks = sorted((block for block in inner_blocks(statement) if block), key=lambda block: block[0].lineno)
        first = statement.lineno
        for block in blocks:
            head = _line(first, max(first, block[0].lineno - 1), owner, source)
            if head.text and (first < block[0].lineno or block is blocks[0]):  # also ``case ...:``, ``else:``
                yield head
            yield from _flat(block, owner, source)
            first = last_line(block[-1]) + 1
        if not blocks:
            yield _line(first, last_line(statement), owner, source)


def _line(first: int, last: int, owner: int, source: SourceFile) -> _Line:
    code = (line for line in source.lines_of_authors[first - 1 : last] if not line.lstrip().startswith("#"))
    text = " ".join(" ".join(code).split())
    return _Line(text, first, last, owner)


CHECK = FileCheck(examine, CheckTraits(literals=("def",)))
