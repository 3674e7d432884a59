"""Pull requests at a fake GitHub, ready to be reviewed, each with the run that reviews it and how that ends on a calm day.

::

    stage = Stage()                     one fake GitHub for as long as the process lives
    scene = stage.scene("opened")       made at the first call; its state is kept as a snapshot
    made = stage.play(scene)            back to that state, then a run of the whole Action, in this process
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self

from fake_github.faults import Fault
from fake_github.git_store import Content
from fake_github.repository import FakePullRequest
from fake_github.server import Exchange, FakeGitHub, Snapshot
from fake_github.world import ACTIONS_BOT, IssueComment, ReviewComment
from review_bot.commands.action import Dependencies, act
from review_bot.comments import marker
from review_bot.comments.model import Declined
from review_bot.forges.github.client import Client, Limits
from review_bot.github_action.review_run import Examiner
from tests.action import Action, Result, VirtualClock, here, result_of

PERMISSIONS = {"contents": "write", "pull-requests": "write", "statuses": "write", "actions": "write"}
EVERYTHING = {"status": "true", "resolve-threads": "true", "request-changes": "true"}

HASTY = Limits(call=0.4)
"""A call that hangs is given up after 0.4 seconds of the real clock; all else is as it is in earnest."""

CALM = Limits(call=20.0)
"""Limits for a run in which nothing hangs, however busy the machine is."""

CONFIG = "fail-on: error\n"
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
SUMS = '"""Sums."""\n\n\ndef total(rows):\n    """Return the sum of all rows."""\n    return sum(rows)\n'
DOUBTFUL = '''"""Runs steps."""


def run_{0}(steps: int) -> int:
    """Return how many steps ran."""
    {0} = True
    if not {0}:
        return 0
    return steps
'''
FINE = DOUBTFUL.replace("    {0} = True\n    if not {0}:\n        return 0\n", "")
USES = '"""Uses."""\n\nfrom halcyon.nowhere import nothing\n\nVALUE = nothing\n'
USES_WELL = '"""Uses."""\n\nfrom halcyon.sums import total\n\nVALUE = total\n'
LONG = '"""Many rows."""\n\nROWS = [\n' + "    1,\n" * 400 + "]\n"
PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
BASE: dict[str, Content] = {
    ".github/review-bot.yml": CONFIG,
    ".github/review-bot/rules/scratch.yml": OWN_RULE,
    "halcyon/__init__.py": '"""A small engine."""\n',
    "halcyon/sums.py": SUMS,
    "halcyon/long.py": LONG,
    "halcyon/picture.png": PICTURE + bytes(64),
}
CHANGE: dict[str, Content] = {
    "halcyon/one.py": DOUBTFUL.format("one"),
    "halcyon/two.py": DOUBTFUL.format("two"),
    "halcyon/three.py": DOUBTFUL.format("three"),
    "halcyon/uses.py": USES,
    "halcyon/long.py": LONG + "MORE = ROWS\n",
    "halcyon/picture.png": PICTURE + bytes(80),
    "scratch/notes.txt": "Remember the milk.\n",
}
PUSH: dict[str, Content] = {
    "halcyon/one.py": FINE.format("one"),
    "halcyon/two.py": "VERSION = 2\n" + DOUBTFUL.format("two"),
    "halcyon/four.py": DOUBTFUL.format("four"),
    "halcyon/uses.py": USES_WELL,
    "scratch/notes.txt": None,
    "scratch/more.txt": "Remember the bread.\n",
    "scratch/less.txt": "Forget the butter.\n",
}

Kill = Callable[[], bool]


class Killed(BaseException):
    """The process of a run is gone."""


class MortalClock(VirtualClock):
    """A virtual clock that ends the run that looks at it, once ``is_over`` says so."""

    def __init__(self, is_over: Kill) -> None:
        super().__init__()
        self._is_over = is_over

    def now(self) -> float:
        """Return the time, or end the run."""
        if self._is_over():
            raise Killed
        return super().now()


class Scene(NamedTuple):
    """A state, and the run to play on it. ``head``: the commit that it judges; ``number`` None: a merge group."""

    name: str
    state: Snapshot
    event: str
    payload: Mapping[str, Any]
    head: str
    number: int | None
    inputs: Mapping[str, str] = EVERYTHING


class Stamped(NamedTuple):
    """A call as it came, and when by the clock of the run."""

    call: Exchange
    at: float


class Made(NamedTuple):
    """A run that was made. ``result`` None: it was killed. ``seconds``: how long it took by its own clock."""

    result: Result | None
    calls: tuple[Stamped, ...]
    seconds: float

    @property
    def code(self) -> int | None:
        """Return the exit code."""
        return None if self.result is None else self.result.code


class Comment(NamedTuple):
    """A comment without its number, for comparisons."""

    author: str | None
    path: str
    line: int | None
    start_line: int | None
    kind: str
    fingerprints: tuple[str, ...]
    body: str
    resolved: bool


class Standing(NamedTuple):
    """All that stands: what is ours and what is others', our requests for changes, and the status of the head."""

    ours: tuple[Comment, ...]
    others: tuple[tuple[int, Comment], ...]
    requests: int
    status: str | None


