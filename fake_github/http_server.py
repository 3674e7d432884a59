"""HTTP/1.1 on loopback with the sockets in our hands: kept connections, a thread for each, and breakage on demand."""

import contextlib
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote

LARGEST_BODY = 64 << 20
REASONS = {200: "OK", 201: "Created", 204: "No Content", 301: "Moved Permanently", 302: "Found", 404: "Not Found"}


class Request(NamedTuple):
    """A request as it came. ``path`` is still percent-encoded; header names are in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def segments(self) -> list[str]:
        """Return the parts of the path, decoded."""
        return [unquote(part, errors="surrogateescape") for part in self.path.strip("/").split("/")]


class Response(NamedTuple):
    """An answer: status, headers (without length) and body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def encoded(self) -> tuple[bytes, bytes]:
        """Return the head and the body as they go over the wire."""
        rows = [f"HTTP/1.1 {self.status} {REASONS.get(self.status, 'Status')}"]
        rows += [f"{name}: {value}" for name, value in self.headers.items()]
        if self.status != 204 and "Content-Length" not in self.headers:
            rows.append(f"Content-Length: {len(self.body)}")
        return ("\r\n".join(rows) + "\r\n\r\n").encode("utf-8", "replace"), b"" if self.status == 204 else self.body


class Connection:
    """One client's connection; what a handler may do with it."""

    def __init__(self, server: "HttpServer", stream: socket.socket) -> None:
        self._server = server
        self._socket = stream
        self._buffer = b""
        self.is_open = True

    def send(self, response: Response) -> None:
        """Answer as a server should."""
        head, body = response.encoded()
        with contextlib.suppress(OSError):
            self._socket.sendall(head + body)

    def send_part(self, response: Response, count: int) -> None:
        """Promise the whole body, send ``count`` bytes of it, and end the connection."""
        head, body = response.encoded()
        with contextlib.suppress(OSError):
            self._socket.sendall(head + body[:count])
        self.close()

    def drip(self, response: Response, seconds: float) -> None:
        """Send the head, then the body one byte at a time with a pause before each, until the client gives up."""
        head, body = response.encoded()
        with contextlib.suppress(OSError):
            self._socket.sendall(head)
            for at in range(len(body)):
                if self._gone(seconds):
                    break
                self._socket.sendall(body[at : at + 1])
            else:
                return
        self.close()

    def reset(self) -> None:
        """Break the connection with a TCP reset."""
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.is_open = False
        self._socket.close()

    def hang(self, most: float = 600.0) -> None:
        """Say nothing until the client gives up, the server stops, or ``most`` seconds have passed."""
        self._gone(most)
        self.close()

    def close(self) -> None:
        """End the connection."""
        self.is_open = False
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def wake(self) -> None:
        """Make a thread that waits on this connection go on (from another thread)."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def read_request(self) -> Request | None:
        """Return the next request, or None when the client has ended the connection."""
        head = self._until(b"\r\n\r\n")
        if head is None:
            return None
        first, *rows = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ", 2)
        headers = {name.strip().lower(): value.strip() for name, _, value in (row.partition(":") for row in rows)}
        if headers.get("expect", "").lower() == "100-continue":
            self._socket.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        chunked = headers.get("transfer-encoding", "").lower() == "chunked"
        body = self._chunks() if chunked else self._exactly(int(headers.get("content-length", "0")))
        if body is None:
            return None
        path, _, query = target.partition("?")
        return Request(method, path, dict(parse_qsl(query, keep_blank_values=True)), headers, body)

    def _gone(self, seconds: float) -> bool:
        """Wait, and return whether the client ended the connection meanwhile, or the server stops."""
        end = time.monotonic() + seconds
        while not self._server.stopping:
            left = end - time.monotonic()
            if left <= 0:
                return False
            readable, _, _ = select.select([self._socket], [], [], min(left, 0.05))
            if readable and not self._socket.recv(1, socket.MSG_PEEK):
                return True
            if readable:
                time.sleep(min(left, 0.01))
        return True

    def _until(self, mark: bytes) -> bytes | None:
        while mark not in self._buffer:
            if not self._fill():
                return None
        found, _, self._buffer = self._buffer.partition(mark)
        return found

    def _exactly(self, count: int) -> bytes | None:
        if count > LARGEST_BODY:
            raise ValueError(f"a request of {count} bytes")
        chunks, missing = [self._buffer[:count]], count - len(self._buffer[:count])
        self._buffer = self._buffer[count:]
        while missing:
            data = self._socket.recv(min(missing, 1 << 16))
            if not data:
                return None
            chunks.append(data)
            missing -= len(data)
        return b"".join(chunks)

    def _chunks(self) -> bytes | None:
        found = b""
        while (row := self._until(b"\r\n")) is not None:
            size = int(row.split(b";")[0], 16)
            chunk = self._exactly(size)
            if chunk is None or self._until(b"\r\n") is None:
                return None
            if not size:
                return found
            found += chunk
        return None

    def _fill(self) -> bool:
        data = self._socket.recv(1 << 16)
        self._buffer += data
        return bool(data)


class HttpServer:
    """Listens on a free port of 127.0.0.1 and gives each request, in its connection's thread, to ``handle``."""

    def __init__(self, handle: Callable[[Request, Connection], None]) -> None:
        self._handle = handle
        self._connections: dict[Connection, threading.Thread] = {}
        self._lock = threading.Lock()
        self.stopping = False
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, name=f"fake-github:{self.port}", daemon=True)
        self._thread.start()

    @property
    def connections(self) -> int:
        """Return how many connections are open now."""
        return len(self._connections)

    def stop(self) -> None:
        """End every connection and thread."""
        self.stopping = True
        with contextlib.suppress(OSError):  # a listener wakes only by a connection on some systems
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        self._thread.join(5)
        self._listener.close()
        with self._lock:
            rest = list(self._connections.items())
        for connection, _ in rest:
            connection.wake()
        for _, thread in rest:
            if thread is not threading.current_thread():
                thread.join(5)

    def _accept(self) -> None:
        while True:
            stream, _ = self._listener.accept()
            if self.stopping:
                stream.close()
                return
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = Connection(self, stream)
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            with self._lock:
                self._connections[connection] = thread
            thread.start()

    def _serve(self, connection: Connection) -> None:
        try:
            while connection.is_open and not self.stopping:
                request = connection.read_request()
                if request is None:
                    break
                self._handle(request, connection)
                if request.headers.get("connection", "").lower() == "close":
                    break
        except (OSError, ValueError):
            pass  # a broken request or connection ends the connection, as it does at GitHub
        finally:
            if connection.is_open:
                connection.close()
            with self._lock:
                self._connections.pop(connection, None)
