r"""Where hostile pull requests are tried: a fake GitHub, the whole Action, and what must hold after every run.

::

    def test_something(ground):                      # a fixture of conftest.py
        pr = ground.open({"a.py": "SHOUT = 1\n"})    # a bystander's comment stands in it
        ran = ground.run(pr)                         # everything that inspection.py knows is checked
        assert ran.findings == [("shout", "a.py", 1)]

Two rules of the repository's own make findings where a case wants one: ``shout`` on every added line with SHOUT, and
``echo``, which repeats what it finds in its message and in a suggestion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from fake_github.repository import FakePullRequest
from fake_github.server import Exchange, FakeGitHub
from review_bot.comments import marker
from review_bot.forges.github.client import Limits
from review_bot.github_action.review_run import Examiner
from review_bot.sandbox import worker_client
from tests.action import CLEAN, Action, Result, here
from tests.hostile import inspection

SHOUT = """\
id: shout
severity: warning
message: This line shouts.
note: Say it in a low voice.
text: {regex: SHOUT}
metadata: {title: Shouting, confidence: high, show: line, suppressible: false}
"""
ECHO = """\
id: echo
language: python
severity: warning
message: This echoes $A here.
note: Say it once.
rule: {pattern: echo($A)}
fix: once($A)
metadata: {title: Echo, confidence: high, show: line}
"""
OWN_RULES = {".github/review-bot/rules/shout.yml": SHOUT, ".github/review-bot/rules/echo.yml": ECHO}

BYSTANDER = "Thank you for this change. `SHOUT` <!-- a note -->"
LOUD = "SHOUT = 1\n"
Found = tuple[str, str | None, int | None]


class Ran(NamedTuple):
    """What became of a run. ``calls``: those of this run, in order.

    ``annotated``: the log of an earlier run that might not comment, and so told all of it by annotations.
    """

    result: Result
    pr: FakePullRequest
    calls: tuple[Exchange, ...]
    annotated: str = ""

    @property
    def code(self) -> int:
        """The exit code."""
        return self.result.code

    @property
    def verdict(self) -> str:
        """The decision, as the outputs tell it."""
        return self.result.outputs["verdict"]

    @property
    def log(self) -> str:
        """All that was printed."""
        return self.result.log

    @property
    def page(self) -> str:
        """The Markdown of the job's own page."""
        return self.result.summary

    @property
    def findings(self) -> list[Found]:
        """(rule, path, line) of every finding of the report, sorted."""
        told = [(each["rule"], each["path"], each["line"]) for each in self.result.report()["findings"]]
        return sorted(told, key=lambda each: (each[0], each[1] or "", each[2] or 0))

    @property
    def unreviewed(self) -> list[tuple[str, str]]:
        """(path, reason) of what could not be reviewed."""
        return [(each["path"], each["reason"]) for each in self.result.report()["unreviewed"]]

    @property
    def no_text(self) -> list[tuple[str, str]]:
        """(path, kind) of what has no text."""
        return [(each["path"], each["kind"]) for each in self.result.report()["no_text"]]

    @property
    def summary(self) -> str:
        """The text of our one summary comment."""
        (text,) = [one.body for one in self.pr.comments if is_ours(one.author, one.body)]
        return text

    @property
    def inline(self) -> list[tuple[str, int | None]]:
        """(path, line) of every comment of ours on a line, in order."""
        found = [one for one in self.pr.review_comments if is_ours(one.author, one.body)]
        return [(one.path, one.line) for one in found]

    @property
    def written(self) -> list[str]:
        """Every Markdown text of ours that somebody can read: comments, reviews, and the page of the job."""
        comments = [one.body for one in inspection.said_in(self.pr) if is_ours(one.author, one.body)]
        return [*comments, *(one.body for one in self.pr.reviews if one.body), self.page]

    def shown(self, text: str) -> bool:
        """Return whether a text stands in a code span of the summary comment, exactly so."""
        return text in inspection.code_spans(self.summary)

    def sentence(self) -> str:
        """Return what a run says that could not review: the first paragraph of its page."""
        heading, _, rest = self.page.partition("\n\n")
        assert heading == "## Review Bot: review incomplete"
        return inspection.text_of(rest).split("\n")[0]


def is_ours(login: str | None, body: str) -> bool:
    """Return whether a comment is one of the bot's."""
    return login == "github-actions[bot]" and marker.read(body, "review-bot") is not None


class Ground:
    """A repository at a fake GitHub, with two rules of its own, and the Action to run on its pull requests."""

    def __init__(self, github: FakeGitHub, worker: Callable[[], AbstractContextManager[Examiner]]) -> None:
        self.github = github
        self.action = Action(github, files={**CLEAN, **OWN_RULES})
        self.repository = self.action.repository
        self.worker = worker

    def base(self, files: Mapping[str, Any]) -> None:
        """Commit something on the base branch."""
        self.repository.commit(dict(files))

    def open(self, changes: Mapping[Any, Any], **options: Any) -> FakePullRequest:
        """Open a pull request in which somebody has said something already."""
        pr = self.action.open(changes, **options)
        pr.comment_as("eve", BYSTANDER)
        return pr

    def run(self, pr: FakePullRequest, **options: Any) -> Ran:
        """Run the Action in this process, and check all that must always hold."""
        before = len(self.github.requests)
        others = inspection.of_others(pr)
        options.setdefault("worker", self.worker)
        options.setdefault("limits", Limits(call=30.0))
        return self._inspected(self.action.run(pr, **options), pr, before, others)

    def run_process(self, pr: FakePullRequest, **options: Any) -> Ran:
        """Run the Action as the container does, as a process, and check the same."""
        before = len(self.github.requests)
        others = inspection.of_others(pr)
        return self._inspected(self.action.run_process(pr, **options), pr, before, others)

    def _inspected(self, result: Result, pr: FakePullRequest, before: int, others: object) -> Ran:
        ran = Ran(result, pr, tuple(self.github.requests[before:]))
        assert "Traceback" not in result.log
        inspection.check_log(result.log)
        inspection.check_outputs(result)
        for text in ran.written:
            inspection.check_markdown(text, self.github.urls.html)
        assert inspection.of_others(pr) == others, "what somebody else wrote has changed"
        inspection.check_secret(self.action.token, result, ran.written, _told(ran.calls))
        return ran


def _told(calls: Iterable[Exchange]) -> list[str]:
    """Return all that was sent in the bodies and addresses of calls, without the header that carries the token."""
    return [f"{call.path} {dict(call.query)} {call.body}" for call in calls]


def real_worker() -> AbstractContextManager[Examiner]:
    """Return the worker that the Action has in earnest: a process without token and network."""
    return worker_client.Worker()


WORKERS: Mapping[str, Callable[[], AbstractContextManager[Examiner]]] = {"here": here, "process": real_worker}
