"""A fixture: one process that is ready to read edited configurations and forks for each, not one process for each.

To be ready takes most of the time. Each request is answered by a fork that gives up its rights as the process of the
Action does, with what that has imported by then.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence

import pytest

from review_bot.github_action import settings_edits

PROGRAM = """
import os, sys
from review_bot.github_action import settings_worker
rulebook = settings_worker.get_ready()
while length := sys.stdin.buffer.readline():
    request = sys.stdin.buffer.read(int(length))
    taken, given = os.pipe()
    answers, answer = os.pipe()
    pid = os.fork()
    if not pid:
        os.dup2(taken, 0)
        os.dup2(answer, 1)
        os.closerange(3, 64)
        sys.stdin = open(0)
        settings_worker.answer_with(lambda: rulebook)
    os.close(taken)
    os.close(answer)
    with open(given, "wb") as pipe:
        pipe.write(request)
    with open(answers, "rb") as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    sys.stdout.buffer.write(b"%d\\n%b" % (len(said), said))
    sys.stdout.buffer.flush()
"""


@pytest.fixture(scope="session")
def ready_process() -> Iterator[subprocess.Popen[bytes]]:
    """Start the process; it ends with its standard input."""
    command = [sys.executable, "-I", "-c", PROGRAM]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/") as process:
        yield process


@pytest.fixture
def settings_process(ready_process: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process answer what the Action asks."""

    def ask(_command: Sequence[str], request: bytes, **_limits: object) -> bytes:
        assert ready_process.stdin is not None
        assert ready_process.stdout is not None
        ready_process.stdin.write(b"%d\n%b" % (len(request), request))
        ready_process.stdin.flush()
        return ready_process.stdout.read(int(ready_process.stdout.readline()))

    monkeypatch.setattr(settings_edits, "ask", ask)
