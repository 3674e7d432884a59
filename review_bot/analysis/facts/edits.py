"""The edits of a file: the lines of code that became others, with those around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from review_bot.changes.pull_request import Hunk
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

AROUND = 3
"""Lines of code before and after an edit, in its function, that are kept with it."""

_WORD = LazyRegex(r"[A-Za-z_]\w*")
_DEFINITION = LazyRegex(r"(?:async def|def|class)\b")
_ASIDE = LazyRegex(r"#|from |import |[\"']{3}|@")

Lines = tuple[str, ...]


class Edit(NamedTuple):
    """Lines of code that became others; ``before`` and ``after`` are those around them, ``line`` is at the head."""

    old: Lines
    new: Lines
    before: Lines
    after: Lines
    line: int


def edits_of(hunk: Hunk, old_lines: list[str]) -> Iterator[Edit]:
    """Yield each run of removed and added lines of a hunk."""
    number, new_number = hunk.old_start, hunk.new_start
    removed: list[tuple[int, str]] = []
    added: list[tuple[int, str]] = []
    for line in (*hunk.lines, " "):
        if line[:1] == "-":
            removed.append((number, line[1:]))
            number += 1
        elif line[:1] == "+":
            added.append((new_number, line[1:]))
            new_number += 1
        elif line[:1] == " ":
            if added:
                first = removed[0][0] if removed else number
                before = code_lines(enumerate(old_lines[max(0, first - 1 - 4 * AROUND) : first - 1]))
                after = code_lines(enumerate(old_lines[number - 1 : number - 1 + 4 * AROUND]))
                yield Edit(
                    tuple(text for _, text in code_lines(removed)),
                    tuple(text for _, text in code_lines(added)),
                    _within([text for _, text in before][::-1])[::-1],
                    _within([text for _, text in after]),
                    next((line for line, _ in code_lines(added)), added[0][0]),
                )
            removed, added = [], []
            number, new_number = number + 1, new_number + 1


def _within(texts: list[str]) -> Lines:
    """Return the first lines of code, up to the next definition."""
    found: list[str] = []
    for text in texts[:AROUND]:
        if _DEFINITION.match(text):
            break
        found.append(text)
    return tuple(found)


def code_lines(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are code and hold a word, stripped."""
    for number, line in lines:
        text = line.strip()
        if len(text) > 1 and not _ASIDE.match(text) and _WORD.search(text):
            yield number, text
