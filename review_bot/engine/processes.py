"""Spreads files over worker processes, largest first, and gathers what they found.

Workers are forked: they inherit the request and send back plain data, so the answer does not depend on how many there
are. A worker that dies leaves its files unreviewed, and says so.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


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
    pipes = [_fork(share, tasks, work, tick) for share in shares]
    os.close(tick)
    ended = 0
    while marks := os.read(ticks, 4096):  # a byte for each task that has ended; the end when no worker has one left
        ended += len(marks)
        done(ended)
    os.close(ticks)
    gathered: dict[int, Result] = {}
    for (pid, reader), share in zip(pipes, shares, strict=True):
        for position, result in _receive(pid, reader, share):
            gathered[position] = result if not isinstance(result, _Lost) else lost(tasks[position], result.reason)
    return [gathered[position] for position in range(len(tasks))]


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


def _fork(share: list[int], tasks: Sequence[Task], work: Callable[[Task], Result], tick: int) -> tuple[int, int]:
    import pickle

    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    code = 1
    try:
        os.close(reader)
        results = []
        for position in share:
            results.append((position, work(tasks[position])))
            os.write(tick, b".")
        os.close(tick)  # before the results, which the parent reads when nobody works any more
        payload = pickle.dumps(results, pickle.HIGHEST_PROTOCOL)
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(payload)
        code = 0
    finally:
        os._exit(code)


def _receive(pid: int, reader: int, share: list[int]) -> list[tuple[int, Any]]:
    import pickle

    with os.fdopen(reader, "rb") as pipe:
        payload = pipe.read()
    _, status = os.waitpid(pid, 0)
    if status == 0:
        results: list[tuple[int, Any]] = pickle.loads(payload)  # noqa: S301  # from our own child
        return results
    reason = f"the worker process ended with status {os.waitstatus_to_exitcode(status)}"
    return [(position, _Lost(reason)) for position in share]
