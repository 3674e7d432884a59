"""One story in which the Action, and the command line, do everything that they can do at GitHub.

Each chapter is a process of its own, started as the container starts it, that reaches the fake GitHub through a relay.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from contract.description import Exchange
from contract.relay import Relay
from fake_github.git_store import Content
from fake_github.repository import FakePullRequest
from fake_github.server import FakeGitHub
from fake_github.world import ACTIONS_BOT
from review_bot.comments import marker

REPOSITORY = "octo/halcyon"
PERMISSIONS = {"contents": "write", "pull-requests": "write", "statuses": "write", "actions": "write"}
EVERYTHING = {"status": "true", "labels": "true", "resolve-threads": "true", "request-changes": "true"}

CONFIG = "fail-on: error\naccept: on\nrules: {pr/missing-sign-off: on}\n"
OWN_RULE = """\
id: scratch-file
severity: warning
message: This file lies in the folder for scratch work.
note: Keep it out of the repository.
text:
  regex: '^scratch/'
  where: filename
metadata: {title: Scratch file, confidence: high, show: line, why: Nobody maintains it.}
"""
CLEAN = '''\
"""Sums."""


def total(rows):
    """Return the sum of all rows."""
    return sum(rows)
'''
SWALLOWED = '''

def load(path):
    """Return what a file holds."""
    try:
        with open(path, encoding="utf-8") as stream:
            return stream.read()
    except Exception:
        pass
'''
MENDED = SWALLOWED.replace("    except Exception:\n        pass\n", "    except OSError:\n        return None\n")
CONFLICT = "<<<<<<< ours\nvalue = 1\n=======\nvalue = 2\n>>>>>>> theirs\n"
_PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
_BASE: dict[str, Content] = {
    ".github/review-bot.yml": CONFIG,
    ".github/other.yml": CONFIG,
    ".github/review-bot/rules/scratch.yml": OWN_RULE,
    "halcyon/__init__.py": "",
    "halcyon/sums.py": CLEAN,
    "halcyon/picture.png": _PICTURE + bytes(64),
    "docs/index.md": "# Halcyon\n",
}
_CHANGE: dict[str, Content] = {
    "halcyon/sums.py": CLEAN + SWALLOWED,
    "docs/marks.md": CONFLICT,
    "halcyon/uses.py": '"""Uses."""\n\nfrom halcyon.nowhere import nothing\n\nVALUE = nothing\n',
    "halcyon/long.py": '"""Many rows."""\n\nROWS = [\n' + "    1,\n" * 1_000 + "]\n",
    "halcyon/picture.png": _PICTURE + bytes(80),
    "scratch/notes.txt": "Remember the milk.\n",
    **{f"docs/pages/{number:03}.md": f"# Page {number}\n" for number in range(110)},
}


ENDINGS = {
    "opened": 1,
    "again": 1,
    "pushed": 1,
    "rerun": 0,
    "decline": 0,
    "accept": 0,
    "reopen": 0,
    "help": 0,
    "reply": 0,
    "by hand": 1,
    "poster": 1,
    "fork": 0,
    "deleted fork": 0,
    "half a tree": 1,
    "merge queue": 1,
    "unreadable": 3,
    "away": 0,
    "back": 1,
    "mended": 0,
    "command line": 0,
    "no token": 0,
    "no base branch": 0,
}

ANONYMOUS = ("no token", "no base branch")
"""The chapters without a token."""
"""The chapters, and the exit code with which each has to end."""


OPERATIONS = (
    "actions/list-workflow-runs-for-repo",
    "actions/re-run-workflow",
    "git/get-tree",
    "issues/add-labels",
    "issues/create-comment",
    "issues/delete-comment",
    "issues/list-comments",
    "issues/remove-label",
    "issues/update-comment",
    "pulls/create-review",
    "pulls/create-reply-for-review-comment",
    "pulls/create-review-comment",
    "pulls/delete-pending-review",
    "pulls/delete-review-comment",
    "pulls/dismiss-review",
    "pulls/get",
    "pulls/get-review-comment",
    "pulls/list-commits",
    "pulls/list-files",
    "pulls/list-review-comments",
    "pulls/list-reviews",
    "pulls/submit-review",
    "pulls/update-review-comment",
    "repos/compare-commits-with-basehead",
    "repos/create-commit-status",
    "repos/get-branch",
    "repos/get-collaborator-permission-level",
    "repos/get-commit",
)
"""The operations of GitHub's REST API that the story uses, but those that Prism cannot carry."""


class Chapter(NamedTuple):
    """How one run ended, and the exchanges that it had with GitHub."""

    name: str
    code: int
    log: str
    exchanges: list[Exchange]


