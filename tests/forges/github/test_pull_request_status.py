"""How a pull request stands apart from our review: other checks, open conversations, approvals of the head."""

from __future__ import annotations

import pytest

from fake_github.repository import FakePullRequest, FakeRepository
from fake_github.server import FakeGitHub
from review_bot.forges.github.client import Client
from review_bot.forges.github.overview import read_overview
from review_bot.forges.github.pull_request_status import MOST_NAMED, Check, Own, Reported, status_of
from review_bot.forges.github.review_threads import Thread
from review_bot.review.context import PullRequestStatus

OWN = Own("review-bot", "77", frozenset({1, 2}))


def checks(*found: Check, whole: bool = True) -> PullRequestStatus:
    return status_of(Reported(found, whole), OWN, ())


@pytest.mark.parametrize(
    ("found", "ci"),
    [
        ((), "none"),
        ((Check("test", "passed"),), "passed"),
        ((Check("test", "passed"), Check("build", "pending")), "pending"),
        ((Check("test", "failed"), Check("build", "pending")), "failed"),
    ],
)
def test_the_worst_of_all_checks_counts(found: tuple[Check, ...], ci: str) -> None:
    assert checks(*found).ci == ci


@pytest.mark.parametrize(
    "name", ["review-bot", "Review-Bot", "CI / review-bot", "review-bot job", "Review Bot / review-bot comments"]
)
@pytest.mark.parametrize("state", ["pending", "failed"])
def test_our_own_checks_are_left_out_by_name(name: str, state: str) -> None:
    assert checks(Check(name, state), Check("test", "passed")).ci == "passed"  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["review-bots", "my-review-bot", "review"])
def test_others_with_a_similar_name_are_not(name: str) -> None:
    assert checks(Check(name, "failed")) == PullRequestStatus("failed", (name,), None, ())


def test_our_own_job_is_known_by_its_run_whatever_it_is_called() -> None:
    assert checks(Check("gate", "pending", "77"), Check("test", "passed", "77")).ci == "passed"
    assert checks(Check("gate", "pending", "77"), Check("test", "pending", "77")).ci == "pending"
    assert checks(Check("gate", "pending", "78"), Check("test", "passed", "77")).ci == "pending"
    assert checks(Check("review-bot", "pending", "77"), Check("test", "pending", "77")).ci == "pending"
    assert checks(Check("gate", "pending", "77")).ci == "none"


def test_what_was_not_told_is_not_known() -> None:
    assert checks(Check("test", "passed"), whole=False).ci is None
    assert checks(Check("test", "failed"), whole=False).ci == "failed"
    assert status_of(Reported(), OWN, ("ada",)) == PullRequestStatus(None, (), None, ("ada",))


def test_failing_checks_are_named_to_a_number() -> None:
    found = checks(*(Check(f"test {number:02}", "failed") for number in range(30)))
    assert len(found.failing) == MOST_NAMED
    assert found.failing[0] == "test 00"


def test_open_conversations_that_are_not_ours_are_counted() -> None:
    threads = (
        Thread("T", 1, resolved=False),
        Thread("T", 3, resolved=False),
        Thread("T", 4, resolved=True),
        Thread("T", None, resolved=False),
    )
    assert status_of(Reported(threads=threads), OWN, ()).unresolved == 2


class Hosted:
    """A pull request at a fake GitHub, and what is said of it."""

    def __init__(self, github: FakeGitHub, *, private: bool = False) -> None:
        self.github = github
        self.repository: FakeRepository = github.repository("octo/halcyon")
        self.repository.commit({"a.py": "a = 1\n"})
        self.repository.commit({"a.py": "a = 2\n"}, branch="feature")
        self.pull: FakePullRequest = self.repository.open_pull_request("feature")
        self.repository.record.private = private

    def reported(self, **permissions: str) -> Reported:
        token = self.github.token(permissions={"contents": "read", "pull-requests": "read", **permissions})
        with Client(self.github.url, token, graphql_url=self.github.graphql_url) as client:
            return read_overview(client, "octo/halcyon", 1).reported


def test_github_tells_checks_and_statuses_of_the_head() -> None:
    with FakeGitHub() as github:
        hosted = Hosted(github)
        head, other = hosted.pull.head_sha, hosted.repository.tip("main") or ""
        for name, conclusion in (("build", "success"), ("lint", "skipped"), ("test", "timed_out"), ("docs", None)):
            hosted.repository.check_run(head, name, conclusion, run=5)
        hosted.repository.check_run(head, "again", "failure", run=6)
        hosted.repository.check_run(head, "again", "success", run=7)
        hosted.repository.check_run(other, "elsewhere", "failure")
        for context, state in (("ci/one", "success"), ("ci/two", "pending"), ("ci/three", "error")):
            hosted.repository.status(head, context, state)
        hosted.repository.status(head, "ci/three", "success")
        assert hosted.reported() == Reported(
            (
                Check("again", "passed", "7"),
                Check("build", "passed", "5"),
                Check("ci/one", "passed"),
                Check("ci/three", "passed"),
                Check("ci/two", "pending"),
                Check("docs", "pending", "5"),
                Check("lint", "passed", "5"),
                Check("test", "failed", "5"),
            ),
            threads=(),
        )


def test_nothing_reported_is_not_known() -> None:
    with FakeGitHub() as github:
        assert Hosted(github).reported() == Reported(threads=())


@pytest.mark.parametrize(
    ("permissions", "names"),
    [
        ({}, []),
        ({"checks": "read"}, ["test"]),
        ({"statuses": "read"}, ["ci"]),
        ({"checks": "read", "statuses": "read"}, ["ci", "test"]),
    ],
)
def test_what_the_token_may_not_read_is_not_known_and_the_rest_is(
    permissions: dict[str, str], names: list[str]
) -> None:
    with FakeGitHub() as github:
        hosted = Hosted(github, private=True)
        hosted.repository.check_run(hosted.pull.head_sha, "test", "failure")
        hosted.repository.status(hosted.pull.head_sha, "ci", "success")
        found = hosted.reported(**permissions)
        assert [check.name for check in found.checks or ()] == names
        assert found.all_checks == (len(names) == 2)
        told = status_of(found, OWN, ())
        assert told.ci == ("failed" if "test" in names else None)


def test_more_than_can_be_listed_is_not_known() -> None:
    with FakeGitHub() as github:
        hosted = Hosted(github)
        for number in range(101):
            hosted.repository.check_run(hosted.pull.head_sha, f"job {number}", "success")
        assert not hosted.reported().all_checks


def test_github_tells_who_began_a_conversation() -> None:
    with FakeGitHub() as github:
        hosted = Hosted(github)
        hosted.pull.review_as("grace", [{"path": "a.py", "line": 1, "body": "Why?"}], body="Two.")
        hosted.pull.review_as("mallory", [{"path": "a.py", "line": 1, "body": "What?"}], body="One.")
        first, second = hosted.pull.review_comments
        hosted.pull.resolve_thread(second.thread)
        assert hosted.reported().threads == (
            Thread(first.thread, first.id, resolved=False),
            Thread(second.thread, second.id, resolved=True),
        )
