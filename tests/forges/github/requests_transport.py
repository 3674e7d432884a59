"""An httpx transport over ``requests``, so that replies declared with ``responses`` reach our client.

It stands for the network only: timeouts, redirects and real sockets are shown against the fake GitHub.
"""

from __future__ import annotations

import httpx
import requests

_MEANING = (
    (requests.exceptions.ConnectTimeout, httpx.ConnectTimeout),
    (requests.exceptions.ReadTimeout, httpx.ReadTimeout),
    (requests.exceptions.ChunkedEncodingError, httpx.RemoteProtocolError),
    (requests.exceptions.ConnectionError, httpx.ConnectError),
)


class RequestsTransport(httpx.BaseTransport):
    """Sends a request of httpx through ``requests``, as it is, and follows nothing."""

    def __init__(self) -> None:
        self._session = requests.Session()
        self._session.trust_env = False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the answer; an error of ``requests`` is raised as httpx's own of the same meaning."""
        try:
            answer = self._session.request(
                request.method,
                str(request.url),
                data=request.read() or None,
                headers=dict(request.headers.items()),
                allow_redirects=False,
                stream=True,
            )
            content = answer.raw.read(decode_content=False)
        except requests.exceptions.RequestException as error:
            meant = next((ours for theirs, ours in _MEANING if isinstance(error, theirs)), httpx.TransportError)
            raise meant(str(error), request=request) from error
        headers = [(name, value) for name, value in answer.headers.items() if name.lower() != "transfer-encoding"]
        return httpx.Response(answer.status_code, headers=headers, stream=httpx.ByteStream(content), request=request)

    def close(self) -> None:
        """Close the session."""
        self._session.close()
