"""A relay on loopback that passes requests on as they are and remembers each exchange.

It knows nothing of our client or of the fake GitHub, so that what it remembers is what went over the wire.
"""

from __future__ import annotations

import gzip
import http.client
import re
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from contract.description import Exchange

_HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "host", "content-length"}


class Relay:
    """Passes requests on to ``home``, an origin such as ``http://HOST:PORT``, and looks like it.

    Addresses in ``Link`` and ``Location`` that begin with ``home`` come back as addresses of the relay. ``through``:
    another origin, in front of ``home``, that all requests take except those whose path fits ``around``. A context
    manager; serves until it is left.
    """

    def __init__(self, home: str, *, through: str | None = None, around: str = "(?!)") -> None:
        self.exchanges: list[Exchange] = []
        self._home, self._through, self._around = home, through or home, re.compile(around)
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.relay = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def pass_on(
        self, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request on, remember the exchange, and return its answer."""
        upstream = self._home if self._around.search(urlsplit(target).path) else self._through
        connection = http.client.HTTPConnection(upstream.removeprefix("http://"), timeout=60)
        try:
            connection.request(method, target, body or None, headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        got = {name.lower(): value for name, value in answer.getheaders()}
        for name in ("link", "location"):
            if name in got:
                got[name] = got[name].replace(self._home, self.url)
        self.exchanges.append(
            Exchange(
                method,
                target,
                {name.lower(): value for name, value in headers.items()},
                body,
                answer.status,
                got,
                _plain(content, got.get("content-encoding", "")),
            )
        )
        return answer.status, got, content


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    relay: Relay


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _HOP_BY_HOP}
        status, got, content = self.server.relay.pass_on(self.command, self.path, headers, body)
        self.send_response_only(status)
        for name, value in got.items():
            if name not in _HOP_BY_HOP:
                self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_PATCH = do_PUT = do_DELETE = do_GET

    def log_message(self, *args: Any) -> None:
        """Stay quiet."""


def _plain(content: bytes, encoding: str) -> bytes:
    if encoding == "gzip":
        return gzip.decompress(content)
    return zlib.decompress(content) if encoding == "deflate" else content
