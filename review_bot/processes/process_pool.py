"""Runs tasks in forked processes, in which each task dies alone, and gathers the results in order.

A child works through a share of the tasks, one after another, and writes one framed result for each. The parent only
waits, reads and kills. A child that ends early costs the task that it was at; the rest of its share goes to a new one.

Results that come from hostile bytes are JSON of the declared type: a child that was taken over can lie about its own
tasks, and do nothing else. Results of tasks that this program trusts are pickled.
"""

from __future__ import annotations

import contextlib
import gc
import json
import math
import os
import select
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from review_bot.errors import Interrupted
from review_bot.processes import confinement, typed_json
from review_bot.records import NamedTuple

Task = TypeVar("Task")
Result = TypeVar("Result")

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a program to end; sent to one process, it ends all."""

OUT_OF_MEMORY = 77
"""Exit code of a child whose task needed more memory than it may have."""

LARGEST_RESULT = 64 * 1024 * 1024
"""Bytes that one task may return."""

_HEAD = 9
"""Bytes before a result: its kind, and its length."""

_STDERR_TAIL = 4_000
"""Bytes of a child's standard error that are kept."""


class Bounds(NamedTuple):
    """``task_seconds`` of processor time for one task; ``until``: when all must have ended (``time.monotonic``).

    On a busy machine a task waits for its turn, so by the clock it may take ``waits`` times as long. That also ends one
    that hangs, or has tampered with its timer.

    ``total_seconds`` and ``memory`` (bytes) are what the reasons say of the limits that others enforce.
    """

    task_seconds: float = math.inf
    until: float = math.inf
    total_seconds: float = math.inf
    memory: int = 0
    waits: int = 10


def run_in_process(
    tasks: Sequence[Task],
    work: Callable[[Task], Result],
    lost: Callable[[Task, str], Result],  # noqa: ARG001  # nothing ends early here
    *,
    jobs: int = 1,  # noqa: ARG001
    weight: Callable[[Task], int] = lambda _task: 1,  # noqa: ARG001
    done: Callable[[int], None] = lambda _count: None,
    read: Callable[[Task, Any], Result] | None = None,  # noqa: ARG001
) -> list[Result]:
    """Return ``work(task)`` for each task, in the order of the tasks, without another process."""
    results = []
    for task in tasks:
        results.append(work(task))
        done(len(results))
    return results


class ProcessPool:
    """Has the signature of ``run_in_process``. ``confine`` is called first in each new process."""

    def __init__(self, bounds: Bounds = Bounds(), confine: Callable[[], None] = lambda: None) -> None:  # noqa: B008  # immutable
        self._bounds = bounds
        self._confine = confine

    def end_by(self, until: float) -> None:
        """Let the next calls end at a time, if that is earlier than before."""
        self._bounds = self._bounds._replace(until=min(until, self._bounds.until))

    def __call__(
        self,
        tasks: Sequence[Task],
        work: Callable[[Task], Result],
        lost: Callable[[Task, str], Result],
        *,
        jobs: int = 1,
        weight: Callable[[Task], int] = lambda _task: 1,
        done: Callable[[int], None] = lambda _count: None,
        read: Callable[[Task, Any], Result] | None = None,
        shares: int | None = None,
    ) -> list[Result]:
        """Return ``work(task)``, or ``lost(task, reason)``, for each task in the order of the tasks.

        ``done`` gets the number of finished tasks. ``read`` makes the result of a task of its parsed JSON and raises
        ``typed_json.Mismatch``; without it, results are pickled. ``shares`` is the number of parts that the tasks are
        divided into (default: ``jobs``). Raises Interrupted if a signal asked a child to end.
        """
        jobs = min(max(1, jobs), len(tasks))
        gathering = _Gathering(tasks, work, lost, done, read, self._bounds, self._confine)
        gc.freeze()  # a collection in a child would write to, and so copy, every page that it shares with this process
        try:
            return gathering.run(shares_of(tasks, weight, min(shares or jobs, len(tasks))), jobs)
        finally:
            gc.unfreeze()


