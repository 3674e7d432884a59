"""Which line of the old text an unchanged line of the new text was.

::

    base     head
    a   1    a   1      1 → 1
    b   2    x   2      2 → None: added
    c   3    c   3      3 → 3
"""

from __future__ import annotations

from bisect import bisect_right

from review_bot.changes.pull_request import ABSENT_MODE, ChangedFile

_REGULAR = "100"
_NO_OLD_LINES = frozenset({"added", "copied"})


def has_old_lines(change: ChangedFile) -> bool:
    """Return whether the file had lines at the base: a new file had none, nor had a symbolic link or a submodule."""
    is_regular = change.old_mode[:3] == _REGULAR or change.old_mode == ABSENT_MODE
    return change.status not in _NO_OLD_LINES and is_regular


class LineMap:
    """Maps 1-based line numbers at the head to those at the base.."""

    def __init__(self, change: ChangedFile) -> None:
        self._old = has_old_lines(change)
        self._in_hunks: dict[int, int | None] = {}
        self._starts: list[int] = []
        self._shifts: list[int] = []
        for hunk in change.hunks if self._old else ():
            number = hunk.new_start if hunk.new_count else hunk.new_start + 1
            old = hunk.old_start if hunk.old_count else hunk.old_start + 1
            for line in hunk.lines:
                if line[:1] == " ":
                    self._in_hunks[number] = old
                    number, old = number + 1, old + 1
                elif line[:1] == "+":
                    self._in_hunks[number] = None
                    number += 1
                elif line[:1] == "-":
                    old += 1
            self._starts.append(number)
            self._shifts.append(old - number)

    def old_line(self, line: int) -> int | None:
        """Return the line's number at the base, or None if the change added it; 0, the whole file, stays 0."""
        if not self._old:
            return None
        if line in self._in_hunks and line:
            return self._in_hunks[line]
        before = bisect_right(self._starts, line)
        return line + (self._shifts[before - 1] if before else 0)

    def is_unchanged(self, first: int, last: int) -> bool:
        """Return whether the lines ``first`` to ``last`` are consecutive lines of the base, none added or removed."""
        start = self.old_line(first)
        return start is not None and all(
            self.old_line(line) == start + line - first for line in range(first + 1, last + 1)
        )
