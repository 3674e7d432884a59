"""Fixtures that many tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from fake_github.server import StandIn
from tests.action import Action

settings.register_profile("patient", deadline=None)  # a busy machine is no defect of ours
settings.load_profile("patient")


@pytest.fixture
def action() -> Iterator[Action]:
    """Provide a stand-in GitHub with one repository, and the Action to run on it."""
    with StandIn() as github:
        yield Action(github)
