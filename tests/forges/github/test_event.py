"""What an event says of which pull request to review."""

import json

import pytest

from review_bot.errors import UsageError
from review_bot.forges.github.event import (
    CommandTarget,
    MergeGroupTarget,
    NothingToDo,
    PullRequestTarget,
    read_payload,
    target,
)

HEAD, BASE = "a" * 40, "b" * 40


def read(event, payload, pr_number="", repository="octo/halcyon"):
    return target(event, payload, repository, pr_number, command="/review-bot")


def pull(number=7):
    return {"number": number, "pull_request": {"number": number, "head": {"sha": HEAD}, "base": {"sha": BASE}}}


@pytest.mark.parametrize("event", ["pull_request", "pull_request_target", "pull_request_review"])
def test_a_pull_request_is_named_with_its_commits(event):
    assert read(event, pull()) == PullRequestTarget("octo/halcyon", 7, HEAD, BASE)


def test_a_head_that_is_no_commit_is_not_believed():
    payload = pull()
    payload["pull_request"]["head"]["sha"] = "main; rm -rf /"
    assert read("pull_request", payload) == PullRequestTarget("octo/halcyon", 7, None, BASE)


def test_a_deleted_head_repository_is_no_matter():
    payload = pull()
    payload["pull_request"]["head"]["repo"] = None
    assert read("pull_request", payload) == PullRequestTarget("octo/halcyon", 7, HEAD, BASE)


@pytest.mark.parametrize(
    "payload", [{}, {"pull_request": None}, {"pull_request": {}}, {"pull_request": {"number": "7"}}]
)
def test_a_payload_without_a_number_is_an_error(payload):
    with pytest.raises(UsageError, match="payload of pull_request"):
        read("pull_request", payload)


def test_a_merge_group_is_its_own_range():
    group = {"base_sha": BASE, "head_sha": HEAD, "base_ref": "refs/heads/main"}
    payload = {"action": "checks_requested", "merge_group": group}
    assert read("merge_group", payload) == MergeGroupTarget("octo/halcyon", BASE, HEAD, "main")


def test_a_merge_group_that_lacks_a_commit_is_an_error():
    with pytest.raises(UsageError, match="lacks base_sha"):
        read("merge_group", {"merge_group": {"head_sha": HEAD, "base_ref": "refs/heads/main"}})


def test_a_destroyed_merge_group_is_nothing_to_do():
    assert isinstance(read("merge_group", {"action": "destroyed", "merge_group": {}}), NothingToDo)


def comment(body="/review-bot rerun", action="created", **issue):
    return {
        "action": action,
        "issue": {"number": 7, "pull_request": {}, **issue},
        "comment": {"id": 5, "body": body, "user": {"login": "ada"}},
    }


def test_a_comment_that_speaks_to_us_is_a_command():
    assert read("issue_comment", comment()) == CommandTarget("octo/halcyon", 7, 5, "ada", "/review-bot rerun")


@pytest.mark.parametrize(
    "payload",
    [
        comment(body="please /review-bot rerun"),
        comment(body="/review-bots rerun"),
        comment(action="edited"),
        comment() | {"issue": {"number": 7}},
        comment() | {"comment": {"id": 5, "body": "/review-bot rerun", "user": None}},
    ],
)
def test_any_other_comment_is_nothing_to_do(payload):
    assert isinstance(read("issue_comment", payload), NothingToDo)


def test_a_workflow_run_takes_the_number_and_expects_the_head():
    payload = {"workflow_run": {"head_sha": HEAD, "pull_requests": []}}
    assert read("workflow_run", payload, pr_number="7") == PullRequestTarget("octo/halcyon", 7, HEAD)


def test_a_workflow_run_of_the_same_repository_names_its_pull_request():
    payload = {"workflow_run": {"head_sha": HEAD, "pull_requests": [{"number": 9}]}}
    assert read("workflow_run", payload) == PullRequestTarget("octo/halcyon", 9, HEAD)


@pytest.mark.parametrize("pulls", [[], [{"number": 1}, {"number": 2}], None, ["7"]])
def test_a_workflow_run_that_leaves_a_doubt_is_an_error(pulls):
    with pytest.raises(UsageError, match="pr-number"):
        read("workflow_run", {"workflow_run": {"head_sha": HEAD, "pull_requests": pulls}})


def test_any_other_event_needs_a_number():
    assert read("workflow_dispatch", {}, pr_number="#12") == PullRequestTarget("octo/halcyon", 12)
    with pytest.raises(UsageError, match="set the input pr-number"):
        read("push", {})


@pytest.mark.parametrize("number", ["0", "-1", "1e3", "12; ls", "١٢", "9" * 12])
def test_a_number_that_is_none_is_refused(number):
    with pytest.raises(UsageError, match="pr-number"):
        read("workflow_dispatch", {}, pr_number=number)


@pytest.mark.parametrize("repository", ["", "octo", "octo/halcyon/x", "octo/hal cyon", "octo/..", "./halcyon"])
def test_a_repository_that_is_none_is_refused(repository):
    with pytest.raises(UsageError, match="GITHUB_REPOSITORY"):
        read("workflow_dispatch", {}, pr_number="1", repository=repository)


@pytest.mark.parametrize(
    ("text", "words"), [("[]", "is not the payload"), ("{", "not JSON"), ("[" * 100_000, "not JSON")]
)
def test_a_payload_that_is_no_object_is_an_error(tmp_path, text, words):
    path = tmp_path / "event.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=words):
        read_payload(str(path))


def test_a_payload_is_read_and_a_missing_one_is_named(tmp_path):
    path = tmp_path / "event.json"
    path.write_text(json.dumps(pull()))
    assert read_payload(str(path)) == pull()
    assert read_payload("") == {}
    with pytest.raises(UsageError, match="cannot be read"):
        read_payload(str(tmp_path / "none"))
