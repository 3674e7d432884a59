"""Runs a module of ours in a confined process: hostile bytes are read there, without token, environment or connection.

The module that runs there gives up its rights by ``confinement`` before it reads what it is sent.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence

from review_bot.errors import Interrupted
from review_bot.processes.process_pool import ENDING

_KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Where an interpreter that is not the system's finds its own library; the rest of the environment stays here."""


class Unanswered(Exception):
    """A process gave no answer; the text says why."""


class ConfinedProcess:
    """A process with an empty environment, no descriptor but its pipes, in a session of its own, in ``/``.

    ``largest``: bytes that it may answer. Raises Unanswered if it cannot be started.
    """

    def __init__(self, command: Sequence[str], *, largest: int, pass_fds: Sequence[int] = ()) -> None:
        environment = {"LANG": "C.UTF-8", **{name: os.environ[name] for name in _KEPT if name in os.environ}}
        try:
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd="/",
                env=environment,
                pass_fds=pass_fds,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise Unanswered(f"its process could not be started ({error.strerror})") from error
        self._pipes = [pipe for pipe in (self._child.stdin, self._child.stdout, self._child.stderr) if pipe is not None]
        self._stdin, self._stdout, self._stderr = [pipe.fileno() for pipe in self._pipes]
        for pipe in self._pipes:
            os.set_blocking(pipe.fileno(), False)
        self._largest = largest
        self._unsent = memoryview(b"")
        self._received = 0
        self._tail = b""
        self.pid = self._child.pid

    def send(self, request: bytes) -> None:
        """Set the one request, which is written while answers are received; then the pipe is closed."""
        self._unsent = memoryview(request)

    def receive(self, until: float) -> bytes | None:
        """Return what the process has written on standard output since, at a time (monotonic) at the latest.

        None: it writes no more. Raises Unanswered if it writes too much.
        """
        poll = select.poll()
        poll.register(self._stdout, select.POLLIN)
        if self._unsent:
            poll.register(self._stdin, select.POLLOUT)
        if self._stderr >= 0:
            poll.register(self._stderr, select.POLLIN)
        ready = {descriptor for descriptor, _ in poll.poll(max(0.0, until - time.monotonic()) * 1000 + 1)}
        if self._stderr in ready:
            text = os.read(self._stderr, 65_536)
            self._tail = (self._tail + text)[-2_000:]
            self._stderr = self._stderr if text else -1
        if self._stdin in ready:
            self._write()
        if self._stdout not in ready:
            return b""
        chunk = os.read(self._stdout, 1 << 20)
        self._received += len(chunk)
        if self._received > self._largest:
            raise Unanswered(f"the sandboxed process returned more than {self._largest // 2**20} MiB")
        return chunk or None

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._stdin, self._unsent[: 1 << 20]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent = self._unsent[:0]  # it has ended, and the other pipe says so
        if not self._unsent:
            self._pipes[0].close()
            self._stdin = -1

    def ending(self) -> str:
        """End the process, if it still runs, and return how it ended. Raises Interrupted if a signal asked it to."""
        with contextlib.suppress(ProcessLookupError):
            self._child.kill()  # changes nothing if it has ended by itself
        code = self._child.wait()
        if -code in ENDING:
            raise Interrupted(-code)
        how = f"signal {-code}" if code < 0 else f"status {code}"
        last = self._tail.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return how + (f": {printable(last)}" if last else "")

    def close(self) -> None:
        """End the process and all that it started, at once."""
        # Before the wait: until then the number is certainly that of our process and its group.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            self._child.kill()
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.close()
        self._child.wait()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-self.pid, 0)[0]:
                """Its own children become ours where this process is the first of a container."""


def ask(command: Sequence[str], request: bytes, *, seconds: float, largest: int, pass_fds: Sequence[int] = ()) -> bytes:
    """Return what a command answers on standard output to a request on standard input. It ends with this call.

    ``largest``: bytes of the answer. Raises Unanswered.
    """
    until = time.monotonic() + seconds
    process = ConfinedProcess(command, largest=largest, pass_fds=pass_fds)
    answer = bytearray()
    try:
        process.send(request)
        while time.monotonic() < until:
            chunk = process.receive(until)
            if chunk is None:
                return bytes(answer)
            answer += chunk
    finally:
        process.close()
    raise Unanswered(f"that took longer than {seconds:g} s")


def printable(text: str) -> str:
    """Return foreign text in one short line of printable characters."""
    return "".join(char if char.isprintable() else " " for char in text)[:300]
