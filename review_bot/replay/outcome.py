"""What one pull request of the past gave: a review, kept small enough for hundreds of them."""

from __future__ import annotations

from review_bot.changes.pull_request import Unreviewed
from review_bot.findings import Confidence, Failure, Placement, Severity
from review_bot.forges.merged_pull_requests import MergedPullRequest
from review_bot.records import NamedTuple
from review_bot.review.review import Review


class Seen(NamedTuple):
    """One open finding, without its rule's prose.

    ``changed``: its line was changed before the merge or soon after (see ``forges/line_survival.py``); None: not asked.
    """

    path: str | None
    line: int | None
    rule: str
    severity: Severity
    confidence: Confidence
    placement: Placement
    moved: bool
    message: str
    changed: bool | None = None
    counted: bool = False

    @property
    def where(self) -> str:
        """``path:line``, as an editor reads it."""
        if self.path is None:
            return "whole change"
        return self.path if self.line is None else f"{self.path}:{self.line}"

    @property
    def is_comment(self) -> bool:
        """Return whether it would be a comment next to the code."""
        return self.placement == "inline" and not self.moved


class Later(NamedTuple):
    """How many lines a pull request added when it was opened, and how many of them were changed later."""

    added: int
    changed: int


class Outcome(NamedTuple):
    """A pull request, reviewed; or ``error``, which says why it could not be. Counts are of files and lines.

    ``cards``: those that it draws.
    """

    past: MergedPullRequest
    merge_base: str | None = None
    files: int = 0
    added: int = 0
    removed: int = 0
    decision: str = ""
    passed: bool = True
    reasons: tuple[str, ...] = ()
    findings: tuple[Seen, ...] = ()
    suppressed: int = 0
    unreviewed: tuple[Unreviewed, ...] = ()
    failures: tuple[Failure, ...] = ()
    error: str | None = None
    later: Later | None = None
    cards: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether there was nothing to review."""
        return self.error is None and not self.files and not self.unreviewed

    @property
    def comments(self) -> int:
        """Comments next to the code."""
        return sum(finding.is_comment for finding in self.findings)


def outcome_of(past: MergedPullRequest, review: Review) -> Outcome:
    """Return the part of a review that is counted or listed."""
    change = review.pull_request
    return Outcome(
        past=past,
        merge_base=change.merge_base,
        files=len(change.files),
        added=change.added,
        removed=change.removed,
        decision=review.verdict.decision,
        passed=review.verdict.passed,
        reasons=review.verdict.reasons,
        findings=tuple(
            Seen(f.path, f.line, f.rule, f.severity, f.confidence, f.placement, f.moved, f.message, counted=f.counted)
            for f in review.findings
        ),
        suppressed=len(review.suppressed),
        unreviewed=review.unreviewed,
        failures=review.examination.failures,
        cards=tuple(card.id for card in review.assessment.checklist),
    )
