"""The parent's side of the isolated worker: what reads hostile bytes has no token, no network of ours and a deadline.

::

    this process                         python -m review_bot.sandbox.worker
    pickle of the request ── stdin ────▶ imports, gives up root, then reads it; each file in a process of its own
    answer.decode ◀──────── stdout ───── one JSON object a line: {"done": n}, {"examination": ...}, {"fixes": ...}

The worker starts with an empty environment, no descriptor but its pipes, in a session of its own, in ``/``. The request
is trusted, the answer is not: it is JSON, it has a largest size, and it is held against the request. Whatever goes
wrong makes files unreviewed, and so the review incomplete; nothing that goes wrong makes it green.

What this promises: code that takes over the worker through the text of a file finds neither the token nor the
environment of this process, can ask this process for nothing, and ends at the deadline. It is no virtual machine: it
can still call the kernel, and it can leave out findings of what it has read. Where this process is not root, its user
is the worker's too, and ``protect_process`` keeps the two apart; that and the memory limit are Linux's alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self

from review_bot.changes.pull_request import PullRequest, Unreviewed
from review_bot.changes.repository import Repository
from review_bot.engine.examination import Texts, no_text
from review_bot.engine.plan import Plan
from review_bot.errors import Interrupted
from review_bot.findings import Examination, Failure
from review_bot.processes import confinement
from review_bot.processes.process_pool import ENDING
from review_bot.rules.rulebook import Rulebook
from review_bot.sandbox import worker_response
from review_bot.sandbox.worker_response import Asked, NotBelieved

COMMAND = (sys.executable, "-I", "-m", "review_bot.sandbox.worker")

LARGEST_ANSWER = 64 * 1024 * 1024
"""Bytes that a worker may send in all."""

TELLING = 5.0
"""Seconds for what a worker has still to say once its time to try fixes is over."""

_KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Where an interpreter that is not the system's finds its own library; the rest of the environment stays here."""


class Limits(NamedTuple):
    """What a worker may take: bytes of memory for each of its processes, seconds for one file, seconds in all.

    ``proof_seconds`` of them to try fixes, once all was seen.
    """

    memory: int = 768 * 1024 * 1024
    file_seconds: float = 10.0
    total_seconds: float = 120.0
    proof_seconds: float = 30.0


class Request(NamedTuple):
    """What a worker is asked. ``until``: when it must have answered, by the clock of the machine (monotonic)."""

    asked: Asked
    limits: Limits
    jobs: int
    until: float


class _Unanswered(Exception):
    """A worker gave no answer; the text says why."""


def protect_process() -> bool:
    """Keep other processes of the same user from reading this one's environment and memory; call it early.

    On Linux only, and root can read them all the same: a worker that this process starts as root gives that up.
    Returns whether it was done.
    """
    return confinement.deny_inspection()


