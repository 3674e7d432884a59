"""The client of GitHub's API: what is read and written, with retries, waiting, deadlines and limits.

::

    read   connection broke, 5xx, nonsense ──▶ again, after a random wait that grows
    write  nothing was sent ─────────────────▶ again
           sent, and the answer is lost ─────▶ Ambiguous: read before you repeat it
    both   a limit of GitHub ────────────────▶ everybody waits, then again; past the deadline RateLimited

Reads may run side by side. Writes go one at a time, from the third on a second apart:
https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from types import MappingProxyType, TracebackType
from typing import Any, Self, TypeVar, overload
from urllib.parse import quote as _quote
from urllib.parse import urlencode

import httpx

from review_bot.errors import (
    Ambiguous,
    BadData,
    RateLimited,
    TokenRefused,
)
from review_bot.forges.github import allowed_urls, wire
from review_bot.forges.github.clock import SYSTEM_CLOCK, Clock
from review_bot.forges.github.connection import JSON, MOST_AT_ONCE, Call, Connection, Request
from review_bot.forges.github.wire import ApiFailure, Reply
from review_bot.records import NamedTuple

T = TypeVar("T")

WRITES_AT_ONCE = 2
"""Exchanges that write, repeats too, before each further one waits for a pause."""

MOST_PAGES = 300

NO_PARAMS: Mapping[str, str | int] = MappingProxyType({})

_TOKEN = re.compile(r"[\x21-\x7e]+")


class Limits(NamedTuple):
    """How long and how much. Seconds, bytes after decompression, and times.

    ``call``: one exchange, to its last byte. ``total``: everything since the client was made. ``reading``: one read
    with all its repeats. ``writing``: everything since the first write that was not best effort.
    ``backoff``: the longest random wait.
    ``secondary``: the first wait for a limit that does not say how long it holds. ``pause``: between two writes.
    """

    call: float = 30.0
    total: float = 300.0
    reading: float = 120.0
    writing: float = 120.0
    largest_answer: int = 32 * 1024 * 1024
    tries_read: int = 5
    tries_garbled: int = 3
    tries_limit: int = 5
    backoff: float = 30.0
    secondary: float = 60.0
    pause: float = 1.0


LIMITS = Limits()


def quote(segment: str) -> str:
    """Return a segment of a path, percent-encoded, ``/`` too."""
    return _quote(segment, safe="", errors="surrogateescape")


class Client:
    """Calls one GitHub with one token, or with none: then it reads what is public, by REST alone.

    Every method raises what ``review_bot.errors`` lists under ForgeError.
    """

    quote = staticmethod(quote)

    def __init__(
        self,
        api_url: str,
        token: str | None,
        *,
        graphql_url: str | None = None,
        clock: Clock = SYSTEM_CLOCK,
        limits: Limits = LIMITS,
        transport: httpx.BaseTransport | None = None,
        random: Random | None = None,
    ) -> None:
        """Open no connection yet. Raises UsageError for an address without TLS, TokenRefused for an invalid token."""
        self._api_url = api_url.rstrip("/")
        self._graphql_url = graphql_url or allowed_urls.graphql_of(self._api_url)
        for url in (self._api_url, self._graphql_url):
            allowed_urls.check(url)
        if token is not None and not _TOKEN.fullmatch(token):
            raise TokenRefused("the token is empty or contains invalid characters; check it for a line break")
        self.anonymous = token is None
        self._clock, self._limits = clock, limits
        self._random = random or Random()  # noqa: S311  # spreads waits, keeps no secret
        encrypted = self._api_url.startswith("https:")
        self._connection = Connection(token, clock, limits.call, encrypted=encrypted, transport=transport)
        self._started = clock.now()
        self._first_write: float | None = None
        self._resume_at = 0.0
        self._rounds = 0
        self._mine = threading.local()
        self._lock = threading.Lock()
        self._writing = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self._api_url!r})"

    def close(self) -> None:
        """Close every connection."""
        self._connection.close()

    @property
    def calls(self) -> list[Call]:
        """Every exchange so far, in the order in which they ended."""
        return self._connection.calls

    @property
    def clock(self) -> Clock:
        """The clock that this client goes by."""
        return self._clock

    def get(self, path: str, shape: type[T], params: Mapping[str, str | int] = NO_PARAMS) -> T:
        """Read one value."""
        request = self._read_request(path, params)
        return self._persist(request, lambda reply: wire.decode(reply, shape, request.what))

    def get_all(self, path: str, shape: type[T], params: Mapping[str, str | int] = NO_PARAMS) -> list[T]:
        """Read every page of a list; a row whose ``id`` came before is left out."""
        request = self._read_request(path, params)
        rows: list[T] = []
        known: set[Any] = set()
        seen: set[str] = set()
        with self._round():
            for _ in range(MOST_PAGES):
                seen.add(request.url)
                page, following = self._persist(request, _page(shape, request.what, seen))
                for row in page:
                    key = getattr(row, "id", None)
                    if key is None or key not in known:
                        known.add(key)
                        rows.append(row)
                if following is None:
                    return rows
                request = request._replace(url=following)
        raise BadData(f"{request.what}: the list has more than {MOST_PAGES} pages")

    def get_bytes(
        self, path: str, *, accept: str, most: int, is_right: Callable[[bytes], bool] = lambda _: True
    ) -> bytes:
        """Read bytes, at most ``most``; more is BadData. What is not right is read again, in the end BadData."""
        request = self._read_request(path, NO_PARAMS)._replace(accept=accept, most=most)
        return self._persist(request, _bytes_if(is_right, request.what))

    def download(self, path: str, *, most: int, is_right: Callable[[bytes], bool] = lambda _: True) -> bytes:
        """Read bytes that another server may hold: one redirect may lead there, and the token does not go along.

        ``is_right``: as with ``get_bytes``.
        Source: https://docs.github.com/en/rest/repos/contents#download-a-repository-archive-tar
        """
        request = self._read_request(path, NO_PARAMS)._replace(most=most, may_leave=True)
        return self._persist(request, _bytes_if(is_right, request.what))

    def query(
        self,
        document: str,
        variables: Mapping[str, Any],
        shape: type[T],
        *,
        partial: bool | str = False,
        tries: int = 0,
    ) -> T:
        """Read by GraphQL. ``partial``: accept errors, or those in the field of that name; ``tries``: 0 or fewer."""
        return self._graphql(document, variables, shape, partial=partial, tries=tries)

    def mutate(self, document: str, variables: Mapping[str, Any], shape: type[T]) -> T:
        """Write by GraphQL, as ``send`` does."""
        return self._graphql(document, variables, shape, is_write=True)

    @overload
    def send(
        self, method: str, path: str, body: Mapping[str, Any] | None, shape: type[T], *, best_effort: bool = False
    ) -> T: ...

    @overload
    def send(
        self, method: str, path: str, body: Mapping[str, Any] | None, shape: None, *, best_effort: bool = False
    ) -> None: ...

    def send(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        shape: type[T] | None,
        *,
        best_effort: bool = False,
    ) -> T | None:
        """Write once. Raises Ambiguous if the answer was lost, so that it may or may not have taken place.

        ``best_effort``: a write that the run can do without. It is tried once, never waits for a limit to end, and does
        not start the time for writing.
        """
        content = None if body is None else wire.encode(body)
        request = Request(
            method,
            self._address(path),
            JSON,
            content,
            self._limits.largest_answer,
            is_write=True,
            best_effort=best_effort,
        )
        return self._persist(request, lambda reply: None if shape is None else wire.decode(reply, shape, request.what))

    def together(self, *calls: Callable[[], Any]) -> list[Any]:
        """Run calls side by side and return their results in order. Raises the first error, once all have ended."""
        with self._round() as number:

            def run(call: Callable[[], Any]) -> Any:
                self._mine.round = number
                return call()

            if len(calls) == 1:
                return [calls[0]()]
            with ThreadPoolExecutor(max(1, min(len(calls), MOST_AT_ONCE))) as pool:
                futures = [pool.submit(run, call) for call in calls]
        return [future.result() for future in futures]

    def _read_request(self, path: str, params: Mapping[str, str | int]) -> Request:
        query = f"?{urlencode(params)}" if params else ""
        return Request("GET", self._address(path) + query, JSON, None, self._limits.largest_answer)

    def _address(self, path: str) -> str:
        if not path.startswith("/") or any(part in {".", ".."} for part in path.split("/")):
            raise ValueError(f"{path!r} is not a path of the API")
        return self._api_url + path

    def _graphql(
        self, document: str, variables: Mapping[str, Any], shape: type[T], *, partial: bool | str = False, **how: Any
    ) -> T:
        content = wire.encode({"query": document, "variables": dict(variables)})
        request = Request("POST", self._graphql_url, JSON, content, self._limits.largest_answer, **how)
        wall = self._clock.wall
        return self._persist(request, lambda it: wire.decode_graphql(it, shape, request.what, wall(), partial=partial))

    @contextmanager
    def _round(self) -> Iterator[int]:
        """Give what is asked here a number, unless it belongs to a round already."""
        number = getattr(self._mine, "round", None)
        if number is not None:
            yield number
            return
        with self._lock:
            self._rounds += 1
            number = self._rounds
        self._mine.round = number
        try:
            yield number
        finally:
            self._mine.round = None

    def _persist(self, request: Request, understand: Callable[[Reply], T]) -> T:
        """Exchange until there is an answer or no hope. One write at a time."""
        if not request.is_write:
            with self._round():
                return self._tries(request, understand)
        with self._writing, self._round():
            if self._first_write is None and not request.best_effort:
                self._first_write = self._clock.now()
            return self._tries(request, understand)

    def _tries(self, request: Request, understand: Callable[[Reply], T]) -> T:
        tried: Counter[str] = Counter()
        deadline = self._deadline(request)
        while True:
            try:
                self._hold(request, deadline)
                reply = self._connection.exchange(request, deadline, getattr(self._mine, "round", 0))
                wire.check(reply, request.what, self._clock.wall(), anonymous=self.anonymous)
                return understand(reply)
            except ApiFailure as failure:
                wait = self._until_next_try(request, failure, tried)
                limited = failure.retry == "limit"
                if limited:  # the next request would be refused too, and make it worse
                    self._pause_all(wait)
                if request.best_effort or self._clock.now() + wait > deadline:
                    raise self._too_late(failure, wait) from None
            if not limited:  # `_hold` waits for the end of a limit
                self._clock.sleep(wait)

    def _deadline(self, request: Request) -> float:
        deadline = self._started + self._limits.total
        if self._first_write is not None:
            deadline = min(deadline, self._first_write + self._limits.writing)
        return deadline if request.is_write else min(deadline, self._clock.now() + self._limits.reading)

    def _hold(self, request: Request, deadline: float) -> None:
        """Wait for the end of a limit, and between writes."""
        moment = self._resume_at
        if request.is_write and self._connection.writes >= WRITES_AT_ONCE:
            moment = max(moment, self._connection.last_write + self._limits.pause)
        wait = moment - self._clock.now()
        if wait > 0:
            if moment > deadline or request.best_effort:
                raise ApiFailure(
                    RateLimited(f"{request.what}: not sent, a GitHub rate limit still applies"), "limit", wait
                )
            self._clock.sleep(wait)

    def _until_next_try(self, request: Request, failure: ApiFailure, tried: Counter[str]) -> float:
        """Return the seconds to wait before the next try. Raises the error if there shall be none."""
        retry = failure.retry
        if retry == "final":
            raise failure.error from None
        if request.is_write and retry in {"unknown", "garbled"}:
            self._pause_all(failure.wait or 0.0)
            raise Ambiguous(f"{failure.error}; this write may or may not have happened") from None
        tried[retry] += 1
        if retry == "limit":
            wait = failure.wait or self._limits.secondary * 2 ** (tried[retry] - 1)
            if tried[retry] >= self._limits.tries_limit:
                self._pause_all(wait)
                raise self._too_late(failure, wait) from None
            return wait
        most = self._limits.tries_garbled if retry == "garbled" else self._limits.tries_read
        count = tried.total() - tried["limit"]
        if tried[retry] >= most or count >= (request.tries or self._limits.tries_read):
            raise failure.error from None
        jitter = self._random.uniform(0, min(self._limits.backoff, 2.0 ** (count - 1)))
        return max(jitter, failure.wait or 0.0)

    def _pause_all(self, seconds: float) -> None:
        """Let nothing be sent for so long."""
        with self._lock:
            self._resume_at = max(self._resume_at, self._clock.now() + seconds)

    def _too_late(self, failure: ApiFailure, wait: float) -> Exception:
        """Return the error for a wait that would end after the deadline."""
        if failure.retry != "limit":
            return failure.error
        when = wire.at(self._clock.wall() + wait)
        return RateLimited(f"{failure.error}; this run cannot wait that long; run it again after {when}")


def _page(shape: type[T], what: str, seen: set[str]) -> Callable[[Reply], tuple[list[T], str | None]]:
    def understand(reply: Reply) -> tuple[list[T], str | None]:
        rows: list[T] = wire.decode(reply, list[shape], what)  # type: ignore[valid-type]  # known at run time
        return rows, wire.next_page(reply, seen)

    return understand


def _bytes_if(is_right: Callable[[bytes], bool], what: str) -> Callable[[Reply], bytes]:
    def understand(reply: Reply) -> bytes:
        if not is_right(reply.body):
            raise ApiFailure(BadData(f"{what}: GitHub returned unexpected content"), "garbled")
        return reply.body

    return understand
