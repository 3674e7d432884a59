"""What every contract test needs, and the line of figures at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from contract.description import Description, corrected, published
from contract.graphql_schema import Schema
from contract.prism import AROUND, prism
from contract.relay import Relay
from contract.story import OPERATIONS, Stage, tell
from fake_github.server import FakeGitHub

_FIGURES: dict[str, int] = {}


@pytest.fixture(scope="session")
def description() -> Description:
    """GitHub's description of its REST API, with its known errors corrected."""
    return Description(corrected(published()))


@pytest.fixture(scope="session")
def schema() -> Schema:
    """GitHub's GraphQL schema."""
    return Schema()


@pytest.fixture(scope="session")
def figures() -> dict[str, int]:
    """Return what was counted, for the last line."""
    return _FIGURES


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory, description: Description) -> Iterator[Stage]:
    """Play the story with Prism between the Action and the fake GitHub; the fake GitHub still runs, as the story has left it."""
    described = description.slim(map(description.by_id, OPERATIONS))
    with (
        FakeGitHub() as github,
        Relay(github.url) as inner,
        prism(described, inner.url, tmp_path_factory.mktemp("prism")) as judged,
        Relay(inner.url, through=judged, around=AROUND) as relay,
    ):
        stage = Stage(github, relay, inner, tmp_path_factory.mktemp("story"))
        with suppress(Exception):  # a story that breaks off shows in its chapters, and a violation of Prism's says why
            tell(stage)
        yield stage


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was checked."""
    if _FIGURES:
        terminalreporter.write_line(", ".join(f"{name}: {count}" for name, count in _FIGURES.items()))
