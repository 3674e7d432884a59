"""Code that only moved: a block removed here and added there, in one file or across files.

A block is at least three consecutive added lines, blank ones aside, which are in the same order among the removed
lines of one file, indentation aside, and hold at least twenty letters or digits (git's own measure for
``--color-moved=blocks``, see git-diff(1)). A removed line is the origin of one added line at most.

That lines moved says nothing about findings in them: the engine asks the rules what they found at the origin.
"""

from __future__ import annotations

from collections.abc import Sequence

from review_bot.changes.line_map import has_old_lines
from review_bot.changes.pull_request import ChangedFile

LEAST_LINES = 3
LEAST_CHARACTERS = 20

MOST_PLACES = 200
"""Places with the same first lines at which the origin of a block is looked for."""

COMPARISONS = 50
"""Lines that are compared for each added line; only lines that repeat without end need more, and count as new then."""

Beginning = tuple[str, str, str]
"""The first lines of a block, without indentation; single ones such as ``return x`` abound."""

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
    places: dict[Beginning, list[Place]] = {}
    order = sorted(range(len(files)), key=lambda index: files[index].path)  # of two equal blocks the first is taken
    for index in order:
        if not has_old_lines(files[index]):
            continue  # what a symbolic link points to is not moved code
        lines = [(number, text.strip()) for number, text in files[index].removed_lines() if text.strip()]
        removed[index] = lines
        for position in range(len(lines) - LEAST_LINES + 1):
            places.setdefault(_beginning(lines, position), []).append((index, position))
    if not places:
        return moved
    free = _FreePlaces(removed, places)
    for index in order:
        for block in _consecutive(files[index]):
            _match_block(index, block, free, moved)
    return moved


def _beginning(lines: Sequence[tuple[int, str]], position: int) -> Beginning:
    return lines[position][1], lines[position + 1][1], lines[position + 2][1]


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


class _FreePlaces:
    """The removed lines that are the origin of no added line yet, by the lines that a block can begin with."""

    def __init__(self, removed: list[list[tuple[int, str]]], places: dict[Beginning, list[Place]]) -> None:
        self.removed = removed
        self._places = places
        self._first: dict[Beginning, int] = {}
        self._used: set[Place] = set()

    def beginning_with(self, beginning: Beginning) -> list[Place]:
        """Return the first places, in the order of the files, at which a block may have been."""
        places, first = self._places.get(beginning, []), self._first.get(beginning, 0)
        while first < len(places) and places[first] in self._used:
            first += 1
        self._first[beginning] = first
        return places[first : first + MOST_PLACES]

    def common(self, block: list[tuple[int, str]], start: int, place: Place, most: int) -> int:
        """Return how many lines from a start in a block on are those from a place on, up to a largest number."""
        file, position = place
        lines, used = self.removed[file], self._used
        most = min(most, len(block) - start, len(lines) - position)
        length = 0
        while (
            length < most
            and (file, position + length) not in used
            and block[start + length][1] == lines[position + length][1]
        ):
            length += 1
        return length

    def use(self, place: Place, length: int) -> list[tuple[int, str]]:
        """Return the lines from a place on, which are no origin of others from now on."""
        file, position = place
        self._used.update((file, at) for at in range(position, position + length))
        return self.removed[file][position : position + length]


def _says_enough(lines: list[tuple[int, str]]) -> bool:
    """Return whether some lines hold so many letters and digits that they are hardly equal by chance."""
    count = 0
    for _, text in lines:
        count += sum(map(str.isalnum, text))
        if count >= LEAST_CHARACTERS:
            return True
    return False


def _match_block(index: int, block: list[tuple[int, str]], free: _FreePlaces, moved: MovedLines) -> None:
    """Find the origins of a run of added lines, comparing no more than ``COMPARISONS`` lines for each of them."""
    left = COMPARISONS * (len(block) + MOST_PLACES)
    position = 0
    while position + LEAST_LINES <= len(block) and left > 0:
        length, origin = 0, (0, 0)
        for place in free.beginning_with(_beginning(block, position)):
            if position + length == len(block) or left <= 0:
                break
            left -= 1
            # A place is better only if its lines are equal one line further, too.
            if length and free.common(block, position + length, (place[0], place[1] + length), 1) == 0:
                continue
            found = free.common(block, position, place, left + LEAST_LINES)
            left -= found
            if found > length:
                length, origin = found, place
        if length >= LEAST_LINES and _says_enough(block[position : position + length]):
            gone = free.use(origin, length)
            for (number, _), (old_number, _) in zip(block[position : position + length], gone, strict=True):
                moved.added.setdefault(index, {})[number] = (origin[0], old_number)
                moved.removed.setdefault(origin[0], {})[old_number] = (index, number)
            position += length
        else:
            position += 1
