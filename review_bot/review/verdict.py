"""From findings to a decision; a pure function, and the only place that decides.

========================  =====================================================================================
``incomplete``            something that should have been reviewed was not, or a rule crashed
``request-changes``       an open high-confidence finding is ``error`` or reaches ``fail-on``
``approve-with-changes``  a ``warning`` is open
``approve``               neither
========================  =====================================================================================
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from review_bot.changes.pull_request import Unreviewed
from review_bot.findings import Failure, Finding, at_least
from review_bot.review.policy import Policy

Decision = Literal["incomplete", "request-changes", "approve-with-changes", "approve"]

DECISION_WORDS: dict[Decision, str] = {
    "incomplete": "Review incomplete",
    "request-changes": "Changes required",
    "approve-with-changes": "Approve with changes",
    "approve": "Approve",
}


class Verdict(NamedTuple):
    """``passed``: the gate. ``reasons``: sentences, gravest first. ``exit_code``: 0, 1 or 3."""

    decision: Decision
    passed: bool
    fail_on: str
    reasons: tuple[str, ...]
    exit_code: int


def decide(
    findings: Sequence[Finding], unreviewed: Sequence[Unreviewed], failures: Sequence[Failure], policy: Policy
) -> Verdict:
    """Return the verdict over what is open; suppressed, moved and counted findings take no part."""
    findings = [finding for finding in findings if finding.listed]
    certain = [finding for finding in findings if finding.confidence == "high"]
    open_warnings = [f for f in findings if f.serious]
    blocking = [f for f in certain if policy.fail_on != "never" and at_least(f.severity, policy.fail_on)]
    errors = [f for f in certain if f.severity == "error"]
    reasons: list[str] = []
    if unreviewed:
        reasons.append(_count(len(unreviewed), "file could not be reviewed", "files could not be reviewed"))
    if failures:
        reasons.append(_count(len(failures), "rule failed", "rules failed"))
    grave = {id(finding): finding for finding in [*errors, *blocking]}.values()
    for severity in dict.fromkeys(finding.severity for finding in sorted(grave, key=lambda f: f.severity)):
        same = [finding for finding in grave if finding.severity == severity]
        noun = "info finding" if severity == "info" else severity
        rules = ", ".join(sorted({finding.rule for finding in same}))
        reasons.append(_count(len(same), noun, f"{noun}s") + f": {rules}")
    decision: Decision = "approve"
    if unreviewed or failures:
        decision = "incomplete"
    elif grave:
        decision = "request-changes"
    elif open_warnings:
        decision = "approve-with-changes"
        reasons.append(_count(len(open_warnings), "finding to fix", "findings to fix"))
    incomplete_fails = decision == "incomplete" and policy.on_incomplete == "fail"
    exit_code = 3 if incomplete_fails else 1 if blocking else 0
    return Verdict(decision, exit_code == 0, policy.fail_on, tuple(reasons), exit_code)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
