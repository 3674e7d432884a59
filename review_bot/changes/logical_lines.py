r"""Lines of Python as they are usually spaced, each statement head in one piece, for checks that read only the diff.

::

    3: class \              3: class Cache:
    4:   Cache :
    5: def  load(path):     5: def load(path):
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from review_bot.changes.usual_spelling import respelled, unusual_parts

LONGEST_RUN = 1_000_000
"""Characters of lines that follow each other; more are taken as they are written, since no person writes them."""


def logical_lines(lines: Mapping[int, str]) -> dict[int, str]:
    """Return lines by the number of their first; those that a backslash continues are joined."""
    found: dict[int, str] = {}
    for first, text in _runs(lines):
        if len(text) > LONGEST_RUN:
            found.update(enumerate(text.split("\n"), first))
            continue
        spelling = respelled(text, unusual_parts(text))
        index = number = counted = 0
        for line in spelling.text.split("\n"):
            if index < len(spelling.text):
                end = spelling.end(index) - 1
                number += text.count("\n", counted, end)
                counted = max(counted, end)
                found[first + number] = _plain(line)
            elif line == "":
                found.setdefault(first + text.count("\n"), "")
            index += len(line) + 1
    return found


def _plain(line: str) -> str:
    """Return a line without form feeds before it, and with one space for several within."""
    line = line.lstrip("\f") if line[:1] == "\f" else line
    if "  " not in line and "\t" not in line and "\f" not in line:
        return line
    return re.sub(r"(?<=\S)[ \t\f]+(?=\S)", " ", line)


def _runs(lines: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """Yield (number of the first line, text) of lines that follow each other."""
    run: list[str] = []
    first = 0
    for number in sorted(lines):
        if run and number != first + len(run):
            yield first, "\n".join(run)
            run = []
        if not run:
            first = number
        run.append(lines[number])
    if run:
        yield first, "\n".join(run)
