"""One exchange with GitHub: a request goes out, redirects are followed, and a body is read within its size and time.

The token leaves only for the server of the API: a download that another server holds goes on without it.
"""

from __future__ import annotations

import ssl
import threading
import time
import zlib
from functools import partial
from urllib.parse import urlsplit

import httpx

from review_bot.errors import BadData, TooLarge, Unreachable
from review_bot.forges.github import allowed_urls, proxies, wire
from review_bot.forges.github.clock import Clock
from review_bot.forges.github.wire import ApiFailure, Reply
from review_bot.records import NamedTuple
from review_bot.version import VERSION

API_VERSION = "2022-11-28"
"""See https://docs.github.com/en/rest/about-the-rest-api/api-versions."""

JSON = "application/vnd.github+json"
MOST_AT_ONCE = 8
MOST_REDIRECTS = 5


class Call(NamedTuple):
    """One exchange as it went. ``status`` 0: no answer. ``round``: exchanges of one round ran side by side.

    ``path`` is that of the address, without its query; ``at``: when it began, by the client's clock.
    """

    method: str
    path: str
    status: int
    round: int
    seconds: float
    at: float


class Request(NamedTuple):
    """What to send. ``most``: bytes of a body that are read; ``may_leave``: a redirect may lead to another server."""

    method: str
    url: str
    accept: str
    content: bytes | None
    most: int
    is_write: bool = False
    may_leave: bool = False
    tries: int = 0
    best_effort: bool = False

    @property
    def what(self) -> str:
        """Return its method and path, for messages."""
        return f"{self.method} {urlsplit(self.url).path}"


class Connection:
    """Sends requests with one token or none, at most ``MOST_AT_ONCE`` at a time. ``longest``: seconds of one exchange.

    ``calls``: every exchange, in the order in which they ended; ``writes``, ``last_write``: how many of them wrote, and
    when the last of these ended.
    """

    def __init__(
        self, token: str | None, clock: Clock, longest: float, *, encrypted: bool, transport: httpx.BaseTransport | None
    ) -> None:
        self._token, self._clock, self._longest = token, clock, longest
        self._http = httpx.Client(
            transport=transport or _Transport(encrypted=encrypted),
            trust_env=False,
            headers={"user-agent": f"review-bot/{VERSION}", "accept-encoding": "gzip"},
        )
        self._slots = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._lock = threading.Lock()
        self.calls: list[Call] = []
        self.writes = 0
        self.last_write = 0.0

    def close(self) -> None:
        """Close every connection."""
        self._http.close()

    def exchange(self, request: Request, deadline: float, number: int) -> Reply:
        """Send a request and read the answer, redirects included. Raises ApiFailure.

        ``deadline``: a moment of the clock; ``number``: of the round that the request belongs to.
        """
        url, left_home = request.url, False
        for _ in range(MOST_REDIRECTS):
            reply = self._once(request, url, deadline, number, with_token=not left_home)
            if left_home:
                return reply
            target = wire.redirect(reply)
            if target is None or (request.is_write and reply.status not in {307, 308}):
                return reply
            if wire.origin(target) != wire.origin(url):
                if not (request.may_leave and allowed_urls.is_safe(target, from_url=url)):
                    raise ApiFailure(BadData(f"{request.what}: GitHub redirects to another server"), "final")
                left_home = True
            url = target
        raise ApiFailure(BadData(f"{request.what}: GitHub redirects endlessly"), "final")

    def _once(self, request: Request, url: str, deadline: float, number: int, *, with_token: bool) -> Reply:
        """Make one exchange and log it. Raises ApiFailure."""
        began, status = self._clock.now(), 0
        left = min(self._longest, deadline - began)
        if left <= 0:
            raise ApiFailure(Unreachable(f"{request.what}: not sent, this run is out of time"), "final")
        started = time.monotonic()  # a socket knows no other clock
        try:
            made = self._http.build_request(
                request.method,
                url,
                headers=self._headers(request, with_token=with_token),
                content=request.content,
                timeout=left,
            )
            with self._slots:
                response = self._http.send(made, stream=True)
                try:
                    status = response.status_code
                    body = _read(response, request.most, started + left, request.what)
                finally:
                    response.close()
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Reply(status, headers, body, url)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            host = httpx.URL(url).host
            words = f"{request.what}: no connection to {host} (see GITHUB_API_URL): {_words(error)}"
            raise ApiFailure(Unreachable(words), "unsent") from None
        except httpx.TransportError as error:
            raise ApiFailure(Unreachable(f"{request.what}: the connection broke: {_words(error)}"), "unknown") from None
        except httpx.InvalidURL:
            raise ApiFailure(BadData(f"{request.what}: GitHub returned an invalid URL"), "final") from None
        finally:
            seconds = time.monotonic() - started
            with self._lock:
                if request.is_write:
                    self.writes += 1
                    self.last_write = self._clock.now()
                self.calls.append(Call(request.method, urlsplit(url).path, status, number, seconds, began))

    def _headers(self, request: Request, *, with_token: bool) -> dict[str, str]:
        headers = {"accept": request.accept}
        if request.content is not None:
            headers["content-type"] = "application/json"
        if with_token:
            headers["x-github-api-version"] = API_VERSION
        if with_token and self._token is not None:
            headers["authorization"] = f"Bearer {self._token}"
        return headers


