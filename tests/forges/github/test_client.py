"""The client against a server that misbehaves on real sockets; waiting is virtual."""

from __future__ import annotations

import gzip
import itertools
import socket
import threading
import time
from random import Random

import pytest

from review_bot.errors import (
    Ambiguous,
    BadData,
    Forbidden,
    ForgeError,
    NotFound,
    RateLimited,
    Rejected,
    ServerBroken,
    TokenRefused,
    Unreachable,
    UsageError,
)
from review_bot.forges.github.client import Client, Limits, quote
from review_bot.forges.github.wire import Answer
from tests.forges.github.scripted_server import CLOSE, HANG, RESET, Drip, ScriptedServer, VirtualClock, packed, reply

TOKEN = "ghs_secret0123456789"
SECONDARY = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}
PRIMARY = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000030"}
HTML = reply(b"<html>Unicorn</html>", headers={"Content-Type": "text/html"})


class Row(Answer):
    id: int
    name: str = ""


@pytest.fixture
def clock():
    return VirtualClock()


@pytest.fixture
def server():
    with ScriptedServer() as made:
        yield made


@pytest.fixture
def client(server, clock):
    with Client(server.url, TOKEN, clock=clock, random=Random(1)) as made:
        yield made


def quick(server, **limits):
    return Client(server.url, TOKEN, clock=VirtualClock(), limits=Limits(**limits), random=Random(1))


def test_a_value_is_read_with_the_headers_that_github_asks_for(server, client):
    server.script.append(reply({"id": 1, "name": "ä", "more": []}))
    assert client.get("/repos/o/r", Row, {"per_page": 100, "q": "a b"}) == Row(id=1, name="ä")
    method, target, headers, _ = server.requests[0]
    assert (method, target) == ("GET", "/repos/o/r?per_page=100&q=a+b")
    assert headers["authorization"] == f"Bearer {TOKEN}"
    assert headers["accept"] == "application/vnd.github+json"
    assert headers["x-github-api-version"] == "2022-11-28"
    assert headers["user-agent"].startswith("review-bot/")


@pytest.mark.parametrize(
    "trouble",
    [RESET, CLOSE, reply({}, 500), reply(b"<html>", 502), reply({}, 503, {"Retry-After": "2"}), HTML,
     reply([{"id": 1}], cut=4), reply(b'[{"id": 1'), reply({"ok": True}), reply(SECONDARY, 403, {"Retry-After": "60"}),
     reply({"message": "slow down"}, 429), reply({"message": "API rate limit exceeded"}, 403, PRIMARY),
     packed([{"id": 1}], cut=10), reply(b"not gzip", headers={"Content-Encoding": "gzip"}),
     reply(gzip.compress(b"[]") * 2, headers={"Content-Encoding": "gzip"}), reply([], 206),
     reply(gzip.compress(b"[]") + b"more", headers={"Content-Encoding": "gzip"}),
     reply(gzip.compress(b"[]")[:9], headers={"Content-Encoding": "gzip"})],
)  # fmt: skip
def test_a_read_survives_a_trouble_that_passes(server, client, trouble):
    server.script.extend([trouble, reply([{"id": 1}])])
    assert client.get_all("/x", Row) == [Row(id=1)]
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("trouble", "error", "tries"),
    [
        (RESET, Unreachable, 5),
        (reply({}, 500), ServerBroken, 5),
        (HTML, BadData, 3),
        (reply(b'{"id": 1'), BadData, 3),
        (reply({"id": "1"}), BadData, 3),
        (reply({}, 401), TokenRefused, 1),
        (reply({"message": "Resource not accessible by integration"}, 403, PRIMARY), Forbidden, 1),
        (reply({}, 404), NotFound, 1),
        (reply({}, 410), NotFound, 1),
        (reply({"errors": [{"code": "too_large"}]}, 406), Rejected, 1),
        (reply({}, 302, {"Location": "http://127.0.0.1:9/x"}), BadData, 1),
        (reply({}, 302, {"Location": "https://example.org/x"}), BadData, 1),
        (reply({}, 302, {"Location": "http://[oops"}), BadData, 1),
        (reply(SECONDARY, 403, {"Retry-After": "9" * 400}), RateLimited, 1),
        (reply({}, 429, {"Retry-After": "3600"}), RateLimited, 1),
    ],
)
def test_a_read_ends_with_the_error_that_fits(server, client, trouble, error, tries):
    server.script.extend([trouble] * 9)
    with pytest.raises(error) as raised:
        client.get("/x", Row)
    assert len(server.requests) == tries
    assert TOKEN not in str(raised.value)
    assert raised.value.__cause__ is None
    if error is RateLimited:
        assert "run it again after 1970-01-" in str(raised.value)


