"""GitHub's own list of changed files: one row a file, most with the hunks of its diff.

A row is believed only as far as it can be checked: its ``sha`` against the tree, its counts against its hunks.
Sources: https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files (at most 3,000 files) and
https://docs.github.com/en/rest/commits/commits#compare-two-commits (at most 300 files, all on the first page).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from review_bot.changes.pull_request import Hunk
from review_bot.changes.unified_diff import LARGEST_BODY, counts, read_hunks
from review_bot.errors import DiffError
from review_bot.forges.github.client import Client
from review_bot.forges.github.git_ids import ObjectId
from review_bot.forges.github.trees import Entry, Tree
from review_bot.forges.github.wire import Answer
from review_bot.text.lazy_regex import LazyRegex

MOST_ROWS = 3_000
"""Files of a pull request that GitHub lists."""

MOST_COMPARED = 300
"""Files of a comparison that GitHub lists."""

REPLACED = "\ufffd"
"""What GitHub's JSON has in place of bytes that are no UTF-8."""

_HALF_PAIR = LazyRegex("[\ud800-\udfff]")
_SUBPROJECT = LazyRegex(r"@@ -[0-9,]+ \+[0-9,]+ @@\n(?:[-+]Subproject commit [0-9a-f]{40,64}(?:-dirty)?\n?)+$")


class FileRow(Answer):
    """One changed file. ``patch``: its hunks without a header; absent for binaries, renames, and large diffs."""

    filename: str
    status: str
    additions: int
    deletions: int
    sha: ObjectId | None = None
    patch: str | None = None
    previous_filename: str | None = None


class _Commit(Answer):
    sha: ObjectId


class Comparison(Answer):
    """Two commits compared from where the second one left the first."""

    merge_base_commit: _Commit
    files: list[FileRow] | None = None


def read_rows(client: Client, repository: str, number: int) -> list[FileRow]:
    """Read every page of a pull request's files."""
    return client.get_all(f"/repos/{repository}/pulls/{number}/files", FileRow, {"per_page": 100})


def compare(client: Client, repository: str, base: str, head: str, *, with_files: bool = False) -> Comparison:
    """Compare two commits; files are on the first page only, so the second one is a cheap way to get the merge base."""
    page = {"per_page": 1, "page": 1 if with_files else 2}
    return client.get(f"/repos/{repository}/compare/{base}...{head}", Comparison, page)


@lru_cache(maxsize=MOST_ROWS)  # a plan, its proof and the change itself ask for the same ones
def hunks_of(row: FileRow) -> tuple[Hunk, ...]:
    """Return the hunks of a row that has a patch. Raises DiffError if they contradict themselves or their counts."""
    patch = row.patch or ""
    if len(patch) > LARGEST_BODY:
        raise DiffError(f"its hunks are larger than {LARGEST_BODY:,} characters")
    hunks = read_hunks(patch)
    if counts(hunks) != (row.additions, row.deletions):
        raise DiffError("its hunks do not match its line counts")
    return hunks


def is_damaged(patch: str) -> bool:
    """Return whether a patch may not show the bytes of the file: JSON has replaced some, or holds half a pair."""
    return REPLACED in patch or _HALF_PAIR.search(patch) is not None


def trees_of(rows: Iterable[FileRow]) -> tuple[Tree, Tree]:
    """Guess what both trees hold of the changed files, where they are not known: modes, and ids of old blobs."""
    base: dict[str, Entry] = {}
    head: dict[str, Entry] = {}
    for row in rows:
        mode = "160000" if row.patch and _SUBPROJECT.match(row.patch) else "100644"
        if row.status not in {"added", "unchanged"}:
            blob = (row.sha or "") if row.status == "removed" else ""
            base[row.previous_filename or row.filename] = Entry(mode, blob)
        if row.status not in {"removed", "unchanged"}:
            head[row.filename] = Entry(mode, row.sha or "")
    return Tree(base, whole=False), Tree(head, whole=False)
