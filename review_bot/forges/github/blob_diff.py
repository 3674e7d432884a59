r"""The hunks between two texts, made by ourselves where GitHub shows none or where its hunks do not fit.

::

    old ┐  common beginning and end off   ┐
        ├─ Myers, greedy, within a bound   ├─ edits ── 3 lines of context ──▶ hunks as git writes them
    new ┘  else lines that occur once    ┘
           in both as fixed points

A text that was made to be slow costs a bounded number of steps; what is left then is one hunk that replaces all, which
shows too much and never too little. Myers: "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from review_bot.changes.patching import NO_NEWLINE, split_lines
from review_bot.changes.pull_request import Hunk

CONTEXT = 3
"""Lines of context around a change, as git shows by default."""

MOST_STEPS = 3_000_000
"""Steps for one pair of texts, about two seconds."""

_MOST_EDITS = 500
"""Edits that one search looks for; it keeps a table of the square of that."""

Edit = tuple[int, int, int, int]
"""Lines ``[old_start, old_end)`` become lines ``[new_start, new_end)``; 0-based."""


def hunks_between(old: str, new: str, *, most_steps: int = MOST_STEPS) -> tuple[Hunk, ...]:
    """Return hunks that turn ``old`` into ``new``; no hunk if they are equal."""
    old_lines, new_lines = split_lines(old), split_lines(new)
    edits = _slid_down(list(_merged(_edits(old_lines, new_lines, most_steps))), old_lines, new_lines)
    return tuple(_hunk(group, old_lines, new_lines) for group in _groups(edits))


def _edits(old: Sequence[str], new: Sequence[str], most_steps: int) -> Iterator[Edit]:
    """Yield the edits in order, neighbours perhaps touching."""
    numbers: dict[str, int] = {}
    a = [numbers.setdefault(line, len(numbers)) for line in old]
    b = [numbers.setdefault(line, len(numbers)) for line in new]
    budget = [most_steps]
    pending = [(0, len(a), 0, len(b))]
    while pending:
        old_start, old_end, new_start, new_end = pending.pop()
        while old_start < old_end and new_start < new_end and a[old_start] == b[new_start]:
            old_start, new_start = old_start + 1, new_start + 1
        while old_start < old_end and new_start < new_end and a[old_end - 1] == b[new_end - 1]:
            old_end, new_end = old_end - 1, new_end - 1
        if old_start == old_end or new_start == new_end:
            if old_start < old_end or new_start < new_end:
                yield old_start, old_end, new_start, new_end
            continue
        found = _shortest(a[old_start:old_end], b[new_start:new_end], budget)
        if found is not None:
            for x, x_end, y, y_end in found:
                yield old_start + x, old_start + x_end, new_start + y, new_start + y_end
            continue
        fixed = _fixed_points(a, b, (old_start, old_end, new_start, new_end))
        if not fixed:
            yield old_start, old_end, new_start, new_end
            continue
        gaps = []
        for x, y in [*fixed, (old_end, new_end)]:
            gaps.append((old_start, x, new_start, y))
            old_start, new_start = x + 1, y + 1
        pending += reversed(gaps)


def _shortest(a: list[int], b: list[int], budget: list[int]) -> list[Edit] | None:
    """Return a shortest list of edits, or None if that takes too many edits or steps."""
    trace: list[dict[int, int]] = [{1: 0}]  # how far along a each diagonal gets with so many edits
    for edits in range(min(len(a) + len(b), _MOST_EDITS) + 1):
        before, row = trace[-1], {}
        for diagonal in range(-edits, edits + 1, 2):
            down = _comes_from_above(before, diagonal, edits)
            x = first = before[diagonal + 1] if down else before[diagonal - 1] + 1
            y = x - diagonal
            while x < len(a) and y < len(b) and a[x] == b[y]:
                x, y = x + 1, y + 1
            budget[0] -= 1 + x - first
            row[diagonal] = x
            if x >= len(a) and y >= len(b):
                return _way_back(trace, diagonal)
        if budget[0] < 0:
            return None
        trace.append(row)
    return None


def _comes_from_above(before: dict[int, int], diagonal: int, edits: int) -> bool:
    """Return whether the last edit on a diagonal was an added line; else it was a removed one."""
    return diagonal == -edits or (diagonal != edits and before[diagonal - 1] < before[diagonal + 1])


def _way_back(trace: list[dict[int, int]], diagonal: int) -> list[Edit]:
    """Follow the table of a search back to the beginning; return single edits, first one first."""
    found: list[Edit] = []
    for edits in range(len(trace) - 1, 0, -1):
        added = _comes_from_above(trace[edits], diagonal, edits)
        diagonal += 1 if added else -1
        x = trace[edits][diagonal]
        y = x - diagonal
        found.append((x, x, y, y + 1) if added else (x, x + 1, y, y))
    return found[::-1]


def _fixed_points(a: list[int], b: list[int], part: Edit) -> list[tuple[int, int]]:
    """Return pairs of lines that occur once in each side of a part, in the same order in both."""
    old_start, old_end, new_start, new_end = part
    in_old: dict[int, int] = {}
    for x in range(old_start, old_end):
        in_old[a[x]] = -1 if a[x] in in_old else x
    in_new: dict[int, int] = {}
    for y in range(new_start, new_end):
        in_new[b[y]] = -1 if b[y] in in_new else y
    pairs = [(x, in_new.get(line, -1)) for line, x in in_old.items() if x >= 0]
    return _longest_rising(sorted(pair for pair in pairs if pair[1] >= 0))


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest subsequence whose second numbers rise."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, y) in enumerate(pairs):
        place = bisect_left(ends, y)
        if place == len(ends):
            ends.append(y)
            last.append(index)
        else:
            ends[place], last[place] = y, index
        before.append(last[place - 1] if place else -1)
    chosen = []
    at = last[-1] if last else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = before[at]
    return chosen[::-1]


def _merged(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Yield edits, those that touch as one."""
    current: Edit | None = None
    for edit in edits:
        if current is not None and current[1] == edit[0] and current[3] == edit[2]:
            current = (current[0], edit[1], current[2], edit[3])
            continue
        if current is not None:
            yield current
        current = edit
    if current is not None:
        yield current


