"""Asks a process of its own one question: hostile bytes are read there, without token, environment or open connection.

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

_KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Where an interpreter that is not the system's finds its own library; the rest of the environment stays here."""


class Unanswered(Exception):
    """A process gave no answer; the text says why."""


def ask(command: Sequence[str], request: bytes, *, seconds: float, largest: int, pass_fds: Sequence[int] = ()) -> bytes:
    """Return what a command answers on standard output to a request on standard input. It ends with this call.

    ``largest``: bytes of the answer. Raises Unanswered.
    """
    environment = {"LANG": "C.UTF-8", **{name: os.environ[name] for name in _KEPT if name in os.environ}}
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=environment,
            pass_fds=pass_fds,
            start_new_session=True,
        )
    except OSError as error:
        raise Unanswered(f"its process could not be started ({error.strerror})") from error
    try:
        return _exchange(child, request, seconds, largest)
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        for pipe in (child.stdin, child.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        child.wait()


def _exchange(child: subprocess.Popen[bytes], request: bytes, seconds: float, largest: int) -> bytes:
    """Send all of a request and return all of the answer. Raises Unanswered if it does not end in time."""
    if child.stdin is None or child.stdout is None:
        raise Unanswered("there is no way to its process")
    requests, answers = child.stdin.fileno(), child.stdout.fileno()
    os.set_blocking(requests, False)
    until = time.monotonic() + seconds
    unsent, answer = memoryview(request), bytearray()
    poll = select.poll()
    poll.register(answers, select.POLLIN)
    poll.register(requests, select.POLLOUT)
    while True:
        left = until - time.monotonic()
        if left <= 0:
            raise Unanswered(f"that took longer than {seconds:g} s")
        for descriptor, _ in poll.poll(left * 1000 + 1):
            if descriptor == answers:
                piece = os.read(answers, 1 << 16)
                answer += piece
                if not piece:
                    return bytes(answer)
                if len(answer) > largest:
                    raise Unanswered("its process answered without end")
                continue
            try:
                unsent = unsent[os.write(requests, unsent[: 1 << 16]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                unsent = unsent[:0]
            if not unsent:
                poll.unregister(requests)
                child.stdin.close()
