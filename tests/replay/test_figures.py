"""Outcomes to figures."""

from __future__ import annotations

import statistics

from hypothesis import given
from hypothesis import strategies as st

from review_bot.forges.merged_pull_requests import MergedPullRequest
from review_bot.replay.figures import count, quantile
from review_bot.replay.outcome import Outcome, Seen


def outcome(number, added=100, findings=(), **facts):
    past = MergedPullRequest(number, "base", "head", "", merged=True)
    return Outcome(past, files=1, added=added, decision="no-findings", findings=tuple(findings), **facts)


def seen(rule="errors/one", placement="inline", *, moved=False, severity="warning"):
    return Seen("a.py", 1, rule, severity, "high", placement, moved, "Wrong.")


def test_a_rule_is_counted_by_placement_and_pull_request():
    listed_nowhere = seen("style/two", "summary")._replace(counted=True)
    figures = count(
        [
            outcome(1, 400, [seen(), seen(), seen(placement="summary"), seen(moved=True)]),
            outcome(2, 600, [seen(), seen("style/two", "file", severity="hint"), listed_nowhere]),
        ]
    )
    first, second = figures.rules
    assert first == ("errors/one", ("warning",), 5, 2, 3, 0, 1, 0, 1, 3.0)
    assert second == ("style/two", ("hint", "warning"), 2, 1, 0, 1, 0, 1, 0, 0.0)
    assert (figures.comments, figures.comments_per_1000, figures.findings) == (3, 3.0, 7)


def test_broken_and_empty_pull_requests_take_no_part_in_the_medians():
    empty = outcome(3, 0)._replace(files=0)
    broken = outcome(4)._replace(error="no ancestor")
    figures = count([outcome(1, 10), outcome(2, 30), empty, broken])
    assert (figures.reviewed, figures.empty, figures.broken) == (2, ("#3",), (("#4", "no ancestor"),))
    assert (figures.added, figures.median_added) == (40, 20)


def test_cards_are_counted_as_drawn_and_as_shown():
    drawn = [f"card/{name}" for name in ("one", "two", "three", "four", "five")]
    figures = count([outcome(1, cards=tuple(drawn)), outcome(2, cards=("card/one",)), outcome(3)])
    assert figures.cards[0] == ("card/one", 2, 66.7, 2)
    assert figures.cards[1:] == tuple(
        sorted((card, 1, 33.3, card not in {"card/four", "card/five"}) for card in drawn[1:])
    )


def test_no_pull_request_gives_noughts():
    figures = count([])
    assert (figures.reviewed, figures.median_comments, figures.comments_per_1000, figures.rules) == (0, 0, 0, ())


@given(st.lists(st.integers(0, 10_000), min_size=1))
def test_the_half_quantile_is_the_median(values):
    assert quantile(values, 0.5) == round(statistics.median(values), 2)


@given(st.lists(st.integers(0, 10_000), min_size=1))
def test_quantiles_lie_between_the_ends_and_rise(values):
    found = [quantile(values, share) for share in (0, 0.25, 0.5, 0.9, 1)]
    assert found == sorted(found)
    assert (found[0], found[-1]) == (min(values), max(values))
