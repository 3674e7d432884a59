"""Each kind of fault does on the socket what its name says."""

from __future__ import annotations

import json
import time

import httpx
import pytest

from fake_github.faults import KINDS, TAKES_EFFECT, Fault, FaultKind
from fake_github.server import FakeGitHub
from tests.fake_github.conftest import client

WRITE = ("POST", "/issues/*/comments")
STATUSES = {
    "500": 500,
    "500_after": 500,
    "502_html": 502,
    "502_after": 502,
    "503_retry_after": 503,
    "403_secondary": 403,
    "429": 429,
    "primary_limit": 403,
    "401": 401,
    "403_permission": 403,
    "404": 404,
    "410": 410,
    "422_spam": 422,
    "html_200": 200,
    "redirect_away": 302,
    "truncated_json": 201,
    "wrong_shape": 201,
    "headers": 201,
}


def write(api):
    return api.post("/issues/1/comments", json={"body": "x"})


@pytest.mark.parametrize("kind", [*STATUSES])
def test_answers_that_are_no_success(github, api, pr, kind):
    fault = github.faults.add(Fault(WRITE, kind))
    got = write(api)
    assert got.status_code == STATUSES[kind]
    assert len(pr.comments) == (kind in TAKES_EFFECT)
    assert (github.requests[-1].fault, github.requests[-1].status, fault.hits) == (kind, got.status_code, 1)
    assert write(api).status_code == 201


@pytest.mark.parametrize("kind", ["reset_before", "reset_after"])
def test_resets(github, api, pr, kind):
    github.faults.add(Fault(WRITE, kind))
    with pytest.raises(httpx.ReadError, match="reset"):
        write(api)
    assert len(pr.comments) == (kind == "reset_after")
    assert github.requests[-1].status is None


@pytest.mark.parametrize("kind", ["timeout", "timeout_after"])
def test_timeouts(github, pr, kind):
    github.faults.add(Fault(WRITE, kind))
    with client(github, github.token(), timeout=0.05) as api, pytest.raises(httpx.ReadTimeout):
        write(api)
    assert len(pr.comments) == (kind == "timeout_after")


def test_a_slow_drip_beats_a_timeout_between_bytes(github, pr):
    github.faults.add(Fault(("GET", "/pulls/*"), "slow_drip", seconds=0.02))
    with (
        client(github, github.token(), timeout=0.1) as api,
        api.stream("GET", "/pulls/1") as answer,
    ):
        start, seen = time.monotonic(), b""
        for piece in answer.iter_raw():
            seen += piece
            if len(seen) >= 10:
                break
    assert seen[:2] == b'{"'
    assert time.monotonic() - start > 0.15


def test_a_body_that_ends_before_its_length(github, api, pr):
    github.faults.add(Fault(WRITE, "short_body"))
    with pytest.raises(httpx.RemoteProtocolError):
        write(api)
    assert len(pr.comments) == 1


def test_broken_bodies(github, api, pr):
    for kind in ("truncated_json", "html_200"):
        github.faults.add(Fault(WRITE, kind))
        with pytest.raises(json.JSONDecodeError):
            write(api).json()
    github.faults.add(Fault(WRITE, "bad_gzip"))
    with pytest.raises(httpx.DecodingError):
        write(api)
    github.faults.add(Fault(("GET", "/pulls/*"), "huge"))
    assert len(api.get("/pulls/1").content) > 64 << 20


def test_limits_say_when_to_come_back(github, api, pr):
    kinds: tuple[FaultKind, ...] = ("503_retry_after", "403_secondary", "429")
    for kind in kinds:
        github.faults.add(Fault(WRITE, kind))
        assert int(write(api).headers["retry-after"]) > 0
    github.faults.add(Fault(WRITE, "primary_limit"))
    got = write(api)
    assert (got.headers["x-ratelimit-remaining"], int(got.headers["x-ratelimit-reset"]) > time.time()) == ("0", True)


def test_headers_of_a_fault_replace_and_remove(github, api, pr):
    github.faults.add(Fault(WRITE, "429", headers={"Retry-After": "soon"}))
    assert write(api).headers["retry-after"] == "soon"
    github.faults.add(Fault(WRITE, "429", headers={"Retry-After": None}))
    assert "retry-after" not in write(api).headers


def test_times_and_after(github, api, pr):
    github.faults.add(Fault(WRITE, "500", times=2, after=1))
    assert [write(api).status_code for _ in range(5)] == [201, 500, 500, 201, 201]
    github.faults.add(Fault(WRITE, "500", times=None))
    assert {write(api).status_code for _ in range(5)} == {500}
    github.faults.clear()
    assert write(api).status_code == 201