def test_waits_grow_at_random_up_to_their_bounds(server, client, clock):
    server.script.extend([reply({}, 500)] * 5)
    with pytest.raises(ServerBroken):
        client.get("/x", Row)
    assert len(clock.waits) == 4
    assert all(0 <= wait <= 2**n for n, wait in enumerate(clock.waits))


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        ("7", 7, 7),
        ("soon", 60, 60),
        ("-5", 1, 1),
        ("0", 1, 1),
        ("nan", 60, 60),
        ("Mon, 12 Jan 1970 13:46:55 GMT", 15, 15),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 1, 1),
        ("", 60, 60),
    ],
)
def test_retry_after_is_kept_or_bent_to_sense(server, client, clock, value, least, most):
    server.script.extend([reply(SECONDARY, 403, {"Retry-After": value}), reply({"id": 1})])
    client.get("/x", Row)
    assert least <= sum(clock.waits) <= most


def test_a_limit_without_an_end_doubles_its_wait_and_ends_within_the_deadline(server, client, clock):
    server.script.extend([reply(SECONDARY, 403)] * 9)
    with pytest.raises(RateLimited):
        client.get("/x", Row)
    assert clock.waits == [60]
    assert clock.time < 1_000_300


def test_a_limit_holds_everybody_up(server, client, clock):
    server.script.extend([reply(SECONDARY, 429, {"Retry-After": "30"}), reply({"id": 1}), reply({"id": 2})])
    client.get("/x", Row)
    client.get("/y", Row)
    assert clock.waits == [30]


def test_a_limit_that_ended_a_call_holds_for_the_next_one(server, clock):
    server.script.extend([reply(SECONDARY, 429, {"Retry-After": "30"})] * 3 + [reply({"id": 1})])
    with Client(server.url, TOKEN, clock=clock, limits=Limits(reading=70)) as client:
        with pytest.raises(RateLimited):
            client.get("/x", Row)
        client.get("/y", Row)
    assert clock.waits == [30, 30, 30]


def test_a_best_effort_write_waits_for_nothing_and_does_not_start_the_time_for_writing(server, client, clock):
    server.script.extend(
        [reply(SECONDARY, 429, {"Retry-After": "30"}), reply({}), reply({}, 429, {"Retry-After": "90"})]
    )
    server.script.append(reply({"id": 1}))
    with pytest.raises(RateLimited):
        client.send("POST", "/x", {}, None, best_effort=True)
    with pytest.raises(RateLimited, match="not sent"):
        client.send("POST", "/x", {}, None, best_effort=True)
    assert (clock.waits, len(server.requests)) == ([], 1)
    clock.sleep(130)  # longer than the time for writing
    client.send("POST", "/x", {}, None, best_effort=True)
    assert client.send("POST", "/x", {}, Row) == Row(id=1)
    assert clock.waits == [130, 1, 90]  # the third write waits a second, as GitHub asks


def test_the_deadline_of_a_run_ends_it(server, clock):
    server.script.extend([reply({}, 503, {"Retry-After": "9"})] * 9)
    with Client(server.url, TOKEN, clock=clock, limits=Limits(total=20)) as client, pytest.raises(ServerBroken):
        client.get("/x", Row)
    assert clock.time <= 1_000_020
    assert len(server.requests) == 3


def test_nobody_listens():
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with Client(url, TOKEN, clock=VirtualClock()) as client:
        with pytest.raises(Unreachable):
            client.get("/x", Row)
        with pytest.raises(Unreachable):
            client.send("POST", "/x", {}, Row)
        assert [call.method for call in client.calls] == ["GET"] * 5 + ["POST"] * 5


