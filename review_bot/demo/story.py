"""A pull request on the stand-in GitHub, reviewed by the whole Action: opened, answered, fixed, reviewed again.

The Action runs as its container would run it: its own process, the environment that GitHub's runner makes, and nothing
of this machine but the path of Python.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from review_bot.demo import sample_change
from review_bot.demo.github.hosted import HostedPullRequest, HostedRepository
from review_bot.demo.github.server import StandIn

REPOSITORY = "halcyon/halcyon"
AUTHOR, MAINTAINER = "ada", "grace"
REPLY = "Right, it comes with my next push."

_TIMEOUT = 300
_READS = ("GET", "HEAD")


class Step(NamedTuple):
    """One run of the Action: why it ran, how it ended, and what it wrote.

    ``reads``, ``writes``: calls to GitHub. ``log``: what the job printed. ``summary``: the page of the job.
    """

    why: str
    event: str
    code: int
    reads: int
    writes: tuple[str, ...]
    log: str
    summary: str


class Story:
    """The pull request, and what happened to it so far."""

    def __init__(self, github: StandIn) -> None:
        self.github = github
        self.repository: HostedRepository = github.repository(REPOSITORY)
        self.repository.commit(dict(sample_change.texts("base")), message="Start")
        self.repository.collaborator(MAINTAINER)
        self.repository.set_branch(sample_change.BRANCH, self.repository.tip("main"))
        self.repository.commit(
            dict(sample_change.texts("head")), branch=sample_change.BRANCH, message=sample_change.SUBJECT
        )
        self.pull: HostedPullRequest = self.repository.open_pull_request(
            sample_change.BRANCH, title=sample_change.SUBJECT, author=AUTHOR
        )
        self._token = github.token()

    def steps(self) -> Iterator[Step]:
        """Let it happen, a run of the Action at a time."""
        yield self.run(f"{AUTHOR} opens pull request {self.pull.number}, “{sample_change.SUBJECT}”", "opened")
        answered = next(each for each in self.pull.review_comments if "api/missing-module-import" in each.body)
        self.pull.reply_as(AUTHOR, answered.id, REPLY)
        self.pull.push(dict(sample_change.texts("fix")), message=sample_change.FIX)
        yield self.run(f"{AUTHOR} answers one comment and pushes a fix, “{sample_change.FIX}”", "synchronize")
        yield self.run("The job is run again on the same commit", "synchronize")

    def run(self, why: str, action: str) -> Step:
        """Run the Action on the event ``pull_request``."""
        before = len(self.github.requests)
        with tempfile.TemporaryDirectory(prefix="review-bot-runner-") as temporary:
            folder = Path(temporary)
            (folder / "workspace").mkdir()
            (folder / "event.json").write_text(json.dumps(self.repository.event(self.pull, action)), encoding="utf-8")
            environment = {
                **self.github.environment(),
                "CI": "true",
                "GITHUB_EVENT_NAME": "pull_request",
                "GITHUB_EVENT_PATH": str(folder / "event.json"),
                "GITHUB_OUTPUT": str(folder / "output"),
                "GITHUB_REPOSITORY": REPOSITORY,
                "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
                "GITHUB_WORKSPACE": str(folder / "workspace"),
                "INPUT_GITHUB-TOKEN": self._token,
            }
            done = subprocess.run(
                [sys.executable, "-I", "-m", "review_bot", "action"],
                env=environment,
                cwd=folder / "workspace",
                capture_output=True,
                text=True,
                timeout=_TIMEOUT,
                check=False,
            )
            page = folder / "summary.md"
            summary = page.read_text(encoding="utf-8") if page.exists() else ""
        calls = [call for call in self.github.requests[before:] if call.host == "api"]
        writes = tuple(
            f"{call.method} {call.path}" for call in calls if call.method not in _READS and call.operation is None
        )
        return Step(why, action, done.returncode, len(calls) - len(writes), writes, done.stdout + done.stderr, summary)
