r"""Edits of whole lines: applied to a text, carried into the hunks of a change, and written as a unified diff.

::

    head text + edits          → patched text          apply
    change to head + edits     → change to patched     carried
    head text + edits          → diff head → patched   unified_diff

Edits are in the order of their lines and share none. Lines are 1-based at the head and end at ``\n`` only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from review_bot.changes.patching import NO_NEWLINE, split_lines
from review_bot.changes.pull_request import ChangedFile, Hunk

Edit = tuple[int, int, str]
"""First line, last line, what takes their place without its last line end; an empty text deletes them."""

CONTEXT = 3
"""Unchanged lines around a hunk, as git writes them."""

_PLAIN = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 92: "\\\\", 7: "\\a", 8: "\\b", 11: "\\v", 12: "\\f"}

_Line = tuple[str, str]
"""Marker, and text with its line end."""


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with edits applied. Raises ValueError for one outside the text, or out of order."""
    lines = split_lines(text)
    return "".join(part for _, new, unchanged in _pieces(lines, edits) for part in (*new, *unchanged))


def carried(file: ChangedFile, edits: Sequence[Edit]) -> ChangedFile | None:
    """Return the change that leads to the patched text, or None if an edit does not lie inside one hunk.

    A line that becomes what it was at the base is no longer changed; git may choose other equal lines than this.
    """
    hunks: list[Hunk] = []
    shift = at = 0
    for hunk in file.hunks:
        first = at
        while at < len(edits) and hunk.new_start <= edits[at][0] and edits[at][1] < hunk.new_start + hunk.new_count:
            at += 1
        here = edits[first:at]
        if not here:
            hunks.append(hunk._replace(new_start=hunk.new_start + shift) if shift else hunk)
            continue
        new = _edited(hunk, here)
        hunks += [new._replace(new_start=new.new_start + shift)] if any(line[0] in "+-" for line in new.lines) else []
        shift += new.new_count - hunk.new_count
    if at < len(edits):
        return None
    added = sum(line[0] == "+" for hunk in hunks for line in hunk.lines)
    removed = sum(line[0] == "-" for hunk in hunks for line in hunk.lines)
    return file._replace(hunks=tuple(hunks), added=added, removed=removed, new_blob=None)


def unified_diff(path: str, text: str, edits: Iterable[Edit]) -> str:
    """Return one file of a patch that ``git apply`` takes; empty if nothing changes. Raises ValueError as ``apply``."""
    edits = tuple(edits)
    if apply(text, edits) == text:  # one may add the line that the next one deletes
        return ""
    lines = split_lines(text)
    changes: list[tuple[int, list[str], list[str]]] = []  # index of the first line, old lines, new lines
    position = 0
    for old, new, unchanged in _pieces(lines, edits):
        same, end = common_ends(old, new)
        if old != new:
            changes.append((position + same, old[same : len(old) - end], new[same : len(new) - end]))
        position += len(old) + len(unchanged)
    name = quoted(f"a/{path}"), quoted(f"b/{path}")
    tab = ["\t" if " " in path and not each.startswith('"') else "" for each in name]
    parts = [f"diff --git {name[0]} {name[1]}\n--- {name[0]}{tab[0]}\n+++ {name[1]}{tab[1]}\n"]
    shift = 0
    for group in _groups(changes):
        parts.append(_hunk(lines, group, shift))
        shift += sum(len(new) - len(old) for _, old, new in group)
    return "".join(parts)