@pytest.mark.parametrize("answer", [HANG, Drip(reply({"id": 1, "name": "x" * 100}))])
def test_a_call_ends_by_the_clock(server, answer):
    server.script.extend([answer] * 2)
    began = time.monotonic()
    with quick(server, call=0.3, tries_read=2) as client, pytest.raises(Unreachable):
        client.get("/x", Row)
    assert time.monotonic() - began < 2
    server.script.append(answer)
    with quick(server, call=0.3) as client, pytest.raises(Ambiguous):
        client.send("POST", "/x", {}, Row)


@pytest.mark.parametrize("pack", [reply, packed])
def test_an_answer_larger_than_allowed_is_not_kept(server, pack):
    server.script.extend([pack(b" " * 5_000_000 + b'{"id": 1}')] * 2)
    with quick(server, largest_answer=100_000) as client:
        with pytest.raises(BadData, match="larger than 100,000 bytes"):
            client.get("/x", Row)
        with pytest.raises(BadData, match="larger than 7 bytes"):
            client.get_bytes("/x", accept="application/vnd.github.raw+json", most=7)


def test_bytes_are_given_as_they_are(server, client):
    server.script.append(packed(b"\0\xff"))
    assert client.get_bytes("/x", accept="application/vnd.github.raw+json", most=2) == b"\0\xff"
    assert server.requests[0][2]["accept"] == "application/vnd.github.raw+json"


def test_bytes_that_are_not_those_that_were_asked_for_are_read_again(server, client):
    server.script.extend([HTML, reply(b"right")])
    assert client.get_bytes("/x", accept="*/*", most=99, is_right=lambda data: data == b"right") == b"right"
    server.script.extend([HTML] * 9)
    with pytest.raises(BadData, match="unexpected content"):
        client.download("/x", most=99, is_right=lambda data: data == b"right")
    assert len(server.requests) == 2 + 3


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_within_the_server_is_followed(server, client, status):
    server.script.extend([reply({}, status, {"Location": "/repositories/7"}), reply({"id": 7})])
    assert client.get("/repos/o/r", Row).id == 7
    assert server.requests[1][1] == "/repositories/7"


def test_a_redirect_without_end_ends(server, client):
    server.script.extend([reply({}, 302, {"Location": "/x"})] * 9)
    with pytest.raises(BadData, match="endlessly"):
        client.get("/x", Row)


def test_a_write_follows_only_what_keeps_its_method(server, client):
    server.script.extend([reply({}, 307, {"Location": "/y"}), reply({"id": 7})])
    assert client.send("POST", "/x", {"a": 1}, Row).id == 7
    assert [request[0] + request[1] for request in server.requests] == ["POST/x", "POST/y"]
    assert server.requests[1][3] == b'{"a": 1}'
    server.script.append(reply({}, 301, {"Location": "/y"}))
    with pytest.raises(NotFound, match="has moved"):
        client.send("POST", "/x", {}, Row)


def test_a_download_may_leave_once_and_without_the_token(server, client):
    with ScriptedServer(reply(b"tar"), reply({}, 302, {"Location": "/z"})) as other:
        server.script.extend([reply({}, 302, {"Location": f"{other.url}/tar?sig=1"})] * 2)
        assert client.download("/tarball", most=9) == b"tar"
        assert "authorization" not in other.requests[0][2]
        assert "authorization" in server.requests[0][2]
        with pytest.raises(NotFound):
            client.download("/tarball", most=9)


def link(url, rel="next"):
    return {"Link": f'<{url}>; rel="{rel}"'}


def test_pages_are_followed_and_rows_that_moved_are_counted_once(server, client):
    server.script.extend(
        [
            reply([{"id": 1}, {"id": 2}], headers=link(f"{server.url}/repositories/9/pulls/3/files?page=2")),
            reply([{"id": 2}, {"id": 3}], headers=link("/repositories/9/pulls/3/files?page=3")),
            reply([{"id": 4}], headers=link(f"{server.url}/repos/o/r/pulls/3/files?page=1", "first")),
        ]
    )
    assert [row.id for row in client.get_all("/repos/o/r/pulls/3/files", Row)] == [1, 2, 3, 4]
    assert {call.round for call in client.calls} == {1}


