"""Where a change comes from, as its readers see it: a local repository, a diff, GitHub.

::

    Source          the change, its texts and its tree    read by the pipeline
    ContextSource   what else it has available              read by ``context.gather``
    SettingsSource  configuration, baseline, own rules    read by ``configuration``; on GitHub a branch is one
    LocalSource     all three                             a local repository, or a diff

A source is asked for ``read`` first: everything else is about the change that it returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from review_bot.changes.open_pull_requests import OpenPullRequestSource
from review_bot.changes.pull_request import CommitMessage, PullRequest, WholeTexts
from review_bot.changes.repository import Repository


class SettingsSource(Protocol):
    """Holds configuration, baseline, own rules and contracts: the working tree, or a branch on GitHub."""

    def settings(self, path: str) -> str | None:
        """Return the text of a settings file, or None if there is none. Raises ConfigError if it cannot be read."""

    def own_files(self, below: str) -> list[tuple[str, str]]:
        """Return (path, text) of every YAML file below a folder, such as that of own rules."""


class ContextSource(Protocol):
    """Holds what the source of a change knows in addition to the change; nothing is fetched for it."""

    def head_paths(self) -> frozenset[str] | None:
        """Return every path at the head, or None where the tree is not known."""

    def head_text(self, path: str) -> str | None:
        """Return the text of a file at the head, or None if there is none or it is not available."""

    def base_file(self, path: str) -> str | None:
        """Return the text of ``.gitattributes`` or CODEOWNERS at the base, or None. Raises ConfigError.

        On GitHub the base is the tip of the base branch, which decides there; elsewhere the merge base.
        """

    def open_pull_requests(self) -> OpenPullRequestSource | None:
        """Return what reads the other open pull requests, or None where there can be none."""


class Source(ContextSource, Protocol):
    """Reads a change."""

    def read(self) -> PullRequest:
        """Return the change: files, hunks, and what could not be read."""

    def read_new(self, wanted: Iterable[int], /) -> WholeTexts:
        """Return whole texts at the head, by index of the file."""

    def read_old(self, wanted: Iterable[int], /) -> WholeTexts:
        """Return whole texts at the merge base, by index of the file."""

    def repository(self) -> Repository:
        """Return the tree around the change."""

    def sizes(self, paths: Iterable[str], /) -> Mapping[str, int]:
        """Return the sizes of changed files in bytes, by path, where they are known."""

    def commits(self) -> tuple[CommitMessage, ...] | None:
        """Return the commits of the change, oldest first, or None where not all of them are known."""

    def close(self) -> None:
        """End what was started for reading."""


class LocalSource(Source, SettingsSource, Protocol):
    """Reads a change, and holds its own settings."""
