"""Which files changed: two trees say what, GitHub's rows add renames and hunks.

::

    base tree ┐                     path, both entries          rows that fit ── hunks, rename pairs
              ├─ where they differ ─┤
    head tree ┘                     without a row that fits ── to be compared by content
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from review_bot.changes.diff_header import problem_with_name
from review_bot.changes.pull_request import ChangedFile, Status, Unreviewed
from review_bot.forges.github.changed_files import FileRow
from review_bot.forges.github.trees import Difference, Tree, differences
from review_bot.records import NamedTuple

_STATUS: dict[str, tuple[Status, ...]] = {
    "added": ("added",),
    "removed": ("deleted",),
    "modified": ("modified", "retyped"),
    "changed": ("modified", "retyped"),
    "renamed": ("renamed",),
}
"""What a row's status may mean in the trees. A copy is a new file, of which its row shows a part alone."""

NOT_CHANGED = "GitHub lists it as changed, but it is the same at base and head"


class TreeChange(NamedTuple):
    """One changed file before it is read. ``row``: GitHub's row for it, where that fits the trees."""

    path: str
    old_path: str | None
    status: Status
    sides: Difference
    row: FileRow | None

    def file(self) -> ChangedFile:
        """Return the file as far as names and trees show it."""
        old, new = self.sides
        old_mode, new_mode = self.sides.modes
        return ChangedFile(
            path=self.path,
            old_path=self.old_path,
            status=self.status,
            kind="text",
            old_mode=old_mode,
            new_mode=new_mode,
            old_blob=(old.blob or None) if old else None,
            new_blob=(new.blob or None) if new else None,
        )


def match_rows(
    rows: Sequence[FileRow], base: Tree, head: Tree, *, unlisted: str | None = None
) -> tuple[list[TreeChange], list[Unreviewed]]:
    """Return the changed files, and those that cannot be read by their name alone.

    ``unlisted``: why a file that no row names is not reviewed; None: it is compared by content.
    """
    changed = dict(differences(base, head))
    found: list[TreeChange] = []
    unreviewed: list[Unreviewed] = []
    twice = _twice(rows)
    for row in rows:
        each = None if row.filename in twice else _rename(row, changed, base, head)
        if each is not None:
            found.append(each)
            del changed[each.path]
            if each.status == "renamed" and each.old_path is not None:
                del changed[each.old_path]
    by_name = {row.filename: row for row in rows if row.filename not in twice}
    taken = {each.path for each in found}
    for path, sides in changed.items():
        named, status = by_name.get(path), _status(sides)
        if named is None and unlisted is not None and path not in twice:
            unreviewed.append(Unreviewed(path, unlisted))
            continue
        fitting = named if named is not None and _fits(named, status, sides) else None
        found.append(TreeChange(path, None if status == "added" else path, status, sides, fitting))
        taken.add(path)
    names = {row.filename for row in rows if row.status != "unchanged"}
    unreviewed += [Unreviewed(name, NOT_CHANGED) for name in names - taken]
    good: list[TreeChange] = []
    for each in found:
        problem = problem_with_name(each.path)
        if problem:
            unreviewed.append(Unreviewed(each.path, f"its name {problem}"))
        else:
            good.append(each)
    return sorted(good, key=lambda each: each.path), sorted(unreviewed)


def _twice(rows: Sequence[FileRow]) -> set[str]:
    times = Counter(row.filename for row in rows)
    return {name for name, count in times.items() if count > 1}


def _rename(row: FileRow, changed: dict[str, Difference], base: Tree, head: Tree) -> TreeChange | None:
    """Return a rename, if the trees bear it out."""
    if row.status != "renamed" or row.previous_filename is None:
        return None
    old, new = base.entries.get(row.previous_filename), head.entries.get(row.filename)
    if old is None or new is None or row.filename in base.entries or row.filename not in changed:
        return None
    if row.previous_filename in head.entries or row.previous_filename not in changed:
        return None
    sides = Difference(old, new)
    if old.mode[:3] != new.mode[:3] or not _fits(row, "renamed", sides):
        return None
    return TreeChange(row.filename, row.previous_filename, "renamed", sides, row)


def _status(sides: Difference) -> Status:
    if sides.old is None:
        return "added"
    if sides.new is None:
        return "deleted"
    return "retyped" if sides.old.mode[:3] != sides.new.mode[:3] else "modified"


def _fits(row: FileRow, status: Status, sides: Difference) -> bool:
    """Return whether a row is about what the trees show; otherwise it is of another commit."""
    if status not in _STATUS.get(row.status, ()):
        return False
    if sides.new is None or sides.new.mode == "160000":
        return True  # what the id of a row means there is not documented, and nothing is built on it
    return row.sha == sides.new.blob
