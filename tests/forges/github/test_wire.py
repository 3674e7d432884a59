"""What answers mean, in literals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.errors import BadData, ForgeError, NotFound, Rejected
from review_bot.forges.github import wire
from review_bot.forges.github.wire import Answer, ApiFailure, Reply

URL = "https://api.github.com/repos/o/r/pulls/3/files?per_page=100"


class Row(Answer):
    id: int


def reply(status=200, body=b"{}", **headers):
    return Reply(status, {name.replace("_", "-"): value for name, value in headers.items()}, body, URL)


def failure(*arguments, **headers):
    with pytest.raises(ApiFailure) as raised:
        wire.check(reply(*arguments, **headers), "GET /x", 1_000_000.0)
    return raised.value


@pytest.mark.parametrize(
    ("body", "messages"),
    [
        (b'{"message": "m", "errors": ["one", "two"]}', ("one", "two")),
        (b'{"message": "m", "errors": "one"}', ("one",)),
        (b'{"message": "m", "errors": [{"resource": "R", "field": "f", "code": "c"}]}', ("R f c",)),
        (b'{"message": "m", "errors": [{"message": "said", "code": "c"}, 7, null]}', ("said",)),
        (b'{"message": "m\\u001b[31m\\n::error::", "errors": {}}', ("m [31m ::error::",)),
        (b'{"message": ["m"]}', ()),
        (b"[]", ()),
        (b"\xff<html>", ()),
    ],
)
def test_the_words_of_a_refusal(body, messages):
    error = failure(422, body).error
    assert isinstance(error, Rejected)
    assert error.messages == messages


def test_long_words_are_cut():
    error = failure(422, b'{"errors": ["' + b"x" * 9_000 + b'"]}').error
    assert len(str(error)) < 600


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry_after": "7", "x_ratelimit_remaining": "0", "x_ratelimit_reset": "1000999"}, 7),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1000020"}, 20),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": "900000"}, 1),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": "99999999999999"}, wire.LONGEST_WAIT),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": "never"}, None),
        ({"x_ratelimit_remaining": "5", "x_ratelimit_reset": "1000020"}, None),
        ({"retry_after": "inf"}, wire.LONGEST_WAIT),
        ({"retry_after": "Fri, 32 Foo 9999"}, None),
    ],
)
def test_when_a_limit_ends(headers, wait):
    found = failure(429, b"{}", **headers)
    assert (found.retry, found.wait) == ("limit", wait)


@given(
    st.integers(100, 599),
    st.binary(max_size=60) | st.text(max_size=20).map(lambda text: f'{{"message": "{text}"}}'.encode()),
    st.dictionaries(st.sampled_from(["retry-after", "x-ratelimit-remaining", "x-ratelimit-reset", "link", "location"]), st.text(max_size=60)),
)  # fmt: skip
def test_no_answer_is_more_than_a_trouble(status, body, headers):
    one = Reply(status, headers, body, URL)
    found: list[ApiFailure] = []
    for read in (
        lambda: wire.check(one, "GET /x", 0.0),
        lambda: wire.decode(one, Row, "GET /x"),
        lambda: wire.decode_graphql(one, Row, "GET /x", 0.0),
        lambda: wire.next_page(one, {URL}),
        lambda: wire.origin(wire.redirect(one) or URL),
    ):
        try:
            read()
        except ApiFailure as error:
            found.append(error)
    assert all(isinstance(each.error, ForgeError) for each in found)
    assert all(each.wait is None or 1 <= each.wait <= wire.LONGEST_WAIT for each in found)


BELOW = '{"message": "No.", "type": "FORBIDDEN", "path": ["a", "checks", 0]}'
ELSEWHERE = '{"message": "No.", "type": "FORBIDDEN", "path": ["a", "reviews"]}'
NOWHERE = '{"message": "No.", "type": "FORBIDDEN"}'


@pytest.mark.parametrize(
    ("errors", "partial", "passes"),
    [
        ([], False, True),
        ([BELOW], False, False),
        ([BELOW], True, True),
        ([BELOW], "checks", True),
        ([BELOW, BELOW], "checks", True),
        ([BELOW, ELSEWHERE], "checks", False),
        ([NOWHERE], "checks", False),
    ],
)
def test_errors_of_one_field_may_do(errors, partial, passes):
    body = f'{{"data": {{"id": 7}}, "errors": [{", ".join(errors)}]}}'.encode()
    if passes:
        assert wire.decode_graphql(reply(body=body), Row, "GET /x", 0.0, partial=partial).id == 7
    else:
        with pytest.raises(ApiFailure) as raised:
            wire.decode_graphql(reply(body=body), Row, "GET /x", 0.0, partial=partial)
        assert raised.value.error.code == "E-PERMISSION"


@pytest.mark.parametrize(
    "header",
    [
        f'<{URL}&page=2>; rel="next", <{URL}&page=9>; rel="last"',
        f'<{URL}&page=9>; rel="last",<{URL}&page=2>;rel=next',
        f'<{URL}&page=2>; title="x"; rel="next"',
        '</repos/o/r/pulls/3/files?per_page=100&page=2>; rel="next"',
        '<https://API.github.com:443/repositories/7/pulls/3/files?per_page=100&page=2>; rel="next"',
    ],
)
def test_the_next_page(header):
    assert (wire.next_page(reply(link=header), {URL}) or "").endswith("/pulls/3/files?per_page=100&page=2")


def test_the_next_page_behind_the_prefix_of_an_enterprise_server():
    here = reply(link='<https://h/api/v3/repositories/7/pulls/3/files?page=2>; rel="next"')
    assert wire.next_page(here._replace(url="https://h/api/v3/repos/o/r/pulls/3/files"), set())
    with pytest.raises(ApiFailure):
        wire.next_page(here._replace(url="https://h/repos/o/r/pulls/3/files"), set())


def test_a_repository_that_has_moved_is_named_for_what_it_is():
    assert isinstance(failure(301, b"{}", location="/x").error, NotFound)
    assert isinstance(failure(304).error, BadData)


def test_times_are_written_for_people():
    assert wire.at(1_000_000) == "1970-01-12 13:46:40 UTC"