class Stage:
    """A fake GitHub with one repository. Use it in a ``with``, or call ``close``."""

    def __init__(self) -> None:
        self.github = FakeGitHub()
        self.github.limits.blob_text = 500  # so that a small file is one whose text GraphQL cuts off
        self.action = Action(self.github, files=BASE)
        self.repository = self.action.repository
        self.repository.collaborator("ada")
        self.token = self.github.token(permissions=PERMISSIONS)
        self._scenes: dict[str, Scene] = {}
        self._calm: dict[str, tuple[Made, Standing]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the fake GitHub."""
        self.github.stop()

    @cached_property
    def bare(self) -> Snapshot:
        """Return the state in which there is no pull request."""
        return self.github.snapshot()

    def scene(self, name: str) -> Scene:
        """Return a scene by its name: a key of ``SCENES``."""
        if name not in self._scenes:
            self.github.restore(self.bare)
            self._scenes[name] = SCENES[name](self, name)
        return self._scenes[name]

    def calm(self, scene: Scene) -> tuple[Made, Standing]:
        """Return how a scene ends where nothing goes wrong."""
        if scene.name not in self._calm:
            made = self.play(scene)
            self._calm[scene.name] = made, self.standing(scene)
        return self._calm[scene.name]

    def play(self, scene: Scene, *faults: Fault, limits: Limits = CALM, kill: Kill | None = None, **how: Any) -> Made:
        """Go back to the state of a scene, and run; ``how`` as in ``run``."""
        self.github.restore(scene.state)
        for fault in faults:
            self.github.faults.add(fault)
        return self.run(scene, limits=limits, kill=kill, **how)

    def again(self, scene: Scene) -> Made:
        """Run once more on what came of a scene, with nothing in the way."""
        self.github.restore(self.github.snapshot())
        return self.run(scene)

    def run(
        self,
        scene: Scene,
        *,
        limits: Limits = CALM,
        kill: Kill | None = None,
        seed: int = 0,
        worker: Callable[[], contextlib.AbstractContextManager[Examiner]] = here,
        entry: Callable[[Dependencies], int] = act,
        client: type[Client] = Client,
        is_stamped: bool = True,
    ) -> Made:
        """Run on the state as it is. ``kill``: asked whenever the run looks at its clock; True ends it on the spot."""
        folder = Path(tempfile.mkdtemp(dir=self.github.folder))
        environment = self.action.environment(folder, scene.payload, scene.event, scene.inputs, self.token)
        clock = VirtualClock() if kill is None else MortalClock(kill)
        first = len(self.github.requests)
        stamps: dict[int, float] = {}

        def stamp() -> None:  # beside other reads it may take one for another; writes come alone
            stamps.setdefault(id(self.github.requests[-1]), VirtualClock.now(clock))

        if is_stamped:
            self.github.before(("*", "**"), stamp, times=None)
        log, began = io.StringIO(), VirtualClock.now(clock)
        result: Result | None = None
        with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log), contextlib.suppress(Killed):
            code = entry(Dependencies(environment, clock, limits, Random(seed), worker, client))
            result = result_of(code, folder, log.getvalue())
        seconds = VirtualClock.now(clock) - began
        made = self.github.requests[first:] if is_stamped else []
        return Made(result, tuple(Stamped(call, stamps.get(id(call), began)) for call in made), seconds)

    def standing(self, scene: Scene) -> Standing:
        """Return what stands now."""
        statuses = self.repository.statuses(scene.head)
        status = statuses[-1].state if statuses else None
        if scene.number is None:
            return Standing((), (), 0, status)
        pull = self.repository.pull_request(scene.number)
        rows = list(comments_of(pull))
        ours = sorted(comment for _, comment in rows if comment.kind)
        others = sorted((each, comment) for each, comment in rows if not comment.kind)
        requests = [one for one in pull.reviews if one.author == ACTIONS_BOT and one.state == "CHANGES_REQUESTED"]
        return Standing(tuple(ours), tuple(others), len(requests), status)


def run_of(stage: Stage, pull: FakePullRequest, state: Snapshot) -> Scene:
    """Return the run that the present head of a pull request asks for."""
    payload = stage.repository.event(pull, "synchronize")
    return Scene("", state, "pull_request", payload, pull.head_sha, pull.number)


def comments_of(pull: FakePullRequest) -> Iterator[tuple[int, Comment]]:
    """Yield every comment; the kind is empty for what is not ours."""
    resolved = {thread.comments[0] for thread in pull.threads if thread.resolved}
    both: list[IssueComment | ReviewComment] = [*pull.comments, *pull.review_comments]
    for one in both:
        found = marker.read(one.body, "review-bot") if one.author == ACTIONS_BOT else None
        on_lines = isinstance(one, ReviewComment)
        yield (
            one.id,
            Comment(
                one.author or "",
                one.path if isinstance(one, ReviewComment) else "",
                one.original_line or 0 if isinstance(one, ReviewComment) else 0,
                one.original_start_line or 0 if isinstance(one, ReviewComment) else 0,
                found.kind if found is not None and (found.kind == "summary") != on_lines else "",
                found.fingerprints if found is not None else (),
                one.body,
                one.id in resolved,
            ),
        )


# -------------------------------------------------------------------------------------------------- the scenes


def _talk(pull: FakePullRequest) -> None:
    """Let others say things, some under our mark."""
    mark = marker.write("review-bot", "summary")
    pull.comment_as("ada", f"I have read it.\n{mark}")
    pull.comment_as("dependabot[bot]", f"A summary of another.\n{mark}")
    pull.comment_as(ACTIONS_BOT, f"Of another set-up.\n{marker.write('other-bot', 'summary')}")
    pull.comment_as(ACTIONS_BOT, "Of another workflow.")
    inline = marker.write("review-bot", "inline", ["0123456789abcdef-01234567"])
    pull.review_as("ada", [{"path": "halcyon/uses.py", "line": 1, "body": f"Why?\n{inline}"}])


def _opened(stage: Stage, name: str) -> Scene:
    pull = stage.action.open(CHANGE)
    stage.action.open({"halcyon/one.py": FINE.format("another"), "halcyon/nowhere.py": '"""Where nothing is."""\n'})
    _talk(pull)
    payload = stage.repository.event(pull, "opened")
    return Scene(name, stage.github.snapshot(), "pull_request", payload, pull.head_sha, pull.number)


def _pushed(stage: Stage, name: str) -> Scene:
    """Make copies of a summary and of comments, edit a text, and push what mends some findings and adds others."""
    pull = stage.repository.pull_request(_reviewed(stage))
    own = [one for one in pull.review_comments if one.author == ACTIONS_BOT]
    for one in [each for each in own if each.original_line][:2]:
        place = {"path": one.path, "line": one.original_line, "body": one.body}
        if one.original_start_line:
            place["start_line"] = one.original_start_line
        pull.review_as(ACTIONS_BOT, [place])
    summary = next(one for one in pull.comments if "## Review Bot" in one.body)
    pull.comment_as(ACTIONS_BOT, summary.body)
    pull.edit_comment(own[-1].id, own[-1].body.replace("This file", "This fine file"))
    pull.push(PUSH)
    payload = stage.repository.event(pull, "synchronize")
    return Scene(name, stage.github.snapshot(), "pull_request", payload, pull.head_sha, pull.number)


def _reviewed(stage: Stage) -> int:
    """Play the first scene to its end, and return the number of its pull request."""
    opened = stage.scene("opened")
    stage.play(opened)
    stage.github.restore(stage.github.snapshot())
    assert opened.number is not None
    return opened.number


def _pages(stage: Stage, name: str) -> Scene:
    """Make three pages of everything that comes in pages."""
    pages = {f"docs/{number:03}.md": f"# Page {number}\n" for number in range(205)}
    pull = stage.action.open({**CHANGE, **pages})
    for number in range(205):
        pull.comment_as("ada", f"Remark {number}.")
    for number in range(205):
        pull.review_as("ada", [{"path": f"docs/{number:03}.md", "line": 1, "body": f"Question {number}."}])
    payload = stage.repository.event(pull, "opened")
    return Scene(name, stage.github.snapshot(), "pull_request", payload, pull.head_sha, pull.number)


def _clean(stage: Stage, name: str) -> Scene:
    pull = stage.action.open({"halcyon/more.py": '"""More."""\n\nfrom halcyon.sums import total\n\nVALUE = total\n'})
    _talk_of_clean(pull)
    payload = stage.repository.event(pull, "opened")
    return Scene(name, stage.github.snapshot(), "pull_request", payload, pull.head_sha, pull.number)


def _talk_of_clean(pull: FakePullRequest) -> None:
    pull.comment_as("ada", f"Fine.\n{marker.write('review-bot', 'summary')}")


def _large(stage: Stage, name: str) -> Scene:
    """Make a repository with more texts than are fetched one by one, so that all depends on its archive."""
    stage.repository.commit({f"halcyon/part_{number:03}.py": f'"""Part."""\n\nX = {number}\n' for number in range(210)})
    pull = stage.action.open(
        {"halcyon/far.py": '"""Far."""\n\nfrom halcyon.part_001 import NOTHING\n\nVALUE = NOTHING\n'}
    )
    payload = stage.repository.event(pull, "opened")
    return Scene(name, stage.github.snapshot(), "pull_request", payload, pull.head_sha, pull.number)


def _merge_group(stage: Stage, name: str) -> Scene:
    pull = stage.action.open(CHANGE)
    head = stage.repository.merge_group(pull)
    payload = stage.repository.merge_group_event(head)
    return Scene(name, stage.github.snapshot(), "merge_group", payload, head, None)


def _command(stage: Stage, name: str) -> Scene:
    number = _reviewed(stage)
    pull = stage.repository.pull_request(number)
    if name == "rerun":
        stage.repository.workflow_run(pull.head_sha, pull_requests=(number,))
        words = "rerun"
    else:
        first = next(one for one in pull.review_comments if one.author == ACTIONS_BOT)
        found = marker.read(first.body, "review-bot")
        assert found is not None
        words = f"decline {found.fingerprints[0]} It is meant so."
        if name == "reopen":
            first.minimized = "resolved"
            line = Declined(found.fingerprints, "ada", "It is meant so.", first.path)
            pull.comment_as(ACTIONS_BOT, f"Declined by ada.\n\n{marker.write_declined('review-bot', line)}")
            words = f"reopen {found.fingerprints[0]}"
    comment = pull.comment_as("ada", f"/review-bot {words}")
    payload = stage.repository.issue_comment_event(comment)
    return Scene(name, stage.github.snapshot(), "issue_comment", payload, pull.head_sha, number, {})


SCENES: Mapping[str, Callable[[Stage, str], Scene]] = {
    "opened": _opened,
    "pushed": _pushed,
    "pages": _pages,
    "clean": _clean,
    "large": _large,
    "merge group": _merge_group,
    "rerun": _command,
    "decline": _command,
    "reopen": _command,
}
"""The scenes by name."""
