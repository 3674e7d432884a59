"""Coverage reports that a caller names: opened here, read in this process or in one without token and environment.

::

    --coverage FILE      on this machine      missing: UsageError; read here
    input coverage       below the workspace  missing: said; read in a process of its own

Whatever is wrong with a report is said, and leaves the coverage of the change "not measured": it is never 0, and never
part of the verdict.
"""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Callable, Sequence

from review_bot.changes.pull_request import PullRequest
from review_bot.coverage import added_lines
from review_bot.coverage.added_lines import Coverage, Report
from review_bot.coverage.reported import Reported, Unusable, Wanted
from review_bot.errors import UsageError
from review_bot.files.file_writing import folder_of
from review_bot.processes import confined_process, typed_json
from review_bot.records import NamedTuple
from review_bot.rules.scope import is_library, is_test, language_of

SECONDS = 30.0
"""For one report in a process of its own."""

ALL_SECONDS = 60.0
"""After so long no further report is begun."""

LARGEST_ANSWER = 16 * 1024 * 1024
"""Bytes that such a process may answer with."""

MOST_REPORTS = 20
"""Reports that one run reads."""

Reader = Callable[[int, Wanted], Reported]
"""Reads an open file, which it closes. Raises Unusable."""

Open = Callable[[], Sequence["Opened"]]
"""Opens the reports of a run."""

Paths = Callable[[], frozenset[str] | None]
"""Returns all paths at the head, or None if they are not known."""


_COMPILED = frozenset({"c", "cpp", "go", "javascript", "rust", "tsx", "typescript"})


def _is_code(path: str) -> bool:
    """Return whether one expects a coverage report to name a file."""
    return is_library(path) or language_of(path) in _COMPILED


class Opened(NamedTuple):
    """A report as it was named, and its descriptor, or why it could not be opened (after its name)."""

    name: str
    file: int | str


class CoverageInput:
    """Measures the coverage of a change by reports; it is a ``pipeline.Measure``. Tests are no code to be covered."""

    def __init__(self, reports: Open, read: Reader, paths: Paths, *, seconds: float = ALL_SECONDS) -> None:
        self._open, self._read, self._paths, self._seconds = reports, read, paths, seconds

    def __call__(self, change: PullRequest, /) -> Coverage | None:
        """Return what the reports say of the lines that the change adds; None without any report."""
        opened = self._open()
        if not opened:
            return None
        added = {path: lines for path, lines in added_lines.added_lines(change.files).items() if not is_test(path)}
        wanted = added_lines.wanted(added)
        until = time.monotonic() + self._seconds
        reports = [self._report(each, wanted, at, until) for at, each in enumerate(opened)]
        return added_lines.measure(added, reports, self._paths(), frozenset(filter(_is_code, added)))

    def _report(self, opened: Opened, wanted: Wanted, position: int, until: float) -> Report:
        if isinstance(opened.file, str):
            return Report(opened.name, opened.file)
        if position >= MOST_REPORTS:
            os.close(opened.file)
            return Report(opened.name, f"was not read: a run reads at most {MOST_REPORTS} reports")
        if time.monotonic() >= until:
            os.close(opened.file)
            return Report(opened.name, f"was not read: the reports before it took {self._seconds:g} s")
        try:
            return Report(opened.name, self._read(opened.file, wanted))
        except Unusable as error:
            return Report(opened.name, str(error))


def no_reports() -> Sequence[Opened]:
    """Open none."""
    return ()


def open_here(names: Sequence[str]) -> list[Opened]:
    """Open reports of this machine. Raises UsageError for one that cannot be opened."""
    opened = []
    for name in names:
        try:
            file = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "not a valid file name"
            raise UsageError(f"--coverage {name}: {why}; name a Cobertura XML or LCOV file") from error
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise UsageError(f"--coverage {name}: it is not a regular file; name a Cobertura XML or LCOV file")
        opened.append(Opened(name, file))
    return opened


def open_below(workspace: str, names: Sequence[str]) -> list[Opened]:
    """Open reports below the workspace of a job, through no symbolic link: the change may have made them."""
    return [Opened(name, _open_below(workspace, name)) for name in names]


def _open_below(workspace: str, name: str) -> int | str:
    try:
        with folder_of(workspace or ".", name) as (folder, last):
            file = os.open(last, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return "does not exist; check that an earlier step writes it"
    except OSError as error:
        return f"cannot be opened below the workspace without following a symbolic link: {error.strerror}"
    except ValueError:
        return "cannot be opened: its name is not valid"
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        return "is not a regular file"
    return file


def read_here(file: int, wanted: Wanted) -> Reported:
    """Read a report in this process. Raises Unusable."""
    from review_bot.coverage import reading

    try:
        with open(file, "rb") as stream:
            return reading.read(stream, wanted)
    except OSError as error:
        raise Unusable(f"cannot be read: {error.strerror}") from error


def read_apart(file: int, wanted: Wanted, *, command: Sequence[str], seconds: float = SECONDS) -> Reported:
    """Read a report in a process of its own, which ends with this call. Raises Unusable.

    ``command`` starts the process; the descriptor of the report is added to it.
    """
    request = json.dumps({name: sorted(lines) for name, lines in wanted.items()}).encode()
    try:
        answer = confined_process.ask(
            [*command, str(file)], request, seconds=seconds, largest=LARGEST_ANSWER, pass_fds=(file,)
        )
    except confined_process.Unanswered as error:
        raise Unusable(f"was not read: {error}") from error
    finally:
        os.close(file)
    return _decoded(answer)


def _decoded(answer: bytes) -> Reported:
    """Return what a process answered. Raises Unusable."""
    try:
        unusable, reported = typed_json.decode(tuple[str | None, Reported], json.loads(answer))
    except (ValueError, RecursionError, typed_json.Mismatch) as error:
        why = "its process returned an invalid response" if answer else "its process ended early"
        raise Unusable(f"was not read: {why}") from error
    if unusable is not None:
        raise Unusable(confined_process.printable(unusable))
    checked: Reported = reported
    return checked