def quoted(name: str) -> str:
    """Return a name as git writes it in a patch: in quotes and with escapes, if one of its bytes needs that.

    Source: core.quotePath in https://git-scm.com/docs/git-config
    """
    data = name.encode("utf-8", "surrogateescape")
    if all(32 <= byte < 127 and byte not in b'"\\' for byte in data):
        return name
    return '"' + "".join(_PLAIN.get(b) or (chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in data) + '"'


def _pieces(lines: list[str], edits: Iterable[Edit]) -> Iterable[tuple[list[str], list[str], list[str]]]:
    """Yield (lines that give way, lines that come, unchanged lines up to the next edit), from the start on."""
    old: list[str] = []
    new: list[str] = []
    position = 0
    for first, last, replacement in edits:
        if not position < first <= last <= len(lines):
            raise ValueError(f"lines {first} to {last} are not among the {len(lines)} lines, or not in order")
        yield old, new, lines[position : first - 1]
        old, position = lines[first - 1 : last], last
        end = "\n" if old[-1].endswith("\n") else ""
        if not replacement and not end and first > 1:
            raise ValueError(f"line {last} is the last line, and deleting it would also change the line before it")
        new = split_lines(replacement + end) if replacement else []
    yield old, new, lines[position:]


def _edited(hunk: Hunk, edits: Sequence[Edit]) -> Hunk:
    """Return a hunk with edits carried in; where it starts at the head is left to the caller."""
    body: list[_Line] = []
    for index, line in enumerate(hunk.lines):
        if line[0] != "\\":
            ended = index + 1 == len(hunk.lines) or hunk.lines[index + 1][0] != "\\"
            body.append((line[0], line[1:] + "\n" if ended else line[1:]))
    body = _settled(_carried_in(body, edits, hunk.new_start))
    lines_of_hunk: list[str] = []
    for marker, text in body:
        lines_of_hunk += [marker + text[:-1]] if text.endswith("\n") else [marker + text, NO_NEWLINE]
    old, new = (sum(marker != other for marker, _ in body) for other in "+-")
    start = hunk.new_start if hunk.new_count else hunk.new_start + 1
    return Hunk(hunk.old_start, old, start if new else start - 1, new, tuple(lines_of_hunk))


def _carried_in(body: Iterable[_Line], edits: Iterable[Edit], start: int) -> list[_Line]:
    """Return the lines of a hunk, ``start`` the first of them at the head, with edits in their places."""
    result: list[_Line] = []
    number = start
    waiting = iter(edits)
    first, last, replacement = next(waiting)
    for marker, text in body:
        inside = first < number <= last if marker == "-" else first <= number <= last
        if not inside:
            result.append((marker, text))
        elif marker != "+":
            result.append(("-", text))
        number += marker != "-"
        if inside and number > last:
            came = split_lines(replacement + ("\n" if text.endswith("\n") else "")) if replacement else []
            result += [("+", line) for line in came]
            first, last, replacement = next(waiting, (sys.maxsize, sys.maxsize, ""))
    return result


def _settled(body: list[_Line]) -> list[_Line]:
    """Let each run of changed lines begin and end with a difference: what is equal on both sides is context."""
    result: list[_Line] = []
    old: list[str] = []
    new: list[str] = []
    for marker, text in [*body, (" ", "")]:
        if marker == "-":
            old.append(text)
        elif marker == "+":
            new.append(text)
        else:
            start, end = common_ends(old, new)
            result += [(" ", line) for line in old[:start]]
            result += [("-", line) for line in old[start : len(old) - end]]
            result += [("+", line) for line in new[start : len(new) - end]]
            result += [(" ", line) for line in old[len(old) - end :]]
            result.append((marker, text))
            old, new = [], []
    return result[:-1]


def common_ends(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """Return how many lines two texts share at their start, and how many of the others at their end."""
    start = _common_start(one, other)
    return start, _common_start(one[start:][::-1], other[start:][::-1])


def _common_start(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _groups(
    changes: list[tuple[int, list[str], list[str]]],
) -> Iterable[list[tuple[int, list[str], list[str]]]]:
    """Divide changes into hunks: those whose contexts meet are in one."""
    group: list[tuple[int, list[str], list[str]]] = []
    for change in changes:
        if group and change[0] - (group[-1][0] + len(group[-1][1])) > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    yield group


def _hunk(lines: list[str], group: list[tuple[int, list[str], list[str]]], shift: int) -> str:
    start = max(0, group[0][0] - CONTEXT)
    body: list[_Line] = []
    position = start
    for first, old, new in group:
        body += [(" ", line) for line in lines[position:first]]
        body += [("-", line) for line in old]
        body += [("+", line) for line in new]
        position = first + len(old)
    body += [(" ", line) for line in lines[position : position + CONTEXT]]
    old_count, new_count = (sum(marker != other for marker, _ in body) for other in "+-")
    old_start, new_start = (start + 1 if old_count else start, start + shift + (1 if new_count else 0))
    head = f"@@ -{_span(old_start, old_count)} +{_span(new_start, new_count)} @@\n"
    return head + "".join(
        marker + (text if text.endswith("\n") else f"{text}\n{NO_NEWLINE}\n") for marker, text in body
    )


def _span(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start},{count}"
