"""Code that only moved: a block removed here and added there, in one file or across files.

A block is at least three consecutive added lines, blank ones aside, which stand in the same order among the removed
lines of one file, indentation aside, and hold at least twenty letters or digits (git's own measure for
``--color-moved=blocks``, see git-diff(1)). A removed line is the origin of one added line at most.

That lines moved says nothing about findings in them: the engine asks the rules what they found at the origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from review_bot.changes.line_map import has_old_lines
from review_bot.changes.pull_request import ChangedFile

LEAST_LINES = 3
LEAST_CHARACTERS = 20

Place = tuple[int, int]
"""Index of a file, and index among its removed lines that are not blank."""

Origin = tuple[int, int]
"""Index of a file, and a line (1-based) on the other side of the change."""


class MovedLines:
    """For each file (by index): the added lines, and the removed lines, that belong to a moved block.

    An added line maps to the line at the base that it came from, a removed one to the line at the head that it is now.
    """

    def __init__(self) -> None:
        self.added: dict[int, dict[int, Origin]] = {}
        self.removed: dict[int, dict[int, Origin]] = {}


def find_moved(files: Sequence[ChangedFile]) -> MovedLines:
    """Find the blocks that a change moved."""
    moved = MovedLines()
    removed: list[list[tuple[int, str]]] = [[] for _ in files]
    places: dict[tuple[str, str], list[Place]] = {}  # two lines at once: single ones such as `return x` abound
    order = sorted(range(len(files)), key=lambda index: files[index].path)  # of two equal blocks the first is taken
    for index in order:
        if not has_old_lines(files[index]):
            continue  # what a symbolic link points to is no code that moved
        lines = [(number, text.strip()) for number, text in files[index].removed_lines() if text.strip()]
        removed[index] = lines
        for position, ((_, text), (_, following)) in enumerate(pairwise(lines)):
            places.setdefault((text, following), []).append((index, position))
    if not places:
        return moved
    used: set[Place] = set()
    for index in order:
        for block in _consecutive(files[index]):
            _match_block(index, block, removed, places, used, moved)
    return moved


def _consecutive(file: ChangedFile) -> list[list[tuple[int, str]]]:
    """Return runs of added lines, blank ones dropped, that no other line interrupts."""
    runs: list[list[tuple[int, str]]] = []
    previous = -1
    for number, text in file.added_lines():
        if number != previous + 1 or not runs:
            runs.append([])
        previous = number
        if stripped := text.strip():
            runs[-1].append((number, stripped))
    return [run for run in runs if len(run) >= LEAST_LINES]


def _match_block(
    index: int,
    block: list[tuple[int, str]],
    removed: list[list[tuple[int, str]]],
    places: dict[tuple[str, str], list[Place]],
    used: set[Place],
    moved: MovedLines,
) -> None:
    position = 0
    while position + LEAST_LINES <= len(block):
        best_length, best_place = 0, (0, 0)
        for place in places.get((block[position][1], block[position + 1][1]), ())[:200]:
            length = _common(block, position, removed[place[0]], place, used)
            if length > best_length:
                best_length, best_place = length, place
        run = block[position : position + best_length]
        if best_length >= LEAST_LINES and sum(c.isalnum() for _, text in run for c in text) >= LEAST_CHARACTERS:
            there, start = best_place
            gone = removed[there][start : start + best_length]
            for (number, _), (old_number, _) in zip(run, gone, strict=True):
                moved.added.setdefault(index, {})[number] = (there, old_number)
                moved.removed.setdefault(there, {})[old_number] = (index, number)
            used.update((there, at) for at in range(start, start + best_length))
            position += best_length
        else:
            position += 1


def _common(
    block: list[tuple[int, str]], start: int, removed: list[tuple[int, str]], place: Place, used: set[Place]
) -> int:
    length = 0
    file, position = place
    while (
        start + length < len(block)
        and position + length < len(removed)
        and (file, position + length) not in used
        and block[start + length][1] == removed[position + length][1]
    ):
        length += 1
    return length
