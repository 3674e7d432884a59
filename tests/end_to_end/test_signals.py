"""A signal to any process of a review ends all of them, soon, with the exit code that a shell expects."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.git_repository import ENVIRONMENT, GitRepository

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")

SOON = 2.0
"""Seconds."""

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """Let signals end the processes that a test starts: background jobs of a shell ignore SIGINT, and nohup's SIGHUP."""
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    hangup = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGHUP, hangup)


@pytest.fixture(scope="module")
def repo(tmp_path_factory) -> GitRepository:
    made = GitRepository(tmp_path_factory.mktemp("signals") / "repo")
    made.commit({"a.py": "x = 1\n"})
    function = "def f{0}(a, b):\n    try:\n        return run(a, b, {0})\n    except:\n        pass\n\n\n"
    made.write({f"m{n}.py": "".join(function.format(m) for m in range(3_000)) for n in range(2)})
    made.commit()
    return made


def descendants(pid: int) -> list[int]:
    """Return all processes below one that are not git, youngest generation last."""
    below: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                name, _, rest = (entry / "stat").read_text().rpartition(")")
            except OSError:
                continue
            if "(git" not in name and rest.split()[0] not in "XZ":
                below.setdefault(int(rest.split()[1]), []).append(int(entry.name))
    found, waiting = [], [pid]
    while waiting:
        children = below.get(waiting.pop(0), [])
        found += children
        waiting += children
    return found


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "XZ"
    except OSError:
        return False


def start(repo: GitRepository, *, jobs: int) -> tuple[subprocess.Popen[bytes], list[int]]:
    """Start a review that takes long, and return it with its children, once they are at work."""
    arguments = ["review", "--base", "HEAD~1", "--head", "HEAD", "--format", "json", "--jobs", str(jobs)]
    review = subprocess.Popen(
        [sys.executable, "-I", "-m", "review_bot", *arguments],
        cwd=repo.folder,
        env={**ENVIRONMENT},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    until = time.monotonic() + 30
    children: list[int] = []
    while len(children) < (jobs if jobs > 1 else 0) and time.monotonic() < until:
        time.sleep(0.02)
        children = descendants(review.pid)
    time.sleep(0.3 if jobs > 1 else 1.5)
    assert review.poll() is None
    return review, children


def ended(review: subprocess.Popen[bytes], children: list[int]) -> str:
    """Wait until the review and its children have ended and nothing holds its output; return its last words."""
    begin = time.monotonic()
    code = review.wait(timeout=30)
    while any(map(lives, children)) and time.monotonic() - begin < 30:
        time.sleep(0.01)
    assert time.monotonic() - begin < SOON
    assert code is not None
    assert review.stdout is not None
    assert review.stderr is not None
    ready, _, _ = select.select([review.stdout], [], [], SOON)
    assert ready
    review.stdout.read()
    words = review.stderr.read().decode()
    review.stdout.close()
    review.stderr.close()
    return words


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", CODES, ids=lambda number: number.name)
def test_a_signal_to_the_review_ends_all(repo, number, jobs):
    review, children = start(repo, jobs=jobs)
    os.kill(review.pid, number)
    assert ended(review, children) == "review-bot: interrupted\n"
    assert review.returncode == CODES[number]


@pytest.mark.parametrize("number", CODES, ids=lambda number: number.name)
def test_a_signal_to_one_of_its_processes_ends_all(repo, number):
    review, children = start(repo, jobs=2)
    os.kill(children[-1], number)
    assert ended(review, children) == "review-bot: interrupted\n"
    assert review.returncode == CODES[number]


def test_a_signal_from_the_terminal_ends_all(repo):
    review, children = start(repo, jobs=2)
    os.killpg(review.pid, signal.SIGINT)
    assert ended(review, children) == "review-bot: interrupted\n"
    assert review.returncode == 130


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process ends after the file that it is at")
def test_nothing_outlives_a_review_that_is_killed(repo):
    review, children = start(repo, jobs=2)
    review.kill()
    ended(review, children)


def test_a_signal_that_the_caller_ignores_is_ignored(repo):
    program = f"import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execv({sys.executable!r}, [{sys.executable!r}, '-I', '-m', 'review_bot', 'review', '-C', {str(repo.folder)!r}])"
    review = subprocess.Popen(
        [sys.executable, "-c", program], env={**ENVIRONMENT}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    time.sleep(1)
    os.kill(review.pid, signal.SIGHUP)
    review.communicate(timeout=60)
    assert review.returncode == 0


@pytest.mark.parametrize("which", ["worker", "process of a file"])
@pytest.mark.parametrize("number", CODES, ids=lambda number: number.name)
def test_a_signal_to_the_isolated_worker_ends_the_action(action, tmp_path, number, which):
    """``which``: the worker itself, or one of the processes in which it examines files."""
    function = "def f{0}(a, b):\n    try:\n        return run(a, b, {0})\n    except:\n        pass\n\n\n"
    pr = action.open({"m.py": "".join(function.format(m) for m in range(2_000))})
    environment = action.environment(tmp_path, action.repository.event(pr, "synchronize"))
    review = subprocess.Popen(
        [sys.executable, "-I", "-m", "review_bot", "action"],
        cwd=tmp_path,
        env={**environment, "PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + 30
    children: list[int] = []
    while len(children) < 2 and time.monotonic() < until and review.poll() is None:
        time.sleep(0.02)
        children = descendants(review.pid)
    time.sleep(0.1)
    assert review.poll() is None
    os.kill(children[0 if which == "worker" else -1], number)
    assert "review-bot: interrupted\n" in ended(review, children)
    assert review.returncode == CODES[number]