@pytest.mark.parametrize(
    "target",
    [
        "/repos/o/r/pulls/3/files",
        "http://127.0.0.1:9/repos/o/r/pulls/3/files?page=2",
        "/repos/o/other/pulls/3/files?page=2",
        "/repositories/9/pulls/4/files?page=2",
        "/user?page=2",
        "//example.org/repos/o/r/pulls/3/files?page=2",
        "http://[oops",
    ],
)
def test_a_link_to_anything_else_is_an_error(server, client, target):
    server.script.append(reply([{"id": 1}], headers=link(target)))
    with pytest.raises(BadData):
        client.get_all("/repos/o/r/pulls/3/files", Row)
    assert len(server.requests) == 1


@pytest.mark.parametrize("header", ["rel=next", '</x; rel="next"', '<>, rel="next"'])
def test_a_link_that_cannot_be_read_is_no_end_of_the_list(server, client, header):
    server.script.append(reply([{"id": 1}], headers={"Link": header}))
    with pytest.raises(BadData):
        client.get_all("/x", Row)


@pytest.mark.parametrize(
    ("trouble", "error", "tries"),
    [
        (RESET, Ambiguous, 1),
        (CLOSE, Ambiguous, 1),
        (reply({}, 500), Ambiguous, 1),
        (reply({}, 503, {"Retry-After": "2"}), Ambiguous, 1),
        (HTML, Ambiguous, 1),
        (reply({"id": 1}, cut=3), Ambiguous, 1),
        (reply(b'{"id"'), Ambiguous, 1),
        (reply({}, 403), Forbidden, 1),
        (reply({}, 404), NotFound, 1),
        (reply({}, 401), TokenRefused, 1),
        (reply({}, 409), Rejected, 1),
        (reply({"message": "Validation Failed", "errors": "text"}, 422), Rejected, 1),
        (reply({}, 429, {"Retry-After": "1"}), RateLimited, 5),
    ],
)
def test_a_write_is_sent_again_only_where_nothing_was_done(server, client, trouble, error, tries):
    server.script.extend([trouble] * 9)
    with pytest.raises(error):
        client.send("POST", "/x", {}, Row)
    assert len(server.requests) == tries


def test_a_limit_on_a_write_is_waited_for(server, client, clock):
    server.script.extend([reply(SECONDARY, 403, {"Retry-After": "9"}), reply({"id": 1})])
    assert client.send("POST", "/x", {}, Row).id == 1
    assert clock.waits == [9]


def test_writes_pause_from_the_third_on(server, client, clock):
    server.script.extend([reply(b"", 204)] * 4)
    for _ in range(4):
        client.send("DELETE", "/x", None, None)
    assert clock.waits == [1, 1]
    starts = [call.at for call in client.calls]
    assert [b - a for a, b in itertools.pairwise(starts)] == [0, 1, 1]


def test_a_write_that_is_repeated_counts_as_two(server, client, clock):
    server.script.extend([reply(SECONDARY, 403, {"Retry-After": "9"}), reply({"id": 1}), reply({"id": 2})])
    for _ in range(2):
        client.send("POST", "/x", {}, Row)
    assert clock.waits == [9, 1]


def test_what_a_lost_answer_asks_for_is_kept_by_whatever_comes_next(server, client, clock):
    server.script.extend([reply({}, 503, {"Retry-After": "9"}), reply({"id": 1})])
    with pytest.raises(Ambiguous):
        client.send("POST", "/x", {}, Row)
    assert client.get("/x", Row).id == 1
    assert clock.waits == [9]


def test_half_a_character_is_neither_read_nor_written(server, client):
    server.script.append(reply(b'{"id": 1, "name": "a\\ud83d"}'))
    assert client.send("POST", "/x", {"body": "\ud83d"}, Row).name == "a\ufffd"
    assert server.requests[0][3].decode() == '{"body": "\ufffd"}'


