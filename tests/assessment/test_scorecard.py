"""How findings and measures become scores; the formulas are told in ``docs/scorecard.md``."""

from __future__ import annotations

import random

import pytest

from review_bot.assessment.metrics import Metrics, share
from review_bot.assessment.scorecard import WEIGHTS, score
from review_bot.findings import ASPECTS
from tests.reviews import finding

PLAIN = Metrics(100, 0, 100, share(0, 0, 80), share(0, 0, 90), share(50, 100, 50), None, 0, 0)


def scored(*findings, metrics=PLAIN, aspects=ASPECTS, complete=True):
    return score(list(findings), metrics, aspects, complete=complete)


def hundredths(card, aspect="Code Quality"):
    return next(each.hundredths for each in card.aspects if each.aspect == aspect)


def test_nothing_found_is_ten():
    card = scored()
    assert card.score == 10
    assert [each.score for each in card.aspects] == [10] * 7


def test_the_weights_of_all_aspects_make_a_hundred():
    assert sum(WEIGHTS.values()) == 100
    assert tuple(WEIGHTS) == ASPECTS


def test_a_rule_costs_its_weight_once_and_a_tenth_for_up_to_three_more():
    for severity, cost in (("error", 300), ("warning", 150), ("info", 50)):
        one = finding(severity=severity)
        assert hundredths(scored(one)) == 1000 - cost
        assert hundredths(scored(one, one)) == 1000 - cost - cost // 10
        assert hundredths(scored(*[one] * 9)) == 1000 - cost - 3 * cost // 10


def test_the_gravest_finding_of_a_rule_sets_its_weight():
    assert hundredths(scored(finding(severity="info"), finding(severity="warning"))) == 1000 - 165


def test_all_nits_together_cost_a_point_at_most():
    assert hundredths(scored(*(finding(f"style/{n}", severity="hint") for n in range(4)))) == 960
    assert hundredths(scored(*(finding(f"style/{n}", severity="hint") for n in range(40)))) == 900


def test_no_score_is_below_one():
    assert hundredths(scored(*(finding(f"errors/{n}", severity="error") for n in range(9)))) == 100


def test_two_rules_about_one_import_count_as_one():
    module = finding("api/missing-module-import", severity="error", aspect="Functional Correctness")
    name = finding("api/missing-name-import", severity="warning", aspect="Functional Correctness")
    assert hundredths(scored(module, name), "Functional Correctness") == 1000 - 330


def test_documentation_starts_at_the_share_of_docstrings():
    metrics = PLAIN._replace(docstring_coverage=share(2, 7, 80))
    missing = finding("docs/public-docstring", severity="info", aspect="Documentation")
    other = finding("docs/misplaced-docstring", severity="info", aspect="Documentation")

    assert hundredths(scored(missing, metrics=metrics), "Documentation") == 357
    assert hundredths(scored(missing, other, metrics=metrics), "Documentation") == 307
    few = PLAIN._replace(docstring_coverage=share(0, 2, 80))
    assert hundredths(scored(missing, metrics=few), "Documentation") == 950


def test_code_quality_is_capped_by_the_share_of_type_hints():
    metrics = PLAIN._replace(type_hint_coverage=share(3, 9, 90))
    hints = finding("style/missing-type-hints", severity="info")

    assert hundredths(scored(hints, metrics=metrics)) == 370
    assert hundredths(scored(finding(), metrics=metrics)) == 370
    few = PLAIN._replace(type_hint_coverage=share(0, 4, 90))
    assert hundredths(scored(hints, metrics=few)) == 950


def test_much_code_without_tests_has_two_for_testing_at_most():
    missing = finding("testing/code-without-tests", severity="warning", aspect="Testing")
    few = finding("testing/few-code-without-tests", severity="hint", aspect="Testing")

    assert hundredths(scored(missing), "Testing") == 200
    assert hundredths(scored(few), "Testing") == 990


