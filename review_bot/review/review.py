"""What we think of a change: the examination, judged. Data only; every report is a function of it."""

from typing import NamedTuple

from review_bot.assessment.assessment import Assessment
from review_bot.assessment.metrics import effort_minutes
from review_bot.changes.pull_request import PullRequest, Unreviewed
from review_bot.findings import Failure, Finding, Fixes, NotRun, Suppressed
from review_bot.review.context import ReviewContext
from review_bot.review.policy import Policy
from review_bot.review.verdict import Verdict


class NoText(NamedTuple):
    """A changed file that has no text of its own to review: binary, symlink, submodule, LFS pointer."""

    path: str
    kind: str


class Review(NamedTuple):
    """A judged pull request. ``rules_digest`` identifies the set of rules that looked at it.

    ``rules``: ids of those that looked wherever they can, kept from no file by the configuration. ``fixes``: the
    suggestions that were proven together, None if nobody asked for that; ``patch``: the same as one unified diff from
    the head, for ``git apply``. ``context``: what reports show beside the findings.
    """

    pull_request: PullRequest
    verdict: Verdict
    policy: Policy
    rules_digest: str
    assessment: Assessment
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    no_text: tuple[NoText, ...] = ()
    unreviewed: tuple[Unreviewed, ...] = ()
    allowed_unreviewed: tuple[Unreviewed, ...] = ()
    ignored: tuple[str, ...] = ()
    not_run: tuple[NotRun, ...] = ()
    failures: tuple[Failure, ...] = ()
    rules_run: int = 0
    rules: frozenset[str] = frozenset()
    fixes: Fixes | None = None
    patch: str = ""
    context: ReviewContext = ReviewContext()

    @property
    def minutes(self) -> int:
        """Minutes to settle what is open."""
        return effort_minutes(self.findings)
