"""A bad change is red whatever GitHub answers, and the token is never shown, nor sent to another host."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.faults.hostile_answers import bad_change, hostile_answers, play, problem_of
from tests.faults.scenes import Stage

SAMPLE = 40


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """Yield a fake GitHub for all tests of this file."""
    with Stage() as made:
        yield made


def test_a_sample_of_hostile_answers(stage: Stage) -> None:
    scene = bad_change(stage)
    problems = []
    for each in hostile_answers(stage, scene)[:SAMPLE]:
        began = time.process_time()
        problem = problem_of(stage, play(stage, scene, each), time.process_time() - began)
        problems += [f"{problem}: {each.call}: {each.name}"] if problem else []
    assert problems == []


def test_each_answer_as_a_redirect_or_with_a_next_page_elsewhere(stage: Stage) -> None:
    scene = bad_change(stage)
    away = [each for each in hostile_answers(stage, scene) if "evil" in each.name]
    assert len({each.call for each in away}) > 8
    assert [each for each in away if problem_of(stage, play(stage, scene, each), 0.0)] == []


def test_a_pull_request_that_is_merged_and_open(stage: Stage) -> None:
    scene = bad_change(stage)
    merged = next(
        each for each in hostile_answers(stage, scene) if each.name == "data.repository.pullRequest.merged = True"
    )
    result = play(stage, scene, merged).result
    assert result is not None
    assert (result.code, "E-BADDATA" in result.log) == (3, True)
