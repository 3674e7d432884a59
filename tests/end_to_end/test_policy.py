"""Attempts to be judged by a weaker policy than the one of the default branch, through the whole Action."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from review_bot.engine.examination import examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.findings import Examination
from review_bot.github_action.review_run import Examiner
from tests.action import BAD_LINE, DOUBTFUL, Action

CONFIG = ".github/review-bot.yml"
BAD = {"halcyon/run.py": BAD_LINE}
FINE = {"halcyon/fine.py": '"""Fine."""\n'}
WRITES = {"contents": "read", "pull-requests": "write", "statuses": "write"}
STATUS = {"status": "true"}


@pytest.fixture
def gate(action: Action) -> Action:
    """Return the Action with a token that may set statuses."""
    action.token = action.github.token(permissions=WRITES)
    return action


def states(action: Action, sha: str) -> list[tuple[str, str]]:
    return [(each.context, each.state) for each in action.repository.statuses(sha)]


def latest(action: Action, sha: str) -> dict[str, str]:
    return dict(states(action, sha))


def watched(meanwhile: Callable[[], None]) -> Callable[[], contextlib.AbstractContextManager[Examiner]]:
    """Return a worker that lets something happen while the change is under examination."""

    class Watched:
        def examine(self, request: ExaminationRequest, /, **options: Any) -> Examination:
            meanwhile()
            return examine(request, **options)

    @contextlib.contextmanager
    def worker() -> Iterator[Examiner]:
        yield Watched()

    return worker


# ------------------------------------------------------------------------------------------------- stacked


@pytest.mark.parametrize(
    "weak",
    [
        {CONFIG: "fail-on: never\n"},
        {".github/review-bot.yaml": "fail-on: never\n"},
        {CONFIG: 'paths:\n  ignore: ["**"]\n'},
        {CONFIG: "rules:\n  '*': off\n"},
        {CONFIG: 'own-policy: ["**"]\nfail-on: never\n'},
        {CONFIG: "not: [a configuration\n"},
        {".github/review-bot/rules/broken.yml": "id: [\n"},
    ],
)
def test_a_base_branch_of_its_own_brings_no_policy(gate: Action, weak: dict[str, str]) -> None:
    gate.repository.commit(weak, branch="easy")
    result = gate.run(gate.open(BAD, base="easy"), inputs=STATUS)
    assert (result.code, result.outputs["errors"]) == (1, "1")
    assert "The base `easy` is not the default branch" in result.summary


def test_a_baseline_on_a_base_branch_of_its_own_accepts_nothing(gate: Action) -> None:
    seen = gate.run(gate.open(BAD)).report()["findings"]
    entries = ",".join(f'{{"fingerprint": "{each["fingerprint"]}", "reason": "old"}}' for each in seen)
    baseline = f'{{"schema": "review-bot/baseline/v1", "findings": [{entries}]}}\n'
    gate.repository.commit({".github/review-bot-baseline.json": baseline}, branch="easy")
    assert gate.run(gate.open(BAD, base="easy")).code == 1
    gate.repository.commit({".github/review-bot-baseline.json": "{"}, branch="easy")
    assert gate.run(gate.open(BAD, base="easy")).code == 1, "it is not even read"
    gate.repository.commit({".github/review-bot-baseline.json": "{"})
    assert gate.run(gate.open(BAD)).code == 2, "that of the default branch is"


def test_a_stricter_policy_of_the_default_branch_holds_for_a_stacked_change(gate: Action) -> None:
    gate.repository.set_branch("lower", gate.repository.tip("main"))
    gate.repository.commit({CONFIG: "fail-on: warning\n"})
    result = gate.run(gate.open({"halcyon/steps.py": DOUBTFUL}, base="lower"))
    assert result.code == 1
    assert result.report()["policy"]["source"].startswith(f"{CONFIG} of main at ")


@pytest.mark.parametrize(("branch", "code"), [("release/1.2", 0), ("releases", 1), ("Release/1.2", 1)])
def test_a_base_that_the_default_branch_names_has_its_own_policy(gate: Action, branch: str, code: int) -> None:
    gate.repository.commit({CONFIG: 'own-policy: ["release/*"]\n'})
    gate.repository.commit({CONFIG: "fail-on: never\n"}, branch=branch)
    result = gate.run(gate.open(BAD, base=branch), inputs=STATUS)
    assert result.code == code


def test_a_base_that_the_default_branch_names_may_have_none(gate: Action) -> None:
    gate.repository.commit({CONFIG: 'own-policy: ["release/*"]\nfail-on: never\n'})
    gate.repository.commit({CONFIG: None}, branch="release/1.2")
    assert gate.run(gate.open(BAD, base="release/1.2")).code == 1, "the built-in policy"


def test_a_broken_policy_of_the_default_branch_fails_a_stacked_change_too(gate: Action) -> None:
    gate.repository.set_branch("lower", gate.repository.tip("main"))
    gate.repository.commit({CONFIG: "fail-on: nothing\n"})
    pr = gate.open(FINE, base="lower")
    assert gate.run(pr, inputs=STATUS).code == 2
    assert latest(gate, pr.head_sha) == {"review-bot (lower)": "error"}


def test_two_configurations_are_an_error(gate: Action) -> None:
    gate.repository.commit({CONFIG: "fail-on: error\n", ".github/review-bot.yaml": "fail-on: never\n"})
    result = gate.run(gate.open(BAD))
    assert result.code == 2
    assert ".github/review-bot.yml exists too; delete one of them" in result.log


def test_the_other_name_of_the_configuration_is_read(gate: Action) -> None:
    gate.repository.commit({".github/review-bot.yaml": "fail-on: never\n"})
    assert gate.run(gate.open(BAD)).code == 0


def test_an_expired_suppression_stays_expired_on_an_old_base(gate: Action) -> None:
    silenced = BAD_LINE.replace("\n", "  # review-bot: ignore[api/missing-module-import] until 2020-01-01 soon\n")
    gate.repository.commit({}, branch="old", date=1_500_000_000)
    assert gate.run(gate.open({"halcyon/run.py": silenced}, base="old")).code == 1


# ------------------------------------------------------------------------------------------------- statuses


def test_a_status_earned_against_another_base_opens_nothing(gate: Action) -> None:
    """The same commit: first against a base that has the missing module, then against the default branch."""
    gate.repository.commit(
        {"halcyon/outputs.py": '"""Outputs."""\n\n\nclass StepOutput:\n    """One."""\n'}, branch="easy"
    )
    pr = gate.open(BAD, base="easy")
    assert gate.run(pr, inputs=STATUS).code == 0
    assert states(gate, pr.head_sha) == [("review-bot (easy)", "pending"), ("review-bot (easy)", "success")]
    pr.retarget("main")
    assert "review-bot" not in latest(gate, pr.head_sha)
    gate.run(pr, "edited", inputs=STATUS)
    assert states(gate, pr.head_sha)[2:3] == [("review-bot", "pending")]


@pytest.mark.parametrize(
    ("branch", "context"),
    [
        ("release/1.2", "review-bot (release/1.2)"),
        ("Release/1.2", r"review-bot (Release/1.2 [0-9a-f]{12})"),
        ("RELEASE/1.2", r"review-bot (RELEASE/1.2 [0-9a-f]{12})"),
        ("r" * 200, "review-bot (" + "r" * 100 + " [0-9a-f]{12})"),
        ("größe", r"review-bot (größe [0-9a-f]{12})"),
        ("MAIN", r"review-bot (MAIN [0-9a-f]{12})"),
    ],
)
def test_the_context_names_the_base_and_no_two_branches_share_one(gate: Action, branch: str, context: str) -> None:
    gate.repository.set_branch(branch, gate.repository.tip("main"))
    pr = gate.open(FINE, base=branch)
    assert gate.run(pr, inputs=STATUS).code == 0
    [found] = latest(gate, pr.head_sha)
    assert re.fullmatch(re.escape(context).replace(re.escape("[0-9a-f]{12}"), "[0-9a-f]{12}"), found)


def test_an_earlier_green_status_does_not_stand_while_a_run_is_at_work(gate: Action) -> None:
    pr = gate.open(FINE)
    assert gate.run(pr, inputs=STATUS).code == 0
    seen = []

    def look() -> None:
        seen.append(states(gate, pr.head_sha)[-1])

    gate.run(pr, inputs=STATUS, worker=watched(look))
    assert seen[0] == ("review-bot", "pending")
    assert states(gate, pr.head_sha)[-1] == ("review-bot", "success")


def test_a_run_that_is_killed_leaves_no_green_status(gate: Action) -> None:
    """Nothing can be said any more then: what was said at the start stands."""
    pr = gate.open(FINE)
    assert gate.run(pr, inputs=STATUS).code == 0

    class Killed(BaseException):
        pass

    def die() -> None:
        raise Killed

    with pytest.raises(Killed):
        gate.run(pr, inputs=STATUS, worker=watched(die))
    assert states(gate, pr.head_sha)[-1] == ("review-bot", "pending")


def test_a_run_that_breaks_off_ends_in_an_error(gate: Action) -> None:
    pr = gate.open(FINE, base="main")

    def die() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gate.run(pr, inputs=STATUS, worker=watched(die))
    assert states(gate, pr.head_sha)[-1] == ("review-bot", "error")


def test_a_superseded_run_sets_its_own_commit_alone(gate: Action) -> None:
    pr = gate.open(FINE)
    payload = gate.repository.event(pr, "synchronize")
    old = pr.head_sha
    pr.push({"halcyon/more.py": '"""More."""\n'})
    assert gate.run(pr, payload=payload, inputs=STATUS).code == 3
    assert latest(gate, old) == {"review-bot": "error"}
    assert latest(gate, pr.head_sha) == {}


def test_a_base_that_changes_under_a_run_leaves_no_green_status(gate: Action) -> None:
    gate.repository.commit(FINE, branch="easy")
    pr = gate.open({"halcyon/steps.py": DOUBTFUL}, base="easy")
    result = gate.run(pr, inputs=STATUS, worker=watched(lambda: pr.retarget("main")))
    assert result.code == 3
    assert latest(gate, pr.head_sha) == {"review-bot (easy)": "error"}


def test_a_token_that_may_set_no_status_ends_red(action: Action) -> None:
    result = action.run(action.open(FINE), inputs=STATUS)
    assert result.code == 3
    assert "The commit status could not be set" in result.log


def test_a_merge_group_of_a_base_of_its_own_is_judged_by_the_default_branch(gate: Action) -> None:
    gate.repository.commit({CONFIG: "fail-on: never\n"}, branch="easy")
    pr = gate.open(BAD, base="easy")
    head = gate.repository.merge_group(pr, base="easy")
    payload = gate.repository.merge_group_event(head)
    assert gate.run(None, event="merge_group", payload=payload, inputs=STATUS).code == 1
    assert latest(gate, head) == {"review-bot (easy)": "failure"}


# ------------------------------------------------------------------------------------------------- triggers


@pytest.mark.parametrize(("ref", "code"), [("refs/heads/main", 0), ("refs/heads/feature-1", 2), ("refs/tags/main", 2)])
def test_a_dispatch_on_another_branch_is_not_trusted(action: Action, ref: str, code: int) -> None:
    pr = action.open({**FINE, ".github/workflows/ci.yml": "on: push\n"})
    number = str(pr.number)
    payload = action.repository.workflow_dispatch_event({"pr-number": number}, ref=ref)

    def run(**inputs: str) -> tuple[int, str]:
        result = action.run(None, event="workflow_dispatch", payload=payload, inputs={"pr-number": number, **inputs})
        return result.code, result.summary + result.log

    assert run(**{"require-trusted-trigger": "true"})[0] == code
    ended, said = run()
    assert ended == 0
    assert ("this check runs from the change's own workflows" in said) is (code == 2)


# ------------------------------------------------------------------------------------------------- runs that fail early


@pytest.mark.parametrize(
    "inputs",
    [{"fail-on": "none"}, {"comments": "x"}, {"max-comments": "x"}, {"report-dir": ".."}, {"coverage": "../x"}],
)
def test_an_input_that_is_not_understood_takes_an_earlier_green_status_away(
    gate: Action, inputs: dict[str, str]
) -> None:
    pr = gate.open(FINE)
    assert gate.run(pr, inputs=STATUS).code == 0
    assert gate.run(pr, inputs={**STATUS, **inputs}).code == 2
    assert latest(gate, pr.head_sha) == {"review-bot": "error"}


def test_a_worker_that_does_not_start_takes_an_earlier_green_status_away(gate: Action) -> None:
    pr = gate.open(FINE)
    assert gate.run(pr, inputs=STATUS).code == 0

    def worker() -> contextlib.AbstractContextManager[Examiner]:
        raise OSError("no process")

    with pytest.raises(OSError, match="no process"):
        gate.run(pr, inputs=STATUS, worker=worker)
    assert latest(gate, pr.head_sha) == {"review-bot": "error"}


@pytest.mark.parametrize("event", ["pull_request_target", "merge_group"])
def test_the_first_call_of_a_run_sets_the_status_to_pending(gate: Action, event: str) -> None:
    """A run that is killed later, wherever it is, leaves no green status of an earlier run."""
    pr = gate.open(FINE)
    payload = gate.repository.event(pr, "synchronize")
    if event == "merge_group":
        payload = gate.repository.merge_group_event(gate.repository.merge_group(pr))
    assert gate.run(pr, event=event, payload=payload, inputs=STATUS).code == 0
    first = gate.github.requests[0]
    assert (first.method, first.path.split("/")[-2], first.body["state"]) == ("POST", "statuses", "pending")
    assert [each.body["state"] for each in gate.github.requests if "/statuses/" in each.path] == ["pending", "success"]


def test_a_base_that_changed_before_a_run_leaves_nothing_pending_under_its_name(gate: Action) -> None:
    gate.repository.set_branch("easy", gate.repository.tip("main"))
    pr = gate.open(FINE, base="easy")
    payload = gate.repository.event(pr, "synchronize")
    pr.retarget("main")
    assert gate.run(pr, payload=payload, inputs=STATUS).code == 0
    assert latest(gate, pr.head_sha) == {"review-bot (easy)": "error", "review-bot": "success"}


@pytest.mark.parametrize(("base", "code"), [("easy", 3), ("main", 0)])
def test_a_merge_into_another_branch_is_no_review(gate: Action, base: str, code: int) -> None:
    """A green check on its commit would count for a pull request of the same commit to the default branch."""
    gate.repository.set_branch("easy", gate.repository.tip("main"))
    pr = gate.open(BAD, base=base)
    pr.merge()
    assert gate.run(pr, "edited").code == code
    assert gate.run(pr, "edited", inputs=STATUS).code == code
    assert "success" not in latest(gate, pr.head_sha).values()
