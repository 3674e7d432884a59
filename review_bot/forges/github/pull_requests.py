"""The two changes that are read from GitHub: a pull request, and the range of a merge group.

Both are a ``Source``; what they share is in ``source.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from review_bot.changes.open_pull_requests import OpenPullRequestSource
from review_bot.changes.pull_request import MOST_COMMITS, CommitMessage, PullRequest
from review_bot.errors import ForgeError, IncompleteChange, NotFound, Superseded
from review_bot.forges.github import changed_files
from review_bot.forges.github.client import Client
from review_bot.forges.github.git_ids import ObjectId
from review_bot.forges.github.open_pull_requests import GitHubOpenPullRequests
from review_bot.forges.github.overview import Overview, State, read_overview, read_range
from review_bot.forges.github.public_overview import read_public_overview
from review_bot.forges.github.source import GitHubSource
from review_bot.forges.github.wire import Answer
from review_bot.records import NamedTuple

_UNLISTED = f"GitHub lists at most {changed_files.MOST_ROWS:,} files of a pull request; split it"
_MOST_READINGS = 2

_LAG = (1.0, 3.0)
"""Seconds to wait before GitHub is asked again for what an event contains and its API does not return yet."""


class PullRequestState(NamedTuple):
    """What may have moved since a pull request was read."""

    head_sha: str
    base_sha: str
    base_ref: str
    default_branch: str | None
    state: State
    draft: bool
    locked: bool
    changed_files: int


class _Home(Answer):
    default_branch: str


class _End(Answer):
    sha: ObjectId
    ref: str
    repo: _Home | None = None


class _PullAnswer(Answer):
    head: _End
    base: _End
    state: str
    locked: bool
    changed_files: int
    merged: bool = False
    draft: bool = False


class _Message(Answer):
    message: str


class _Parent(Answer):
    sha: ObjectId


class _CommitAnswer(Answer):
    sha: ObjectId
    commit: _Message
    parents: list[_Parent]


class GitHubPullRequest(GitHubSource):
    """Reads a pull request. ``expected_head``, ``expected_base``: the commits that an event names, if it does."""

    def __init__(
        self,
        client: Client,
        repository: str,
        number: int,
        *,
        expected_head: str | None = None,
        expected_base: str | None = None,
    ) -> None:
        super().__init__(client, repository)
        self._number = number
        self._others = GitHubOpenPullRequests(client, repository, number)
        self._expected = (expected_base, expected_head)

    def open(self) -> Overview:
        """Read what GitHub says of the pull request, and its files.

        Raises Superseded if its head is not the one that was expected, IncompleteChange if GitHub lists fewer files
        than it counts, NotFound and other ForgeErrors.
        """
        base, head = self._expected
        read = read_public_overview if self._client.anonymous else read_overview
        calls: list[Callable[[], object]] = [
            lambda: read(self._client, self._name, self._number),
            lambda: changed_files.read_rows(self._client, self._name, self._number),
        ]
        if base is not None and head is not None:
            calls.append(lambda: self._try_to_compare(base, head))
        overview, listed, *compared = self._read_expected([*calls, self._others.read], head)[:-1]
        if compared and base == overview.base_sha:
            self._merge_base = compared[0]
        self._overview = self._with_all_rows(overview, listed)
        return self._overview

    def open_pull_requests(self) -> OpenPullRequestSource | None:
        """Return what reads the other open pull requests."""
        return self._others

    def commits(self) -> tuple[CommitMessage, ...] | None:
        """Return the commits up to the head that was read, or None if GitHub does not list all.

        Nor if they cannot be read: their author controls the messages, which decide nothing.
        """
        try:
            rows = self._client.get_all(
                f"/repos/{self._name}/pulls/{self._number}/commits", _CommitAnswer, {"per_page": 100}
            )
        except ForgeError:
            return None
        if len(rows) >= MOST_COMMITS or self.overview().head_sha not in {row.sha for row in rows}:
            return None
        return tuple(CommitMessage(row.sha, row.commit.message, len(row.parents)) for row in rows)

    def head_now(self) -> PullRequestState:
        """Read where the pull request is now, for the check before something is published. Raises ForgeError."""
        found = self._client.get(f"/repos/{self._name}/pulls/{self._number}", _PullAnswer)
        return PullRequestState(
            head_sha=found.head.sha,
            base_sha=found.base.sha,
            base_ref=found.base.ref,
            default_branch=found.base.repo.default_branch if found.base.repo is not None else None,
            state="merged" if found.merged else "open" if found.state == "open" else "closed",
            draft=found.draft,
            locked=found.locked,
            changed_files=found.changed_files,
        )

    def _parallel_calls(self, change: PullRequest) -> list[Callable[[], object]]:
        return self._others.calls(change, self.overview().base.name)

    def _read_expected(self, calls: list[Callable[[], object]], head: str | None) -> list[Any]:
        """Make the calls of the first round; GitHub's event may be ahead of its API."""
        waits = list(_LAG)
        while True:
            try:
                answers = self._client.together(*calls)
                self._check_head(answers[0].head_sha, head or answers[0].head_sha)
            except (NotFound, Superseded):
                if head is None or not waits:
                    raise
                self._client.clock.sleep(waits.pop(0))
            else:
                return answers

    def _with_all_rows(self, overview: Overview, listed: list[changed_files.FileRow]) -> Overview:
        """Keep the rows once they are as many as GitHub counts; a count that lags behind is read again."""
        for reading in range(_MOST_READINGS):
            names = {row.filename for row in listed}
            if len(names) == len(listed) == min(overview.changed_files, changed_files.MOST_ROWS):
                self._rows = listed
                self._lists_all = overview.changed_files <= changed_files.MOST_ROWS
                self._unlisted = None if self._lists_all else _UNLISTED
                return overview
            if reading + 1 < _MOST_READINGS:
                listed, now = self._client.together(
                    lambda: changed_files.read_rows(self._client, self._name, self._number), self.head_now
                )
                self._check_head(now.head_sha, overview.head_sha)
                overview = overview._replace(changed_files=now.changed_files)
        names = {row.filename for row in listed}
        if len(names) < len(listed) == overview.changed_files:
            raise IncompleteChange(
                f"GitHub lists {len(listed):,} changed files, some with the same name; names that are not UTF-8 look "
                "alike in its response: rename those files, or run the review again"
            )
        raise IncompleteChange(
            f"GitHub reports {overview.changed_files:,} changed files but lists {len(listed):,}; run the review again"
        )

    def _check_head(self, found: str, expected: str) -> None:
        if found != expected:
            raise Superseded(
                f"the head of {self._name}#{self._number} has moved from `{expected[:12]}` to `{found[:12]}`; "
                "the review of the new head decides"
            )

    def _try_to_compare(self, base: str, head: str) -> str | None:
        """Return the merge base, or None if GitHub no longer has the commits that the event names."""
        try:
            return changed_files.compare(self._client, self._name, base, head).merge_base_commit.sha
        except NotFound:
            return None


class GitHubRange(GitHubSource):
    """Reads what a merge group adds to its base: ``base_sha...head_sha``."""

    def __init__(self, client: Client, repository: str, base_sha: str, head_sha: str, base_ref: str) -> None:
        super().__init__(client, repository)
        self._range = (base_sha, head_sha, base_ref)

    def open(self) -> Overview:
        """Read the settings of the base, and the files of the range that GitHub lists. Raises ForgeError."""
        base, head, ref = self._range
        overview, compared = self._client.together(
            lambda: read_range(self._client, self._name, base, head, ref),
            lambda: changed_files.compare(self._client, self._name, base, head, with_files=True),
        )
        self._merge_base = compared.merge_base_commit.sha
        self._lists_all = len(compared.files or []) < changed_files.MOST_COMPARED
        self._rows = list({row.filename: row for row in compared.files or []}.values())
        self._overview = overview._replace(
            changed_files=len(self._rows),
            additions=sum(row.additions for row in self._rows),
            deletions=sum(row.deletions for row in self._rows),
        )
        return self._overview
