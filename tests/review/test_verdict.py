"""The decision, by value: severity alone decides, and nothing says that a change is right."""

from __future__ import annotations

import pytest

from review_bot.changes.pull_request import Unreviewed
from review_bot.findings import Failure
from review_bot.review.policy import Policy
from review_bot.review.verdict import DECISION_WORDS, decide
from tests.reviews import finding

UNREVIEWED = Unreviewed("a.py", "not UTF-8 text")
CRASHED = Failure("errors/one", None, "ZeroDivisionError")


def found(severity, **facts):
    return finding("errors/one", severity=severity, **facts)


@pytest.mark.parametrize(
    ("severities", "fail_on", "decision", "exit_code"),
    [
        ("", "error", "no-findings", 0),
        ("", "hint", "no-findings", 0),
        ("hint", "error", "comments", 0),
        ("info hint", "error", "comments", 0),
        ("warning", "error", "comments", 0),
        ("warning", "warning", "changes-required", 1),
        ("info", "info", "changes-required", 1),
        ("info", "warning", "comments", 0),
        ("hint", "hint", "changes-required", 1),
        ("error", "error", "changes-required", 1),
        ("error", "never", "changes-required", 0),
        ("warning", "never", "comments", 0),
    ],
)
@pytest.mark.parametrize("confidence", ["high", "medium", "low"])
def test_severity_alone_decides(severities, fail_on, decision, exit_code, confidence):
    findings = [found(each, confidence=confidence) for each in severities.split()]
    verdict = decide(findings, (), (), Policy(fail_on=fail_on))
    assert (verdict.decision, verdict.exit_code, verdict.passed) == (decision, exit_code, exit_code == 0)


@pytest.mark.parametrize("aside", [{"moved": True}, {"counted": True}])
def test_moved_and_counted_findings_decide_nothing(aside):
    assert decide([found("error", **aside)], (), (), Policy(fail_on="hint")).decision == "no-findings"


@pytest.mark.parametrize(
    ("unreviewed", "failures", "reason"),
    [((UNREVIEWED,), (), "1 file could not be reviewed"), ((), (CRASHED,), "1 rule failed")],
)
@pytest.mark.parametrize(
    ("on_incomplete", "findings", "exit_code"), [("fail", "", 3), ("warn", "", 0), ("warn", "error", 1)]
)
def test_incomplete_comes_first(unreviewed, failures, reason, on_incomplete, findings, exit_code):
    listed = [found(each) for each in findings.split()]
    verdict = decide(listed, unreviewed, failures, Policy(on_incomplete=on_incomplete))
    assert (verdict.decision, verdict.exit_code) == ("incomplete", exit_code)
    assert verdict.reasons[0] == reason


def test_reasons_name_the_rules_most_severe_first():
    policy = Policy(fail_on="info")
    listed = [found("info"), finding("errors/two", severity="error"), found("warning"), found("warning")]
    assert decide(listed, (), (), policy).reasons == (
        "1 error: errors/two",
        "2 warnings: errors/one",
        "1 info finding: errors/one",
    )


@pytest.mark.parametrize(
    ("severities", "reason"), [("warning info", "1 finding to fix"), ("info hint", "2 findings to consider")]
)
def test_a_reason_for_comments(severities, reason):
    assert decide([found(each) for each in severities.split()], (), (), Policy()).reasons == (reason,)


def test_no_decision_says_that_a_change_is_right():
    assert [*DECISION_WORDS.values()] == ["Review incomplete", "Changes required", "Comments", "No findings"]