class Worker:
    """Examines a change in another process, which starts at once, so that it is ready when the change has been read.

    To be made in the main thread: on Linux the worker ends with the thread that made it. ``command``: what to run in
    place of our own module, which tests need to bring along checks that misbehave.
    """

    def __init__(self, limits: Limits = Limits(), command: Sequence[str] = COMMAND) -> None:  # noqa: B008  # immutable
        self._limits = limits
        self._command = command
        self._child: subprocess.Popen[bytes] | None = None
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The process that waits for a request, if there is one."""
        return None if self._child is None else self._child.pid

    def examine(
        self,
        pull_request: PullRequest,
        plan: Plan,
        texts: Texts,
        repository: Repository,
        rulebook: Rulebook,
        *,
        jobs: int = 1,
        progress: Callable[[int], None] = lambda _count: None,
    ) -> Examination:
        """Run every rule of the plan, as ``examination.examine`` does. What the worker did not finish is unreviewed.

        ``repository`` must be closed (see ``changes.repository.closed``). Raises TypeError if it is not.
        Raises Interrupted if a signal asked the worker, or one of its own processes, to end.
        """
        asked = Asked(pull_request, plan, Texts(dict(texts.new), dict(texts.old)), repository, rulebook)
        until = time.monotonic() + self._limits.total_seconds
        try:
            payload = pickle.dumps(Request(asked, self._limits, jobs, until), pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise TypeError(f"the request is not plain data; is the repository closed? ({error})") from error
        try:
            found = self._ask(payload, until, progress, proves=plan.fixing is not None)
            return worker_response.decode(found, asked)
        except _Unanswered as error:
            return _unreviewed(asked, str(error))
        except NotBelieved as error:
            return _unreviewed(asked, f"the sandboxed worker returned an invalid response: {error}")
        finally:
            self.close()

    def close(self) -> None:
        """End the worker and all that it started, at once."""
        child, self._child = self._child, None
        if child is None:
            return
        # Before the wait: until then the number is certainly that of our worker and its group.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        for pipe in (child.stdin, child.stdout, child.stderr):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        child.wait()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-child.pid, 0)[0]:
                """Its own children become ours where this process is the first of a container."""

    def _start(self) -> None:
        environment = {"LANG": "C.UTF-8", **{name: os.environ[name] for name in _KEPT if name in os.environ}}
        with contextlib.suppress(OSError):  # there is no worker then, which `examine` reports
            self._child = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd="/",
                env=environment,
                start_new_session=True,
                bufsize=0,
            )

    def _ask(self, payload: bytes, until: float, progress: Callable[[int], None], *, proves: bool) -> Any:
        """Send a request and return what the worker found, parsed and no more. Raises _Unanswered.

        Fixes come last. Where they do not come, what was seen before holds without them: no verdict waits for a fix.
        """
        if self._child is None:
            self._start()
        child = self._child
        if child is None:
            raise _Unanswered("the sandboxed worker could not be started")
        conversation = _Conversation(child, len(payload).to_bytes(8, "big") + payload)
        seen: list[Any] = []
        try:
            return self._listen(conversation, until, progress, seen, proves=proves)
        except _Unanswered:
            if not seen:
                raise
            return seen[-1]

    def _listen(
        self,
        conversation: _Conversation,
        until: float,
        progress: Callable[[int], None],
        seen: list[Any],
        *,
        proves: bool,
    ) -> Any:
        """Return the whole answer; what was told before fixes were tried is put into ``seen``. Raises _Unanswered."""
        while True:
            if time.monotonic() >= until:
                raise _Unanswered(
                    f"the time limit for the whole change, {self._limits.total_seconds:g} s, was exceeded"
                )
            for line in conversation.turn(until):
                message = _parse(line)
                if "examination" in message and not proves:
                    return message["examination"]
                if "examination" in message:
                    seen.append(message["examination"])
                    until = min(until, time.monotonic() + self._limits.proof_seconds + TELLING)
                if "fixes" in message and seen:
                    return worker_response.with_fixes(seen[-1], message["fixes"])
                if "refused" in message:
                    raise _Unanswered(f"the sandboxed worker could not start the review: {_plain(message['refused'])}")
                count = message.get("done")
                if type(count) is int and 0 <= count < sys.maxsize:
                    progress(count)


class _Conversation:
    """What is still to be written to a worker, and what it has written so far."""

    def __init__(self, child: subprocess.Popen[bytes], request: bytes) -> None:
        self._child = child
        self._unsent = memoryview(request)
        self._pipes = [pipe.fileno() if pipe is not None else -1 for pipe in (child.stdin, child.stdout, child.stderr)]
        self._received = 0
        self._line = bytearray()
        self._words = b""
        for descriptor in self._pipes:
            os.set_blocking(descriptor, False)

    def turn(self, until: float) -> list[bytes]:
        """Wait until something can be read or written, do that, and return whole lines. Raises _Unanswered."""
        request, lines, words = self._pipes
        poll = select.poll()
        poll.register(lines, select.POLLIN)
        if self._unsent:
            poll.register(request, select.POLLOUT)
        if words >= 0:
            poll.register(words, select.POLLIN)
        ready = {descriptor for descriptor, _ in poll.poll(max(0.0, until - time.monotonic()) * 1000 + 1)}
        if words in ready:
            said = os.read(words, 65_536)
            self._words = (self._words + said)[-2_000:]
            self._pipes[2] = words if said else -1
        if request in ready:
            with contextlib.suppress(BlockingIOError):
                try:
                    self._unsent = self._unsent[os.write(request, self._unsent[: 1 << 20]) :]
                except BrokenPipeError:
                    self._unsent = self._unsent[:0]  # it has ended, and the other pipe says so
        return self._read(lines) if lines in ready else []

    def _read(self, lines: int) -> list[bytes]:
        chunk = os.read(lines, 1 << 20)
        if not chunk:
            raise _Unanswered(self._ending())
        self._received += len(chunk)
        if self._received > LARGEST_ANSWER:
            raise _Unanswered(f"the sandboxed worker returned more than {LARGEST_ANSWER // 2**20} MiB")
        if b"\n" not in chunk:
            self._line += chunk
            return []
        *whole, rest = (bytes(self._line) + chunk).split(b"\n")
        self._line = bytearray(rest)
        return whole

    def _ending(self) -> str:
        with contextlib.suppress(ProcessLookupError):
            self._child.kill()  # changes nothing if it has ended by itself
        code = self._child.wait()
        if -code in ENDING:
            raise Interrupted(-code)
        how = f"signal {-code}" if code < 0 else f"status {code}"
        last = self._words.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return f"the sandboxed worker exited with {how}" + (f": {_plain(last)}" if last else "")


def _parse(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _Unanswered("the sandboxed worker returned a response that is not JSON") from error
    if type(message) is not dict:
        raise _Unanswered("the sandboxed worker returned an invalid response: not an object")
    return message


def _plain(words: Any) -> str:
    """Return words of a worker in one short line of printable characters."""
    return "".join(char if char.isprintable() else " " for char in str(words))[:300]


def _unreviewed(asked: Asked, reason: str) -> Examination:
    """Return what is known when nothing was examined: every file with work to do is unreviewed."""
    files = [asked.pull_request.files[task.file].path for task in asked.plan.tasks]
    whole = [rule.id for rule in asked.rulebook.rules if rule.kind == "pull_request"]
    return Examination(
        unreviewed=tuple(sorted({*asked.pull_request.unreviewed, *(Unreviewed(path, reason) for path in files)})),
        no_text=no_text(asked.pull_request),
        ignored=tuple(sorted(asked.plan.ignored)),
        failures=tuple(sorted((Failure(rule, None, reason) for rule in whole), key=str)),
    )
