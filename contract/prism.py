"""Prism's validating proxy: a second judge, written by others, between client and fake GitHub."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_COMMAND = Path(__file__).parent / "node_modules/@stoplight/prism-cli/dist/index.js"
AROUND = r"/graphql$|/tarball/|/git/blobs/"
"""What Prism cannot carry: it knows no GraphQL, follows a redirect by itself, and reads bytes as text."""
_START_UP = 60.0
"""Seconds; it takes about one."""


@contextmanager
def prism(description: Mapping[str, Any], upstream: str, folder: Path) -> Iterator[str]:
    """Run Prism in front of ``upstream`` and yield its origin; a wrong request or answer becomes an error."""
    written = folder / "description.json"
    written.write_text(json.dumps(description), encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as chosen:
        port = chosen.getsockname()[1]
    log = folder / "prism.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            ["node", _COMMAND, "proxy", written, upstream, "--errors", "--host", "127.0.0.1", "--port", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait(port, process, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def _wait(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START_UP
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"Prism did not start:\n{log.read_text(encoding='utf-8')[-2000:]}")
