"""The defaults that Markdown documents give in tables and lists.

::

    | Option    | Default | Description |        - `--steps`: how many (default: 40)
    | --------- | ------- | ----------- |        - `--fps`: frames per second (default: 16)
    | `--steps` | `40`    | How many    |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from review_bot.analysis.python.stated_defaults import Known, StatedDefault, cell_default, stated_defaults
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_FENCE = LazyRegex(r"\s{0,12}(`{3,}|~{3,})")
_RULE = LazyRegex(r"[\s|:-]+")
_CELL_END = LazyRegex(r"(?<!\\)\|")
_HEADING = LazyRegex(r"(?i)defaults?(?: values?)?")
_NAME = LazyRegex(r"[`*]{0,3}(?:--)?([A-Za-z][\w-]*)[`*]{0,3}(?:$|[\s,/(:])")
_ITEM = LazyRegex(r"\s*[-*+] +(?:\*\*)?`(?:--)?([A-Za-z][\w-]*)`")
_LONGEST = 4_000
"""Characters of a row; a longer line is data."""


class DocumentedDefault(NamedTuple):
    """A row (``line``, 1-based) about a name, in which ``-`` is ``_``; ``shown``: the default as it is written.

    ``known`` is None where the row gives no default, or one that cannot be compared.
    """

    name: str
    line: int
    shown: str
    known: Known | None


def documented_defaults(lines: Sequence[str]) -> Iterator[tuple[DocumentedDefault, ...]]:
    """Yield the rows of each table with a column of defaults, and of each list that gives some."""
    fence = ""
    column = -1
    rows: list[DocumentedDefault] = []
    for number, line in enumerate(lines, 1):
        mark = _FENCE.match(line)
        if mark is not None and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        is_row = line.lstrip().startswith("|") and not fence and len(line) <= _LONGEST
        is_item = not fence and len(line) <= _LONGEST and _ITEM.match(line) is not None
        continues = is_row if column >= 0 else is_item or (not fence and line.startswith((" ", "\t")))
        if rows and not continues:
            yield tuple(rows)
            rows = []
        if not is_row:
            column = -1
        if is_item:
            rows.append(_item(line, number))
        elif is_row and column >= 0:
            rows += _row(_cells(line), column, number)
        elif is_row and number < len(lines) and _RULE.fullmatch(lines[number][:_LONGEST]):
            headings = [each.strip("*` ") for each in _cells(line)]
            column = next((at for at, each in enumerate(headings) if at and _HEADING.fullmatch(each)), -1)
    if rows:
        yield tuple(rows)


def _cells(line: str) -> list[str]:
    return [each.strip() for each in _CELL_END.split(line.strip().removeprefix("|").removesuffix("|"))]


def _row(cells: Sequence[str], column: int, number: int) -> Iterator[DocumentedDefault]:
    match = _NAME.match(cells[0])
    if match is not None and column < len(cells):
        stated = cell_default(cells[column])
        yield _documented(match[1], number, stated)


def _item(line: str, number: int) -> DocumentedDefault:
    match = _ITEM.match(line)
    stated = list(stated_defaults(line))
    return _documented(match[1] if match is not None else "", number, stated[0] if len(stated) == 1 else None)


def _documented(name: str, number: int, stated: StatedDefault | None) -> DocumentedDefault:
    shown, known = ("", None) if stated is None else (stated.shown, Known(stated.value))
    return DocumentedDefault(name.replace("-", "_"), number, shown, known)