def test_an_open_error_keeps_the_whole_at_six():
    assert scored(finding(severity="error")).score == 6
    assert scored(finding(severity="warning")).score == 9
    assert scored().score == 10


def test_an_aspect_without_evidence_has_no_score_and_leaves_its_weight_to_the_others():
    card = scored(finding(severity="error", path="a.sh"), aspects=("Security",))
    given = {each.aspect: each.score for each in card.aspects}

    assert given["Code Quality"] == 7
    assert given["Security"] == 10
    assert given["Testing"] is None
    assert scored(aspects=()).reason == "no rule could judge anything in this change"


def test_half_a_point_is_rounded_up():
    ten_and_nine = scored(finding(severity="error", aspect="Security"), aspects=("Security", "Documentation"))
    assert ten_and_nine.score == 6  # 8.5 of both, rounded to 9, and an error is open
    halves = scored(*(finding(f"errors/{n}", severity="info") for n in range(3)), aspects=("Code Quality",))
    assert halves.score == 9  # 8.5


@pytest.mark.parametrize(
    ("aspect", "found", "measures"),
    [
        ("Performance", [finding(aspect="Performance")], {}),
        ("Documentation", [], {"docstring_coverage": share(4, 4, 80)}),
        ("Code Quality", [], {"type_hint_coverage": share(9, 9, 90)}),
        ("Testing", [], {"coverage": share(9, 10, 80)}),
    ],
)
def test_a_finding_or_a_measure_is_evidence(aspect, found, measures):
    card = scored(*found, metrics=PLAIN._replace(**measures), aspects=())
    assert [each.aspect for each in card.aspects if each.score is not None] == [aspect]


@pytest.mark.parametrize(
    "measures",
    [
        {"docstring_coverage": share(2, 2, 80)},
        {"type_hint_coverage": share(4, 4, 90)},
        {"coverage": share(0, 0, 80)},
        {"test_to_code_ratio": share(90, 100, 50)},
    ],
)
def test_a_measure_of_next_to_nothing_is_none(measures):
    assert scored(metrics=PLAIN._replace(**measures), aspects=()).score is None


def test_no_ten_of_ten_where_some_aspect_was_not_assessed():
    assert [scored(aspects=ASPECTS[:number]).score for number in range(1, 8)] == [9] * 6 + [10]


def test_silence_about_tests_is_no_evidence_where_the_change_adds_none():
    untested = PLAIN._replace(test_to_code_ratio=share(0, 100, 50))
    assert (hundredths(scored(), "Testing"), hundredths(scored(metrics=untested), "Testing")) == (1000, None)
    assert scored(metrics=untested).score == 9
    assert hundredths(scored(finding(aspect="Testing"), metrics=untested), "Testing") == 850


def test_a_score_says_what_it_rests_on():
    metrics = PLAIN._replace(lines_added=1_300, test_to_code_ratio=share(40, 100, 50))
    assert scored(metrics=metrics, aspects=("Code Quality", "Testing")).basis == (
        "It rests on 2 of 7 aspects (35 % of the weight) and on 140 of 1,300 added lines: Python code and tests. "
        "A person has to judge the rest."
    )
    assert scored(complete=False).basis == ""


def test_a_small_change_and_an_incomplete_review_have_no_score():
    small = PLAIN._replace(code_lines_added=29)
    for card in (scored(metrics=small), scored(complete=False)):
        assert card.score is None
        assert card.reason
        assert card.aspects == ()
    assert scored(metrics=small).reason == "fewer than 30 lines of Python library code added"


def test_the_order_of_findings_changes_nothing():
    findings = [
        finding(f"errors/{n % 5}", severity=severity, aspect=aspect)
        for n, (severity, aspect) in enumerate((s, a) for s in ("error", "warning", "info", "hint") for a in ASPECTS)
    ]
    first = scored(*findings)
    for seed in range(5):
        random.Random(seed).shuffle(findings)
        assert scored(*findings) == first
