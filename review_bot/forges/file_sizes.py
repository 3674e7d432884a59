"""How large changed files are, in bytes: asked only for files that could not be reviewed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping

from review_bot.changes.pull_request import PullRequest
from review_bot.forges import git_process

_MOST_PATHS = 500
"""Paths in one command line."""


def in_folder(folder: str, paths: Iterable[str]) -> Mapping[str, int]:
    """Return the sizes of the regular files among these paths below a folder."""
    sizes: dict[str, int] = {}
    for path in paths:
        try:
            status = os.lstat(os.path.join(folder, path))
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(status.st_mode):
            sizes[path] = status.st_size
    return sizes


def in_repository(root: str, pull_request: PullRequest, paths: Iterable[str]) -> Mapping[str, int]:
    """Return the sizes at the head, and at the merge base of a file that the change deletes.

    Raises ForgeError if git fails.
    """
    wanted = list(dict.fromkeys(paths))
    sizes = dict(in_folder(root, wanted) if pull_request.head is None else _in_commit(root, pull_request.head, wanted))
    deleted = {file.path for file in pull_request.files if file.status == "deleted"}
    missing = [path for path in wanted if path in deleted and path not in sizes]
    if missing and pull_request.merge_base is not None:
        sizes |= _in_commit(root, pull_request.merge_base, missing)
    return sizes


def _in_commit(root: str, commit: str, paths: list[str]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for start in range(0, len(paths), _MOST_PATHS):
        share = paths[start : start + _MOST_PATHS]
        listed = git_process.output(root, "ls-tree", "-l", "-z", "--full-tree", commit, "--", *share)
        for line in listed.decode("utf-8", "surrogateescape").split("\0"):
            facts, tab, path = line.partition("\t")
            size = facts.split(" ")[-1] if tab else ""
            if size.isdecimal():
                sizes[path] = int(size)
    return sizes
