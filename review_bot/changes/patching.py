"""Applies hunks to a text, or undoes them: the diff is the truth, one side is enough to know the other.

::

    old text + hunks  → new text      apply
    new text + hunks  → old text      undo
"""

from __future__ import annotations

from collections.abc import Iterable

from review_bot.changes.pull_request import Hunk
from review_bot.errors import DiffError


def apply(old_text: str, hunks: Iterable[Hunk]) -> str:
    """Return the new text. Raises DiffError where the hunks do not fit ``old_text``."""
    return _transform(old_text, hunks, take="+", drop="-")


def undo(new_text: str, hunks: Iterable[Hunk]) -> str:
    """Return the old text. Raises DiffError where the hunks do not fit ``new_text``."""
    return _transform(new_text, hunks, take="-", drop="+")


def _transform(text: str, hunks: Iterable[Hunk], *, take: str, drop: str) -> str:
    source = split_lines(text)
    result: list[str] = []
    position = 0
    for hunk in hunks:
        start, count = (hunk.old_start, hunk.old_count) if drop == "-" else (hunk.new_start, hunk.new_count)
        first = start - 1 if count else start
        if first < position or first > len(source):
            raise DiffError(f"the hunk at line {start} lies outside the text, which has {len(source)} lines")
        result += source[position:first]
        position = first
        last_was_taken = False
        for line in hunk.lines:
            marker = line[:1]
            if marker == "\\":
                if last_was_taken and result and result[-1].endswith("\n"):
                    result[-1] = result[-1][:-1]
                continue
            last_was_taken = marker != drop
            if marker != take:
                if position >= len(source) or source[position].removesuffix("\n") != line[1:]:
                    raise DiffError(f"line {position + 1} of the text is not what the diff says")
                if marker == " ":
                    result.append(source[position])
                position += 1
            else:
                result.append(line[1:] + "\n")
    result += source[position:]
    return "".join(result)


def split_lines(text: str) -> list[str]:
    """Split at ``\\n`` only, each line with its end; the last one may lack it."""
    lines = text.split("\n")
    tail = lines.pop()
    return [line + "\n" for line in lines] + ([tail] if tail else [])


def whole_file_hunks(text: str) -> tuple[Hunk, ...]:
    """Return the hunks of a diff that adds a whole file."""
    if not text:
        return ()
    lines = ["+" + line.removesuffix("\n") for line in split_lines(text)]
    count = len(lines)
    if not text.endswith("\n"):
        lines.append("\\ No newline at end of file")
    return (Hunk(0, 0, 1, count, tuple(lines)),)
