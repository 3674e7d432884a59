"""The parent's side of the isolated worker: what reads hostile bytes has no token, no network of ours and a deadline.

::

    this process                         python -m review_bot.sandbox.worker
    pickle of the request ── stdin ────▶ imports, gives up root, then reads it; each file in a process of its own
    worker_response.decode ◀ stdout ───── one JSON object a line: {"done": n}, {"examination": ...}, {"fixes": ...}

The worker starts with an empty environment, no descriptor but its pipes, in a session of its own, in ``/``. The request
is trusted, the answer is not: it is JSON, it has a largest size, and it is held against the request. Whatever goes
wrong makes files unreviewed, and so the review incomplete; nothing that goes wrong makes it green.

What this promises: code that takes over the worker through the text of a file finds neither the token nor the
environment of this process, can ask this process for nothing, and ends at the deadline. It is not a virtual machine: it
can still call the kernel, and it can leave out findings of what it has read. Where this process is not root, its user
is the worker's too, and ``protect_process`` keeps the two apart; that and the memory limit are Linux's alone.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

from review_bot.changes.pull_request import Unreviewed
from review_bot.engine.examination import Texts, no_text
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.left_out import left_out_files
from review_bot.findings import Examination, Failure
from review_bot.processes import confinement
from review_bot.processes.confined_process import ConfinedProcess, Unanswered, printable
from review_bot.records import NamedTuple
from review_bot.sandbox import worker_response
from review_bot.sandbox.worker_response import InvalidResponse

COMMAND = (sys.executable, "-I", "-m", "review_bot.sandbox.worker")

LARGEST_ANSWER = 64 * 1024 * 1024
"""Bytes that a worker may send in all."""

REPORTING_SECONDS = 5.0
"""Seconds for what a worker has still to report once its time to try fixes is over."""


class Limits(NamedTuple):
    """What a worker may take: bytes of memory for each of its processes, seconds for one file, seconds in all.

    ``proof_seconds`` of them to try fixes, once all was seen.
    """

    memory: int = 768 * 1024 * 1024
    file_seconds: float = 10.0
    total_seconds: float = 120.0
    proof_seconds: float = 30.0


class WorkerRequest(NamedTuple):
    """What a worker is asked. ``until``: when it must have answered, by the clock of the machine (monotonic)."""

    request: ExaminationRequest
    limits: Limits
    jobs: int
    until: float


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
        self._process = self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The process that waits for a request, if there is one."""
        return None if self._process is None else self._process.pid

    def examine(
        self,
        request: ExaminationRequest,
        *,
        jobs: int = 1,
        progress: Callable[[int], None] = lambda _count: None,
    ) -> Examination:
        """Run every rule of the plan, as ``examination.examine`` does. What the worker did not finish is unreviewed.

        Its repository must be closed (see ``changes.repository.closed``). Raises TypeError if it is not.
        Raises Interrupted if a signal asked the worker, or one of its own processes, to end.
        """
        request = request._replace(texts=Texts(*map(dict, request.texts)))
        until = time.monotonic() + self._limits.total_seconds
        try:
            payload = pickle.dumps(WorkerRequest(request, self._limits, jobs, until), pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise TypeError(f"the request is not plain data; is the repository closed? ({error})") from error
        try:
            found = self._ask(payload, until, progress, proves=request.plan.fixing is not None)
            return worker_response.decode(found, request)
        except Unanswered as error:
            return _unreviewed(request, str(error))
        except InvalidResponse as error:
            return _unreviewed(request, f"the sandboxed worker returned an invalid response: {error}")
        finally:
            self.close()

    def close(self) -> None:
        """End the worker and all that it started, at once."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def _start(self) -> ConfinedProcess | None:
        with contextlib.suppress(Unanswered):  # there is no worker then, which `examine` reports
            return ConfinedProcess(self._command, largest=LARGEST_ANSWER)
        return None

    def _ask(self, payload: bytes, until: float, progress: Callable[[int], None], *, proves: bool) -> Any:
        """Send a request and return what the worker found, parsed and no more. Raises Unanswered.

        Fixes come last. Where they do not come, what was found before holds without them: no verdict waits for a fix.
        """
        self._process = self._process or self._start()
        if self._process is None:
            raise Unanswered("the sandboxed worker could not be started")
        self._process.send(len(payload).to_bytes(8, "big") + payload)
        partial: list[Any] = []
        try:
            return self._listen(self._process, until, progress, partial, proves=proves)
        except Unanswered:
            if not partial:
                raise
            return partial[-1]

    def _listen(
        self,
        process: ConfinedProcess,
        until: float,
        progress: Callable[[int], None],
        partial: list[Any],
        *,
        proves: bool,
    ) -> Any:
        """Return the whole answer; what came before fixes were tried is put into ``partial``. Raises Unanswered."""
        unfinished = bytearray()
        while time.monotonic() < until:
            chunk = process.receive(until)
            if chunk is None:
                raise Unanswered(f"the sandboxed worker exited with {process.ending()}")
            if b"\n" not in chunk:
                unfinished += chunk
                continue
            *lines, rest = (bytes(unfinished) + chunk).split(b"\n")
            unfinished = bytearray(rest)
            for line in lines:
                message = _parse(line)
                if "examination" in message and not proves:
                    return message["examination"]
                if "examination" in message:
                    partial.append(message["examination"])
                    until = min(until, time.monotonic() + self._limits.proof_seconds + REPORTING_SECONDS)
                if "fixes" in message and partial:
                    return worker_response.with_fixes(partial[-1], message["fixes"])
                if "refused" in message:
                    reason = printable(str(message["refused"]))
                    raise Unanswered(f"the sandboxed worker could not start the review: {reason}")
                count = message.get("done")
                if type(count) is int and 0 <= count < sys.maxsize:
                    progress(count)
        raise Unanswered(f"the time limit for the whole change, {self._limits.total_seconds:g} s, was exceeded")


def _parse(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Unanswered("the sandboxed worker returned a response that is not JSON") from error
    if type(message) is not dict:
        raise Unanswered("the sandboxed worker returned an invalid response: not an object")
    return message


def _unreviewed(request: ExaminationRequest, reason: str) -> Examination:
    """Return what is known when nothing was examined: every file with work to do is unreviewed."""
    files = [request.pull_request.files[task.file].path for task in request.plan.tasks]
    whole = [rule.id for rule in request.rulebook.rules if rule.is_about_all]
    return Examination(
        unreviewed=tuple(sorted({*request.pull_request.unreviewed, *(Unreviewed(path, reason) for path in files)})),
        no_text=no_text(request.pull_request),
        ignored=tuple(sorted(request.plan.ignored)),
        left_out=left_out_files(request.pull_request, request.rulebook),
        failures=tuple(sorted((Failure(rule, None, reason) for rule in whole), key=str)),
    )
