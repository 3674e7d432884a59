"""Pairs of tree entries and GitHub's hunks, read into changed files: what is shown is proved, the rest is compared.

::

    hunks of a row ── counts, hashes ──▶ proved           ChangedFile, its lines as GitHub shows them
                                         refuted ┐
    no hunks ───────────────────────────────────┴ blobs ▶ ChangedFile with hunks of our own, ``shown`` false

Where a blob is needed and not known yet, the file is asked for again once it has been fetched.
"""

from __future__ import annotations

from collections.abc import Iterable

from review_bot.changes import patching, reading, unified_diff
from review_bot.changes.content import Content, content_of, problem_with
from review_bot.changes.pull_request import ChangedFile, Hunk, Unreviewed
from review_bot.changes.text_kinds import text_kind
from review_bot.errors import DiffError
from review_bot.forges.github import changed_files
from review_bot.forges.github.blob_diff import hunks_between
from review_bot.forges.github.blobs import Blobs, Lacking, Unreadable, Want
from review_bot.forges.github.tree_diff import TreeChange
from review_bot.forges.github.trees import Entry
from review_bot.records import NamedTuple

_SUBMODULE = "160000"

LARGEST_SNIFFED = 1_000_000
"""Bytes up to which a file is fetched only to see that GitHub calls it binary with reason."""


class Read(NamedTuple):
    """Files as far as they could be read, what could not, and the blobs to fetch before it is asked for again."""

    files: tuple[ChangedFile, ...]
    unreviewed: tuple[Unreviewed, ...]
    wanted: frozenset[Want]


def read_files(changes: Iterable[TreeChange], blobs: Blobs, texts: frozenset[str]) -> Read:
    """Read changed files. ``texts``: paths of which both whole texts must be known."""
    files: list[ChangedFile] = []
    unreviewed: list[Unreviewed] = []
    wanted: set[Want] = set()
    for change in changes:
        try:
            file, problem = _read(change, blobs, whole=change.path in texts)
        except Lacking as lack:
            wanted.update(lack.wanted)
            continue
        except Unreadable as error:
            file, problem = change.file()._replace(kind="binary"), str(error)
        files.append(file)
        if problem is not None:
            unreviewed.append(Unreviewed(file.path, problem))
    return Read(tuple(files), tuple(unreviewed), frozenset(wanted))


def _read(change: TreeChange, blobs: Blobs, *, whole: bool) -> tuple[ChangedFile, str | None]:
    """Return a file, and why its text is unreviewed or None. Raises Lacking, Unreadable."""
    file = change.file()
    old, new = change.sides
    if unified_diff.kind_of(file.old_mode, file.new_mode, ()) == "submodule":
        return file._replace(kind="submodule"), None
    if old is not None and new is not None and old.blob and old.blob == new.blob and old.mode[:3] == new.mode[:3]:
        content, problem = _look(change, blobs) if file.new_mode[:3] == "100" else ("text", None)
        if content != "text":
            return file._replace(kind="binary"), problem
        return file._replace(kind=unified_diff.kind_of(file.old_mode, file.new_mode, ())), None
    if file.status != "retyped" and change.row is not None and change.row.patch:
        try:
            hunks = changed_files.hunks_of(change.row)
            _check_sides(change, hunks)
        except DiffError:
            hunks = ()
        if hunks:
            proved = _proved(change, change.row.patch, hunks, blobs, whole=whole)
            if proved is not None:
                return _with_hunks(file, proved)
    return _compared(change, file, blobs)


def _check_sides(change: TreeChange, hunks: tuple[Hunk, ...]) -> None:
    added, removed = unified_diff.counts(hunks)
    if (change.status == "added" and removed) or (change.status == "deleted" and added):
        raise DiffError("a new file has removed lines, or a deleted file has added lines")


def _proved(
    change: TreeChange, patch: str, hunks: tuple[Hunk, ...], blobs: Blobs, *, whole: bool
) -> tuple[tuple[Hunk, ...], bool] | None:
    """Return hunks that lead from the old blob to the new one, and whether the new side has bytes that are no UTF-8.

    None: the ones that GitHub shows do not. For a file whose whole texts are not needed, its counts are proof enough.
    """
    old, new = change.sides
    damaged = changed_files.is_damaged(patch)
    if old is None or new is None:
        entry = new or old
        if entry is not None and _keep_alone(entry, hunks, blobs, is_old=new is None):
            return hunks, False
    elif not (whole or damaged):
        return hunks, False
    else:
        if damaged:
            blobs.leave_query(new.blob, old.blob)
        try:
            after = blobs.need(_want(new), *([_want(old)] if damaged and old.blob else []))[0] or b""
        except Unreadable:
            if damaged:
                raise
            return hunks, False  # the lines are there; that the whole text is not is named where someone asks for it
        if _keep_undone(old, after, hunks, blobs):
            return hunks, False
    filled = _refilled(hunks, *_both_texts(old, new, blobs))
    return None if filled is None else reading.readable_hunks(filled)