class Stage:
    """The fake GitHub with a repository, and all that has come of the story.

    ``relay`` is what the Action talks to, ``inner`` is what the fake GitHub answers; ``folder`` is empty.
    """

    def __init__(self, github: FakeGitHub, relay: Relay, inner: Relay, folder: Path) -> None:
        self.github, self.relay, self.inner, self.folder = github, relay, inner, folder
        self.chapters: list[Chapter] = []
        self.payloads: list[tuple[str, dict[str, Any]]] = []
        github.limits.blob_text = 4_000  # so that a small file is one whose text GraphQL cuts off
        self.repository = github.repository(REPOSITORY)
        self.repository.commit(_BASE)
        self.repository.collaborator("ada")
        self.repository.collaborator("bob")
        self.repository.commit(_CHANGE, branch="load")
        self.pull_request = self.repository.open_pull_request("load", title="Load rows", body="Loads rows from a file.")
        self.token = github.token(permissions=PERMISSIONS)

    @property
    def exchanges(self) -> list[Exchange]:
        """Return every exchange of the story."""
        return [made for chapter in self.chapters for made in chapter.exchanges]

    def chapter(self, name: str) -> Chapter:
        """Return a chapter by its name."""
        return next(made for made in self.chapters if made.name == name)

    def run_action(
        self, name: str, event: str, payload: Mapping[str, Any], token: str, inputs: Mapping[str, str] | None = None
    ) -> Chapter:
        """Run the Action on an event."""
        self.payloads.append((event, dict(payload)))
        folder = self.folder / name
        folder.mkdir()
        (folder / "event.json").write_text(json.dumps(payload), encoding="utf-8")
        given = {f"INPUT_{key.upper()}": text for key, text in (inputs or {}).items()}
        return self._run(
            name,
            ["action"],
            {
                **self.github.environment(),
                "GITHUB_API_URL": self.relay.url,
                "GITHUB_GRAPHQL_URL": f"{self.relay.url}/graphql",
                "GITHUB_REPOSITORY": REPOSITORY,
                "GITHUB_EVENT_NAME": event,
                "GITHUB_EVENT_PATH": str(folder / "event.json"),
                "GITHUB_WORKSPACE": str(folder),
                "GITHUB_OUTPUT": str(folder / "outputs"),
                "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
                "INPUT_GITHUB-TOKEN": token,
                **given,
            },
        )

    def run_review(self, name: str, number: int, token: str) -> Chapter:
        """Review a pull request from the command line, without posting."""
        where = {"GITHUB_API_URL": self.relay.url, "GITHUB_GRAPHQL_URL": f"{self.relay.url}/graphql"}
        return self._run(
            name, ["review", "--pr", f"{REPOSITORY}#{number}", "--format", "json"], {**where, "GITHUB_TOKEN": token}
        )

    def _run(self, name: str, arguments: list[str], environment: Mapping[str, str]) -> Chapter:
        before = len(self.relay.exchanges)
        ended = subprocess.run(
            [sys.executable, "-m", "review_bot", *arguments],
            env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "PYTHONPATH": os.getcwd(), **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        self.chapters.append(
            Chapter(name, ended.returncode, ended.stdout + ended.stderr, self.relay.exchanges[before:])
        )
        return self.chapters[-1]


def tell(stage: Stage) -> None:
    """Play the whole story."""
    repository, pull, token = stage.repository, stage.pull_request, stage.token
    stage.run_action("opened", "pull_request", repository.event(pull, "opened"), token, EVERYTHING)
    stage.run_action("again", "pull_request", repository.event(pull, "reopened"), token, EVERYTHING)
    _disturb(pull)
    pull.push({"halcyon/sums.py": CLEAN + MENDED, "docs/marks.md": None, "scratch/list.txt": "Milk.\n"})
    stage.run_action("pushed", "pull_request_target", repository.event(pull, "synchronize"), token, EVERYTHING)
    _commands(stage, pull, token)
    _from_a_fork(stage)
    _merge_queue(stage, token)
    _unreadable(stage, token)
    pull.push({"halcyon/uses.py": None})
    stage.run_action("away", "pull_request", repository.event(pull, "synchronize"), token, EVERYTHING)
    _half_a_run(pull)
    pull.push({"halcyon/uses.py": _CHANGE["halcyon/uses.py"], "scratch/more.txt": "Remember the bread.\n"})
    stage.run_action("back", "pull_request", repository.event(pull, "synchronize"), token, EVERYTHING)
    gone = ("halcyon/uses.py", "scratch/notes.txt", "scratch/list.txt", "scratch/more.txt", "halcyon/long.py")
    pull.push(dict.fromkeys(gone))
    stage.run_action("mended", "pull_request", repository.event(pull, "synchronize"), token, EVERYTHING)
    stage.run_review("command line", pull.number, token)
    _without_token(stage)


def _disturb(pull: FakePullRequest) -> None:
    """Do what people and crashes do: answer, delete an account, leave a comment twice."""
    first, *_ = [comment for comment in pull.review_comments if comment.subject_type == "line"]
    pull.reply_as("ada", first.id, "Is that so?")
    pull.review_as(
        ACTIONS_BOT, [{"path": first.path, "line": first.line, "side": first.side, "body": first.body}], body="Twice."
    )
    summary = next(comment for comment in pull.comments if comment.author == ACTIONS_BOT)
    pull.comment_as(ACTIONS_BOT, summary.body)
    pull.comment_as("gone", "Goodbye.")
    pull.repository.hosting.world.user("gone")
    pull.comments[-1].author = None
    pull.approve_as("bob")


def _half_a_run(pull: FakePullRequest) -> None:
    """Leave behind what a run leaves that was killed before it submitted its review."""
    pull.review_as(ACTIONS_BOT, [], body=marker.write("review-bot", "summary"), event="")


def _commands(stage: Stage, pull: FakePullRequest, token: str) -> None:
    repository = stage.repository
    run = repository.workflow_run(pull.head_sha, name="Review Bot", branch="load", pull_requests=(pull.number,))
    said = next(comment for comment in pull.review_comments if comment.author == ACTIONS_BOT)
    fingerprint = said.body.rpartition("<!-- review-bot:1 ")[2].split()[2].split(",")[0]
    for name, words in (
        ("rerun", "/review-bot rerun"),
        ("decline", f"/review-bot decline {fingerprint} It is meant so."),
        ("accept", f"/review-bot accept {fingerprint} It is meant so."),
        ("reopen", f"/review-bot reopen {fingerprint}"),
        ("help", "/review-bot"),
    ):
        comment = pull.comment_as("ada", words)
        stage.run_action(name, "issue_comment", repository.issue_comment_event(comment), token)
    reply = pull.reply_as("ada", said.id, "/review-bot explain")
    stage.run_action("reply", "pull_request_review_comment", repository.review_comment_event(reply), token)
    stage.run_action(
        "by hand", "workflow_dispatch", repository.workflow_dispatch_event(), token, {"pr-number": str(pull.number)}
    )
    number = {"pr-number": str(pull.number), **EVERYTHING}
    stage.run_action("poster", "workflow_run", repository.workflow_run_event(run), token, number)


def _from_a_fork(stage: Stage) -> None:
    """Review a fork's pull request with a token that may write nothing, and again after the fork is deleted."""
    fork = stage.repository.fork("eve")
    fork.commit({"halcyon/sums.py": CLEAN + SWALLOWED}, branch="patch")
    pull = stage.repository.open_pull_request("patch", head_repository=fork, author="eve", title="Patch")
    payload = stage.repository.event(pull, "opened")
    reading = stage.github.token(permissions=PERMISSIONS, read_only=True)
    stage.run_action("fork", "pull_request", payload, reading)
    pull.delete_head_repository()
    payload = stage.repository.event(pull, "reopened")
    other = {"config": ".github/other.yml"}
    stage.run_action("deleted fork", "pull_request_target", payload, stage.github.token(), other)


def _without_token(stage: Stage) -> None:
    """Review a pull request without a token, and again once its base branch is deleted."""
    repository = stage.repository
    repository.commit({"docs/old.md": "# Old\n"}, branch="old")
    repository.commit({"docs/new.md": "# New\n"}, branch="newer", parent=repository.tip("old"))
    pull = repository.open_pull_request("newer", "old", title="Document")
    stage.run_review("no token", pull.number, "")
    repository.set_branch("old", None)
    stage.run_review("no base branch", pull.number, "")


def _merge_queue(stage: Stage, token: str) -> None:
    """Review a pull request whose tree is larger than GitHub shows, and the same in the merge queue."""
    repository, limits = stage.repository, stage.github.limits
    repository.commit({"docs/marks.md": CONFLICT}, branch="marks")
    pull = repository.open_pull_request("marks", title="Marks")
    whole, limits.tree_entries = limits.tree_entries, 3
    stage.run_action("half a tree", "pull_request", repository.event(pull, "opened"), stage.github.token())
    limits.tree_entries = whole
    payload = repository.merge_group_event(repository.merge_group(pull))
    stage.run_action("merge queue", "merge_group", payload, token, {"status": "true"})


def _unreadable(stage: Stage, token: str) -> None:
    stage.repository.commit({"docs/latin.txt": b"caf\xe9 au lait\n"}, branch="latin")
    pull = stage.repository.open_pull_request("latin", title="Latin", draft=True)
    stage.run_action("unreadable", "pull_request", stage.repository.event(pull, "opened"), token, EVERYTHING)
