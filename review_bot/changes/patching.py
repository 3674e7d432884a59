"""Applies hunks to a text, or undoes them: the diff is the truth, one side is enough to know the other.

::

    old text + hunks  → new text      apply
    new text + hunks  → old text      undo

Every line of the side that is given must be what the hunks say, final line end included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from review_bot.changes.pull_request import Hunk
from review_bot.errors import DiffError

NO_NEWLINE = "\\ No newline at end of file"
"""Follows the last line of a side that has no line end."""


def apply(old_text: str, hunks: Iterable[Hunk]) -> str:
    """Return the new text. Raises DiffError where the hunks do not fit ``old_text``."""
    return _transform(old_text, hunks, take="+", drop="-")


def undo(new_text: str, hunks: Iterable[Hunk]) -> str:
    """Return the old text. Raises DiffError where the hunks do not fit ``new_text``."""
    return _transform(new_text, hunks, take="-", drop="+")


def misfit(new_text: str, hunks: Iterable[Hunk]) -> int | None:
    """Return the first line of ``new_text`` (1-based) at which it is not what the hunks say, or None if it fits."""
    lines = new_text.split("\n")
    for hunk in hunks:
        start = hunk.new_start - 1 if hunk.new_count else hunk.new_start
        end = start + hunk.new_count
        expected = [line[1:] for line in hunk.lines if line[:1] in {"+", " "}]
        there = lines[start:end]
        if there != expected:
            same = next(
                (n for n, pair in enumerate(zip(there, expected, strict=False)) if pair[0] != pair[1]), len(there)
            )
            return start + same + 1
        unended = _new_side_is_unended(hunk.lines)
        is_last = end == len(lines) - 1 and not lines[-1]
        if (end >= len(lines)) != unended or (NO_NEWLINE in hunk.lines and not unended and not is_last):
            return max(1, min(end, len(lines)))
    return None


def _new_side_is_unended(lines: Sequence[str]) -> bool:
    """Return whether the last line of the new side has no line end."""
    for index in range(len(lines) - 1, -1, -1):
        if lines[index][:1] in {"+", " "}:
            return index + 1 < len(lines) and lines[index + 1][:1] == "\\"
    return False


def _transform(text: str, hunks: Iterable[Hunk], *, take: str, drop: str) -> str:
    source = split_lines(text)
    result: list[str] = []
    position = 0
    unended: int | None = None
    for hunk in hunks:
        start, count = (hunk.old_start, hunk.old_count) if drop == "-" else (hunk.new_start, hunk.new_count)
        first = start - 1 if count else start
        if first < position or first > len(source):
            raise DiffError(f"the hunk at line {start} lies outside the text, which has {len(source)} lines")
        result += source[position:first]
        position = first
        for marker, line in _whole_lines(hunk):
            if marker != take:
                if position >= len(source) or source[position] != line:
                    raise DiffError(f"line {position + 1} of the text differs from the diff")
                position += 1
            if marker != drop:
                if not line.endswith("\n"):
                    unended = len(result)
                result.append(line)
    result += source[position:]
    if unended is not None and unended != len(result) - 1:
        raise DiffError(f"the diff gives line {unended + 1} no line end, but it is not the last line")
    return "".join(result)


def _whole_lines(hunk: Hunk) -> Iterator[tuple[str, str]]:
    r"""Yield (marker, text with its line end), ``\ No newline at end of file`` taken into account."""
    lines = hunk.lines
    for index, line in enumerate(lines):
        marker = line[:1]
        if marker == "\\":
            continue
        ended = index + 1 == len(lines) or lines[index + 1][:1] != "\\"
        yield marker, line[1:] + "\n" if ended else line[1:]


def split_lines(text: str) -> list[str]:
    r"""Split at ``\n`` only, each line with its end; the last one may lack it."""
    lines = text.split("\n")
    tail = lines.pop()
    return [line + "\n" for line in lines] + ([tail] if tail else [])
