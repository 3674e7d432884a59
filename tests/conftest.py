"""Fixtures that many tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from fake_github.server import FakeGitHub
from tests.action import Action

# The same examples each time: a gate must not fail by chance. `pytest --hypothesis-profile=explore` looks for new ones.
settings.register_profile("patient", deadline=None, derandomize=True)  # a busy machine is no defect of ours
settings.register_profile("explore", deadline=None)
settings.load_profile("patient")

os.environ["REVIEW_BOT_NO_CACHE"] = "1"  # a test sees what is computed, not what an earlier test left


@pytest.fixture
def action() -> Iterator[Action]:
    """Provide a fake GitHub with one repository, and the Action to run on it."""
    with FakeGitHub() as github:
        yield Action(github)
