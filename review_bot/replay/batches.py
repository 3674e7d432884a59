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
from typing import Any, NamedTuple, NoReturn, TypeVar

from review_bot.errors import ReviewBotError
from review_bot.forges.merged_pull_requests import MergedPullRequest

LARGEST_BATCH = 8

_Result = TypeVar("_Result")


class _Worker(NamedTuple):
    """A running process: what it was given (by position), and what of it has come back."""

    pid: int
    batch: tuple[int, ...]
    received: bytearray


def replay_all(
    past: Sequence[MergedPullRequest],
    review: Callable[[MergedPullRequest], _Result],
    failed: Callable[[MergedPullRequest, str], _Result],
    *,
    jobs: int,
    done: Callable[[int], None],
) -> list[_Result]:
    """Return ``review(each)`` for each pull request, in their order.

    ``failed`` gives the result, with the error as a sentence, where a review raises or its process dies. ``done`` is
    called with the number of finished pull requests.
    """

    def attempt(each: MergedPullRequest) -> _Result:
        try:
            return review(each)
        except ReviewBotError as error:
            return failed(each, str(error))
        except Exception as error:  # noqa: BLE001  # one broken pull request does not end the replay
            return failed(each, f"{type(error).__name__}: {error}")

    size = max(1, min(LARGEST_BATCH, len(past) // (4 * jobs)))
    waiting = [tuple(range(start, min(start + size, len(past)))) for start in range(0, len(past), size)]
    running: dict[int, _Worker] = {}
    results: dict[int, _Result] = {}
    try:
        while waiting or running:
            while waiting and len(running) < max(1, jobs):
                reader, worker = _start(waiting.pop(0), past, attempt, tuple(running))
                running[reader] = worker
            ready, _, _ = select.select(list(running), [], [])
            for reader in ready:
                data = os.read(reader, 1 << 20)
                running[reader].received.extend(data)
                if not data:
                    worker = running.pop(reader)
                    answers, status = _end(reader, worker)
                    results.update(zip(worker.batch, answers, strict=False))
                    if rest := worker.batch[len(answers) :]:
                        died = f"the process that reviewed it ended with status {status}"
                        results[rest[0]] = failed(past[rest[0]], died)
                        waiting[:0] = [rest[1:]] if rest[1:] else []
                    done(len(results))
    finally:
        for reader, worker in running.items():
            os.close(reader)
            os.kill(worker.pid, signal.SIGKILL)
            os.waitpid(worker.pid, 0)
    return [results[position] for position in range(len(past))]


def _start(
    batch: tuple[int, ...],
    past: Sequence[MergedPullRequest],
    review: Callable[[MergedPullRequest], Any],
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
    batch: tuple[int, ...], past: Sequence[MergedPullRequest], review: Callable[[MergedPullRequest], Any], writer: int
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


def _end(reader: int, worker: _Worker) -> tuple[list[Any], int]:
    """Return the answers of a process that ended, in the order of its batch, and its exit status."""
    os.close(reader)
    _, status = os.waitpid(worker.pid, 0)
    return _unpickle(bytes(worker.received)), os.waitstatus_to_exitcode(status)


def _unpickle(data: bytes) -> list[Any]:
    """Return the whole answers at the start of what a process sent."""
    from io import BytesIO

    stream = BytesIO(data)
    answers: list[Any] = []
    while stream.tell() < len(data):
        try:
            answers.append(pickle.load(stream))  # noqa: S301  # from our own child
        except (EOFError, pickle.UnpicklingError):
            break  # it died while it wrote
    return answers
