"""Attacks on events, approvals, settings and GitHub's answers that do not get a bad change past the gate."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from fake_github.git_store import Link, Submodule
from fake_github.repository import FakePullRequest
from tests.action import BAD_LINE, Action

BAD = {"halcyon/run.py": BAD_LINE}
FINE = {"halcyon/fine.py": '"""Fine."""\n'}
SILENCED = BAD_LINE.rstrip("\n") + "  # review-bot: ignore[api/missing-module-import] the build makes it\n"
STATUS = {"status": "true"}
CONFIG = ".github/review-bot.yml"
RULES = ".github/review-bot/rules"
OWN = "id: no-eval\nlanguage: python\nseverity: error\nmessage: m\nrule: {pattern: eval($X)}\n"


@pytest.fixture
def gate(action: Action) -> Action:
    """Return the Action with a token that may set statuses, and with a colleague who may push."""
    action.token = action.github.token(
        permissions={"contents": "read", "pull-requests": "write", "statuses": "write", "actions": "write"}
    )
    action.repository.collaborator("grace")
    return action


def from_fork(action: Action, changes: dict[str, Any]) -> FakePullRequest:
    return action.open(changes, head_repository=action.repository.fork("eve"), author="eve")


def states(action: Action, pr: FakePullRequest) -> list[str]:
    return [each.state for each in action.repository.statuses(pr.head_sha)]


# ------------------------------------------------------------------------------------------------- payloads

FORGED: dict[str, Callable[[dict[str, Any], FakePullRequest], Any]] = {
    "the head of a good change": lambda event, fine: event["pull_request"]["head"].update(sha=fine.head_sha),
    "no head": lambda event, _: event["pull_request"].update(head=None),
    "a base that is the head": lambda event, _: event["pull_request"]["base"].update(
        sha=event["pull_request"]["head"]["sha"]
    ),
    "another default branch": lambda event, _: event["repository"].update(default_branch="feature-1"),
    "another repository": lambda event, _: event["repository"].update(full_name="eve/halcyon"),
    "merged": lambda event, _: event["pull_request"].update(merged=True, state="closed"),
    "no changed files": lambda event, _: event["pull_request"].update(changed_files=0),
    "the number as text": lambda event, _: event["pull_request"].update(number="1"),
    "the number true": lambda event, _: event["pull_request"].update(number=True),
    "inputs of another event": lambda event, fine: event.update(inputs={"pr-number": str(fine.number)}),
    "another action": lambda event, _: event.update(action="labeled"),
}


@pytest.mark.parametrize("case", FORGED)
def test_a_payload_that_says_otherwise_is_not_believed(gate: Action, case: str) -> None:
    pr, fine = gate.open(BAD), gate.open(FINE)
    event = gate.repository.event(pr, "synchronize")
    FORGED[case](event, fine)
    assert gate.run(pr, payload=event, inputs=STATUS).code in {1, 2, 3}
    assert "success" not in states(gate, pr)


def test_a_payload_does_not_make_a_fork_a_branch_of_the_repository(gate: Action) -> None:
    pr = from_fork(gate, {"halcyon/run.py": SILENCED})
    event = gate.repository.event(pr, "synchronize")
    event["pull_request"]["head"]["repo"] = event["pull_request"]["base"]["repo"]
    event["pull_request"]["author_association"] = "OWNER"
    assert gate.run(pr, event="pull_request_target", payload=event).code == 1


@pytest.mark.parametrize(
    "inputs", [{"pr-number": "2"}, {"config": "halcyon/__init__.py"}, {"config": "nope.yml"}, {"max-comments": "0"}]
)
def test_an_input_that_names_something_else_changes_nothing(gate: Action, inputs: dict[str, str]) -> None:
    pr = gate.open(BAD)
    gate.open(FINE)
    assert gate.run(pr, inputs=inputs).code != 0


# ------------------------------------------------------------------------------------------------- approvals

REVIEWS: dict[str, Callable[[Action, FakePullRequest], object]] = {
    "an older commit": lambda _, pr: (pr.approve_as("grace"), pr.push(FINE)),
    "the older commit, after the push": lambda _, pr: (pr.push(FINE), pr.approve_as("grace", sha=pr.record.heads[0])),
    "changes requested later": lambda _, pr: (
        pr.approve_as("grace"),
        pr.review_as("grace", event="REQUEST_CHANGES", body="no"),
    ),
    "a dismissed approval": lambda _, pr: setattr(pr.approve_as("grace"), "state", "DISMISSED"),
    "a pending approval": lambda _, pr: setattr(pr.approve_as("grace"), "state", "PENDING"),
    "a person without write access": lambda _, pr: pr.approve_as("mallory"),
    "a bot": lambda _, pr: setattr(pr.review_as("github-actions[bot]", body="x"), "state", "APPROVED"),
    "a bot with write access": lambda action, pr: [
        action.repository.record.collaborators.update({"approver[bot]": "write"}),
        pr.approve_as("approver[bot]"),
    ],
    "a person who lost access": lambda action, pr: [
        pr.approve_as("grace"),
        action.repository.record.collaborators.update(grace="read"),
    ],
    "words": lambda _, pr: (pr.review_as("grace", body="APPROVED"), pr.comment_as("grace", "/approve")),
}


@pytest.mark.parametrize("case", REVIEWS)
def test_a_review_that_is_no_approval_of_the_head_accepts_no_suppression(gate: Action, case: str) -> None:
    pr = from_fork(gate, {"halcyon/run.py": SILENCED})
    REVIEWS[case](gate, pr)
    assert gate.run(pr, event="pull_request_target").code == 1


def test_an_approval_of_a_deleted_account_does_not_count(gate: Action) -> None:
    pr = from_fork(gate, {"halcyon/run.py": SILENCED})
    pr.approve_as("grace")
    gate.github.delete_account("grace")
    assert gate.run(pr, event="pull_request_target").code == 1


def test_an_approval_of_another_pull_request_of_the_same_commit_does_not_count(gate: Action) -> None:
    gate.repository.set_branch("easy", gate.repository.tip("main"))
    fork = gate.repository.fork("eve")
    other = gate.open({"halcyon/run.py": SILENCED}, head_repository=fork, author="eve", base="easy")
    other.approve_as("grace")
    pr = gate.repository.open_pull_request(other.record.head_ref, author="eve", head_repository=fork)
    assert gate.run(pr, event="pull_request_target").code == 1


def test_a_fork_that_is_deleted_or_has_a_branch_of_the_same_name_is_a_fork(gate: Action) -> None:
    gate.repository.commit({}, branch="feature-1")
    pr = from_fork(gate, {"halcyon/run.py": SILENCED})
    assert gate.run(pr, event="pull_request_target").code == 1
    pr.delete_head_repository()
    assert gate.run(pr, event="pull_request_target").code == 1


# ------------------------------------------------------------------------------------------------- settings

EDITS: dict[str, dict[str, Any]] = {
    "a second configuration": {".github/review-bot.yaml": "fail-on: error\n"},
    "a configuration that is a link": {CONFIG: Link("../x.yml")},
    "a configuration that is a submodule": {CONFIG: Submodule("a" * 40)},
    "a configuration that is a folder": {CONFIG: None, f"{CONFIG}/a": "x\n"},
    "a rule of a built-in name": {f"{RULES}/b.yml": OWN.replace("no-eval", "api/missing-module-import")},
    "a second rule of one name": {f"{RULES}/b/c.yaml": OWN},
    "rules that are a link": {f"{RULES}/a.yml": None, RULES: Link("../../halcyon")},
    "a rule that the configuration names": {f"{RULES}/a.yml": None},
    "a baseline that is no baseline": {".github/review-bot-baseline.json": '{"findings": NaN}'},
}


@pytest.mark.parametrize("case", EDITS)
def test_an_edit_that_would_stop_every_later_review_is_red(gate: Action, case: str) -> None:
    gate.repository.commit({CONFIG: "rules:\n  no-eval: error\n", f"{RULES}/a.yml": OWN})
    assert gate.run(gate.open(EDITS[case])).code == 1


# ------------------------------------------------------------------------------------------------- GitHub


def _each(**values: Any) -> Callable[[Any], Any]:
    return lambda rows: [{**row, **values} for row in rows]


LIES: dict[str, tuple[tuple[str, str], Callable[[Any], Any]]] = {
    "files: one is missing": (
        ("GET", "/pulls/*/files"),
        lambda rows: [row for row in rows if row["filename"] != "halcyon/run.py"],
    ),
    "files: none": (("GET", "/pulls/*/files"), lambda _: []),
    "files: removed": (("GET", "/pulls/*/files"), _each(status="removed")),
    "files: unchanged": (("GET", "/pulls/*/files"), _each(status="unchanged", changes=0, additions=0)),
    "files: another patch": (("GET", "/pulls/*/files"), _each(patch='@@ -0,0 +1 @@\n+"""Fine."""')),
    "files: another name": (("GET", "/pulls/*/files"), _each(filename="halcyon/run.txt")),
    "trees: the file is missing at the head": (
        ("GET", "/git/trees/*"),
        lambda tree: {**tree, "tree": [row for row in tree["tree"] if row["path"] != "halcyon/run.py"]},
    ),
    "compare: identical": (("GET", "/compare/*"), lambda found: {**found, "status": "identical", "files": []}),
}


@pytest.mark.parametrize("times", [1, None])
@pytest.mark.parametrize("case", LIES)
def test_an_answer_that_is_not_the_truth_is_never_green(gate: Action, case: str, times: int | None) -> None:
    pr = gate.open({**BAD, **FINE})
    gate.github.tamper(*LIES[case], times=times)
    assert gate.run(pr, inputs=STATUS).code in {1, 3}
    assert states(gate, pr)[-1] != "success"


@pytest.mark.parametrize("who", ["eve", "grace", "github-actions[bot]"])
def test_no_command_moves_the_verdict(gate: Action, who: str) -> None:
    pr = from_fork(gate, BAD)
    result = gate.run(pr, event="pull_request_target", inputs=STATUS)
    name = result.report()["findings"][0]["fingerprint"]
    comment = pr.comment_as(who, f"/review-bot decline {name} it is fine")
    gate.run(None, event="issue_comment", payload=gate.repository.issue_comment_event(comment), inputs=STATUS)
    assert states(gate, pr) == ["pending", "failure"]
    assert gate.run(pr, event="pull_request_target", inputs=STATUS).code == 1


def test_reports_outputs_and_exit_code_agree(gate: Action) -> None:
    gate.repository.commit({CONFIG: "paths:\n  ignore: ['vendored/**']\n"})
    changes = {**BAD, "vendored/a.py": BAD_LINE, "halcyon/accepted.py": SILENCED}
    result = gate.run(gate.open(changes))
    report = result.report()
    sarif = json.loads((result.folder / "workspace" / result.outputs["sarif-file"]).read_text())
    stated = [each for each in sarif["runs"][0]["results"] if not each.get("suppressions")]
    assert (result.code, result.outputs["passed"], report["verdict"]["passed"]) == (1, "false", False)
    assert len(stated) == len(report["findings"]) == int(result.outputs["findings"])
    assert int(result.outputs["errors"]) == sum(each["severity"] == "error" for each in report["findings"]) == 1
