"""Spreads files over worker processes, largest first, and gathers what they found.

Workers are forked: they inherit the request and send back plain data, so the answer does not depend on how many there
are. A worker that dies leaves its files unreviewed, and says so. One that a signal asks to end (``ENDING``) ends all.
"""

from __future__ import annotations

import gc
import os
import select
import signal
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from review_bot.errors import Interrupted
from review_bot.processes import confinement

Task = TypeVar("Task")
Result = TypeVar("Result")

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a program to end; sent to one process, it ends all."""


def run_all(
    tasks: Sequence[Task],
    work: Callable[[Task], Result],
    lost: Callable[[Task, str], Result],
    *,
    jobs: int = 1,
    weight: Callable[[Task], int] = lambda _task: 1,
    done: Callable[[int], None] = lambda _count: None,
    read: Callable[[Any], Result] | None = None,  # noqa: ARG001  # results of these processes are as trusted as this one
) -> list[Result]:
    """Return ``work(task)`` for each task, in the order of the tasks.

    ``lost`` answers for a worker that died; ``done`` is told how many tasks have ended, from time to time.
    """
    if jobs <= 1 or len(tasks) <= 1:
        results = []
        for task in tasks:
            results.append(work(task))
            done(len(results))
        return results
    shares = shares_of(tasks, weight, min(jobs, len(tasks)))
    gc.freeze()
    ticks, tick = os.pipe()
    children = _Children()
    try:
        for share in shares:
            children.start(share, tasks, work, tick, ticks)
        os.close(tick)
        gathered = children.gather(ticks, done)
    except BaseException:
        children.kill()
        raise
    finally:
        os.close(ticks)
    return [
        lost(tasks[position], result.reason) if isinstance(result := gathered[position], _Lost) else result
        for position in range(len(tasks))
    ]


class _Lost:
    def __init__(self, reason: str) -> None:
        self.reason = reason


def shares_of(tasks: Sequence[Task], weight: Callable[[Task], int], count: int) -> list[list[int]]:
    """Divide tasks, by position, into shares of about equal weight, the heaviest task of each first."""
    loads = [0] * count
    shares: list[list[int]] = [[] for _ in range(count)]
    for position in sorted(range(len(tasks)), key=lambda n: (-weight(tasks[n]), n)):
        lightest = loads.index(min(loads))
        shares[lightest].append(position)
        loads[lightest] += weight(tasks[position]) + 20
    return shares


class _Child(NamedTuple):
    """A process, the positions of its tasks, and what it has sent so far."""

    pid: int
    share: list[int]
    received: bytearray


class _Children:
    """Running processes, by the descriptor of what they send."""

    def __init__(self) -> None:
        self._running: dict[int, _Child] = {}

    def start(self, share: list[int], tasks: Sequence[Any], work: Callable[[Any], Any], tick: int, ticks: int) -> None:
        """Start a process for a share of the tasks; it writes a byte to ``tick`` for each that has ended."""
        parent = os.getpid()
        reader, writer = os.pipe()
        pid = os.fork()
        if pid:
            os.close(writer)
            self._running[reader] = _Child(pid, share, bytearray())
            return
        code = 1
        try:
            for descriptor in (reader, ticks, *self._running):
                os.close(descriptor)
            end_with(parent)
            _work(share, tasks, work, tick, writer)
            code = 0
        finally:
            os._exit(code)

    def gather(self, ticks: int, done: Callable[[int], None]) -> dict[int, Any]:
        """Return the results by position, once all have ended. Raises Interrupted if a signal asked one to end."""
        ended, gathered = 0, dict[int, Any]()
        descriptors = [ticks, *self._running]
        while descriptors:
            for ready in select.select(descriptors, [], [])[0]:
                data = os.read(ready, 1 << 20)
                if ready == ticks:
                    ended += len(data)
                    done(ended)
                elif data:
                    self._running[ready].received.extend(data)
                else:
                    gathered.update(self._end(ready))
                if not data:
                    descriptors.remove(ready)
        return gathered

    def kill(self) -> None:
        """End them all, at once."""
        for child in self._running.values():
            os.kill(child.pid, signal.SIGKILL)
        for child in self._running.values():
            os.waitpid(child.pid, 0)
        self._running.clear()

    def _end(self, reader: int) -> list[tuple[int, Any]]:
        """Take what a process has sent that sends no more."""
        child = self._running.pop(reader)
        os.close(reader)
        _, status = os.waitpid(child.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if -code in ENDING:
            raise Interrupted(-code)
        if code == 0:
            import pickle

            results: list[tuple[int, Any]] = pickle.loads(child.received)  # noqa: S301  # from our own child
            return results
        reason = f"the worker process ended with status {code}"
        return [(position, _Lost(reason)) for position in child.share]


def _work(share: list[int], tasks: Sequence[Any], work: Callable[[Any], Any], tick: int, writer: int) -> None:
    import pickle

    results = []
    for position in share:
        results.append((position, work(tasks[position])))
        os.write(tick, b".")  # fails, and so ends this process, where the parent is gone
    os.close(tick)  # before the results, which the parent reads when no task is left
    payload = pickle.dumps(results, pickle.HIGHEST_PROTOCOL)
    with os.fdopen(writer, "wb") as pipe:
        pipe.write(payload)


def end_on_signals() -> None:
    """Let each signal of ``ENDING`` that the caller does not ignore end this process at once."""
    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def end_with(parent: int) -> None:
    """Let a signal end this process at once, whatever it is at, and the end of its parent too."""
    end_on_signals()
    confinement.end_with_parent()
    if os.getppid() != parent:
        os._exit(1)
