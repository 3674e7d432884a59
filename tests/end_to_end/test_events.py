"""Every event that starts the Action, through the whole of it: what is reviewed, said, and gated."""

from __future__ import annotations

import pytest

from tests.action import BAD_LINE, CLEAN, DOUBTFUL, Action

RULE = """\
id: halcyon-eval
language: python
severity: error
message: "`eval` of $X."
rule: {pattern: eval($X)}
metadata: {title: Eval, confidence: high, show: line}
"""
BAD = {"halcyon/run.py": BAD_LINE}
WRITES = {"contents": "read", "pull-requests": "write", "statuses": "write"}


def states(action, sha):
    return [(each.context, each.state) for each in action.repository.statuses(sha)]


def wrote(action):
    return [each.path for each in action.github.requests if each.method != "GET" and "graphql" not in each.path]


# ------------------------------------------------------------------------------------------------- pull requests


@pytest.mark.parametrize("event", ["pull_request", "pull_request_target", "pull_request_review"])
def test_events_of_a_pull_request(action, event):
    pr = action.open(BAD)
    assert action.run(pr, event=event).code == 1
    assert [(each.path, each.line, each.commit_id) for each in pr.review_comments] == [
        ("halcyon/run.py", 1, pr.head_sha)
    ]


@pytest.mark.parametrize(("event", "told"), [("pull_request", True), ("pull_request_target", False)])
def test_a_change_of_the_workflows_is_told_where_it_could_change_this_check(action, event, told):
    pr = action.open({".github/workflows/ci.yml": "on: push\n"})
    assert action.run(pr, event=event).code == 0
    said = "Note: This change edits `.github/workflows/ci.yml`, and this check runs from the change's own workflows"
    assert (said in pr.comments[0].body.replace("\u200b", "")) is told


def test_an_approval_makes_requested_suppressions_count(action):
    action.repository.commit({".github/review-bot/rules/eval.yml": RULE})
    action.repository.collaborator("grace")
    silenced = 'outcome = eval("1")  # review-bot: ignore[halcyon-eval] a constant\n'
    pr = action.open({"halcyon/run.py": silenced}, head_repository=action.repository.fork("eve"), author="eve")

    def review(event="pull_request_target"):
        result = action.run(pr, event=event)
        return result.code, [each["rule"] for each in result.report()["suppressed"]]

    assert review() == (1, [])
    [comment] = pr.review_comments
    pr.approve_as("mallory")
    assert review("pull_request_review") == (1, []), "mallory may not push"
    pr.approve_as("grace")
    assert review("pull_request_review") == (0, ["halcyon-eval"])
    assert comment.body.startswith("Suppressed in the code: a constant")
    pr.push({"halcyon/more.py": '"""More."""\n'})
    assert review() == (1, []), "approved was another commit"
    assert comment.body.startswith("**Error: Eval.**")
    assert len(pr.review_comments) == 1


def test_a_suppression_in_the_same_repository_counts_at_once(action):
    action.repository.commit({".github/review-bot/rules/eval.yml": RULE})
    pr = action.open({"halcyon/run.py": 'outcome = eval("1")  # review-bot: ignore[halcyon-eval] a constant\n'})
    assert action.run(pr).code == 0
    assert not pr.review_comments


# ------------------------------------------------------------------------------------------------- merge queue


def test_a_merge_group_is_judged_by_what_it_adds(action):
    action.token = action.github.token(permissions=WRITES)
    good, bad = action.open({"halcyon/fine.py": '"""Fine."""\n'}), action.open(BAD)

    def gate(sha):
        payload = action.repository.merge_group_event(sha)
        return action.run(None, event="merge_group", payload=payload, inputs={"status": "true"})

    first = action.repository.merge_group(good)
    passed = gate(first)
    second = action.repository.merge_group(good, bad)
    failed = gate(second)
    assert (passed.code, failed.code) == (0, 1)
    assert states(action, first) == [("review-bot", "pending"), ("review-bot", "success")]
    assert states(action, second) == [("review-bot", "pending"), ("review-bot", "failure")]
    assert [each["path"] for each in failed.report()["findings"] if each["severity"] == "error"] == ["halcyon/run.py"]
    assert failed.report()["change"]["files"] == 1, "the second group's own part"
    for pr in (good, bad):
        assert not pr.comments
        assert not pr.review_comments
    assert "::error file=halcyon/run.py,line=1" in failed.log
    assert "halcyon.outputs" in failed.summary


def test_a_merge_group_goes_by_the_configuration_of_its_base_and_the_suppressions_in_its_code(action):
    action.repository.commit(
        {".github/review-bot/rules/eval.yml": RULE, ".github/review-bot.yml": "fail-on: warning\n"}
    )
    silenced = action.open({"halcyon/run.py": 'outcome = eval("1")  # review-bot: ignore[halcyon-eval] a constant\n'})
    doubtful = action.open({"halcyon/steps.py": DOUBTFUL})

    def gate(*pulls):
        payload = action.repository.merge_group_event(action.repository.merge_group(*pulls))
        return action.run(None, event="merge_group", payload=payload).code

    assert gate(silenced) == 0
    assert gate(doubtful) == 1, "fail-on: warning"