def _slid_down(edits: list[Edit], old: Sequence[str], new: Sequence[str]) -> list[Edit]:
    """Move edits that only add or only remove as far down as equal lines allow, as git does; they never touch."""
    following = len(old) + 1
    for index in range(len(edits) - 1, -1, -1):
        x, x_end, y, y_end = edits[index]
        while x == x_end and x + 1 < following and x < len(old) and new[y] == old[x]:
            x, x_end, y, y_end = x + 1, x_end + 1, y + 1, y_end + 1
        while y == y_end and x_end + 1 < following and x_end < len(old) and old[x] == old[x_end]:
            x, x_end, y, y_end = x + 1, x_end + 1, y + 1, y_end + 1
        edits[index] = (x, x_end, y, y_end)
        following = x
    return edits


def _groups(edits: Iterable[Edit]) -> Iterator[list[Edit]]:
    """Yield the edits of one hunk: those whose context touches."""
    group: list[Edit] = []
    for edit in edits:
        if group and edit[0] - group[-1][1] > 2 * CONTEXT:
            yield group
            group = []
        group.append(edit)
    if group:
        yield group


def _hunk(group: list[Edit], old: Sequence[str], new: Sequence[str]) -> Hunk:
    first, last = group[0], group[-1]
    old_start, new_start = max(0, first[0] - CONTEXT), max(0, first[2] - min(CONTEXT, first[0]))
    old_end = min(len(old), last[1] + CONTEXT)
    new_end = last[3] + old_end - last[1]
    lines: list[str] = []
    position = old_start
    for x, x_end, y, y_end in group:
        _show(lines, " ", old[position:x])
        _show(lines, "-", old[x:x_end])
        _show(lines, "+", new[y:y_end])
        position = x_end
    _show(lines, " ", old[position:old_end])
    old_count, new_count = old_end - old_start, new_end - new_start
    # A side without lines names the line before.
    return Hunk(old_start + bool(old_count), old_count, new_start + bool(new_count), new_count, tuple(lines))


def _show(lines: list[str], marker: str, shown: Sequence[str]) -> None:
    for line in shown:
        if line.endswith("\n"):
            lines.append(marker + line[:-1])
        else:
            lines += [marker + line, NO_NEWLINE]
