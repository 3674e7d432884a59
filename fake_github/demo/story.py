"""A pull request on the fake GitHub, reviewed by the whole Action: opened, declined in part, fixed, reviewed again.

Another pull request is open at the same time, which adds a module that this one needs.

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
from typing import Any, NamedTuple

from fake_github.demo import sample_change
from fake_github.git_store import FileDiff
from fake_github.repository import FakePullRequest, FakeRepository
from fake_github.server import FakeGitHub
from fake_github.world import ReviewComment
from review_bot.comments import marker
from review_bot.errors import ReviewBotError

REPOSITORY = "halcyon/halcyon"
AUTHOR, MAINTAINER, NEIGHBOUR = "ada", "grace", "lin"
UNIT_TESTS = "unit tests"
REPLY = "Right, it comes with lin's pull request."
DECLINED = "kernels/functional-dropout-on"
REASON = "The decoder is trained to be random here."

_TIMEOUT = 300
_READS = ("GET", "HEAD")


class Step(NamedTuple):
    """One run of the Action: why it ran, how it ended, and what it wrote.

    ``reads``, ``writes``: calls to GitHub. ``log``: what the job printed. ``summary``: the page of the job.
    ``dossier``: name → text of the files in its report folder.
    """

    why: str
    event: str
    code: int
    reads: int
    writes: tuple[str, ...]
    log: str
    summary: str
    dossier: dict[str, str]


class Story:
    """The pull request, and what happened to it so far."""

    def __init__(self, github: FakeGitHub) -> None:
        self.github = github
        self.repository: FakeRepository = github.repository(REPOSITORY)
        self.repository.commit(dict(sample_change.texts("base")), message="Start")
        self.repository.collaborator(MAINTAINER)
        self.repository.set_branch(sample_change.BRANCH, self.repository.tip("main"))
        self.repository.commit(
            dict(sample_change.texts("head")), branch=sample_change.BRANCH, message=sample_change.SUBJECT
        )
        self.pull: FakePullRequest = self.repository.open_pull_request(
            sample_change.BRANCH, title=sample_change.SUBJECT, author=AUTHOR
        )
        self.repository.set_branch(sample_change.OUTPUTS, self.repository.tip("main"))
        self.repository.commit(
            dict(sample_change.texts("outputs")), branch=sample_change.OUTPUTS, message=sample_change.OUTPUTS_SUBJECT
        )
        self.outputs = self.repository.open_pull_request(
            sample_change.OUTPUTS, title=sample_change.OUTPUTS_SUBJECT, author=NEIGHBOUR
        )
        self._token = github.token()

    def steps(self) -> Iterator[Step]:
        """Let it happen, a run of the Action at a time."""
        self.repository.check_run(self.pull.head_sha, UNIT_TESTS, None)
        yield self.run(
            f"{AUTHOR} opens pull request {self.pull.number}, “{sample_change.SUBJECT}”; {NEIGHBOUR}'s "
            f"{self.outputs.record.number}, “{sample_change.OUTPUTS_SUBJECT}”, is open too",
            self.event("opened"),
        )
        declined = marker.read(self.comment_of(DECLINED).body, "review-bot")
        if declined is None:
            raise ReviewBotError("the comment of the demo has no marker; please report this")
        said = self.pull.comment_as(MAINTAINER, f"/review-bot decline {declined.fingerprints[0]} {REASON}")
        yield self.run(
            f"{MAINTAINER} declines one comment: “{REASON}”",
            ("issue_comment", self.repository.issue_comment_event(said)),
        )
        self.pull.reply_as(AUTHOR, self.comment_of("api/missing-module-import").id, REPLY)
        self.outputs.merge()
        self.pull.rebase()
        self.pull.push(dict(sample_change.texts("fix")), message=sample_change.FIX)
        self.repository.check_run(self.pull.head_sha, UNIT_TESTS, "success")
        yield self.run(
            f"{NEIGHBOUR}'s pull request is merged; {AUTHOR} rebases and pushes “{sample_change.FIX}”",
            self.event("synchronize"),
        )
        yield self.run("The job is run again on the same commit", self.event("synchronize"))

    def event(self, action: str) -> tuple[str, dict[str, Any]]:
        """Return name and payload of an event ``pull_request``."""
        return "pull_request", self.repository.event(self.pull, action)

    def pushed(self) -> tuple[FileDiff, ...]:
        """Return what the last commit of the pull request changes."""
        hosting, record = self.repository.hosting, self.repository.record
        fix = hosting.pull_commits(record, self.pull.record)[-1]
        return hosting.change(record, fix.parents[0], fix.sha).files

    def comment_of(self, rule: str) -> ReviewComment:
        """Return the comment on a line about a rule. Raises ReviewBotError if there is none."""
        found = next((each for each in self.pull.review_comments if rule in each.body), None)
        if found is None:
            raise ReviewBotError(
                f"the review of the demo could not be completed: it has no comment about {rule}; what the Action "
                "printed above says why"
            )
        return found

    def run(self, why: str, event: tuple[str, dict[str, Any]]) -> Step:
        """Run the Action on an event, its name and its payload."""
        before = len(self.github.requests)
        with tempfile.TemporaryDirectory(prefix="review-bot-runner-") as temporary:
            folder = Path(temporary)
            workspace = folder / "workspace"
            workspace.mkdir()
            for name, text in sample_change.texts("coverage").items():  # what an earlier step, the tests, left there
                (workspace / name).write_text(text, encoding="utf-8")
            (folder / "event.json").write_text(json.dumps(event[1]), encoding="utf-8")
            environment = {
                **self.github.environment(),
                "CI": "true",
                "GITHUB_EVENT_NAME": event[0],
                "GITHUB_EVENT_PATH": str(folder / "event.json"),
                "GITHUB_OUTPUT": str(folder / "output"),
                "GITHUB_REPOSITORY": REPOSITORY,
                "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
                "GITHUB_WORKSPACE": str(workspace),
                "INPUT_COVERAGE": "coverage.xml",
                "INPUT_GITHUB-TOKEN": self._token,
            }
            done = subprocess.run(
                [sys.executable, "-I", "-m", "review_bot", "action"],
                env=environment,
                cwd=workspace,
                capture_output=True,
                text=True,
                timeout=_TIMEOUT,
                check=False,
            )
            summary = _text(folder / "summary.md")
            dossier = {each.name: _text(each) for each in sorted((workspace / "review-bot-report").glob("*"))}
        calls = [call for call in self.github.requests[before:] if call.host == "api"]
        writes = tuple(
            f"{call.method} {call.path}" for call in calls if call.method not in _READS and call.operation is None
        )
        log = done.stdout + done.stderr
        return Step(why, event[0], done.returncode, len(calls) - len(writes), writes, log, summary, dossier)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
