"""The whole tree of a commit, in one call, and where two of them differ.

The two trees of a change, compared, give exactly the paths that changed, with modes and blob ids: the proof that
nothing is missing from GitHub's list of files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from review_bot.changes.pull_request import ABSENT_MODE
from review_bot.errors import BadData, IncompleteChange
from review_bot.forges.github.client import Client
from review_bot.forges.github.git_ids import ObjectId
from review_bot.forges.github.wire import HOW_TO_AUTHENTICATE, Answer
from review_bot.records import NamedTuple

MOST_LOOKED_UP = 100
"""Paths in one query."""


class Entry(NamedTuple):
    """A file, symlink or submodule (then ``blob`` is a commit) in a tree; an empty ``blob`` is not known."""

    mode: str
    blob: str
    size: int | None = None


class Tree(NamedTuple):
    """Entries by path. ``whole`` is false where GitHub cut the list off (over 100,000 entries or 7 MB)."""

    entries: Mapping[str, Entry]
    whole: bool = True


class Difference(NamedTuple):
    """One path at the base and at the head; None where it is absent."""

    old: Entry | None
    new: Entry | None

    @property
    def modes(self) -> tuple[str, str]:
        """Both modes, as git prints them."""
        return (self.old.mode if self.old else ABSENT_MODE), (self.new.mode if self.new else ABSENT_MODE)


class _EntryAnswer(Answer):
    path: str
    mode: str
    type: str
    sha: ObjectId
    size: int | None = None


class _TreeAnswer(Answer):
    tree: list[_EntryAnswer]
    truncated: bool


class _LookedUp(Answer):
    mode: int
    oid: ObjectId
    type: str
    size: int | None = None


class _LookUpRepository(Answer):
    object: dict[str, _LookedUp | None] | None = None


class _LookUpAnswer(Answer):
    repository: _LookUpRepository | None = None


def read_tree(client: Client, repository: str, commit: str) -> Tree:
    """Read the tree of a commit. Raises ForgeError, BadData if two entries have the same path.

    Source: https://docs.github.com/en/rest/git/trees#get-a-tree (recursive, and what ``truncated`` means).
    """
    answer = client.get(f"/repos/{repository}/git/trees/{commit}", _TreeAnswer, {"recursive": 1})
    listed = [entry for entry in answer.tree if entry.type != "tree"]
    entries = {entry.path: Entry(entry.mode, entry.sha, entry.size) for entry in listed}
    if len(entries) != len(listed):
        raise BadData(
            f"two entries in the tree of {commit} have the same path; names that are not UTF-8 look alike in GitHub's "
            "response: rename those files"
        )
    return Tree(entries, not answer.truncated)


def look_up(client: Client, repository: str, commit: str, paths: Sequence[str]) -> dict[str, Entry]:
    """Return the entries of some paths in the tree of a commit; an absent one is left out. Raises ForgeError.

    At most ``MOST_LOOKED_UP`` of them in one call.
    """
    if client.anonymous:
        raise IncompleteChange(
            f"the tree of {repository} is larger than GitHub lists, and reading it in parts needs a token: "
            f"{HOW_TO_AUTHENTICATE}"
        )
    fields = " ".join(
        f"f{index}: file(path: {json.dumps(path)}) {{ mode oid type size }}" for index, path in enumerate(paths)
    )
    document = (
        "query Entries($owner: String!, $name: String!, $oid: GitObjectID!) { repository(owner: $owner, name: $name) {"
        f" object(oid: $oid) {{ ... on Commit {{ {fields} }} }} }} }}"
    )
    owner, _, name = repository.partition("/")
    answer = client.query(document, {"owner": owner, "name": name, "oid": commit}, _LookUpAnswer)
    found = answer.repository.object if answer.repository is not None else None
    if found is None:
        raise BadData(f"{repository} has no commit {commit}, although GitHub reported it")
    entries: dict[str, Entry] = {}
    for index, path in enumerate(paths):
        entry = found.get(f"f{index}")
        if entry is not None and entry.type != "tree":
            entries[path] = Entry(f"{entry.mode:06o}", entry.oid, entry.size)
    return entries


def differences(base: Tree, head: Tree) -> Iterator[tuple[str, Difference]]:
    """Yield the paths whose mode or blob differs between two trees."""
    for path, new in head.entries.items():
        old = base.entries.get(path)
        if old is None or (old.mode, old.blob) != (new.mode, new.blob):
            yield path, Difference(old, new)
    for path, old in base.entries.items():
        if path not in head.entries:
            yield path, Difference(old, None)
