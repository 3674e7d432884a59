"""The label of a decision: which to add and to remove, and what GitHub has afterwards."""

import pytest

from fake_github.faults import Fault
from fake_github.server import FakeGitHub
from review_bot.errors import Forbidden
from review_bot.forges.github.client import Client
from review_bot.forges.github.labels import change, outdated
from tests.action import VirtualClock


@pytest.mark.parametrize(
    ("name", "labels", "added", "removed"),
    [
        ("review-bot", (), ["review-bot: comments"], []),
        ("review-bot", ("bug", "review-bot: comments"), [], []),
        ("review-bot", ("Review-Bot: Comments",), [], []),
        ("review-bot", ("review-bot: no-findings", "bug"), ["review-bot: comments"], ["review-bot: no-findings"]),
        ("review-bot", ("review-bot: later",), ["review-bot: comments"], []),
        ("strict", ("review-bot: no-findings",), ["strict: comments"], []),
        ("n" * 40, (), [f"{'n' * 30}: comments"], []),
    ],
)
def test_one_label_of_ours_is_left(name, labels, added, removed):
    assert outdated(name, "comments", labels) == (added, removed)


@pytest.fixture
def pull():
    with FakeGitHub() as github:
        repository = github.repository("octo/halcyon")
        repository.commit({"a.txt": "a\n"})
        repository.commit({"a.txt": "b\n"}, branch="feature")
        yield github, repository.open_pull_request("feature")


@pytest.mark.parametrize("kind", [None, "reset_before", "502_after"])
def test_labels_are_added_and_removed_whatever_becomes_of_the_answer(pull, kind):
    github, pr = pull
    pr.record.labels[:] = ["bug", "review-bot: no-findings"]
    if kind is not None:
        github.faults.add(Fault(("POST", "/issues/*/labels"), kind))
    with Client(github.url, github.token(), clock=VirtualClock()) as client:
        change(
            client, "octo/halcyon", pr.number, ["review-bot: comments"], ["review-bot: no-findings", "review-bot: gone"]
        )
    assert pr.record.labels == ["bug", "review-bot: comments"]


def test_a_token_that_may_not_write_is_refused(pull):
    github, pr = pull
    token = github.token(permissions={"pull_requests": "read"})
    with Client(github.url, token, clock=VirtualClock()) as client, pytest.raises(Forbidden):
        change(client, "octo/halcyon", pr.number, ["review-bot: comments"], [])
