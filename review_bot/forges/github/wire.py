"""What GitHub's answers mean, without a socket: status, headers and body → a value, the next page, or a failure.

::

    2xx ──────────────── decode ──▶ a value of the wanted shape
    Link ─────────────── next_page ▶ the address of the next page
    403, 404, 422 ...    check ───▶ ApiFailure "final"     no repeat helps
    403, 429 + limit               ApiFailure "limit"     nothing was done; wait, then repeat
    5xx, connection broke          ApiFailure "unknown"   it may have been done
    2xx with nonsense              ApiFailure "garbled"   it was done, and its result is unknown

Sources: https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api for what a status means,
https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api for limits.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Collection, Mapping
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import urljoin, urlsplit

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from review_bot.errors import (
    BadData,
    Forbidden,
    ForgeError,
    NotFound,
    RateLimited,
    Rejected,
    ServerBroken,
    TokenRefused,
)
from review_bot.records import NamedTuple

T = TypeVar("T")

Retry = Literal["final", "limit", "unsent", "unknown", "garbled"]

LONGEST_WAIT = 86_400.0
"""Seconds; what GitHub asks for beyond that is taken for this."""

ANONYMOUS_LIMIT = "without a token GitHub allows 60 requests an hour; set GITHUB_TOKEN or GH_TOKEN for more"
"""See https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api."""

HOW_TO_AUTHENTICATE = (
    "set GITHUB_TOKEN or GH_TOKEN to a token that can read the repository; with the GitHub CLI, run "
    "`export GH_TOKEN=$(gh auth token)`"
)

_LONGEST_WORDS = 500
_REDIRECTS = {301, 302, 307, 308}
_LIMIT_WORDS = re.compile(r"secondary rate|rate limit|abuse detection", re.IGNORECASE)
_NO_LIMIT_WORDS = "Resource not accessible"
_LINK = re.compile(r"<([^<>]*)>((?:\s*;\s*[^;,<>]+)*)")
_NEXT = re.compile(r';\s*rel\s*=\s*"?next"?\s*(?:;|$)', re.IGNORECASE)
_REPOSITORY = re.compile(r"/(?:repos/[^/]+/[^/]+|repositories/[0-9]+)(?=/|$)")
_BY_ID = re.compile(r"/repositories/[0-9]+(?=/|$)")
_HALF_PAIR = re.compile(rb"\\u[dD][89a-fA-F]")


class Answer(BaseModel):
    """The part of an answer that we read: of exactly these types, frozen; what else GitHub sends is left out."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Reply(NamedTuple):
    """What came back. ``headers`` are named in small letters; ``url`` is the address that answered at last."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str


class ApiFailure(Exception):
    """An exchange did not give what was asked for.

    ``retry``: what can be done; ``error``: what to raise if nothing can; ``wait`` the seconds that GitHub
    asks for.
    """

    def __init__(self, error: ForgeError, retry: Retry, wait: float | None = None) -> None:
        super().__init__(str(error))
        self.error, self.retry, self.wait = error, retry, wait


class _ErrorBody(Answer):
    message: Any = None
    errors: Any = None


class _GraphqlError(Answer):
    message: str = ""
    type: str | None = None
    path: list[str | int] | None = None


class _GraphqlErrors(Answer):
    errors: list[_GraphqlError] | None = None


class _GraphqlHasData(Answer):
    data: dict[str, Any] | None = None


class _GraphqlData(Answer, Generic[T]):
    data: T


def check(reply: Reply, what: str, wall: float, *, anonymous: bool = False) -> None:
    """Raise ApiFailure unless the status is a success. ``what`` names the call; ``wall``: seconds since the epoch.

    ``anonymous``: the call had no token.
    """
    status = reply.status
    if status == 206:
        raise ApiFailure(BadData(f"{what}: GitHub returned a partial response (206)"), "garbled")
    if 200 <= status < 300:
        return
    messages = _messages(reply)
    words = "; ".join(messages) or "no explanation"
    said = f"{what}: GitHub answered {status} ({words})"
    if status >= 500 or status == 408:
        text = f"{said}; see https://www.githubstatus.com and run again later"
        raise ApiFailure(ServerBroken(text), "unknown", retry_after(reply, wall))
    if status == 429 or (status == 403 and _is_limit(reply, words)):
        limit = f"{said}; {ANONYMOUS_LIMIT}" if anonymous else said
        raise ApiFailure(RateLimited(limit), "limit", _limit_wait(reply, wall))
    if anonymous and status in {401, 403, 404}:
        raise ApiFailure(NotFound(f"{said}; it does not exist, or is not public: {HOW_TO_AUTHENTICATE}"), "final")
    raise ApiFailure(_refusal(status, said, what, messages), "final")


def _refusal(status: int, said: str, what: str, messages: tuple[str, ...]) -> ForgeError:
    if status == 401:
        return TokenRefused(f"{said}; the token is wrong, expired or revoked")
    if status in {403, 451}:
        return Forbidden(f"{said}; the token lacks the permission, or the repository does not allow it")
    if status in {404, 410}:
        return NotFound(f"{said}; it does not exist, or the token cannot read it")
    if status in _REDIRECTS:
        return NotFound(f"{what}: GitHub answered {status}: the repository has moved; use its new name")
    if status < 400:
        return BadData(said)
    return Rejected(said, messages)


def decode(reply: Reply, shape: type[T], what: str) -> T:
    """Return the value of a body. Raises ApiFailure with BadData if it is not JSON or of another shape."""
    try:
        return _validated(shape, reply.body)  # type: ignore[no-any-return]  # the adapter is made for this shape
    except ValidationError as error:
        raise ApiFailure(BadData(f"{what}: {_first(error, reply)}"), "garbled") from None


def encode(body: Mapping[str, Any]) -> bytes:
    """Return JSON in ASCII; half a surrogate pair, which no text may hold, becomes the sign for a lost character."""
    text = json.dumps(dict(body), ensure_ascii=False)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def decode_graphql(reply: Reply, shape: type[T], what: str, wall: float, *, partial: bool | str = False) -> T:
    """Return the data of a GraphQL answer, which has status 200 also where it failed. Raises ApiFailure.

    ``partial``: data with errors is accepted; a name: with errors in the field of that name, which is null or has holes
    then (https://spec.graphql.org/October2021/#sec-Handling-Field-Errors). Source: https://docs.github.com/en/graphql/overview/rate-limits-and-query-
    limits-for-the-graphql-api (a limit is an error in an answer with status 200).
    """
    errors = decode(reply, _GraphqlErrors, what).errors or []
    if any(error.type == "RATE_LIMITED" or _LIMIT_WORDS.search(error.message) for error in errors):
        raise ApiFailure(RateLimited(f"{what}: {_graphql_words(errors)}"), "limit", _limit_wait(reply, wall))
    lasting = [error for error in errors if isinstance(partial, bool) or partial not in (error.path or [])]
    if lasting and not (partial is True and decode(reply, _GraphqlHasData, what).data is not None):
        raise _graphql_failure(lasting, what)
    answer: _GraphqlData[T] = decode(reply, _GraphqlData[shape], what)  # type: ignore[valid-type]  # known at run time
    return answer.data


def _graphql_failure(errors: list[_GraphqlError], what: str) -> ApiFailure:
    said = f"{what}: GitHub answered: {_graphql_words(errors)}"
    types = {error.type for error in errors}
    if types & {"FORBIDDEN", "INSUFFICIENT_SCOPES"}:
        return ApiFailure(Forbidden(said), "final")
    if "NOT_FOUND" in types:
        return ApiFailure(NotFound(said), "final")
    if "UNPROCESSABLE" in types:
        return ApiFailure(Rejected(said, tuple(plain(error.message) for error in errors)), "final")
    if "SERVICE_UNAVAILABLE" in types or any("Something went wrong" in error.message for error in errors):
        return ApiFailure(ServerBroken(said), "unknown")
    return ApiFailure(BadData(said), "final")


def next_page(reply: Reply, seen: Collection[str]) -> str | None:
    """Return the address of the next page, or None. ``seen``: the addresses of this list that were read already.

    Raises ApiFailure for a link to another server, to another list, or back. The path may name the repository by its
    number. Source: https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
    """
    header = reply.headers.get("link", "")
    targets = [target for target, words in _LINK.findall(header) if _NEXT.search(words)]
    if not targets:
        if _NEXT.search(";" + header.replace(",", ";")):
            raise ApiFailure(BadData("GitHub's link to the next page is invalid"), "final")
        return None
    address = _joined(reply.url, targets[0])
    if origin(address) != origin(reply.url):
        raise ApiFailure(BadData("GitHub's link to the next page points to another server"), "final")
    here, there = urlsplit(reply.url).path, urlsplit(address).path
    if there != here and not (_BY_ID.search(there) and _list_of(there) == _list_of(here)):
        raise ApiFailure(BadData("GitHub's link to the next page points to another list"), "final")
    if address in seen:
        raise ApiFailure(BadData("GitHub's link to the next page points back"), "final")
    return address


def redirect(reply: Reply) -> str | None:
    """Return where an answer sends the reader, or None if it does not."""
    target = reply.headers.get("location")
    if reply.status not in _REDIRECTS or not target:
        return None
    return _joined(reply.url, target)


def origin(url: str) -> tuple[str, str, int | None]:
    """Return scheme, host and port, the usual port filled in. Raises ApiFailure with BadData for an invalid URL."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        raise ApiFailure(BadData("GitHub returned an invalid URL"), "final") from None
    return parts.scheme, (parts.hostname or "").lower(), port


def retry_after(reply: Reply, wall: float) -> float | None:
    """Return the seconds that ``Retry-After`` asks for, between 1 and a day; None if it is missing or nonsense.

    It is a number of seconds or a date. Source: https://httpwg.org/specs/rfc9110.html#field.retry-after
    """
    text = reply.headers.get("retry-after", "").strip()[:100]
    seconds = _number(text)
    if seconds is None and text:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - wall
        except (ValueError, OverflowError, TypeError):
            return None
    return None if seconds is None else min(max(seconds, 1.0), LONGEST_WAIT)


def plain(text: str) -> str:
    """Return words of GitHub's as one short line."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= _LONGEST_WORDS else line[:_LONGEST_WORDS] + "…"


def at(moment: float) -> str:
    """Return a time, in seconds since the epoch, as people read it."""
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(moment))


def _is_limit(reply: Reply, words: str) -> bool:
    """Distinguish a limit from a missing permission, both 403; the last call that a limit allows may be forbidden."""
    if _NO_LIMIT_WORDS in words:
        return False
    headers = reply.headers
    return "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0" or bool(_LIMIT_WORDS.search(words))


def _limit_wait(reply: Reply, wall: float) -> float | None:
    """Return the seconds until a limit ends: ``Retry-After``, else the reset of an exhausted allowance, else None."""
    wait = retry_after(reply, wall)
    reset = _number(reply.headers.get("x-ratelimit-reset", ""))
    if wait is None and reply.headers.get("x-ratelimit-remaining") == "0" and reset is not None:
        wait = min(max(reset - wall, 1.0), LONGEST_WAIT)
    return wait


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def _messages(reply: Reply) -> tuple[str, ...]:
    """Return GitHub's words: its ``errors``, which are strings or objects, or else its ``message``."""
    try:
        body = _adapter(_ErrorBody).validate_json(reply.body)
    except ValidationError:
        return ()
    errors = body.errors if isinstance(body.errors, list) else [body.errors] if isinstance(body.errors, str) else []
    found = [plain(text) for text in map(_message, errors[:20]) if text]
    return tuple(found) or ((plain(body.message),) if isinstance(body.message, str) and body.message else ())


def _message(error: Any) -> str:
    if isinstance(error, str):
        return error
    if not isinstance(error, dict):
        return ""
    if isinstance(error.get("message"), str):
        return str(error["message"])
    return " ".join(str(error[key]) for key in ("resource", "field", "code") if isinstance(error.get(key), str))


def _graphql_words(errors: list[_GraphqlError]) -> str:
    words = dict.fromkeys(plain(error.message) or "an error without a message" for error in errors)
    return "; ".join([*words][:5])


def _joined(here: str, target: str) -> str:
    try:
        return urljoin(here, target)
    except ValueError:
        raise ApiFailure(BadData("GitHub returned an invalid URL"), "final") from None


def _list_of(path: str) -> str:
    """Return a path without the name or number of the repository."""
    return _REPOSITORY.sub("/", path, count=1)


def _validated(shape: Any, body: bytes) -> Any:
    try:
        return _adapter(shape).validate_json(body)
    except ValidationError:
        if not _HALF_PAIR.search(body):
            raise
    # Half of a surrogate pair is JSON and no text; it is read as the sign for a character that is lost.
    try:
        text = json.dumps(json.loads(body), ensure_ascii=False)
    except (ValueError, RecursionError):
        text = ""
    return _adapter(shape).validate_json(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def _first(error: ValidationError, reply: Reply) -> str:
    if reply.body.lstrip()[:1] == b"<":
        return "GitHub returned an HTML page instead of JSON"
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    if first["type"] == "json_invalid":
        return "GitHub's response is incomplete or not JSON"
    place = ".".join(str(part) for part in first["loc"])
    return f"GitHub's response does not match its API description: {place or 'response'}: {plain(first['msg'])}"


@cache
def _adapter(shape: Any) -> TypeAdapter[Any]:
    return TypeAdapter(shape)