def _read(response: httpx.Response, most: int, until: float, what: str) -> bytes:
    """Read a body piece by piece, unpacked here, within its size and time. Raises ApiFailure."""
    encoding = response.headers.get("content-encoding", "identity").lower()
    if encoding not in {"identity", "gzip"}:
        raise ApiFailure(BadData(f"{what}: GitHub used an unexpected encoding"), "garbled")
    inflate = zlib.decompressobj(wbits=31) if encoding == "gzip" else None
    pieces: list[bytes] = []
    size, began = 0, False
    for raw in response.iter_raw():
        if time.monotonic() > until:
            raise ApiFailure(Unreachable(f"{what}: the response was too slow"), "unknown")
        try:
            piece = inflate.decompress(raw, most - size + 1) if inflate is not None else raw
        except zlib.error:
            raise ApiFailure(BadData(f"{what}: GitHub's response is damaged"), "garbled") from None
        if inflate is not None and inflate.unused_data:
            raise ApiFailure(BadData(f"{what}: GitHub's response continues after the end of its gzip data"), "garbled")
        began = began or bool(raw)
        size += len(piece)
        if size > most:
            raise ApiFailure(TooLarge(f"{what}: GitHub's response is larger than {most:,} bytes"), "final")
        pieces.append(piece)
    if inflate is not None and began and not inflate.eof:
        raise ApiFailure(BadData(f"{what}: GitHub's response is truncated"), "garbled")
    return b"".join(pieces)


class _Transport(httpx.BaseTransport):
    """Connections that are kept open, through the proxy that the environment names for a server, or directly.

    Certificates are read only where they are used.
    """

    def __init__(self, *, encrypted: bool) -> None:
        if encrypted:
            context = httpx.create_ssl_context(trust_env=False)
            context.load_default_certs()  # an Enterprise Server's own authority, by the system or SSL_CERT_FILE
        else:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        pool = httpx.Limits(max_connections=None, max_keepalive_connections=MOST_AT_ONCE + 2, keepalive_expiry=30.0)
        self._make = partial(httpx.HTTPTransport, verify=context, http2=False, limits=pool, trust_env=False)
        self._lock = threading.Lock()
        self._by_proxy: dict[str | None, httpx.HTTPTransport] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        proxy = proxies.proxy_of(str(request.url))
        with self._lock:
            if proxy not in self._by_proxy:
                self._by_proxy[proxy] = self._make(proxy=proxy)
        return self._by_proxy[proxy].handle_request(request)

    def close(self) -> None:
        for transport in self._by_proxy.values():
            transport.close()


def _words(error: Exception) -> str:
    return wire.plain(str(error)) or type(error).__name__
