"""Statements of a function that the same file holds a second time, white space aside.

A copy ends where an inner function or class differs. Signatures, docstrings and tables of a class are no statements of
a function, and may have to be repeated; so may imports, which have to be equal and do not count. Where the file had
``_USUAL`` such copies before, or a comment says that a function or the file was copied, the copies are deliberate.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from review_bot.analysis.python.statements import (
    Function,
    decorator_names,
    first_line,
    inner_blocks,
    is_function,
    is_string,
)
from review_bot.analysis.python.whole_statements import PARTS, function_with_body
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.origin_marks import names_origin

_WINDOW = 4
"""Statements whose equality starts a search for more."""
_USUAL = 2
_WORD = LazyRegex(r"\w+")
_IMPORT = LazyRegex(r"(?:from|import)\s")
_CLAUSE = LazyRegex(r"(?:else|elif|except|finally)\b|case\s[^=\n]{0,200}:$")
_OPENING = 15
"""Lines at the start of a file that say where all of it comes from."""


class _Line(NamedTuple):
    """One statement, or the head of a compound one: its text without white space, and its lines.

    ``depth``: how many statements are around it. ``end``: the last line of the innermost function around it.
    """

    text: str
    first: int
    last: int
    depth: int
    end: int


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each copy that the change adds, with the earlier place. Raises CannotParse.

    ``lines``: how many lines of code a copy must hold; ``words``: how many words.
    """
    if len(source.added) < options["lines"] or any(map(names_origin, source.lines[:_OPENING])):
        return
    code = list(_code(source))
    places: dict[tuple[tuple[str, int], ...], list[int]] = {}
    for start in range(len(code) - _WINDOW + 1):
        if code[start + _WINDOW - 1].last <= code[start].end:
            places.setdefault(_window(code, start), []).append(start)
    hits: list[Hit] = []
    usual = done = 0
    for start in range(len(code) - _WINDOW + 1):
        earlier = places.get(_window(code, start), [])
        runs = [(_length(code, other, start), other) for other in earlier if other < start] if start >= done else []
        if not runs:
            continue
        length, other = max(runs, key=lambda run: (run[0], -run[1]))
        copy, original = code[start : start + length], code[other : other + length]
        if not _is_large(copy, options):
            continue
        done = start + length
        movable = all(_are_whole(code, each, length) for each in (start, other))
        if source.old_text is not None and _words(source.old_lines).count(_words(each.text for each in copy)) > 1:
            usual += 1  # lines that were only reformatted
        elif source.mostly_added(copy[0].first, copy[-1].last):
            hits.append(_hit(source, copy, original, movable=movable))
        elif source.mostly_added(original[0].first, original[-1].last):
            hits.append(_hit(source, original, copy, movable=movable))
        else:
            usual += 1
    if usual < _USUAL:
        yield from hits


def _window(code: list[_Line], start: int) -> tuple[tuple[str, int], ...]:
    """Return what some statements have to share for a search: their texts, and how they are nested."""
    return tuple((each.text, each.depth - code[start].depth) for each in code[start : start + _WINDOW])


def _length(code: list[_Line], one: int, other: int) -> int:
    """Return how many statements are equal from two places on, without reaching the second place from the first."""
    length = 0
    while (
        other + length < len(code)
        and one + length < other
        and code[one + length].text == code[other + length].text
        and code[one + length].depth - code[one].depth == code[other + length].depth - code[other].depth
        and code[one + length].last <= code[one].end
        and code[other + length].last <= code[other].end
    ):
        length += 1
    while 0 < length < len(code) - other and code[other + length].depth > code[other + length - 1].depth:
        length -= 1  # the head of a statement that goes on differently
    return length


def _is_large(copy: list[_Line], options: Options) -> bool:
    words = sum(len(_WORD.findall(each.text)) for each in copy if not _IMPORT.match(each.text))
    return bool(_lines(copy) >= options["lines"] and words >= options["words"])


def _lines(copy: list[_Line]) -> int:
    code = (each for each in copy if not _IMPORT.match(each.text))
    return len({line for each in code for line in range(each.first, each.last + 1)})


