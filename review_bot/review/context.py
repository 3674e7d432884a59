"""The context of a change, reported next to its findings: owners, tests to run, other pull requests, CI.

Nothing here affects the verdict. A field is None if it was not requested or cannot be known.
"""

from typing import Literal

from review_bot.coverage.added_lines import Coverage
from review_bot.records import NamedTuple

CiState = Literal["passed", "failed", "pending", "none"]
Relation = Literal[
    "adds-module",
    "adds-name",
    "removes-used",
    "removes-changed",
    "changes-removed",
    "same-file",
    "same-function",
]


class Owned(NamedTuple):
    """Files of the change that the same people own; ``owners`` as the file writes them: ``@user``, ``@org/team``."""

    owners: tuple[str, ...]
    paths: tuple[str, ...]


class Owners(NamedTuple):
    """What the CODEOWNERS file ``source`` of the base says of the changed files; ``problems``: its broken lines.

    ``unowned``: changed files without an owner. Source:
    https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
    """

    source: str
    owned: tuple[Owned, ...]
    unowned: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class CoveringTest(NamedTuple):
    """A test file at the head that this change should be tried with; ``covers``: the changed files that it tests.

    ``changed``: the change itself adds or edits it.
    """

    path: str
    covers: tuple[str, ...]
    changed: bool


class Overlap(NamedTuple):
    """How another open pull request touches this change.

    ``adds-module``, ``adds-name``: it adds ``subject``, which this change imports and which does not exist; ``also``:
    numbers of others that bring the same. ``removes-used``: it removes the module or name ``subject``, imported here.
    ``removes-changed``: it removes the file ``subject``, or the function or class of it (``file:name``), edited here;
    ``changes-removed``: the other way round. ``same-file``: both add the file ``subject``, with other contents.
    ``same-function``: both change the function or class ``subject``. ``path``, ``line``: the place in this change,
    1-based at the head. ``their_path``, ``their_line``: the place in theirs, at their head, or at their base for what
    they remove.
    """

    number: int
    title: str
    relation: Relation
    subject: str
    path: str
    line: int | None
    their_path: str
    their_line: int | None
    also: tuple[int, ...] = ()


class OverlapReport(NamedTuple):
    """Open pull requests that this one meets. ``looked_at`` of ``known`` open ones were compared.

    ``order``: numbers in an order to merge them in which each finds what it needs, this one as 0; empty if any will do.
    ``limits``: sentences on what was not compared. ``cycles``: numbers of those that need each other, this one as 0;
    no order serves them all.
    """

    looked_at: int
    known: int
    found: tuple[Overlap, ...] = ()
    order: tuple[int, ...] = ()
    limits: tuple[str, ...] = ()
    cycles: tuple[tuple[int, ...], ...] = ()


class PullRequestStatus(NamedTuple):
    """The status of the pull request on GitHub, apart from this review. None: not known.

    ``failing``: names of checks that failed. ``unresolved``: open conversations that are not ours. ``approved_by``:
    people with write access who approved exactly this head.
    """

    ci: CiState | None = None
    failing: tuple[str, ...] = ()
    unresolved: int | None = None
    approved_by: tuple[str, ...] | None = None


class EarlierReview(NamedTuple):
    """An earlier review of the same change, as its JSON report describes it; oldest first in a list of them."""

    head: str | None
    decision: str
    score: int | None
    errors: int
    warnings: int
    lighter: int


class DeclinedFinding(NamedTuple):
    """A finding, by fingerprint, that a person with write access declined. It still counts in the verdict."""

    fingerprint: str
    by: str
    reason: str


class ReviewContext(NamedTuple):
    """All of it."""

    owners: Owners | None = None
    tests: tuple[CoveringTest, ...] | None = None
    overlaps: OverlapReport | None = None
    status: PullRequestStatus | None = None
    earlier: tuple[EarlierReview, ...] = ()
    coverage: Coverage | None = None
    declined: tuple[DeclinedFinding, ...] = ()
