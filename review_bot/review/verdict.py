"""From findings to a decision; a pure function, and the only place that decides.

====================  =============================================================================
``incomplete``        something that should have been reviewed was not, or a rule crashed
``changes-required``  an open finding is an ``error`` or reaches ``fail-on``
``comments``          other findings are listed
``no-findings``       none is
====================  =============================================================================

Severity alone decides; no decision says that the change is right.
"""

from collections.abc import Sequence
from typing import Literal

from review_bot.changes.pull_request import Unreviewed
from review_bot.findings import SEVERITIES, Failure, Finding, at_least
from review_bot.records import NamedTuple
from review_bot.review.policy import Policy
from review_bot.text.listing import count

Decision = Literal["incomplete", "changes-required", "comments", "no-findings"]

DECISION_WORDS: dict[Decision, str] = {
    "incomplete": "Review incomplete",
    "changes-required": "Changes required",
    "comments": "Comments",
    "no-findings": "No findings",
}


class Verdict(NamedTuple):
    """``passed``: the gate. ``reasons``: sentences, most severe first. ``exit_code``: 0, 1 or 3."""

    decision: Decision
    passed: bool
    fail_on: str
    reasons: tuple[str, ...]
    exit_code: int


def decide(
    findings: Sequence[Finding], unreviewed: Sequence[Unreviewed], failures: Sequence[Failure], policy: Policy
) -> Verdict:
    """Return the verdict on the open findings; suppressed, moved and counted ones take no part.

    Advisory ones are listed and fail nothing, whatever ``fail_on`` is.
    """
    listed = [finding for finding in findings if finding.listed]
    gating = [finding for finding in listed if not finding.advisory]
    blocking = [each for each in gating if policy.fail_on != "never" and at_least(each.severity, policy.fail_on)]
    required = [each for each in gating if each.severity == "error" or each in blocking]
    reasons: list[str] = []
    if unreviewed:
        reasons.append(count(len(unreviewed), "file could not be reviewed", "files could not be reviewed"))
    if failures:
        reasons.append(count(len(failures), "rule failed", "rules failed"))
    for severity in SEVERITIES:
        same = [finding for finding in required if finding.severity == severity]
        if same:
            noun = "info finding" if severity == "info" else severity
            rules = ", ".join(sorted({finding.rule for finding in same}))
            reasons.append(count(len(same), noun, f"{noun}s") + f": {rules}")
    decision: Decision = "no-findings"
    if unreviewed or failures:
        decision = "incomplete"
    elif required:
        decision = "changes-required"
    elif listed:
        decision = "comments"
        heavy = sum(finding.serious for finding in listed)
        if heavy:
            reasons.append(count(heavy, "finding to fix", "findings to fix"))
        else:
            reasons.append(count(len(listed), "finding to consider", "findings to consider"))
    incomplete_fails = decision == "incomplete" and policy.on_incomplete == "fail"
    exit_code = 3 if incomplete_fails else 1 if blocking else 0
    return Verdict(decision, exit_code == 0, policy.fail_on, tuple(reasons), exit_code)