def _words(lines: Iterable[str]) -> str:
    """Return the words of lines, but for those that are comments, in a form in which equal ones can be counted."""
    code = (line for line in lines if not line.lstrip().startswith("#"))
    return f" {'  '.join(_WORD.findall(' '.join(code)))} "


def _are_whole(code: list[_Line], start: int, length: int) -> bool:
    """Return whether lines are statements of one block from beginning to end, which a function can take."""
    depth = code[start].depth
    after = code[start + length : start + length + 1]
    cut = any(each.depth > depth or (each.depth == depth and _CLAUSE.match(each.text)) for each in after)
    begins = _CLAUSE.match(code[start].text) is None
    return begins and not cut and all(each.depth >= depth for each in code[start : start + length])


def _hit(source: SourceFile, copy: list[_Line], original: list[_Line], *, movable: bool) -> Hit:
    first, last, twin, twin_last = copy[0].first, copy[-1].last, original[0].first, original[-1].last
    values = {"first": str(first), "last": str(last), "twin": str(twin), "twin_last": str(twin_last)}
    values["what"] = "them" if movable else PARTS
    related = (Related(source.path, twin, f"the same statements, up to line {twin_last}"),)
    name = function_with_body(source.tree, twin, twin_last, twin_last)
    instead = f"Call `{name}()` here, so that a fix reaches both places." if name is not None else None
    return Hit(source.first_added(first, last) or first, values=values, related=related, instead=instead)


def _code(source: SourceFile) -> Iterator[_Line]:
    """Yield the statements of each function, in the order of the text."""
    done = 0
    for function in source.functions:
        if function.lineno > done:
            done = last_line(function)
            if not _is_deliberate(function, source):
                yield from _flat(_body(function), 0, done, source)


def _is_deliberate(function: Function, source: SourceFile) -> bool:
    """Return whether a function may repeat others: in compiled loops over tiles, a call would cost registers."""
    above = first_line(function) - 2
    return (above >= 0 and names_origin(source.lines[above])) or "jit" in decorator_names(function)


def _body(statement: ast.stmt) -> list[ast.stmt]:
    """Return the body of a function or class without its docstring."""
    body: list[ast.stmt] = getattr(statement, "body", [])
    return body[1:] if is_string(body[0]) else body


def _flat(body: list[ast.stmt], depth: int, end: int, source: SourceFile) -> Iterator[_Line]:
    for statement in body:
        first, last = first_line(statement), last_line(statement)
        if is_function(statement) or isinstance(statement, ast.ClassDef):
            if is_function(statement) and _is_deliberate(statement, source):
                yield _Line(f"line {first}", first, last, depth, end)  # equal to nothing
                continue
            yield _line(first, max(first, first_line(statement.body[0]) - 1), depth, end, source)
            yield from _flat(_body(statement), depth + 1, last if is_function(statement) else end, source)
            continue
        blocks = sorted((block for block in inner_blocks(statement) if block), key=lambda block: block[0].lineno)
        for block in blocks:
            head = _line(first, max(first, first_line(block[0]) - 1), depth, end, source)
            if head.text and (first < block[0].lineno or block is blocks[0]):  # also ``case ...:``, ``else:``
                yield head
            yield from _flat(block, depth + 1, end, source)
            first = _next_code(last_line(block[-1]) + 1, last, source)
        if not blocks:
            yield _line(first, last, depth, end, source)


def _next_code(line: int, last: int, source: SourceFile) -> int:
    """Return the first line from one on that is neither empty nor a comment, at most the last."""
    lines = source.lines_of_authors
    while line < last and lines[line - 1].strip()[:1] in {"", "#"}:
        line += 1
    return line


def _line(first: int, last: int, depth: int, end: int, source: SourceFile) -> _Line:
    lines = source.lines_of_authors[first - 1 : last]
    text = "\n".join(lines).strip()
    if '"""' not in text and "'''" not in text:  # in such a text every space counts, and # begins no comment
        text = " ".join(" ".join(line for line in lines if not line.lstrip().startswith("#")).split())
    return _Line(text, first, last, depth, end)


CHECK = file_check(examine, CheckTraits(literals=("def",)))
