"""Replies of GitHub as people have pasted them into issues, served to our client through ``requests``.

Each sample is written by us after the fact that its source tells; no recording of anybody is copied.
"""

import json

import pytest
import requests
import responses
from responses.matchers import header_matcher, json_params_matcher, query_param_matcher
from responses.registries import OrderedRegistry

from review_bot.errors import (
    Ambiguous,
    BadData,
    Forbidden,
    NotFound,
    RateLimited,
    Rejected,
    ServerBroken,
    TokenRefused,
    Unreachable,
)
from review_bot.forges.github.client import Client
from review_bot.forges.github.wire import Answer
from tests.forges.github.requests_transport import RequestsTransport
from tests.forges.github.scripted_server import VirtualClock

API = "https://api.github.com"
REVIEWS = "/repos/o/r/pulls/3/reviews"
COMMENTS = "/repos/o/r/pulls/3/comments"
REVIEW = {"commit_id": "c" * 40, "body": "Two findings.", "event": "COMMENT"}


class Made(Answer):
    """What these samples answer with."""

    id: int


@pytest.fixture
def clock():
    return VirtualClock()


@pytest.fixture
def client(clock):
    with Client(API, "a-token", clock=clock, transport=RequestsTransport()) as made:
        yield made


@pytest.fixture
def github():
    """GitHub, answering in the order in which replies were declared; each must be asked for."""
    with responses.RequestsMock(assert_all_requests_are_fired=True, registry=OrderedRegistry) as mock:
        yield mock


def refuse(github, path, errors, message="Validation Failed"):
    body = {"message": message, "errors": errors, "documentation_url": "https://docs.github.com/rest", "status": "422"}
    github.post(API + path, status=422, json=body)


@pytest.mark.parametrize(
    "said",
    [
        # https://github.com/The-PR-Agent/pr-agent/issues/592
        "Pull request review thread line must be part of the diff and Pull request review thread diff hunk can't be blank",
        # https://github.com/ubuntu/WSL/pull/244
        "Pull request review thread start line must precede the end line.",
        # https://github.com/villesau/ai-codereviewer/issues/34
        "Pull request review thread path is invalid and Pull request review thread diff hunk can't be blank",
        # https://github.com/alibaba/open-code-review/issues/624
        "Line could not be resolved",
        # https://github.com/octokit/plugin-rest-endpoint-methods.js/issues/595
        "Review comments is invalid and Review threads is invalid",
        # https://github.com/reviewdog/reviewdog/issues/1696
        "Body is too long (maximum is 65536 characters)",
    ],
)
def test_a_refused_review_tells_the_words_of_github_and_is_sent_once(client, github, clock, said):
    refuse(github, REVIEWS, [said], message="Unprocessable Entity")
    with pytest.raises(Rejected) as refused:
        client.send("POST", REVIEWS, REVIEW, Made)
    assert refused.value.messages == (said,)
    assert (len(github.calls), clock.waits) == (1, [])


def test_a_refused_comment_tells_its_errors_though_they_are_objects(client, github):
    """The endpoint of single comments refuses in another shape: https://github.com/cli/cli/issues/5746."""
    line = {
        "resource": "PullRequestReviewComment",
        "code": "custom",
        "field": "pull_request_review_thread.line",
        "message": "pull_request_review_thread.line must be part of the diff",
    }
    hunk = {
        "resource": "PullRequestReviewComment",
        "code": "missing_field",
        "field": "pull_request_review_thread.diff_hunk",
    }
    refuse(github, COMMENTS, [line, hunk])
    with pytest.raises(Rejected) as refused:
        client.send("POST", COMMENTS, {"body": "x"}, Made)
    assert "must be part of the diff" in refused.value.messages[0]
    assert "diff_hunk" in refused.value.messages[1]


def test_what_is_sent_is_what_the_reply_was_declared_for(client, github):
    github.post(
        API + REVIEWS,
        json={"id": 7, "state": "COMMENTED"},
        match=[
            json_params_matcher(REVIEW),
            header_matcher(
                {
                    "authorization": "Bearer a-token",
                    "accept": "application/vnd.github+json",
                    "x-github-api-version": "2022-11-28",
                    "content-type": "application/json",
                }
            ),
        ],
    )
    assert client.send("POST", REVIEWS, REVIEW, Made) == Made(id=7)
    assert json.loads(github.calls[0].request.body) == REVIEW


