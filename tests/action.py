"""Runs the whole Action against the fake GitHub: in this process with a clock of its own, or as a process.

::

    def test_something(action):                          # a fixture of tests/conftest.py
        pr = action.open({"a.py": "..."})                # a pull request on a small repository
        result = action.run(pr)                          # as on the event pull_request
        assert result.code == 1 and "..." in result.summary
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fake_github.repository import FakePullRequest, FakeRepository
from fake_github.server import FakeGitHub
from review_bot.commands.action import Dependencies, act
from review_bot.engine.examination import examine
from review_bot.forges.github.client import Limits
from review_bot.github_action.review_run import Examiner

CLEAN = {
    "halcyon/__init__.py": '"""A small engine."""\n',
    "halcyon/cache.py": '"""Keeps blocks."""\n\n\ndef lookup(block: int) -> int:\n    """Return where a block is."""\n    return block\n',
    "tests/test_cache.py": "from halcyon.cache import lookup\n\n\ndef test_lookup():\n    assert lookup(1) == 1\n",
}
"""A repository in which nothing is to be found."""

BAD_LINE = "from halcyon.outputs import StepOutput\n"
"""An import of a module that does not exist: the gate is red."""

DOUBTFUL = '''"""Runs steps."""


def run(steps: int) -> int:
    """Return how many steps ran."""
    ready = True
    if not ready:
        return 0
    return steps
'''
"""A `should fix` on line 7: the gate is green, and there is a comment."""

QUICK = Limits(call=0.4, total=40.0, reading=20.0, writing=20.0)
"""Limits for tests in which something hangs: a call is given up after 0.4 seconds of the real clock."""


class VirtualClock:
    """The real clock, plus all that was slept: nobody waits, and deadlines hold."""

    def __init__(self) -> None:
        self.slept = 0.0
        self.sleeps: list[float] = []

    def now(self) -> float:
        """Return seconds that only go forward."""
        return time.monotonic() + self.slept

    def wall(self) -> float:
        """Return seconds since the epoch."""
        return time.time() + self.slept

    def sleep(self, seconds: float) -> None:
        """Wait for nothing."""
        self.sleeps.append(seconds)
        self.slept += seconds


class Here:
    """Examines in this process: quick, for tests that are not about the worker."""

    examine = staticmethod(examine)


@contextlib.contextmanager
def here() -> Iterator[Examiner]:
    """Be a worker that is no process."""
    yield Here()


class Result(NamedTuple):
    """How a run ended. ``summary``: the page of the job; ``log``: all that was printed."""

    code: int
    outputs: Mapping[str, str]
    summary: str
    log: str
    folder: Path

    def report(self) -> dict[str, Any]:
        """Return the JSON report."""
        data: dict[str, Any] = json.loads((self.folder / "workspace/review-bot-report/report.json").read_text())
        return data


class Action:
    """A fake GitHub with one repository, and the Action to run on it."""

    def __init__(self, github: FakeGitHub, name: str = "octo/halcyon", files: Mapping[str, Any] = CLEAN) -> None:
        self.github = github
        self.repository: FakeRepository = github.repository(name)
        self.repository.commit(dict(files))
        self.token = github.token()
        self.clock = VirtualClock()
        self._branches = 0

    def open(self, changes: Mapping[str, Any], **options: Any) -> FakePullRequest:
        """Open a pull request from a new branch."""
        self._branches += 1
        branch = f"feature-{self._branches}"
        source: FakeRepository = options.get("head_repository") or self.repository
        main = self.repository.tip(options.get("base", "main"))
        source.set_branch(branch, main)
        source.commit(dict(changes), branch=branch)
        options.setdefault("title", "A change")
        options.setdefault("author", "ada")
        return self.repository.open_pull_request(branch, **options)

    def environment(
        self,
        folder: Path,
        payload: Mapping[str, Any],
        event: str = "pull_request",
        inputs: Mapping[str, str] = {},  # read only
        token: str | None = None,
    ) -> dict[str, str]:
        """Return the environment that the runner would make, with its files in ``folder``."""
        (folder / "workspace").mkdir(exist_ok=True)
        (folder / "event.json").write_text(json.dumps(payload))
        given = {f"INPUT_{name.upper()}": value for name, value in inputs.items()}
        return {
            **self.github.environment(),
            "CI": "true",
            "GITHUB_REPOSITORY": self.repository.full_name,
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(folder / "event.json"),
            "GITHUB_WORKSPACE": str(folder / "workspace"),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary"),
            "INPUT_GITHUB-TOKEN": self.token if token is None else token,
            **given,
        }

    def run(
        self,
        pr: FakePullRequest | None,
        kind: str = "synchronize",
        *,
        event: str = "pull_request",
        payload: Mapping[str, Any] | None = None,
        inputs: Mapping[str, str] = {},  # read only
        token: str | None = None,
        limits: Limits = Limits(),  # noqa: B008  # immutable
        worker: Callable[[], AbstractContextManager[Examiner]] = here,
        seed: int = 0,
        extra: Mapping[str, str] = {},  # read only
        workspace: Mapping[str, str] = {},  # read only
    ) -> Result:
        """Run the Action in this process, as on an event, with files in the workspace."""
        told = payload if payload is not None else self.repository.event(pr, kind) if pr is not None else {}
        folder = Path(tempfile.mkdtemp(dir=self.github.folder))
        environment = {**self.environment(folder, told, event, inputs, token), **extra}
        for path, text in workspace.items():
            (folder / "workspace" / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / "workspace" / path).write_text(text)
        log = io.StringIO()
        with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
            code = act(Dependencies(environment, self.clock, limits, Random(seed), worker))
        return result_of(code, folder, log.getvalue())

    def run_process(
        self,
        pr: FakePullRequest | None,
        kind: str = "synchronize",
        *,
        event: str = "pull_request",
        payload: Mapping[str, Any] | None = None,
        inputs: Mapping[str, str] = {},  # read only
        token: str | None = None,
        timeout: float = 60,
    ) -> Result:
        """Run the Action as the container does: its entry point, in a process, with nothing else in the environment."""
        told = payload if payload is not None else self.repository.event(pr, kind) if pr is not None else {}
        folder = Path(tempfile.mkdtemp(dir=self.github.folder))
        environment = {**self.environment(folder, told, event, inputs, token), "PATH": os.environ["PATH"]}
        command = [sys.executable, "-I", "-m", "review_bot", "action"]
        done = subprocess.run(
            command, env=environment, cwd=folder, capture_output=True, text=True, timeout=timeout, check=False
        )
        return result_of(done.returncode, folder, done.stdout + done.stderr)


def result_of(code: int, folder: Path, log: str) -> Result:
    """Return how a run ended that left its files in a folder."""
    output = folder / "output"
    lines = output.read_text().splitlines() if output.exists() else []
    outputs = dict(line.split("=", 1) for line in lines)
    summary = folder / "summary"
    return Result(code, outputs, summary.read_text() if summary.exists() else "", log, folder)
