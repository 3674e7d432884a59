"""What the fake GitHub knows: users, tokens, repositories, pull requests and what was said in them, as plain records.

All of it can be pickled: a snapshot is a copy of the ``World``. Git objects are elsewhere (``git_store.py``) and never
change. Time is a counter: every change is one second after the one before.
"""

import time
from dataclasses import dataclass, field
from typing import Literal

EPOCH = 1_772_366_400
"""2026-03-01T12:00:00Z, when the fake GitHub's time begins."""

ACTIONS_BOT = "github-actions[bot]"
ACTIONS_BOT_ID = 41898282

Permission = Literal["admin", "maintain", "write", "triage", "read", "none"]
ReviewState = Literal["PENDING", "COMMENTED", "APPROVED", "CHANGES_REQUESTED", "DISMISSED"]


@dataclass(slots=True)
class User:
    """An account. ``kind`` as REST's ``type``."""

    id: int
    login: str
    kind: str = "User"


@dataclass(slots=True)
class Token:
    """A token and what it may do; ``permissions`` by name with underscores, "read" or "write"."""

    text: str
    login: str
    permissions: dict[str, str]
    read_only: bool = False
    repositories: tuple[int, ...] | None = None
    used: dict[str, int] = field(default_factory=dict)
    resets: dict[str, float] = field(default_factory=dict)

    @property
    def is_app(self) -> bool:
        """Return whether it is an installation's token, as GITHUB_TOKEN is."""
        return self.login.endswith("[bot]")


@dataclass(slots=True)
class IssueComment:
    """A comment in the conversation of a pull request. ``author`` None: the account is gone."""

    id: int
    number: int
    author: str | None
    body: str
    created: int
    updated: int
    minimized: str | None = None


@dataclass(slots=True)
class ReviewComment:
    """A comment on a line or a file of the change. The ``original_`` ones never change; the rest follows the head."""

    id: int
    number: int
    review: int
    thread: str
    author: str | None
    body: str
    path: str
    subject_type: str
    side: str
    start_side: str | None
    original_line: int | None
    original_start_line: int | None
    original_position: int | None
    original_commit_id: str
    diff_hunk: str
    created: int
    updated: int
    commit_id: str = ""
    line: int | None = None
    start_line: int | None = None
    position: int | None = None
    in_reply_to: int | None = None
    minimized: str | None = None
    pending: bool = False

    @property
    def outdated(self) -> bool:
        """Return whether its line is no longer in the change as it was."""
        return self.position is None


@dataclass(slots=True)
class Review:
    """A review, submitted or pending."""

    id: int
    number: int
    author: str | None
    body: str
    state: ReviewState
    commit_id: str
    submitted: int


@dataclass(slots=True)
class Thread:
    """A conversation on a line: its comments' ids, oldest first."""

    id: str
    number: int
    comments: list[int]
    resolved: bool = False
    resolved_by: str | None = None


@dataclass(slots=True)
class Status:
    """A commit status."""

    id: int
    sha: str
    state: str
    context: str
    description: str | None
    target_url: str | None
    creator: str
    created: int


@dataclass(slots=True)
class WorkflowRun:
    """A run of a workflow."""

    id: int
    name: str
    path: str
    event: str
    head_sha: str
    head_branch: str
    status: str
    conclusion: str | None
    attempt: int
    created: int
    number: int
    pull_requests: list[int]


@dataclass(slots=True)
class CheckRun:
    """A job of a workflow run (``run``), or a check of an app (None). ``conclusion`` None: it is not completed."""

    id: int
    name: str
    head_sha: str
    status: str
    conclusion: str | None
    run: int | None


@dataclass(slots=True)
class Pull:
    """A pull request. ``base_sha``: the tip of the base when the head last moved; ``head_repository`` None: deleted."""

    id: int
    number: int
    title: str
    body: str | None
    author: str | None
    base_ref: str
    base_sha: str
    head_ref: str
    head_sha: str
    head_repository: int | None
    head_owner: str
    created: int
    updated: int
    draft: bool = False
    state: str = "open"
    merged: bool = False
    merge_commit: str | None = None
    locked: bool = False
    labels: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    force_pushes: list[tuple[int, str]] = field(default_factory=list)  # when, and the head after it


@dataclass(slots=True)
class Repository:
    """A repository. ``network``: the id of the repository at the root of its forks, whose objects it shares."""

    id: int
    owner: str
    name: str
    folder: str
    network: int
    created: int
    private: bool = False
    archived: bool = False
    default_branch: str = "main"
    parent: int | None = None
    refs: dict[str, str] = field(default_factory=dict)
    collaborators: dict[str, Permission] = field(default_factory=dict)
    pulls: dict[int, Pull] = field(default_factory=dict)
    numbers: int = 0
    statuses: list[Status] = field(default_factory=list)
    runs: dict[int, WorkflowRun] = field(default_factory=dict)
    check_runs: list[CheckRun] = field(default_factory=list)
    issue_comments: dict[int, IssueComment] = field(default_factory=dict)
    review_comments: dict[int, ReviewComment] = field(default_factory=dict)
    reviews: dict[int, Review] = field(default_factory=dict)
    threads: dict[str, Thread] = field(default_factory=dict)
    actions_may_approve: bool = False

    @property
    def full_name(self) -> str:
        """Return ``owner/name``."""
        return f"{self.owner}/{self.name}"


@dataclass(slots=True)
class World:
    """Everything that can change."""

    ticks: int = 0
    ids: int = 1_000
    users: dict[str, User] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    repositories: dict[int, Repository] = field(default_factory=dict)
    renamed: dict[str, int] = field(default_factory=dict)

    def now(self) -> int:
        """Return the next moment, in seconds since the epoch."""
        self.ticks += 1
        return EPOCH + self.ticks

    def next_id(self) -> int:
        """Return a number that nothing else has."""
        self.ids += 1
        return self.ids

    def user(self, login: str) -> User:
        """Return an account; it is made when first named."""
        if login not in self.users:
            is_bot = login.endswith("[bot]")
            identity = ACTIONS_BOT_ID if login == ACTIONS_BOT else self.next_id()
            self.users[login] = User(identity, login, "Bot" if is_bot else "User")
        return self.users[login]

    def find_repository(self, full_name: str) -> Repository | None:
        """Return a repository by its present name, in any case."""
        wanted = full_name.lower()
        return next((one for one in self.repositories.values() if one.full_name.lower() == wanted), None)

    def permission(self, repository: Repository, login: str | None) -> Permission:
        """Return what a person may do in a repository."""
        if login is None:
            return "none"
        if login == repository.owner:
            return "admin"
        return repository.collaborators.get(login, "none" if repository.private else "read")

    def can_push(self, repository: Repository, login: str | None) -> bool:
        """Return whether a person may push."""
        return self.permission(repository, login) in {"admin", "maintain", "write"}


def timestamp(seconds: int) -> str:
    """Return a moment as GitHub writes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
