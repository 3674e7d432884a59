"""What two versions of the rules say differently."""

from __future__ import annotations

from review_bot.forges.merged_pull_requests import MergedPullRequest
from review_bot.replay.comparison import compare
from review_bot.replay.outcome import Outcome, Seen


def outcome(number, *findings, decision="no-findings", error=None):
    past = MergedPullRequest(number, "base", "head", "", merged=True)
    return Outcome(past, files=1, decision=decision, findings=findings, error=error)


def seen(rule, line=1, placement="inline"):
    return Seen("a.py", line, rule, "warning", "high", placement, False, "Wrong.")


def test_what_is_new_and_what_is_gone_is_told_by_rule():
    before = [outcome(1, seen("errors/old"), seen("errors/both"))]
    after = [outcome(1, seen("errors/both"), seen("errors/new", 2), seen("errors/new", 3))]
    compared = compare(before, after)
    assert compared.rules == (("errors/new", 0, 2, 2, 0), ("errors/old", 1, 0, 0, 1))
    assert [(each.pull_request, each.finding.rule, each.finding.line) for each in compared.new] == [
        ("#1", "errors/new", 2),
        ("#1", "errors/new", 3),
    ]
    assert [each.finding.rule for each in compared.gone] == ["errors/old"]


def test_a_finding_that_went_from_the_line_to_the_summary_is_another():
    compared = compare([outcome(1, seen("errors/one"))], [outcome(1, seen("errors/one", placement="summary"))])
    assert compared.rules == (("errors/one", 1, 1, 1, 1),)


def test_one_of_two_equal_findings_that_is_gone_counts_once():
    compared = compare([outcome(1, seen("errors/one"), seen("errors/one"))], [outcome(1, seen("errors/one"))])
    assert compared.rules == (("errors/one", 2, 1, 0, 1),)


def test_verdicts_that_changed_are_told_and_broken_ones_take_no_part():
    before = [outcome(1, decision="no-findings"), outcome(2), outcome(3, error="no ancestor")]
    after = [outcome(1, decision="changes-required"), outcome(2), outcome(3, seen("errors/one")), outcome(4)]
    compared = compare(before, after)
    assert compared.verdicts == (("#1", "no-findings", "changes-required"),)
    assert (compared.compared, compared.new) == (2, ())