def test_a_merge_group_that_cannot_be_read_leaves_no_green_status(action):
    action.token = action.github.token(permissions=WRITES)
    group = action.repository.merge_group(action.open(BAD))
    payload = action.repository.merge_group_event(group)
    action.repository.commit({".github/review-bot.yml": "fail-on: errors\n"})
    payload["merge_group"]["base_sha"] = action.repository.tip("main")
    result = action.run(None, event="merge_group", payload=payload, inputs={"status": "true"})
    assert result.code == 2
    assert states(action, group) == [("review-bot", "pending"), ("review-bot", "error")]


def test_a_merge_group_that_is_gone_is_nothing_to_do(action):
    group = action.repository.merge_group(action.open(BAD))
    payload = action.repository.merge_group_event(group, "destroyed")
    result = action.run(None, event="merge_group", payload=payload)
    assert (result.code, result.log) == (0, "Nothing to do: the merge group no longer exists.\n")
    assert not action.github.requests


# ------------------------------------------------------------------------------------------------- workflow_run


def test_a_workflow_run_of_the_same_repository_reviews_its_pull_request(action):
    pr = action.open(BAD)
    run = action.repository.workflow_run(pr.head_sha, pull_requests=(pr.number,))
    payload = action.repository.workflow_run_event(run)
    assert action.run(None, event="workflow_run", payload=payload).code == 1
    assert len(pr.review_comments) == 1


def test_a_workflow_run_of_a_fork_needs_the_number_and_checks_the_head(action):
    pr = action.open(BAD, head_repository=action.repository.fork("eve"), author="eve")
    payload = action.repository.workflow_run_event(action.repository.workflow_run(pr.head_sha))
    unnamed = action.run(None, event="workflow_run", payload=payload)
    assert unnamed.code == 2
    assert "set the input pr-number" in unnamed.log
    named = action.run(None, event="workflow_run", payload=payload, inputs={"pr-number": str(pr.number)})
    assert (named.code, len(pr.review_comments)) == (1, 1)
    pr.push({"halcyon/more.py": BAD_LINE})
    moved = action.run(None, event="workflow_run", payload=payload, inputs={"pr-number": str(pr.number)})
    assert (moved.code, len(pr.review_comments)) == (3, 1)
    assert "(E-SUPERSEDED)" in moved.log


def test_a_number_that_is_another_pull_request_is_not_believed(action):
    """The number comes from an artifact that the change may have made; its head must be what the other run was about."""
    pr, other = action.open(BAD), action.open({"halcyon/other.py": BAD_LINE})
    payload = action.repository.workflow_run_event(action.repository.workflow_run(pr.head_sha))
    result = action.run(None, event="workflow_run", payload=payload, inputs={"pr-number": str(other.number)})
    assert result.code == 3
    assert not other.review_comments
    assert not wrote(action)


# ------------------------------------------------------------------------------------------------- workflow_dispatch


@pytest.mark.parametrize(
    ("ref", "is_head", "code"), [("feature-1", False, 2), ("feature-2", True, 0), ("main", False, 0)]
)
def test_a_run_by_hand_on_another_branch_gives_its_commit_no_check_of_another_pull_request(
    action: Action, ref: str, is_head: bool, code: int
):
    bad = action.open({"halcyon/steps.py": BAD_LINE})
    good = action.open({"halcyon/limit.py": '"""The limit."""\n\nLIMIT = 1\n'})
    number = str(good.number)
    payload = action.repository.workflow_dispatch_event({"pr-number": number}, ref=f"refs/heads/{ref}")
    commit = {"GITHUB_SHA": good.head_sha if is_head else bad.head_sha}
    result = action.run(None, event="workflow_dispatch", payload=payload, inputs={"pr-number": number}, extra=commit)
    assert result.code == code
    assert bool(good.comments) == (code == 0)
    assert code == 0 or "would count there" in result.log


@pytest.mark.parametrize(("number", "code"), [("1", 1), ("#1", 1), ("", 2), ("one", 2), ("77", 3)])
def test_a_dispatched_run_needs_a_number(action, number, code):
    pr = action.open(BAD)
    payload = action.repository.workflow_dispatch_event({"pr-number": number})
    result = action.run(None, event="workflow_dispatch", payload=payload, inputs={"pr-number": number})
    assert result.code == code
    assert len(pr.review_comments) == (code == 1)
    if code == 3:
        assert "(E-GONE)" in result.log


def test_a_dispatched_run_that_fails_takes_an_earlier_green_status_away(action):
    action.token = action.github.token(permissions=WRITES)
    pr = action.open({"halcyon/fine.py": '"""Fine."""\n'})
    payload = action.repository.workflow_dispatch_event({"pr-number": "1"})

    def review():
        inputs = {"pr-number": "1", "status": "true"}
        return action.run(None, event="workflow_dispatch", payload=payload, inputs=inputs).code

    assert review() == 0
    assert states(action, pr.head_sha) == [("review-bot", "pending"), ("review-bot", "success")]
    action.repository.commit({".github/review-bot.yml": "fail-on: errors\n"})
    assert review() == 2
    assert states(action, pr.head_sha)[-1] == ("review-bot", "error")


def test_the_base_branch_may_be_gone(action):
    action.repository.set_branch("release", action.repository.tip("main"))
    pr = action.open(BAD, base="release")
    action.repository.set_branch("release", None)
    assert action.run(pr).code in {1, 3}


def test_an_unborn_file_list_is_no_review(action):
    """A pull request that changes nothing passes, and says so."""
    pr = action.open({"halcyon/cache.py": CLEAN["halcyon/cache.py"]})
    result = action.run(pr)
    assert result.code == 0
    assert "nothing to review" in pr.comments[0].body
