"""PyGithub, another client by other people, agrees with ours: on what to send, and on what we have written.

It runs on ``requests``, so that ``responses`` sees its calls; our client's reach the same replies through a transport.
"""

import json

import github as pygithub
import pytest
import responses

from fake_github.server import FakeGitHub
from review_bot.comments.model import NewComment, Posted, PublicationPlan
from review_bot.forges.github import publisher, statuses
from review_bot.forges.github.client import Client
from review_bot.forges.github.publisher import Place
from tests.forges.github.requests_transport import RequestsTransport

API = "https://api.github.com"
REPOSITORY = "octo/halcyon"
HEAD = "c" * 40
TEXT = "Two\nlines, `code` and žluť 🙂\n\n<!-- review-bot:1 review-bot inline 0011223344556677-01234567 -->"

ON_LINE = NewComment("engine/run.py", 3, None, f"On a line. {TEXT}", ("a" * 16,))
ON_LINES = NewComment("engine/run.py", 5, 4, f"On two lines. {TEXT}", ("b" * 16,))
ON_FILE = NewComment("engine/run.py", None, None, f"On a file. {TEXT}", ("c" * 16,))
PLAN = PublicationPlan(
    new=(ON_LINE, ON_LINES, ON_FILE),
    review_body="Three findings.",
    summary=f"The summary. {TEXT}",
    request_changes=True,
)


class NoWait:
    """A clock that stands still."""

    def now(self):
        return 0.0

    wall = now

    def sleep(self, seconds):
        pass


def carry_out(client, plan, number, head):
    """Carry out a plan once, whatever stands there."""
    return publisher.Publication(
        client,
        Place(REPOSITORY, number),
        head,
        Posted(),
        plan,
        lambda _posted, _withheld: PublicationPlan(),
        Posted,
        lambda: True,
    ).run()


@pytest.fixture
def github_com():
    """Answer for a pull request with number 3 what both clients need to make their calls."""
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        pull = {
            "url": f"{API}/repos/{REPOSITORY}/pulls/3",
            "issue_url": f"{API}/repos/{REPOSITORY}/issues/3",
            "number": 3,
        }
        commit = {"sha": HEAD, "url": f"{API}/repos/{REPOSITORY}/commits/{HEAD}"}
        made = {"id": 1, "html_url": "https://github.com/octo/halcyon/pull/3#1"}
        for origin in (API, "https://api.github.com:443"):  # PyGithub names the port
            root = f"{origin}/repos/{REPOSITORY}"
            mock.get(f"{root}/pulls/3", json={**pull, "head": {"sha": HEAD}})
            mock.get(f"{root}/commits/{HEAD}", json=commit)
            mock.post(f"{root}/pulls/3/reviews", json=made)
            mock.post(f"{root}/pulls/3/comments", json=made, status=201)
            mock.post(f"{root}/issues/3/comments", json=made, status=201)
            mock.post(f"{root}/statuses/{HEAD}", json={**made, "url": f"{root}/statuses/{HEAD}"}, status=201)
        yield mock


def sent(mock):
    """Return what was posted, by path."""
    posted = [call.request for call in mock.calls if call.request.method == "POST"]
    found = {request.path_url: json.loads(request.body) for request in posted}
    assert len(found) == len(posted)
    mock.calls.reset()
    return found


def ours(mock, write):
    """Return what our client posts when ``write`` uses it."""
    with Client(API, "a-token", clock=NoWait(), transport=RequestsTransport()) as client:
        write(client)
    return sent(mock)


def theirs():
    """Return PyGithub's repository and pull request."""
    repository = pygithub.Github(
        auth=pygithub.Auth.Token("a-token"), lazy=True, seconds_between_requests=None, seconds_between_writes=None
    )
    found = repository.get_repo(REPOSITORY)
    return found, found.get_pull(3)


