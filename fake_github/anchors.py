"""Which lines of a change may carry a comment, and where a line went when the file changed: both from patches."""

import re
from collections.abc import Iterator
from typing import NamedTuple

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


class PatchLine(NamedTuple):
    """A line of a patch. ``sign`` is " ", "+" or "-"; ``position`` counts from the first ``@@``, as GitHub does."""

    sign: str
    old: int
    new: int
    hunk: int
    position: int


class Anchor(NamedTuple):
    """A line that a comment may be on: in which hunk, and at which position."""

    hunk: int
    position: int


class Anchors(NamedTuple):
    """The lines of one file that may carry comments: right new ones, left old ones, and context on both sides."""

    right: dict[int, Anchor]
    left: dict[int, Anchor]

    def side(self, side: str) -> dict[int, Anchor]:
        """Return the lines of "LEFT" or "RIGHT"."""
        return self.left if side == "LEFT" else self.right


def lines(patch: str) -> Iterator[PatchLine]:
    """Walk through a headless patch."""
    old = new = hunk = 0
    for position, line in enumerate(patch.split("\n") if patch else ()):
        header = HUNK.match(line)
        if header is not None:
            old, new = int(header[1]), int(header[3])
            hunk += 1
        elif line[:1] in {" ", "+", "-"}:
            yield PatchLine(line[0], old, new, hunk, position)
            old += line[0] != "+"
            new += line[0] != "-"


def anchors(patch: str) -> Anchors:
    """Return the lines of a patch that may carry a comment (rest/pulls/reviews: "a line in the diff")."""
    found = Anchors({}, {})
    for line in lines(patch):
        if line.sign != "-":
            found.right[line.new] = Anchor(line.hunk, line.position)
        if line.sign != "+":
            found.left[line.old] = Anchor(line.hunk, line.position)
    return found


def diff_hunk(patch: str, anchor: Anchor) -> str:
    """Return the hunk from its header down to a line, as a comment's ``diff_hunk`` shows it."""
    rows = patch.split("\n")
    start = max(at for at in range(anchor.position) if HUNK.match(rows[at]))
    return "\n".join(rows[start : anchor.position + 1])


def moved(patch: str, line: int) -> int | None:
    """Return where an old line is after a patch, or None if the patch deletes it."""
    shift = 0
    for row in lines(patch):
        if row.old > line or (row.old == line and row.sign == " "):
            return line + row.new - row.old
        if row.old == line and row.sign == "-":
            return None
        shift = row.new + (row.sign != "-") - row.old - (row.sign != "+")
    return line + shift
