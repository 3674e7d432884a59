"""An HTTP server on a real socket that answers by a script, also in ways that no good server does."""

from __future__ import annotations

import contextlib
import gzip
import json
import socket
import struct
import threading
import time
from collections import deque


def reply(body=b"", status=200, headers=None, *, cut=None, length=None):
    """Return the bytes of an answer; ``cut``: only so many bytes of the body are sent."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    rows = {"Content-Type": "application/json", "Content-Length": str(len(data) if length is None else length)}
    head = "".join(f"{name}: {value}\r\n" for name, value in (rows | (headers or {})).items())
    return f"HTTP/1.1 {status} Status\r\n{head}\r\n".encode() + data[: len(data) if cut is None else cut]


def packed(body, **more):
    """Return a gzipped answer."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return reply(gzip.compress(data), headers={"Content-Encoding": "gzip"}, **more)


RESET = "reset"
CLOSE = "close"
HANG = "hang"


class Drip(bytes):
    """An answer that is sent a few bytes at a time."""


class ScriptedServer:
    """Answers one request after the other from ``script``; what is asked is in ``requests``.

    An entry is the bytes of an answer, RESET, CLOSE, HANG, or a function of the request that returns one of these.
    """

    def __init__(self, *script):
        self.script = deque(script)
        self.requests = []
        self.connections = 0
        self.busy = self.most_busy = 0
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._streams = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._stopping.set()
        with socket.create_connection(self._listener.getsockname(), timeout=1):
            pass
        self._thread.join()
        self._listener.close()
        for stream, thread in self._streams:
            with contextlib.suppress(OSError):
                stream.shutdown(socket.SHUT_RDWR)
            thread.join(5)
            stream.close()

    def _accept(self):
        while True:
            stream, _ = self._listener.accept()
            if self._stopping.is_set():
                stream.close()
                return
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(stream,), daemon=True)
            self._streams.append((stream, thread))
            thread.start()

    def _serve(self, stream):
        try:
            with stream.makefile("rb") as file:
                while self._one(stream, file):
                    pass
        except OSError:
            pass

    def _one(self, stream, file):
        first = file.readline().decode().split()
        if len(first) < 3:
            return False
        headers = {}
        while line := file.readline().decode().strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        body = file.read(int(headers.get("content-length", "0")))
        request = (first[0], first[1], headers, body)
        with self._lock:
            self.requests.append(request)
            self.busy += 1
            self.most_busy = max(self.most_busy, self.busy)
            answer = self.script.popleft() if self.script else reply({"message": "not in the script"}, 418)
        if callable(answer):
            answer = answer(request)
        with self._lock:
            self.busy -= 1
        return self._send(stream, answer)

    def _send(self, stream, answer):
        if answer == RESET:
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            stream.shutdown(socket.SHUT_RD)
            stream.close()
            return False
        if answer == CLOSE:
            stream.shutdown(socket.SHUT_RDWR)
            return False
        if answer == HANG:
            self._stopping.wait(5)
            return False
        if isinstance(answer, Drip):
            head, _, body = bytes(answer).partition(b"\r\n\r\n")
            stream.sendall(head + b"\r\n\r\n")
            for byte in body:
                time.sleep(0.03)
                stream.sendall(bytes([byte]))
            return True
        stream.sendall(answer)
        length = int(next(row.split(b":")[1] for row in answer.split(b"\r\n") if row.startswith(b"Content-Length")))
        if len(answer.partition(b"\r\n\r\n")[2]) < length:
            stream.shutdown(socket.SHUT_WR)
            return False
        return True


class VirtualClock:
    """Time that passes only when someone waits."""

    def __init__(self, start=1_000_000.0):
        self.time, self.waits = start, []
        self._lock = threading.Lock()

    def now(self):
        return self.time

    wall = now

    def sleep(self, seconds):
        with self._lock:
            self.waits.append(seconds)
            self.time += seconds
