"""The precision of a rule, and the bar for commenting on lines and failing the gate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.rules.precision import Precision, wilson_lower
from rule_lab.placement import RulePlacement, placement_problems


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


def rule(*, show="line", severity="warning", provable=False):
    return RulePlacement("errors/a", show, severity, provable)


def comments(judged, true, useful):
    return Precision(judged, true, useful, 1, shown=judged, shown_useful=useful)


@pytest.mark.parametrize(
    ("standing", "found", "earned"),
    [
        (rule(), comments(20, 20, 18), True),
        (rule(), comments(20, 20, 17), False),
        (rule(), comments(10, 10, 9), True),
        (rule(), comments(9, 9, 9), False),
        (rule(), Precision(), False),
        (rule(provable=True), Precision(), True),
        (rule(provable=True), comments(4, 4, 2), True),
        (rule(provable=True), comments(5, 5, 4), False),
        (rule(provable=True), comments(9, 9, 9), True),
        (rule(provable=True), comments(10, 10, 8), False),
        (rule(provable=True), comments(9, 8, 8), False),
        (rule(show="summary"), comments(20, 14, 14), True),
        (rule(show="summary"), comments(20, 20, 13), False),
        (rule(show="summary"), comments(9, 9, 3), True),
        (rule(show="count"), comments(20, 10, 3), True),
        (rule(show="summary", severity="error"), Precision(), False),
        (rule(show="summary", severity="error", provable=True), Precision(), True),
        (rule(show="count", severity="error"), comments(20, 19, 10), True),
        (rule(show="summary", severity="error"), comments(20, 18, 18), False),
        (rule(show="summary", severity="error"), comments(19, 19, 19), False),
    ],
)
def test_a_placement_must_reach_the_bar(standing, found, earned):
    problems = placement_problems([standing], {"errors/a": found})
    assert (problems == []) is earned
    assert all(problem.startswith("errors/a: ") for problem in problems)
