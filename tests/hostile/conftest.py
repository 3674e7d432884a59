"""Fixtures of the hostile inputs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fake_github.server import FakeGitHub
from tests.hostile.ground import WORKERS, Ground


@pytest.fixture
def ground(request: pytest.FixtureRequest) -> Iterator[Ground]:
    """Provide a fake GitHub with one repository; a module's WORKER says where its changes are examined."""
    with FakeGitHub() as github:
        yield Ground(github, WORKERS[getattr(request.module, "WORKER", "here")])
