"""GitHub's own example payloads, read by our reader of events."""

import pytest

from contract import webhooks
from review_bot.errors import UsageError
from review_bot.forges.github.event import (
    CommandTarget,
    MergeGroupTarget,
    NothingToDo,
    PullRequestTarget,
    target,
)

_PAYLOADS = [
    pytest.param(event, payload, id=f"{event}-{payload.get('action', 'none')}-{position}")
    for event in (
        "pull_request",
        "pull_request_review",
        "merge_group",
        "issue_comment",
        "pull_request_review_comment",
        "workflow_run",
        "workflow_dispatch",
    )
    for position, payload in enumerate(webhooks.examples(event))
]


def _read(event, payload, pr_number=""):
    return target(event, payload, payload["repository"]["full_name"], pr_number, command="/review-bot")


def test_there_are_examples_of_each_event_we_read():
    assert len(_PAYLOADS) >= 50


@pytest.mark.parametrize(("event", "payload"), _PAYLOADS)
def test_an_example_of_github_is_read_as_what_it_is(event, payload):
    repository = payload["repository"]["full_name"]
    if event in {"pull_request", "pull_request_review"}:
        pull = payload["pull_request"]
        number = payload.get("number", pull["number"])
        expected = PullRequestTarget(
            repository,
            number,
            head=pull["head"]["sha"],
            base=pull["base"]["sha"],
            base_ref=pull["base"]["ref"],
            default_branch=payload["repository"]["default_branch"],
            is_open=pull["state"] == "open",
        )
        assert _read(event, payload) == expected
        if event == "pull_request":
            assert _read("pull_request_target", payload) == expected
    elif event == "merge_group":
        group = payload["merge_group"]
        base_ref = group["base_ref"].removeprefix("refs/heads/")
        default = payload["repository"]["default_branch"]
        assert _read(event, payload) == MergeGroupTarget(
            repository, group["base_sha"], group["head_sha"], base_ref, default, group["head_ref"]
        )
    elif event in {"issue_comment", "pull_request_review_comment"}:
        assert isinstance(_read(event, payload), NothingToDo)
    elif event == "workflow_run":
        head = payload["workflow_run"]["head_sha"]
        assert _read(event, payload, "7") == PullRequestTarget(repository, 7, head)
        pulls = payload["workflow_run"]["pull_requests"]
        if len(pulls) == 1:
            assert _read(event, payload) == PullRequestTarget(repository, pulls[0]["number"], head)
        else:
            with pytest.raises(UsageError):
                _read(event, payload)
    else:
        assert _read(event, payload, "7") == PullRequestTarget(repository, 7)
        with pytest.raises(UsageError):
            _read(event, payload)


def test_a_comment_on_a_pull_request_is_a_command_if_it_speaks_to_us(description):
    """GitHub's package has no example of one on a pull request: its fields are those of the schema."""
    payload = next(
        made for made in webhooks.examples("issue_comment") if not [*description.of_event("issue_comment", made)]
    )
    address = payload["issue"]["url"].replace("/issues/", "/pulls/")
    page = payload["issue"]["html_url"].replace("/issues/", "/pull/")
    links = {"url": address, "html_url": page, "diff_url": f"{page}.diff", "patch_url": f"{page}.patch"}
    payload = {
        **payload,
        "action": "created",
        "issue": {**payload["issue"], "pull_request": links},
        "comment": {**payload["comment"], "body": "/review-bot rerun"},
    }
    payload.pop("changes", None)
    assert not [*description.of_event("issue_comment", payload)]
    comment = payload["comment"]
    expected = CommandTarget(
        payload["repository"]["full_name"],
        payload["issue"]["number"],
        comment["id"],
        comment["user"]["login"],
        "/review-bot rerun",
        comment["created_at"],
    )
    assert _read("issue_comment", payload) == expected


def test_a_reply_in_a_thread_is_a_command_with_its_thread_and_the_head():
    example = next(made for made in webhooks.examples("pull_request_review_comment") if made["action"] == "created")
    comment = {**example["comment"], "body": "/review-bot decline because", "in_reply_to_id": 7}
    read = _read("pull_request_review_comment", {**example, "comment": comment})
    assert isinstance(read, CommandTarget)
    assert (read.thread, read.head) == (7, example["pull_request"]["head"]["sha"])
    del comment["in_reply_to_id"]
    assert _read("pull_request_review_comment", {**example, "comment": comment}).thread == comment["id"]


def test_a_payload_that_is_not_githubs_is_refused_by_the_judge(description):
    payload = {**webhooks.examples("merge_group")[1], "merge_group": {}}
    assert any("head_sha" in said for said in description.of_event("merge_group", payload))
    assert [*description.of_event("nonsense", {})] == ["GitHub has no event nonsense"]