def test_both_clients_post_the_same_review(github_com):
    plan = PLAN._replace(new=(ON_LINE, ON_LINES), summary=None)
    posted = ours(github_com, lambda client: carry_out(client, plan, 3, HEAD))
    repository, pull = theirs()
    pull.create_review(
        commit=repository.get_commit(HEAD),
        body=plan.review_body,
        event="REQUEST_CHANGES",
        comments=[
            {"path": ON_LINE.path, "line": 3, "side": "RIGHT", "body": ON_LINE.body},
            {
                "path": ON_LINES.path,
                "start_line": 4,
                "start_side": "RIGHT",
                "line": 5,
                "side": "RIGHT",
                "body": ON_LINES.body,
            },
        ],
    )
    assert posted == sent(github_com)
    assert [*posted] == [f"/repos/{REPOSITORY}/pulls/3/reviews"]


def test_both_clients_post_the_same_comment_on_a_file_the_same_summary_and_the_same_status(github_com):
    plan = PublicationPlan(new=(ON_FILE,), summary=PLAN.summary)

    def write(client):
        carry_out(client, plan, 3, HEAD)
        statuses.post(
            client, REPOSITORY, HEAD, "review-bot", "failure", "One must be fixed.", "https://example.org/run/1"
        )

    posted = ours(github_com, write)
    repository, pull = theirs()
    commit = repository.get_commit(HEAD)
    pull.create_review_comment(ON_FILE.body, commit, ON_FILE.path, subject_type="file")
    pull.create_issue_comment(plan.summary)
    commit.create_status("failure", "https://example.org/run/1", "One must be fixed.", "review-bot")
    assert posted == sent(github_com)
    assert len(posted) == 3


def test_pygithub_reads_back_from_the_stand_in_what_we_wrote():
    """No mock at all: two clients, one server."""
    with FakeGitHub() as stand_in:
        repository = stand_in.repository(REPOSITORY)
        repository.commit({"engine/run.py": "a = 1\n"})
        repository.commit({"engine/run.py": "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n"}, branch="more")
        pull = repository.open_pull_request("more")
        token = stand_in.token(permissions={"contents": "read", "pull-requests": "write", "statuses": "write"})
        with Client(stand_in.url, token, graphql_url=stand_in.graphql_url, clock=NoWait()) as client:
            outcome = carry_out(client, PLAN, pull.number, pull.head_sha)
            statuses.post(client, REPOSITORY, pull.head_sha, "review-bot", "failure", "One must be fixed.")
        assert (outcome.problems, outcome.withheld) == ((), ())

        reader = pygithub.Github(auth=pygithub.Auth.Token(token), base_url=stand_in.url, seconds_between_requests=None)
        read = reader.get_repo(REPOSITORY).get_pull(pull.number)
        assert (read.head.sha, read.base.ref, read.changed_files, read.additions) == (pull.head_sha, "main", 1, 4)

        # A comment on a file is not part of the review: GitHub gives it one of its own, without a body.
        (review,) = (made for made in read.get_reviews() if made.body)
        assert (review.body, review.state, review.commit_id) == ("Three findings.", "CHANGES_REQUESTED", pull.head_sha)
        assert review.user.login == "github-actions[bot]"

        fields = ("path", "line", "start_line", "side", "start_side", "subject_type", "body", "commit_id")
        comments = {comment.line: comment for comment in read.get_review_comments() if comment.subject_type == "line"}
        assert [tuple(getattr(comments[line], name) for name in fields) for line in (3, 5)] == [
            ("engine/run.py", 3, None, "RIGHT", None, "line", ON_LINE.body, pull.head_sha),
            ("engine/run.py", 5, 4, "RIGHT", "RIGHT", "line", ON_LINES.body, pull.head_sha),
        ]
        (on_file,) = (comment for comment in read.get_review_comments() if comment.subject_type == "file")
        assert (on_file.path, on_file.body) == (ON_FILE.path, ON_FILE.body)

        (summary,) = read.get_issue_comments()
        assert (summary.body, summary.html_url) == (PLAN.summary, outcome.summary_url)

        (status,) = reader.get_repo(REPOSITORY).get_commit(pull.head_sha).get_combined_status().statuses
        assert (status.state, status.context, status.description) == ("failure", "review-bot", "One must be fixed.")
        reader.close()