def test_only_the_calls_that_are_meant(github, api, pr):
    github.faults.add(Fault(("GET", "/pulls/*"), "500", times=None))
    assert api.get("/pulls/1").status_code == 500
    assert api.get("/pulls/1/files").status_code == 200
    github.faults.clear()
    github.faults.add(Fault(("*", "/pulls/**"), "500", times=None))
    assert {api.get(path).status_code for path in ("/pulls", "/pulls/1", "/pulls/1/files")} == {500}
    github.faults.clear()
    github.faults.add(Fault(("GRAPHQL", "Overview"), "502_html"))
    assert api.post(github.graphql_url, json={"query": "query Other { viewer { login } }"}).status_code == 200
    assert api.post(github.graphql_url, json={"query": "query Overview { viewer { login } }"}).status_code == 502


def test_lists_that_lie(github, api, pr):
    pr.comment_as("grace", "one")
    pr.comment_as("grace", "two")
    path, here = "/issues/1/comments?per_page=1", ("GET", "/issues/*/comments")
    without_next: tuple[FaultKind, ...] = ("lost_page", "empty_list")
    for kind in without_next:
        github.faults.add(Fault(here, kind))
        assert "link" not in api.get(path).headers
    github.faults.add(Fault(here, "repeat_page"))
    assert api.get(path).links["next"]["url"].endswith("page=1")
    assert api.get(path).links["next"]["url"].endswith("page=2")
    before = api.get("/issues/1/comments").json()
    write(api)
    github.faults.add(Fault(here, "stale_list"))
    assert api.get("/issues/1/comments").json() == before
    assert len(api.get("/issues/1/comments").json()) == 3


def test_the_archive_host_has_faults_too(github, pr):
    github.faults.add(Fault(("GET", "/legacy.tar.gz/*"), "reset_before"))
    with pytest.raises(httpx.ReadError):
        httpx.get(f"{github.archive_url}/octo/halcyon/legacy.tar.gz/{pr.head_sha}", trust_env=False)


def test_the_world_changes_in_mid_run(github, api, pr):
    first = pr.head_sha
    github.before(WRITE, lambda: pr.push({"n.py": "moved\n"}), after=1)
    write(api)
    assert pr.head_sha == first
    write(api)
    assert pr.head_sha != first


def test_latency_and_log(github, api, pr):
    github.latency = 0.05
    start = time.monotonic()
    api.get("/pulls/1?x=1")
    assert time.monotonic() - start >= 0.05
    call = github.requests[-1]
    assert (call.method, call.path, call.query, call.status) == ("GET", "/repos/octo/halcyon/pulls/1", {"x": "1"}, 200)
    assert call.headers["authorization"] == "Bearer <redacted>"


def test_a_stop_ends_what_waits():
    github = FakeGitHub()
    github.faults.add(Fault(("GET", "/**"), "timeout"))
    with httpx.Client(trust_env=False) as api, httpx.Client(trust_env=False) as other:
        with pytest.raises(httpx.TimeoutException):
            api.get(f"{github.url}/user", timeout=0.05)
        other.get(f"{github.url}/user")
        start = time.monotonic()
        github.stop()
        assert time.monotonic() - start < 1
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{github.url}/user", trust_env=False)


def test_answers_may_be_compressed(github, api, pr):
    github.compress = True
    got = api.get("/pulls/1")
    assert (got.headers["content-encoding"], got.json()["number"]) == ("gzip", 1)


def test_it_lies_on_demand(github, api, pr):
    github.tamper(("GET", "/pulls/*/files"), lambda rows: rows[0].update(filename="../x"), times=1)
    github.tamper(("GET", "/pulls/*"), lambda _pull: b"<html>")
    assert api.get("/pulls/1/files").json()[0]["filename"] == "../x"
    assert api.get("/pulls/1/files").json()[0]["filename"] == "a.py"
    assert api.get("/pulls/1").content == b"<html>"
    assert api.get("/pulls/9").status_code == 404


def test_every_kind_is_tested():
    shown = {*STATUSES, "reset_before", "reset_after", "timeout", "timeout_after", "slow_drip", "short_body"}
    shown |= {"bad_gzip", "huge", "lost_page", "empty_list", "repeat_page", "stale_list"}
    assert set(KINDS) == shown
    with pytest.raises(ValueError, match="no kind of fault"):
        Fault(WRITE, "flood")  # type: ignore[arg-type]
