"""The story of the demo, when its review cannot be completed."""

from __future__ import annotations

import pytest

from fake_github.demo.story import Story
from fake_github.faults import Fault
from fake_github.server import FakeGitHub
from review_bot.errors import ReviewBotError


def test_a_review_that_could_not_be_completed_ends_the_story_with_a_sentence() -> None:
    with FakeGitHub() as github:
        github.faults.add(Fault(("GET", "/git/trees/*"), "403_permission", None))
        steps = Story(github).steps()
        assert next(steps).code == 3
        with pytest.raises(ReviewBotError, match=r"^the review of the demo could not be completed: ") as error:
            next(steps)
    assert error.value.exit_code == 3
