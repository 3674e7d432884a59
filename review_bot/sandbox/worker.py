"""The isolated worker: ``python -I -m review_bot.sandbox.worker``, started by ``worker_client`` alone.

It imports all that it will need, gives up what it does not need (root, new privileges, files, most of the memory), and
only then reads the request. It never looks at the change itself: each file is examined in a process forked for it.
"""

from __future__ import annotations

import json
import os
import pickle
import time
from importlib import import_module

from review_bot.checks import catalog
from review_bot.contracts import contract_store
from review_bot.engine.examination import examine
from review_bot.errors import Interrupted
from review_bot.findings import Examination
from review_bot.processes import confinement
from review_bot.processes.process_pool import Bounds, ProcessPool, end_on_signals, write_all
from review_bot.sandbox.worker_client import REPORTING_SECONDS, WorkerRequest

LATE = (
    *("ast", "configparser", "ctypes", "difflib", "heapq", "inspect", "io", "linecache", "shlex", "string", "textwrap"),
    *(
        "tokenize",
        "tomllib",
        "tracemalloc",
        "unicodedata",
        "re2",
        "encodings.ascii",
        "encodings.idna",
        "encodings.latin_1",
    ),
    *("encodings.unicode_escape", "encodings.utf_8_sig", "encodings.utf_16", "encodings.utf_16_be"),
    *("encodings.utf_16_le", "encodings.utf_32"),
    *("review_bot.changes.disguised_names", "review_bot.changes.logical_lines"),
    *("review_bot.changes.newer_syntax", "review_bot.changes.node_index", "review_bot.rules.statements"),
    *("review_bot.engine.fixing", "review_bot.rules.structural_pattern", "review_bot.rules.text_pattern"),
    *("review_bot.analysis.project.script_paths", "review_bot.analysis.project.script_runs"),
    *("review_bot.flow.certainty", "review_bot.flow.first_way", "review_bot.flow.other_tests"),
    "review_bot.flow.slices",
)
"""Late imports of other modules, besides the checks; ``inspect`` and ``unicodedata`` by Python's own
``ast``, ``heapq`` by ``Counter.most_common``, ``linecache`` and ``tracemalloc`` by ``warnings``. Once this process has
given up its rights it imports nothing more (``confinement.end_imports``), even where it could read the files."""

DESCRIPTORS = 64
"""Open files and pipes; each file under examination takes four."""

IN_TIME = 0.9
"""Part of the time after which unfinished work is given up, so that the rest can be reported in time."""


def main() -> None:
    """Answer one request and end. Does not return."""
    requests, answers = _take_pipes()
    end_on_signals()  # the parent is to see which signal it was
    code = 1
    try:
        _import_the_rest()
        confinement.give_up_privileges()
        _be_silent()
        write_all(answers, _line(_work(_read(requests), answers)))
        code = 0
    except Interrupted as error:
        os.kill(os.getpid(), error.number)
    except confinement.ConfinementError as error:
        write_all(answers, _line({"refused": str(error)}))
    except BaseException as error:  # noqa: BLE001  # the border: nothing but a sentence leaves it
        reason = "the change needs more memory than the limit" if isinstance(error, MemoryError) else None
        write_all(answers, _line({"refused": reason or f"{type(error).__name__}: {error}"}))
    finally:
        os._exit(code)


def _take_pipes() -> tuple[int, int]:
    """Take the pipes to the parent away from where a ``print`` would write, and a library would read."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    return requests, answers


def _be_silent() -> None:
    """Let the errors go the same way, now that the start, of which the parent may want to know, is over."""
    os.dup2(1, 2)


def _import_the_rest() -> None:
    for name in catalog.names():
        catalog.load(name)
    for name in LATE:
        import_module(name)
    contract_store.read()


def _read(requests: int) -> WorkerRequest:
    with os.fdopen(requests, "rb") as pipe:
        length = int.from_bytes(pipe.read(8), "big")
        payload = pipe.read(length)
    if len(payload) != length or not length:
        raise EOFError("the request ended early")
    request: WorkerRequest = pickle.loads(payload)  # noqa: S301  # from our parent, which made us
    return request


def _work(request: WorkerRequest, answers: int) -> dict[str, object]:
    """Return the last message: the examination or, if that was sent before fixes were tried, the fixes."""
    examined, limits = request.request, request.limits
    confinement.limit_resources(
        memory=limits.memory, cpu_seconds=int(limits.total_seconds) + 5, descriptors=DESCRIPTORS
    )
    reporting = min(REPORTING_SECONDS, limits.total_seconds * (1 - IN_TIME))
    bounds = Bounds(limits.file_seconds, request.until - reporting, limits.total_seconds, limits.memory)

    def report_progress(count: int) -> None:
        write_all(answers, _line({"done": count}))

    pool = ProcessPool(bounds, confinement.forbid_children)

    def report_partial(examination: Examination) -> None:
        write_all(answers, _line({"examination": examination}))
        pool.end_by(time.monotonic() + limits.proof_seconds)

    examination = examine(
        examined,
        jobs=request.jobs,
        progress=report_progress,
        run=pool,
        on_findings=report_partial,
        together=False,
    )
    return {"examination": examination} if examined.plan.fixing is None else {"fixes": examination.fixes}


def _line(message: dict[str, object]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


if __name__ == "__main__":
    main()
