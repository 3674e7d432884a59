"""A small share of ``make faults``, and the proof that its checks would see what they are there to see."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from review_bot.commands.action import Dependencies, act
from review_bot.errors import Ambiguous, ForgeError
from review_bot.forges.github.client import Client, Limits
from review_bot.forges.github.conversation import Author, IssueComment
from tests.faults import cases, killing, schedules
from tests.faults.cases import Case, Site
from tests.faults.invariants import of_case
from tests.faults.scenes import Stage
from tests.faults.schedules import Field

SHARES = 4
EACH = 100
"""One of so many scripted faults is tried here; ``make faults`` tries all."""

SCHEDULES = 3
"""Random schedules of a share."""


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with Stage() as made:
        yield made


@pytest.fixture(scope="module")
def field() -> Iterator[Field]:
    with Field() as made:
        yield made


@pytest.mark.parametrize("share", range(SHARES))
def test_scripted_faults(stage: Stage, share: int) -> None:
    quick = [case for case in cases.scripted(stage) if case.kind not in cases.SLOW or case.times == 1]
    breaches = {case.name: of_case(stage, case) for case in quick[share :: SHARES * EACH]}
    assert not {name: found for name, found in breaches.items() if found}


def test_every_call_and_every_fault_is_tried(stage: Stage) -> None:
    tried = list(cases.scripted(stage))
    made = {name: set(cases.sites(stage, stage.scene(name))) for name in cases.WRITES}
    assert len(tried) == len(set(tried)) >= 500
    assert {case.kind for case in tried if case.group == "writing"} == set(cases.KINDS)
    assert {case.site for case in tried} >= set().union(*made.values())
    assert len({each for each in set().union(*made.values()) if each.is_write}) >= 11


@pytest.mark.parametrize("share", range(SHARES))
def test_random_schedules(field: Field, share: int) -> None:
    played = {seed: schedules.play(field, 10_000 + seed) for seed in range(share, SHARES * SCHEDULES, SHARES)}
    assert not {seed: each.breaches for seed, each in played.items() if each.breaches}
    assert sum(each.runs for each in played.values()) >= 2 * SCHEDULES


@pytest.mark.parametrize(("scene", "number", "how"), [("opened", 19, signal.SIGKILL), ("pushed", 20, signal.SIGTERM)])
def test_a_process_that_is_ended_is_healed_by_the_next(
    stage: Stage, scene: str, number: int, how: signal.Signals
) -> None:
    assert killing.play(stage, scene, number, how) == []


def test_a_run_that_would_never_end_is_ended_by_force() -> None:
    """The head of an answer comes a byte at a time, which no time limit on a single read can see."""
    waiting = (
        "from review_bot.commands.action import end_by_force_after\n"
        "from review_bot.forges.github.client import Client, Limits\n"
        "import sys\n"
        "end_by_force_after(1)\n"
        "Client(sys.argv[1], 'ghs_token', limits=Limits(call=0.5)).get('/x', dict)\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        command = [sys.executable, "-c", waiting, f"http://127.0.0.1:{listener.getsockname()[1]}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            stream, _ = listener.accept()
            with stream, contextlib.suppress(OSError):
                stream.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                while process.poll() is None:
                    time.sleep(0.05)
                    stream.sendall(b"a")
            assert process.stdout is not None
            assert "::error title=Review incomplete::" in process.stdout.read()
    assert process.returncode == 3


# ------------------------------------------------------------------------------- what the checks are there to see


class Blind(Client):
    """Repeats a write whose answer was lost."""

    def send(self, method: str, path: str, body: Mapping[str, Any] | None, shape: Any, **rest: Any) -> Any:
        try:
            return super().send(method, path, body, shape, **rest)
        except Ambiguous:
            return super().send(method, path, body, shape, **rest)


class Trusting(Client):
    """Takes whatever bears our mark for ours."""

    def get_all(self, path: str, shape: Any, params: Any = None) -> Any:
        rows = super().get_all(path, shape, params or {})
        me = Author(id=41898282, login="github-actions[bot]")
        return [row.model_copy(update={"user": me}) if isinstance(row, IssueComment) else row for row in rows]


class Hopeful(Client):
    """Takes a list that cannot be read for an empty one."""

    def get_all(self, path: str, shape: Any, params: Any = None) -> Any:
        try:
            return super().get_all(path, shape, params or {})
        except ForgeError:
            return []


def ignore_problems(dependencies: Dependencies) -> int:
    return min(act(dependencies), 1)


def be_green(dependencies: Dependencies) -> int:
    return act(dependencies) and 0


def tell_the_token(dependencies: Dependencies) -> int:
    print("::debug::", dependencies.environment["INPUT_GITHUB-TOKEN"])  # noqa: T201  # that is the mistake
    return act(dependencies)


REVIEWS, COMMENTS = Site("POST", "/pulls/*/reviews"), Site("POST", "/issues/*/comments")


@pytest.mark.parametrize(
    ("case", "how", "caught"),
    [
        (Case("", "opened", COMMENTS, "500_after"), {"client": Blind}, "comments say the same"),
        (Case("", "opened", COMMENTS, "500"), {"client": Trusting}, "what others wrote has changed"),
        (
            Case("", "pushed", Site("GET", "/pulls/*/comments"), "500", None),
            {"client": Hopeful},
            "has 2 comments",
        ),
        (Case("", "opened", REVIEWS, "403_secondary", None), {"entry": ignore_problems}, "it ended as on a calm day"),
        (Case("", "opened", REVIEWS, "403_secondary", None), {"entry": be_green}, "the run is green"),
        (Case("", "opened", COMMENTS, "500"), {"entry": tell_the_token}, "the token is in the log"),
        (Case("", "pushed", COMMENTS, "500"), {"limits": Limits(pause=0.0)}, "after the one before"),
    ],
)
def test_a_mistake_would_be_seen(stage: Stage, case: Case, how: dict[str, Any], caught: str) -> None:
    assert any(caught in words for words in of_case(stage, case, **how)), of_case(stage, case, **how)
