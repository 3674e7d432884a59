"""Figures from labels, agreement of annotators, and the bar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.rules.precision import Precision, RulePlacement, placement_problems, wilson_lower
from rule_lab.agreement import agreement, kappa, same
from rule_lab.measuring import measure
from tests.rule_lab.label_of import label


def test_agreed_and_settled_marks_count_and_others_wait():
    labels = [
        label("errors/a", 1),
        label("errors/a", 2, ("yn", "yn"), repository="halcyon/other"),
        label("errors/a", 3, ("yy", "nn")),
        label("errors/a", 4, ("yy", "nn"), "nn"),
        label("errors/a", 5, ("yy",)),
        label("errors/a", 6, fires=False),
        label("style/b", 1, ("nn", "nn")),
    ]
    assert measure(labels) == {
        "errors/a": Precision(3, 2, 1, repositories=2, gone=1, waiting=2, shown=3, shown_true=2, shown_useful=1),
        "style/b": Precision(1, 0, 0, repositories=1, shown=1),
    }


@pytest.mark.parametrize(
    ("hits", "of", "lower"),
    # Computed with statsmodels' proportion_confint(method="wilson"), to four places.
    [(0, 0, 0.0), (0, 10, 0.0), (10, 10, 0.7225), (18, 20, 0.6990), (19, 20, 0.7639), (95, 100, 0.8882)],
)
def test_the_lower_bound_is_wilsons(hits, of, lower):
    assert wilson_lower(hits, of) == pytest.approx(lower, abs=0.0001)


@given(st.integers(1, 500).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_the_lower_bound_lies_below_the_share_and_above_nothing(pair):
    hits, of = pair
    assert 0 <= wilson_lower(hits, of) <= hits / of


@pytest.mark.parametrize(
    ("both", "first", "second", "neither", "value"),
    # Cohen's own form: the table of two annotators. The second is the example of the Wikipedia article.
    [(10, 0, 0, 10, 1.0), (20, 5, 10, 15, 0.4), (5, 5, 5, 5, 0.0), (0, 10, 10, 0, -1.0)],
)
def test_kappa_is_agreement_beyond_chance(both, first, second, neither, value):
    pairs = [(True, True)] * both + [(True, False)] * first + [(False, True)] * second + [(False, False)] * neither
    assert kappa(pairs) == pytest.approx(value)


def test_kappa_is_not_defined_where_readers_say_one_thing():
    assert kappa([]) is None
    assert kappa([(True, True)] * 5) is None
    assert same([]) == 0


def test_agreement_is_over_what_two_have_read_before_it_was_settled():
    found = agreement([label(line=1), label(line=2, said=("yy", "yn"), adjudicated="yy"), label(line=3, said=("nn",))])
    assert (found.pairs, found.same_true, found.same_useful) == (2, 1.0, 0.5)


def rule(*, inline=True, severity="warning", provable=False):
    return RulePlacement("errors/a", inline, severity, provable)


def comments(judged, true, useful):
    return Precision(judged, true, useful, 1, shown=judged, shown_true=true, shown_useful=useful)


@pytest.mark.parametrize(
    ("standing", "found", "earned"),
    [
        (rule(), comments(20, 20, 18), True),
        (rule(), comments(20, 20, 17), False),
        (rule(), comments(10, 10, 9), True),
        (rule(), comments(9, 9, 9), False),
        (rule(), Precision(), False),
        (rule(provable=True), Precision(), True),
        (rule(provable=True), comments(9, 9, 5), True),
        (rule(provable=True), comments(10, 10, 8), False),
        (rule(provable=True), comments(9, 8, 8), False),
        (rule(inline=False), comments(20, 10, 3), True),
        (rule(inline=False, severity="error"), Precision(), False),
        (rule(inline=False, severity="error", provable=True), Precision(), True),
        (rule(inline=False, severity="error"), comments(20, 19, 10), True),
        (rule(inline=False, severity="error"), comments(20, 18, 18), False),
        (rule(inline=False, severity="error"), comments(19, 19, 19), False),
    ],
)
def test_a_place_must_be_earned(standing, found, earned):
    problems = placement_problems([standing], {"errors/a": found})
    assert (problems == []) is earned
    assert all(problem.startswith("errors/a: ") for problem in problems)


def test_what_a_rule_leaves_in_the_summary_says_nothing_of_its_comments():
    labels = [label("errors/a", line) for line in range(1, 11)]
    labels += [
        label("errors/a", line, ("yn", "yn")).model_copy(update={"placement": "summary"}) for line in range(11, 21)
    ]
    found = measure(labels)
    assert (found["errors/a"].judged, found["errors/a"].shown, found["errors/a"].shown_useful) == (20, 10, 10)
    assert placement_problems([rule()], found) == []