def shares_of(tasks: Sequence[Task], weight: Callable[[Task], int], count: int) -> list[list[int]]:
    """Divide tasks, by position, into shares of about equal weight, the heaviest task of each first."""
    loads = [0] * count
    shares: list[list[int]] = [[] for _ in range(count)]
    for position in sorted(range(len(tasks)), key=lambda n: (-weight(tasks[n]), n)):
        lightest = loads.index(min(loads))
        shares[lightest].append(position)
        loads[lightest] += weight(tasks[position]) + 20
    return shares


class _Child:
    """One process and the tasks that it has still to finish, the one that it is at first."""

    def __init__(self, pid: int, results: int, stderr: int, share: list[int]) -> None:
        self.pid = pid
        self.results = results
        self.stderr = stderr
        self.share = share
        self.since = time.monotonic()
        self.buffer = bytearray()
        self.tail = b""
        os.set_blocking(results, False)
        os.set_blocking(stderr, False)

    def receive(self) -> bool:
        """Read what has been written; return whether results may still come."""
        if self.stderr >= 0:
            with contextlib.suppress(BlockingIOError):
                text = os.read(self.stderr, 65_536)  # all that a pipe holds; once, as a child may write without end
                self.tail = (self.tail + text)[-_STDERR_TAIL:]
                if not text:
                    os.close(self.stderr)
                    self.stderr = -1
        try:
            while chunk := os.read(self.results, 1 << 20):
                self.buffer += chunk
                if len(self.buffer) > LARGEST_RESULT + _HEAD:
                    return True
        except BlockingIOError:
            return True
        return False

    def kill(self) -> int:
        """End the process, if it still runs, and return its exit code."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)  # changes nothing if it has ended by itself
        _, status = os.waitpid(self.pid, 0)
        self.receive()
        for descriptor in (self.results, self.stderr):
            if descriptor >= 0:
                os.close(descriptor)
        return os.waitstatus_to_exitcode(status)


class _Gathering(Generic[Task, Result]):
    """One call of a pool: its running children, and the results that have come in."""

    def __init__(
        self,
        tasks: Sequence[Task],
        work: Callable[[Task], Result],
        lost: Callable[[Task, str], Result],
        done: Callable[[int], None],
        read: Callable[[Task, Any], Result] | None,
        bounds: Bounds,
        confine: Callable[[], None],
    ) -> None:
        self._tasks, self._work, self._lost, self._done, self._read = tasks, work, lost, done, read
        self._bounds, self._confine = bounds, confine
        self._task_wait = bounds.waits * bounds.task_seconds
        self._running: list[_Child] = []
        self._results: dict[int, Result] = {}

    def run(self, waiting: list[list[int]], jobs: int) -> list[Result]:
        """Return the results of all shares, of which so many are worked on at once."""
        try:
            while waiting or self._running:
                while waiting and len(self._running) < jobs:
                    share = waiting.pop(0)
                    if time.monotonic() >= self._bounds.until:
                        self._results.update((n, self._lost(self._tasks[n], self._out_of_time())) for n in share)
                    else:
                        self._running.append(self._start(share))
                self._wait()
                for child in list(self._running):
                    finished = len(self._results)
                    waiting[:0] = self._follow(child)
                    if len(self._results) != finished:
                        self._done(len(self._results))
        finally:
            for child in self._running:
                child.kill()
        return [self._results[position] for position in range(len(self._tasks))]

    def _follow(self, child: _Child) -> list[list[int]]:
        """Take what a child has written. If it ends, give up its task and return the rest of its share."""
        writes = child.receive()
        reason = self._take(child)
        now = time.monotonic()
        if reason is None and writes and now >= self._bounds.until:
            reason = self._out_of_time()
        if reason is None and writes and child.share and now - child.since > self._task_wait:
            reason = f"took longer than {self._task_wait:g} s"
        if reason is None and writes:
            return []
        self._running.remove(child)
        ending = self._ending(child)
        if not child.share:
            return []
        first, *rest = child.share
        self._results[first] = self._lost(self._tasks[first], reason or ending)
        return [rest] if rest else []

    def _take(self, child: _Child) -> str | None:
        """Keep the results that have come in whole; return why the child must end, if it must."""
        buffer = child.buffer
        while len(buffer) >= _HEAD:
            length = int.from_bytes(buffer[1:_HEAD], "big")
            if length > LARGEST_RESULT or not child.share:
                return f"returned more than {LARGEST_RESULT // 2**20} MiB of results"
            if len(buffer) < _HEAD + length:
                return None
            kind, payload = buffer[:1], bytes(buffer[_HEAD : _HEAD + length])
            del buffer[: _HEAD + length]
            task = self._tasks[child.share[0]]
            try:
                result = (
                    self._decode(task, payload)
                    if kind == b"R"
                    else self._lost(task, payload.decode("utf-8", "replace"))
                )
            except (ValueError, RecursionError, typed_json.Mismatch):
                return "returned an unreadable response"
            self._results[child.share.pop(0)] = result
            child.since = time.monotonic()
        return None

    def _decode(self, task: Task, payload: bytes) -> Result:
        if self._read is not None:
            return self._read(task, json.loads(payload))
        import pickle  # only here and in the child, as a review does not need it

        result: Result = pickle.loads(payload)  # noqa: S301  # from our own child, which runs what this program trusts
        return result

    def _out_of_time(self) -> str:
        return f"the time limit for the whole change, {self._bounds.total_seconds:g} s, was exceeded"

    def _start(self, share: list[int]) -> _Child:
        results, result = os.pipe()
        stderr, error = os.pipe()
        parent = os.getpid()
        pid = os.fork()
        if pid:
            os.close(result)
            os.close(error)
            return _Child(pid, results, stderr, share)
        code = 1
        try:
            end_with(parent)
            signal.signal(signal.SIGPROF, signal.SIG_DFL)  # which ends the process
            if self._read is not None:
                os.dup2(error, 2)
                os.dup2(result, 3)
                result = 3
                os.closerange(4, os.sysconf("SC_OPEN_MAX"))  # no way to the parent, nor to the other children
            self._confine()
            for position in share:
                if math.isfinite(self._bounds.task_seconds):
                    signal.setitimer(signal.ITIMER_PROF, self._bounds.task_seconds)
                write_all(result, self._frame(self._tasks[position]))
            code = 0
        except MemoryError:
            code = OUT_OF_MEMORY
        finally:
            os._exit(code)

    def _frame(self, task: Task) -> bytes:
        try:
            kind, encoded = b"R", self._encode(self._work(task))
        except BaseException as error:  # whatever a library throws costs this task and no more
            if isinstance(error, MemoryError):
                raise
            kind, encoded = b"E", f"analysis failed: {type(error).__name__}".encode()
        return kind + len(encoded).to_bytes(_HEAD - 1, "big") + encoded

    def _encode(self, result: Result) -> bytes:
        if self._read is not None:
            return typed_json.encode(result).encode()
        import pickle

        return pickle.dumps(result)

    def _wait(self) -> None:
        ends = [child.since + self._task_wait for child in self._running if child.share]
        poll = select.poll()
        for child in self._running:
            for descriptor in (child.results, child.stderr):
                if descriptor >= 0:
                    poll.register(descriptor, select.POLLIN)
        seconds = min([self._bounds.until, *ends]) - time.monotonic()
        if self._running:
            poll.poll(None if math.isinf(seconds) else max(0.0, seconds) * 1000 + 1)

    def _ending(self, child: _Child) -> str:
        """Kill a child and return how it ended."""
        code = child.kill()
        if -code in ENDING:
            raise Interrupted(-code)
        if -code == signal.SIGPROF:
            return f"needed more than {self._bounds.task_seconds:g} s of processor time"
        refused = code == -signal.SIGABRT and (b"alloc" in child.tail or b"out of memory" in child.tail.lower())
        if code == OUT_OF_MEMORY or refused:
            return f"needed more memory than {self._bounds.memory // 2**20} MiB"
        return f"analysis ended with signal {-code}" if code < 0 else f"analysis ended with status {code}"


def write_all(descriptor: int, payload: bytes) -> None:
    """Write all of it to a pipe."""
    view = memoryview(payload)
    while view:
        view = view[os.write(descriptor, view) :]


def end_on_signals() -> None:
    """Let each signal of ``ENDING`` that the caller does not ignore end this process at once."""
    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def end_with(parent: int) -> None:
    """Let a signal end this process at once, and the end of its parent too."""
    end_on_signals()
    confinement.end_with_parent()
    if os.getppid() != parent:
        os._exit(1)
