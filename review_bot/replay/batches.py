"""Spreads pull requests over forked processes, a few at a time, and gathers what they gave.

A process that dies costs the one pull request it was at: that one gets an error, and the rest of its batch is given to
the next process. The answer is in the order of the pull requests, however many processes there are.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

from review_bot.forges.merged_pull_requests import PastPullRequest
from review_bot.replay.outcome import Outcome

LARGEST_BATCH = 8


class _Worker(NamedTuple):
    """A running process: what it was given (by position), and what of it has come back."""

    pid: int
    batch: tuple[int, ...]
    received: bytearray


def replay_all(
    past: Sequence[PastPullRequest],
    review: Callable[[PastPullRequest], Outcome],
    *,
    jobs: int,
    done: Callable[[int], None],
) -> list[Outcome]:
    """Return ``review(each)`` for each pull request; ``done`` is told how many have ended, as they end."""
    size = max(1, min(LARGEST_BATCH, len(past) // (4 * jobs)))
    waiting = [tuple(range(start, min(start + size, len(past)))) for start in range(0, len(past), size)]
    running: dict[int, _Worker] = {}
    outcomes: dict[int, Outcome] = {}
    try:
        while waiting or running:
            while waiting and len(running) < max(1, jobs):
                reader, worker = _start(waiting.pop(0), past, review, tuple(running))
                running[reader] = worker
            ready, _, _ = select.select(list(running), [], [])
            for reader in ready:
                data = os.read(reader, 1 << 20)
                running[reader].received.extend(data)
                if not data:
                    rest = _end(reader, running.pop(reader), past, outcomes)
                    waiting[:0] = [rest] if rest else []
                    done(len(outcomes))
    finally:
        for reader, worker in running.items():
            os.close(reader)
            os.kill(worker.pid, signal.SIGKILL)
            os.waitpid(worker.pid, 0)
    return [outcomes[position] for position in range(len(past))]


def _start(
    batch: tuple[int, ...],
    past: Sequence[PastPullRequest],
    review: Callable[[PastPullRequest], Outcome],
    others: tuple[int, ...],
) -> tuple[int, _Worker]:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return reader, _Worker(pid, batch, bytearray())
    for end in (reader, *others):
        os.close(end)
    return _work(batch, past, review, writer)


def _work(
    batch: tuple[int, ...], past: Sequence[PastPullRequest], review: Callable[[PastPullRequest], Outcome], writer: int
) -> NoReturn:
    """Be the forked process: review one after another and send each answer at once."""
    code = 1
    try:
        with os.fdopen(writer, "wb") as pipe:
            for position in batch:
                pickle.dump(review(past[position]), pipe, pickle.HIGHEST_PROTOCOL)
                pipe.flush()
        code = 0
    finally:
        os._exit(code)


def _end(
    reader: int, worker: _Worker, past: Sequence[PastPullRequest], outcomes: dict[int, Outcome]
) -> tuple[int, ...]:
    """Take what a process that ended has sent, and return the positions that nobody has looked at."""
    os.close(reader)
    _, status = os.waitpid(worker.pid, 0)
    answers = _unpickle(bytes(worker.received))
    outcomes.update(zip(worker.batch, answers, strict=False))
    rest = worker.batch[len(answers) :]
    if rest:
        code = os.waitstatus_to_exitcode(status)
        outcomes[rest[0]] = Outcome(past[rest[0]], error=f"the process that reviewed it ended with status {code}")
    return rest[1:]


def _unpickle(data: bytes) -> list[Outcome]:
    """Return the whole answers at the start of what a process sent."""
    from io import BytesIO

    stream = BytesIO(data)
    answers: list[Outcome] = []
    while stream.tell() < len(data):
        try:
            answers.append(pickle.load(stream))  # noqa: S301  # from our own child
        except (EOFError, pickle.UnpicklingError):
            break  # it died while it wrote
    return answers
