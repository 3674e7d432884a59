"""Runs tasks in processes that die alone: each task has a deadline, and what ends a process costs the task it was at.

A *hand* is a forked process that works through a share of the tasks, one after the other, and writes one framed answer
for each. The supervisor only waits, reads and kills; it never looks at what the tasks look at. An answer is JSON that
must have the declared type of the result: a hand that was taken over can lie about its own tasks, and do nothing else.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from review_bot.errors import Interrupted
from review_bot.processes import typed_json
from review_bot.processes.process_pool import ENDING, end_with, shares_of

Task = TypeVar("Task")
Result = TypeVar("Result")

OUT_OF_MEMORY = 77
"""Exit code of a hand whose task needed more memory than it may have."""

LARGEST_ANSWER = 64 * 1024 * 1024
"""Bytes that one task may answer with."""

_HEAD = 9
"""Bytes before an answer: its kind, and its length."""

_TAIL = 4_000
"""Bytes of a hand's last words that are kept."""


class Bounds(NamedTuple):
    """``task_seconds`` for one task; ``until``: when all must have ended (``time.monotonic``).

    ``total_seconds`` and ``memory`` (bytes) are what the reasons say of the limits that others enforce.
    """

    task_seconds: float
    until: float
    total_seconds: float
    memory: int


class _Hand:
    """One process and the tasks that it has still to answer, the one that it is at first."""

    def __init__(self, pid: int, answers: int, words: int, share: list[int]) -> None:
        self.pid = pid
        self.answers = answers
        self.words = words
        self.share = share
        self.since = time.monotonic()
        self.buffer = bytearray()
        self.tail = b""


