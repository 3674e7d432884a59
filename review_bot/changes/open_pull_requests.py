"""What is known of other open pull requests. Everything in it was written by others: hostile text."""

from __future__ import annotations

from typing import Literal, Protocol

from review_bot.records import NamedTuple

LARGEST_TEXT = 400_000
"""Bytes, or characters; a larger text is not compared."""

WorkedOn = Literal["added", "modified", "deleted"]
Side = Literal["head", "merge_base"]


class TheirFile(NamedTuple):
    """A file of another pull request. ``path``: at its head, or where it was if it was deleted.

    A renamed file is a deleted and an added one where both names are known, else an added one.
    """

    path: str
    work: WorkedOn


class OpenPullRequest(NamedTuple):
    """An open pull request: its head, the commit that it grew from, and its files.

    ``renames``: files were renamed and their old names are not known; ``whole``: all its files are listed.
    """

    number: int
    title: str
    head: str
    merge_base: str
    files: tuple[TheirFile, ...]
    renames: bool = False
    whole: bool = True


class OpenPullRequests(NamedTuple):
    """The open pull requests to compare with, of ``known``; ``limits``: sentences on what is not among them."""

    known: int
    pulls: tuple[OpenPullRequest, ...] = ()
    limits: tuple[str, ...] = ()


class Want(NamedTuple):
    """A text to read: a file of another pull request at its head, or at the commit that it grew from."""

    number: int
    side: Side
    path: str


class OpenPullRequestSource(Protocol):
    """Reads the other open pull requests."""

    def listed(self) -> OpenPullRequests:
        """Return them. Fails nothing: what cannot be read is one of the limits."""

    def text(self, want: Want) -> str | None:
        """Return a text, or None if there is none, or it is too large, not UTF-8, or not available."""

    def renamed_away(self, number: int, /) -> frozenset[str]:
        """Return the paths that a pull request with ``renames`` no longer has, of those that were looked for."""