def _keep_alone(entry: Entry, hunks: tuple[Hunk, ...], blobs: Blobs, *, is_old: bool) -> bool:
    """Keep the text of a file that is added or deleted, if its hunks hold the whole of it."""
    try:
        text = patching.undo("", hunks) if is_old else patching.apply("", hunks)
    except DiffError:
        return False
    return blobs.keep(entry.blob, text.encode("utf-8", "surrogatepass"))


def _keep_undone(old: Entry, new_data: bytes, hunks: tuple[Hunk, ...], blobs: Blobs) -> bool:
    """Keep the old text computed from the hunks and the new one, if it is the right one."""
    try:
        text = patching.undo(new_data.decode("utf-8"), hunks)
    except (DiffError, UnicodeDecodeError):
        return False
    return not old.blob or blobs.keep(old.blob, text.encode("utf-8", "surrogatepass"))


def _refilled(hunks: tuple[Hunk, ...], old: str, new: str) -> tuple[Hunk, ...] | None:
    """Return hunks with the lines of both texts in place of what JSON made of them, if they lead from one to the other.

    Bytes that are not UTF-8 are in the texts as ``surrogateescape`` leaves them.
    """
    old_lines, new_lines = old.split("\n"), new.split("\n")
    filled: list[Hunk] = []
    for hunk in hunks:
        x = hunk.old_start - bool(hunk.old_count)
        y = hunk.new_start - bool(hunk.new_count)
        lines: list[str] = []
        for line in hunk.lines:
            marker = line[:1]
            if marker == "\\":
                lines.append(line)
                continue
            source, at = (old_lines, x) if marker == "-" else (new_lines, y)
            if at >= len(source):
                return None
            lines.append(marker + source[at])
            x += marker != "+"
            y += marker != "-"
        filled.append(hunk._replace(lines=tuple(lines)))
    try:
        return tuple(filled) if patching.apply(old, filled) == new else None
    except DiffError:
        return None


def _compared(change: TreeChange, file: ChangedFile, blobs: Blobs) -> tuple[ChangedFile, str | None]:
    """Read a file from its blobs. Raises Lacking, Unreadable."""
    content, problem = _look(change, blobs)
    if content != "text":
        return file._replace(kind="binary"), problem
    old, new = change.sides
    from_submodule = old is not None and old.mode == _SUBMODULE
    before, after = _both_texts(None if from_submodule else old, new, blobs)
    if file.status == "retyped":
        return _retyped(file, before, after, from_submodule=from_submodule)
    found = reading.readable_hunks(hunks_between(before, after))
    return _with_hunks(file, found, shown=not found[0])


def _retyped(file: ChangedFile, before: str, after: str, *, from_submodule: bool) -> tuple[ChangedFile, str | None]:
    """Read a file that became a symlink, or the like, as git shows it: all lines go, all lines come."""
    gone_hunks, _ = reading.readable_hunks(hunks_between(before, ""))
    new_hunks, undecodable = reading.readable_hunks(hunks_between("", after))
    gone = file._replace(status="deleted", hunks=gone_hunks, removed=unified_diff.counts(gone_hunks)[1])
    if from_submodule:
        gone = gone._replace(kind="submodule")
    new = file._replace(status="added", hunks=new_hunks, added=unified_diff.counts(new_hunks)[0])
    both = unified_diff.joined(gone, new)
    kind = unified_diff.kind_of(file.old_mode, file.new_mode, both.hunks)
    return both._replace(kind=kind, shown=not both.hunks), reading.NOT_UTF8 if undecodable else None


def _look(change: TreeChange, blobs: Blobs) -> tuple[Content, str | None]:
    """Return what a file without hunks holds, by its new text or that of a deleted one, and why that is unreviewed."""
    old, new = change.sides
    entry = new or old
    if entry is None:
        return "binary", None
    named_text = text_kind(change.path) is not None
    whole = named_text or (entry.size is not None and entry.size <= LARGEST_SNIFFED)
    others = [] if old is None or entry is old or old.mode == _SUBMODULE else [_want(old, whole=False)]
    data = blobs.need(_want(entry, whole=whole), *others)[0]
    content: Content = "binary" if data is None else content_of(change.path, data, len(data))
    was_submodule = old is not None and old.mode == _SUBMODULE
    return content, None if was_submodule else problem_with(content)


def _both_texts(old: Entry | None, new: Entry | None, blobs: Blobs) -> tuple[str, str]:
    """Return both texts, an absent one empty; bytes that are no UTF-8 as ``surrogateescape`` leaves them."""
    contents = blobs.need(*(_want(entry) for entry in (old, new) if entry is not None))
    before = contents[0] if old is not None else None
    after = contents[-1] if new is not None else None
    return _escaped(before or b""), _escaped(after or b"")


def _with_hunks(
    file: ChangedFile, found: tuple[tuple[Hunk, ...], bool], *, shown: bool = True
) -> tuple[ChangedFile, str | None]:
    """Return a file with hunks, which come with word on whether their new side has bytes that are no UTF-8."""
    hunks, undecodable = found
    return unified_diff.with_hunks(file, hunks)._replace(shown=shown), reading.NOT_UTF8 if undecodable else None


def _want(entry: Entry, *, whole: bool = True) -> Want:
    return Want(entry.blob, entry.size, whole)


def _escaped(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
