"""Chromium, driven over its pipe: the DevTools protocol without a socket and without another library.

https://chromedevtools.github.io/devtools-protocol/; ``--remote-debugging-pipe`` reads from descriptor 3 and writes to 4,
each message ends with a NUL.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 180.0
"""Seconds to wait for an answer."""

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


def find() -> str | None:
    """Return the path of a Chromium, if this machine has one."""
    return next((path for name in NAMES if (path := shutil.which(name)) is not None), None)


class BrowserError(Exception):
    """The browser does not answer, or what it was told to do failed."""


class Chromium:
    """One browser with one page. ``events`` are kept until somebody reads them."""

    def __init__(self, path: str) -> None:
        """Start it with a fresh profile."""
        self._profile = tempfile.mkdtemp(prefix="review-bot-chromium-")
        read_theirs, write_ours = os.pipe()
        read_ours, write_theirs = os.pipe()
        # The shell moves the ends of the pipes to the numbers that the browser wants.
        moved = 'exec 3<&"$0" 4>&"$1"; shift; exec "$@"'
        arguments = [path, *_FLAGS, f"--user-data-dir={self._profile}", "about:blank"]
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", moved, str(read_theirs), str(write_theirs), *arguments],
            pass_fds=(read_theirs, write_theirs),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_theirs)
        os.close(write_theirs)
        self._in, self._out = read_ours, write_ours
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Self:
        """Return the browser."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it and remove its profile."""
        os.close(self._out)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method and return its result. Raises BrowserError."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        end = time.monotonic() + PATIENCE
        while True:
            answer = self._read(end, method)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def wait_for(self, method: str) -> dict[str, Any]:
        """Return the next event of a kind, which may have come already."""
        end = time.monotonic() + PATIENCE
        while True:
            for index, event in enumerate(self.events):
                if event.get("method") == method:
                    return self.events.pop(index)
            self.events.append(self._read(end, method))

    def open(self, file: Path, fragment: str = "", *, settle: bool = True) -> None:
        """Open a file and wait until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url="about:blank")
        self.wait_for("Page.loadEventFired")
        self.events.clear()
        self.call("Page.navigate", url=file.as_uri() + fragment)
        self.wait_for("Page.loadEventFired")
        if settle:  # which needs script
            self.settle()

    def settle(self) -> None:
        """Wait until the page has drawn twice."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def run(self, script: str) -> Any:
        """Return the value of an expression on the page, of a promise what it promises. Raises BrowserError."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"]
            raise BrowserError(thrown.get("exception", {}).get("description") or thrown["text"])
        return answer["result"].get("value")

    def screen(self, width: int, height: int = 900, theme: str = "light", media: str = "") -> None:
        """Set the size in pixels, the theme that the system prefers, and the medium."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        features = [
            {"name": "prefers-color-scheme", "value": theme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)
        self.settle()

    def press(self, *keys: str, settle: bool = True) -> None:
        """Press keys one after the other: ``Tab``, ``Enter``, `` `` (the space bar) or a letter."""
        for key in keys:
            typed = {"Enter": "\r", "Tab": ""}.get(key, key)
            code = {"Enter": 13, "Tab": 9, " ": 32}.get(key, 0)
            facts = {"key": key, "code": {" ": "Space"}.get(key, key), "windowsVirtualKeyCode": code}
            self.call("Input.dispatchKeyEvent", type="keyDown", text=typed, **facts)
            self.call("Input.dispatchKeyEvent", type="keyUp", **facts)
        if settle:
            self.settle()

    def printed(self) -> bytes:
        """Return the page as a PDF."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def requests(self) -> list[str]:
        """Return the addresses that the page has asked for since it was opened, but for its own."""
        self.settle()
        asked = [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]
        return [url for url in asked if not url.startswith(("file:", "data:,"))]

    def complaints(self) -> list[str]:
        """Return what the browser complained about: violations of the policy, uncaught errors, warnings."""
        self.settle()
        said = [e["params"]["entry"]["text"] for e in self.events if e.get("method") == "Log.entryAdded"]
        said += [
            e["params"]["exceptionDetails"]["text"] for e in self.events if e.get("method") == "Runtime.exceptionThrown"
        ]
        said += [str(e["params"]["args"]) for e in self.events if e.get("method") == "Runtime.consoleAPICalled"]
        return said

    def _read(self, end: float, waiting_for: str) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(end - time.monotonic(), 0))
            if not ready:
                raise BrowserError(f"no answer within {PATIENCE:.0f} s: {waiting_for}")
            data = os.read(self._in, 1 << 20)
            if not data:
                raise BrowserError(f"the browser has ended: {waiting_for}")
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        return answer


def tall(browser: Chromium) -> int:
    """Return the height of the page in pixels."""
    return int(browser.run("document.documentElement.scrollHeight"))


def wide(browser: Chromium) -> int:
    """Return the width of the page in pixels, with what stands out of it."""
    return int(browser.run("document.documentElement.scrollWidth"))


__all__: Sequence[str] = ("NAMES", "BrowserError", "Chromium", "find", "tall", "wide")
