"""Fixtures of the hostile inputs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fake_github.server import StandIn
from tests.hostile.ground import WORKERS, Ground


@pytest.fixture
def ground(request: pytest.FixtureRequest) -> Iterator[Ground]:
    """Provide a stand-in with one repository; a module's WORKER says where its changes are examined."""
    with StandIn() as github:
        yield Ground(github, WORKERS[getattr(request.module, "WORKER", "here")])