class Supervisor:
    """Has the signature of ``processes.run_all``. ``confine`` is called first in each new process."""

    def __init__(self, bounds: Bounds, confine: Callable[[], None] = lambda: None) -> None:
        self._bounds = bounds
        self._confine = confine

    def end_by(self, until: float) -> None:
        """Let what is still to be done end at a time, if that is earlier than before."""
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
        read: Callable[[Any], Result],
    ) -> list[Result]:
        """Return ``work(task)``, or ``lost(task, reason)``, for each task in the order of the tasks."""
        results: dict[int, Result] = {}
        if time.monotonic() >= self._bounds.until:
            return [lost(task, self._out_of_time()) for task in tasks]
        if not tasks:
            return []
        gc.freeze()
        hands = [self._start(share, tasks, work) for share in shares_of(tasks, weight, min(max(1, jobs), len(tasks)))]
        while hands:
            reason = ""
            self._wait(hands)
            for hand in list(hands):
                before = len(results)
                open_still = _drain(hand)
                reason = self._take(hand, results, tasks, lost, read) or ("" if open_still else "ended")
                if len(results) != before:
                    done(len(results))
                now = time.monotonic()
                if not reason and now >= self._bounds.until:
                    reason = self._out_of_time()
                if not reason and hand.share and now - hand.since > self._bounds.task_seconds:
                    reason = f"took longer than {self._bounds.task_seconds:g} s"
                if reason:
                    hands.remove(hand)
                    ending = self._end(hand)
                    hands += self._after(hand, ending if reason == "ended" else reason, results, tasks, work, lost)
                    done(len(results))
        return [results[position] for position in range(len(tasks))]

    def _after(
        self,
        hand: _Hand,
        reason: str,
        results: dict[int, Result],
        tasks: Sequence[Task],
        work: Callable[[Task], Result],
        lost: Callable[[Task, str], Result],
    ) -> list[_Hand]:
        """Give up the task that a hand was at when it ended, and hand the rest of its share to a new one."""
        if not hand.share:
            return []
        first, *rest = hand.share
        results[first] = lost(tasks[first], reason)
        if not rest:
            return []
        if time.monotonic() < self._bounds.until:
            return [self._start(rest, tasks, work)]
        for position in rest:
            results[position] = lost(tasks[position], self._out_of_time())
        return []

    def _out_of_time(self) -> str:
        return f"the time limit for the whole change, {self._bounds.total_seconds:g} s, was exceeded"

    def _start(self, share: list[int], tasks: Sequence[Task], work: Callable[[Task], Result]) -> _Hand:
        answers, answer = os.pipe()
        words, word = os.pipe()
        parent = os.getpid()
        pid = os.fork()
        if pid:
            os.close(answer)
            os.close(word)
            os.set_blocking(answers, False)
            os.set_blocking(words, False)
            return _Hand(pid, answers, words, list(share))
        code = 1
        try:
            end_with(parent)
            os.dup2(word, 2)
            os.dup2(answer, 3)
            os.closerange(4, os.sysconf("SC_OPEN_MAX"))  # no way to the parent, nor to the other hands
            self._confine()
            for position in share:
                write_all(3, _answer(work, tasks[position]))
            code = 0
        except MemoryError:
            code = OUT_OF_MEMORY
        finally:
            os._exit(code)

    def _wait(self, hands: list[_Hand]) -> None:
        now = time.monotonic()
        ends = [hand.since + self._bounds.task_seconds for hand in hands if hand.share]
        poll = select.poll()
        for hand in hands:
            poll.register(hand.answers, select.POLLIN)
            if hand.words >= 0:
                poll.register(hand.words, select.POLLIN)
        poll.poll(max(0.0, min([self._bounds.until, *ends]) - now) * 1000 + 1)

    def _take(
        self,
        hand: _Hand,
        results: dict[int, Result],
        tasks: Sequence[Task],
        lost: Callable[[Task, str], Result],
        read: Callable[[Any], Result],
    ) -> str:
        """Keep the answers that have come in whole; return why the hand must end, if it must."""
        buffer = hand.buffer
        while len(buffer) >= _HEAD:
            length = int.from_bytes(buffer[1:_HEAD], "big")
            if length > LARGEST_ANSWER or not hand.share:
                return f"returned more than {LARGEST_ANSWER // 2**20} MiB of results"
            if len(buffer) < _HEAD + length:
                return ""
            kind, payload = buffer[:1], bytes(buffer[_HEAD : _HEAD + length])
            del buffer[: _HEAD + length]
            position = hand.share[0]
            if kind == b"R":
                try:
                    results[position] = read(json.loads(payload))
                except (ValueError, RecursionError, typed_json.Mismatch):
                    return "returned an unreadable response"
            else:
                results[position] = lost(tasks[position], payload.decode("utf-8", "replace"))
            hand.share.pop(0)
            hand.since = time.monotonic()
        return ""

    def _end(self, hand: _Hand) -> str:
        """Kill a hand, if it still lives, and return in words how it ended."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(hand.pid, signal.SIGKILL)  # changes nothing if it has ended by itself
        _, status = os.waitpid(hand.pid, 0)
        _drain(hand)
        os.close(hand.answers)
        if hand.words >= 0:
            os.close(hand.words)
        code = os.waitstatus_to_exitcode(status)
        if -code in ENDING:
            raise Interrupted(-code)
        refused = code == -signal.SIGABRT and (b"alloc" in hand.tail or b"out of memory" in hand.tail.lower())
        if code == OUT_OF_MEMORY or refused:
            return f"needed more memory than {self._bounds.memory // 2**20} MiB"
        return f"analysis ended with signal {-code}" if code < 0 else f"analysis ended with status {code}"


def _answer(work: Callable[[Any], Any], task: Any) -> bytes:
    try:
        kind, payload = b"R", typed_json.encode(work(task)).encode()
    except BaseException as error:  # whatever a library throws costs this task and no more
        if isinstance(error, MemoryError):
            raise
        kind, payload = b"E", f"analysis failed: {type(error).__name__}".encode()
    return kind + len(payload).to_bytes(_HEAD - 1, "big") + payload


def write_all(descriptor: int, payload: bytes) -> None:
    """Write all of it to a pipe."""
    view = memoryview(payload)
    while view:
        view = view[os.write(descriptor, view) :]


def _drain(hand: _Hand) -> bool:
    """Read what has come; tell whether answers may still come."""
    if hand.words >= 0:
        with contextlib.suppress(BlockingIOError):
            words = os.read(hand.words, 65_536)  # all that a pipe holds; once, as somebody may write without end
            hand.tail = (hand.tail + words)[-_TAIL:]
            if not words:
                os.close(hand.words)
                hand.words = -1
    try:
        while chunk := os.read(hand.answers, 1 << 20):
            hand.buffer += chunk
            if len(hand.buffer) > LARGEST_ANSWER + _HEAD:
                return True
    except BlockingIOError:
        return True
    return False
