"""What a command reviews: a range, everything since a revision, staged changes, and the paths to report on."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from review_bot.errors import UsageError
from review_bot.forges import base_branch
from review_bot.forges.local_git import LocalGit
from review_bot.forges.repository_root import find_root
from review_bot.records import NamedTuple


class Target(NamedTuple):
    """The change, and the paths of which findings are reported (from the root; empty: all).

    ``base`` and ``head`` None: the default base, the working tree.
    """

    base: str | None = None
    head: str | None = None
    staged: bool = False
    paths: tuple[str, ...] = ()

    def open(self, folder: str) -> LocalGit:
        """Return the repository that holds the change; the caller closes it. Raises UsageError."""
        return LocalGit(folder, base=self.base, head=self.head, staged=self.staged)


REVISIONS = "BASE | BASE..HEAD"


def add_arguments(parser: argparse.ArgumentParser, what: str = f"{REVISIONS} | PATH") -> None:
    """Declare what names a change in a repository; ``what``: the positional arguments that the command takes."""
    paths = "" if what == REVISIONS else "; then the files or folders to report on"
    parser.add_argument(
        "what", nargs="*", metavar=what, help=f"the revision to compare with, or a range of commits{paths}"
    )
    parser.add_argument("--base", metavar="REV", help="revision to compare with (default: the remote's default branch)")
    parser.add_argument("--head", metavar="REV", help="the tip of the change (default: the working tree)")
    parser.add_argument("--staged", action="store_true", help="review what is staged, compared with HEAD")
    parser.add_argument(
        "--pushed", action="store_true", help="review the commit that pre-commit is about to push, otherwise HEAD"
    )
    parser.add_argument(
        "-C", dest="folder", default=".", metavar="DIR", help="the repository to review (default: the current folder)"
    )


def refuse(options: argparse.Namespace, why: str) -> None:
    """Raise UsageError if the command line names a change of a repository."""
    given = [f"--{name}" for name in ("base", "head", "staged", "pushed") if getattr(options, name)]
    if options.what or given:
        raise UsageError(f"{why}; remove {options.what[0] if options.what else given[0]}")


def read(options: argparse.Namespace) -> Target:
    """Return what the command line names. Raises UsageError."""
    base, head, words = options.base, options.head, list(options.what)
    heads = [
        flag for flag, value in (("--head", head), ("--staged", options.staged), ("--pushed", options.pushed)) if value
    ]
    if len(heads) > 1:
        raise UsageError(f"{' and '.join(heads)} each set the head; pass one of them")
    if options.pushed:
        head = os.environ.get("PRE_COMMIT_TO_REF") or "HEAD"
    if words and ".." in words[0] and not _is_path(options.folder, words[0]):
        if base is not None or heads:
            raise UsageError(f"pass either BASE..HEAD or {'--base' if base is not None else heads[0]}")
        base, _, head = words.pop(0).partition("..")
        base, head = base or None, head.removeprefix(".") or "HEAD"
    elif words and _is_revision(options.folder, words[0]):
        if base is not None:
            raise UsageError(f"{words[0]!r} is a revision to compare with, and so is --base {base}; pass one of them")
        base = words.pop(0)
    return Target(base, head, options.staged, _paths(options.folder, words, base))


def is_change(folder: str, word: str) -> bool:
    """Return whether a word is a revision or a range of them, and not a path."""
    if os.path.lexists(os.path.join(folder, word)):
        return False
    root, _ = find_root(folder)
    base, _, head = word.partition("..")
    ends = [each for each in (base, head.removeprefix(".")) if each]
    return bool(word) and all(base_branch.is_commit(root, each) for each in ends)


def names_something(folder: str, word: str) -> bool:
    """Return whether a word is a revision, a range or a path."""
    return os.path.lexists(os.path.join(folder, word)) or is_change(folder, word)


def _is_path(folder: str, word: str) -> bool:
    """Return whether a word is a path that is there, or has a step ``..`` as no range of revisions has."""
    return os.path.lexists(os.path.join(folder, word)) or ".." in word.split("/")


def _is_revision(folder: str, word: str) -> bool:
    """Return whether a word names a commit and no file. Raises UsageError for one that names both."""
    root, _ = find_root(folder)
    if not base_branch.is_commit(root, word):
        return False
    if os.path.lexists(os.path.join(folder, word)):
        raise UsageError(f"{word!r} is both a revision and a path; write `--base {word}` or `./{word}`")
    return True


def _paths(folder: str, words: Sequence[str], base: str | None) -> tuple[str, ...]:
    """Return paths from the root of the repository; empty for the root itself. Raises UsageError."""
    if not words:
        return ()
    root, _ = find_root(folder)
    found = []
    for word in words:
        is_there, below = os.path.lexists(os.path.join(folder, word)), from_root(root, folder, word)
        if not is_there and base_branch.is_commit(root, word):
            raise UsageError(f"{word!r} is a revision, not a path; for a range write {base or 'BASE'}..{word}")
        if below == ".." or below.startswith("../"):
            raise UsageError(f"{word!r} is outside the repository {root!r}")
        if not is_there and ".." in word.split("/"):
            raise UsageError(f"{word!r}: no such file or folder; from the root of the repository it is {below!r}")
        if not is_there:
            raise base_branch.no_such_commit(root, word, or_path=True)
        found.append(below)
    return () if "." in found else tuple(dict.fromkeys(found))


def from_root(root: str, folder: str, path: str) -> str:
    """Return a path from the root of a repository that was written from ``folder``; one outside starts with ``..``."""
    parent, name = os.path.split(os.path.abspath(os.path.join(folder, path)))
    return os.path.relpath(os.path.join(os.path.realpath(parent), name), os.path.realpath(root))