def test_pages_are_followed_by_the_number_of_the_repository_as_github_links_them(client, github):
    """Recorded as ``paginate-issues`` in https://github.com/octokit/fixtures: pages are under ``/repositories/{id}``."""

    def link(page, name):
        return f'<{API}/repositories/64778136/pulls/3/comments?per_page=100&page={page}>; rel="{name}"'

    github.get(
        API + COMMENTS,
        json=[{"id": 1}, {"id": 2}],
        headers={"Link": f"{link(2, 'next')}, {link(2, 'last')}"},
        match=[query_param_matcher({"per_page": "100"})],
    )
    github.get(
        f"{API}/repositories/64778136/pulls/3/comments",
        json=[{"id": 2}, {"id": 3}],
        headers={"Link": f"{link(1, 'prev')}, {link(1, 'first')}"},
        match=[query_param_matcher({"per_page": "100", "page": "2"})],
    )
    got = client.get_all(COMMENTS, Made, {"per_page": 100})
    assert [row.id for row in got] == [1, 2, 3]


def test_a_link_to_another_host_is_refused_and_never_asked(client, github):
    github.get(API + COMMENTS, json=[{"id": 1}], headers={"Link": '<https://example.org/comments?page=2>; rel="next"'})
    with pytest.raises(BadData):
        client.get_all(COMMENTS, Made)


def test_a_renamed_repository_is_followed(client, github):
    """Recorded as ``rename-repository`` in https://github.com/octokit/fixtures."""
    moved = f"{API}/repositories/64778136/pulls/3"
    github.get(
        f"{API}/repos/o/r/pulls/3", status=301, headers={"Location": moved}, json={"message": "Moved", "url": moved}
    )
    github.get(moved, json={"id": 5})
    assert client.get("/repos/o/r/pulls/3", Made).id == 5


@pytest.mark.parametrize(
    ("status", "headers", "body", "least"),
    [
        (403, {"Retry-After": "7"}, {"message": "You have exceeded a secondary rate limit."}, 7),
        (429, {"Retry-After": "3"}, {"message": "Too many requests"}, 3),
        (
            403,
            {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000020"},
            {"message": "API rate limit exceeded"},
            20,
        ),
        (503, {"Retry-After": "2"}, {"message": "Service unavailable"}, 2),
    ],
)
def test_a_limit_is_waited_for_as_long_as_github_says(client, github, clock, status, headers, body, least):
    github.get(API + COMMENTS, status=status, headers=headers, json=body)
    github.get(API + COMMENTS, json=[{"id": 1}])
    assert client.get_all(COMMENTS, Made) == [Made(id=1)]
    assert sum(clock.waits) >= least


def test_a_limit_that_holds_too_long_ends_the_run(client, github):
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1003600"}
    github.get(API + COMMENTS, status=403, headers=headers, json={"message": "API rate limit exceeded"})
    with pytest.raises(RateLimited):
        client.get_all(COMMENTS, Made)


@pytest.mark.parametrize(
    ("status", "message", "error"),
    [
        (401, "Bad credentials", TokenRefused),
        (403, "Resource not accessible by integration", Forbidden),
        (404, "Not Found", NotFound),
    ],
)
def test_a_refusal_for_good_is_asked_once(client, github, clock, status, message, error):
    github.get(
        API + COMMENTS, status=status, json={"message": message, "documentation_url": "https://docs.github.com/rest"}
    )
    with pytest.raises(error):
        client.get_all(COMMENTS, Made)
    assert (len(github.calls), clock.waits) == (1, [])


def test_a_page_of_html_in_place_of_json_is_asked_for_again(client, github):
    github.get(API + COMMENTS, status=502, body="<html>Unicorn!</html>", content_type="text/html")
    github.get(API + COMMENTS, body="<html>Unicorn!</html>", content_type="text/html")
    github.get(API + COMMENTS, json=[{"id": 1}])
    assert client.get_all(COMMENTS, Made) == [Made(id=1)]


@pytest.mark.parametrize(
    "error",
    [requests.exceptions.ConnectTimeout("no answer"), requests.exceptions.ConnectionError("refused")],
    ids=["timeout", "refused"],
)
def test_a_network_that_fails_for_good_is_named(client, error):
    with responses.RequestsMock() as github:
        github.get(API + COMMENTS, body=error)
        with pytest.raises(Unreachable):
            client.get_all(COMMENTS, Made)
        assert len(github.calls) == 5


def test_a_server_that_stays_broken_is_named(client):
    with responses.RequestsMock() as github:
        github.get(API + COMMENTS, status=500, json={"message": "Server Error"})
        with pytest.raises(ServerBroken):
            client.get_all(COMMENTS, Made)


@pytest.mark.parametrize(
    "reply",
    [
        {"body": requests.exceptions.ReadTimeout("no answer")},
        {"body": requests.exceptions.ChunkedEncodingError("broken off")},
        {"status": 502, "body": "<html>Unicorn!</html>"},
    ],
    ids=["timeout", "broken off", "502"],
)
def test_a_write_whose_answer_is_lost_is_not_repeated(client, github, reply):
    github.post(API + REVIEWS, **reply)
    with pytest.raises(Ambiguous):
        client.send("POST", REVIEWS, REVIEW, Made)
    assert len(github.calls) == 1
