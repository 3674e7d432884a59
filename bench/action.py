"""``python -m bench.action``: how long the whole Action takes, and how many calls, at 100 ms a call.

Each run is a process, started as the container starts it, on a fake GitHub that waits 100 ms before it answers.
What is timed is from the start of the process to the end of the last write; the sequential calls alone take 600 ms of
it. One run over 3,000 files shows how much of a job's token it uses up.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bench.corpus import Change, small_change, wide_change
from fake_github.repository import FakePullRequest, FakeRepository
from fake_github.server import FakeGitHub

LATENCY = 0.1
TARGET = 1.5
CALLS_AN_HOUR = 1000
"""What a job's token may call: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api."""

_ROUNDS = 7


class Run(NamedTuple):
    """One run: seconds to the last write and to the end, and the calls to the API."""

    code: int
    to_last_write: float
    whole: float
    calls: int
    queries: int
    writes: int


def main() -> int:
    """Measure, print, and return 1 if a target is missed."""
    with tempfile.TemporaryDirectory(prefix="review-bot-bench-") as temporary:
        folder = Path(temporary)
        small = small_change(folder / "small")
        runs = [_measure(small, LATENCY, folder) for _ in range(_ROUNDS)]
        wide = wide_change(folder / "wide")
        many = _measure(wide, 0.0, folder)
    seconds = statistics.median(run.to_last_write for run in runs)
    met = seconds < TARGET
    print(f"Small change ({small.files} files, +{small.added} -{small.removed}), {LATENCY * 1000:.0f} ms a call:")
    print(
        f"  {seconds:.2f} s to the last write (median of {_ROUNDS}; target {TARGET} s: {'met' if met else 'MISSED'}),"
    )
    print(f"  {statistics.median(run.whole for run in runs):.2f} s in all; {_calls(runs[0])}.")
    enough = many.calls < CALLS_AN_HOUR
    print(f"{wide.files:,} files (+{wide.added:,}): {many.whole:.1f} s without waiting, {_calls(many)}")
    print(f"  (a job's token may make {CALLS_AN_HOUR:,} an hour: {'met' if enough else 'MISSED'}).")
    return 0 if met and enough else 1


def _calls(run: Run) -> str:
    return f"{run.calls} calls, {run.queries} of them GraphQL, {run.writes} writes"


def _measure(change: Change, latency: float, folder: Path) -> Run:
    with FakeGitHub() as github:
        repository = github.repository("acme/engine")
        repository.fetch(change.folder, f"{change.base}:refs/heads/main", f"{change.head}:refs/heads/change")
        pull = repository.open_pull_request("change", title="A change", author="ada")
        github.latency = latency
        environment = _environment(github, repository, pull, Path(tempfile.mkdtemp(dir=folder)))
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-I", "-m", "review_bot", "action"], env=environment, capture_output=True, check=False
        )
        whole = time.monotonic() - began
        if done.returncode not in {0, 1}:
            raise SystemExit(f"the Action ended with {done.returncode}:\n{done.stdout.decode()}{done.stderr.decode()}")
        calls = [call for call in github.requests if call.host == "api"]
        writes = [call for call in calls if call.method != "GET" and call.operation is None]
        last = max(call.started for call in writes) + latency - began
        queries = sum(call.operation is not None for call in calls)
        return Run(done.returncode, last, whole, len(calls), queries, len(writes))


def _environment(github: FakeGitHub, repository: FakeRepository, pull: FakePullRequest, folder: Path) -> dict[str, str]:
    (folder / "event.json").write_text(json.dumps(repository.event(pull, "opened")), encoding="utf-8")
    return {
        **github.environment(),
        "CI": "true",
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_REPOSITORY": repository.full_name,
        "GITHUB_WORKSPACE": str(folder),
        "INPUT_GITHUB-TOKEN": github.token(),
    }


if __name__ == "__main__":
    sys.exit(main())