def test_calls_run_side_by_side_in_one_round(server, client):
    gate = threading.Barrier(8, timeout=5)

    def answer(request):
        gate.wait()
        return reply({"id": int(request[1][1:])})

    server.script.extend([answer] * 16)
    found = client.together(*(lambda n=n: client.get(f"/{n}", Row).id for n in range(16)))
    assert found == list(range(16))
    assert server.most_busy <= 8
    assert {call.round for call in client.calls} == {1}
    server.script.extend([reply({"id": 1})] * 3)

    def nested():
        return client.together(lambda: client.get("/1", Row), lambda: client.get("/2", Row))

    client.together(nested, lambda: client.get("/3", Row))
    assert {call.round for call in client.calls} == {1, 2}
    server.script.append(reply({"id": 1}))
    client.get("/x", Row)
    assert client.calls[-1].round == 3
    assert server.connections <= 8


def test_the_first_error_of_many_is_raised(server, client):
    server.script.extend([reply({}, 404)] * 2)

    def fail():
        raise Forbidden("first")

    with pytest.raises(Forbidden):
        client.together(fail, lambda: client.get("/a", Row), lambda: client.get("/b", Row))
    assert client.together() == []


class Found(Answer):
    repository: Row | None


GRAPHQL = {"repository": {"id": 1}}


@pytest.mark.parametrize(
    ("kind", "message", "error", "tries"),
    [
        ("FORBIDDEN", "Resource not accessible by integration", Forbidden, 1),
        ("NOT_FOUND", "Could not resolve to a Repository", NotFound, 1),
        (None, "Parse error", BadData, 1),
        (None, "Something went wrong while executing your query.", ServerBroken, 5),
        ("RATE_LIMITED", "API rate limit exceeded", RateLimited, 2),
        ("UNPROCESSABLE", "no", Rejected, 1),
    ],
)
def test_graphql_fails_with_status_200(server, client, kind, message, error, tries):
    server.script.extend([reply({"data": GRAPHQL, "errors": [{"type": kind, "message": message}]})] * 5)
    with pytest.raises(error):
        client.query("query { x }", {}, Found)
    assert len(server.requests) == tries


def test_graphql_reads_and_writes(server, client):
    server.script.append(reply({"data": GRAPHQL}))
    assert client.query("query { x }", {"a": 1}, Found) == Found(repository=Row(id=1))
    assert server.requests[0][:2] == ("POST", "/graphql")
    assert server.requests[0][3] == b'{"query": "query { x }", "variables": {"a": 1}}'
    server.script.append(reply({"data": GRAPHQL, "errors": [{"message": "part"}]}))
    assert client.query("query { x }", {}, Found, partial=True).repository == Row(id=1)
    server.script.append(reply({}, 502))
    with pytest.raises(Ambiguous):
        client.mutate("mutation { x }", {}, Found)


@pytest.mark.parametrize(
    ("url", "graphql"),
    [
        ("https://api.github.com", "https://api.github.com/graphql"),
        ("https://ghe.example/api/v3/", "https://ghe.example/api/graphql"),
    ],
)
def test_where_graphql_is(url, graphql):
    with Client(url, TOKEN) as client:
        assert client._graphql_url == graphql
        assert TOKEN not in repr(client)


@pytest.mark.parametrize("url", ["http://api.github.com", "ftp://x", "api.github.com", "https://user@host/", ""])
def test_an_address_that_would_leak_the_token_is_refused(url):
    with pytest.raises(UsageError):
        Client(url, TOKEN)


@pytest.mark.parametrize("token", ["", "a b", "a\n", "ä", "a\r\nX: y"])
def test_what_is_no_token_is_refused_unseen(token):
    with pytest.raises(TokenRefused) as raised:
        Client("https://api.github.com", token)
    assert len(token) < 4 or token not in str(raised.value)


def test_no_proxy_of_the_environment_is_used(server, client, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    server.script.append(reply({"id": 1}))
    with Client(server.url, TOKEN) as made:
        assert made.get("/x", Row).id == 1


@pytest.mark.parametrize("path", ["x", "/../x", "/a/./b"])
def test_a_path_that_would_lead_elsewhere_is_refused(client, path):
    with pytest.raises(ValueError, match="not a path"):
        client.get(path, Row)


def test_a_segment_is_quoted_whole():
    assert quote("a/b č#?") == "a%2Fb%20%C4%8D%23%3F"


def test_every_error_is_one_of_the_forge(server, client):
    server.script.append(reply({}, 418))
    with pytest.raises(ForgeError):
        client.get("/x", Row)
