"""Whose suppressions count in a merge group: those of the pull request that the group merges, if its own review did.

GitHub names the group's branch ``gh-readonly-queue/<base>/pr-<number>-<base sha>``. A file of the group is vouched for
if that pull request, whose author may push or whose head a person with write access approved, has the very same file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from review_bot.errors import NotFound
from review_bot.forges.github.client import Client
from review_bot.forges.github.overview import Overview, read_overview
from review_bot.forges.github.trees import MOST_LOOKED_UP, Entry, look_up

_BRANCH = re.compile(r"refs/heads/gh-readonly-queue/.+/pr-([1-9][0-9]{0,9})-[0-9a-f]{40}")


def vouched_files(client: Client, repository: str, head: str, head_ref: str, paths: Sequence[str]) -> frozenset[str]:
    """Return those of the files at a group's ``head`` of which all suppressions count. Raises ForgeError.

    ``head_ref``: the group's branch, as GitHub's event names it.
    """
    pull = pull_request_of(client, repository, head_ref) if paths else None
    if pull is None or not (pull.same_repository or pull.approved_by):
        return frozenset()
    return same_files(client, repository, head, pull.head_sha, paths)


def pull_request_of(client: Client, repository: str, head_ref: str) -> Overview | None:
    """Return the open pull request that a group merges, None if its branch names none. Raises ForgeError."""
    branch = _BRANCH.fullmatch(head_ref)
    if branch is None:
        return None
    try:
        pull = read_overview(client, repository, int(branch[1]))
    except NotFound:
        return None
    return pull if pull.state == "open" else None


def same_files(client: Client, repository: str, head: str, other: str, paths: Sequence[str]) -> frozenset[str]:
    """Return those of some files that two commits have, and have alike. Raises ForgeError."""
    merged, own = (_entries(client, repository, commit, paths) for commit in (head, other))
    return frozenset(path for path, entry in merged.items() if own.get(path) == entry)


def _entries(client: Client, repository: str, commit: str, paths: Sequence[str]) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for start in range(0, len(paths), MOST_LOOKED_UP):
        found |= look_up(client, repository, commit, paths[start : start + MOST_LOOKED_UP])
    return found
