"""Processes that review a few pull requests each, and may die."""

from __future__ import annotations

import os

from review_bot.errors import ForgeError
from review_bot.forges.merged_pull_requests import MergedPullRequest
from review_bot.replay.outcome import Outcome
from review_bot.replay.past_review import review_each

PAST = [MergedPullRequest(number, "base", f"head{number}", "", merged=True) for number in range(1, 31)]


def quietly(_count):
    pass


def broken(past, error):
    return Outcome(past, error=error)


def test_answers_come_in_the_order_of_the_pull_requests():
    for jobs in (1, 2, 3):
        outcomes = review_each(
            PAST, lambda past: Outcome(past, added=past.number or 0), broken, jobs=jobs, done=quietly
        )
        assert [each.added for each in outcomes] == list(range(1, 31))


def test_a_process_that_dies_costs_one_pull_request():
    def review(past):
        if past.number in {5, 6, 30}:
            os._exit(7)
        return Outcome(past, added=1)

    outcomes = review_each(PAST, review, broken, jobs=2, done=quietly)
    lost = {each.past.number: each.error for each in outcomes if each.error}
    assert lost == dict.fromkeys([5, 6, 30], "analysis ended with status 7")
    assert sum(each.added for each in outcomes) == 27


def test_a_review_that_raises_costs_one_pull_request():
    def review(past):
        if past.number == 3:
            raise ForgeError("no such commit")
        if past.number == 4:
            raise ValueError("no such line")
        return Outcome(past, added=1)

    outcomes = review_each(PAST, review, broken, jobs=2, done=quietly)
    lost = {each.past.number: each.error for each in outcomes if each.error}
    assert lost == {3: "no such commit", 4: "ValueError: no such line"}
    assert sum(each.added for each in outcomes) == 28


def test_progress_ends_at_the_whole():
    told: list[int] = []
    review_each(PAST, Outcome, broken, jobs=2, done=told.append)
    assert told == sorted(told)
    assert told[-1] == len(PAST)


def test_nothing_to_do_is_done_at_once():
    assert review_each([], Outcome, broken, jobs=2, done=quietly) == []
