"""Runs commands and measures them: CPU time and wall time of a process with all its children, memory of each.

CPU time is user and system time as ``wait4`` returns it, of the process and of every child it waited for: workers and
git. Memory is read from ``/proc`` every ten milliseconds, for the Python processes alone: the resident set of each
(pages that a fork shares are counted in both) and the proportional set (each shared page is counted once).
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sysconfig
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Timing(NamedTuple):
    """Milliseconds."""

    cpu: float
    wall: float


class Memory(NamedTuple):
    """Peaks, in bytes: the largest process, and the sum over all at one moment, resident and proportional."""

    largest: int
    resident_sum: int
    proportional_sum: int


def script(name: str) -> str:
    """Return the path of a command that is installed with this interpreter."""
    return str(Path(sysconfig.get_path("scripts")) / name)


def environment() -> dict[str, str]:
    """Return the environment of what is measured: compiled modules are written and used, as in an installation."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def run_once(command: Sequence[str], folder: Path, *, codes: Sequence[int] = (0, 1)) -> Timing:
    """Run a command to its end, output thrown away. Raises RuntimeError for any other exit code than ``codes``."""
    before = time.perf_counter()
    pid = _start(command, folder)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - before
    _check(command, status, codes)
    return Timing(1000 * (usage.ru_utime + usage.ru_stime), 1000 * wall)


def in_turn(commands: Mapping[str, tuple[Sequence[str], Path]], rounds: int) -> dict[str, Timing]:
    """Run commands in turn, so that a noisy moment meets all of them, and return the median of each."""
    timings: dict[str, list[Timing]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, (command, folder) in commands.items():
            timing = run_once(command, folder)
            if number:  # the first round warms the caches and is not counted
                timings[name].append(timing)
    return {
        name: Timing(statistics.median(t.cpu for t in each), statistics.median(t.wall for t in each))
        for name, each in timings.items()
    }


def peak_memory(command: Sequence[str], folder: Path) -> Memory | None:
    """Return the peak memory of a command's Python processes, or None where there is no ``/proc``."""
    if not Path("/proc/self/smaps_rollup").exists():
        return None
    pid = _start(command, folder)
    largest = resident = proportional = 0
    while True:
        ended, status, _ = os.wait4(pid, os.WNOHANG)
        if ended:
            _check(command, status, (0, 1))
            return Memory(largest, resident, proportional)
        sizes = [size for process in _tree(pid) if (size := _sizes(process)) is not None]
        largest = max([largest, *(size[0] for size in sizes)])
        resident = max(resident, sum(size[0] for size in sizes))
        proportional = max(proportional, sum(size[1] for size in sizes))
        time.sleep(0.01)


def output_of(command: Sequence[str], folder: Path) -> str:
    """Return what a command prints. Raises CalledProcessError."""
    return subprocess.run(command, cwd=folder, env=environment(), stdout=subprocess.PIPE, text=True, check=True).stdout


def _start(command: Sequence[str], folder: Path) -> int:
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    here = Path.cwd()
    os.chdir(folder)
    try:
        return os.posix_spawnp(command[0], list(command), environment(), file_actions=actions)
    finally:
        os.chdir(here)


def _check(command: Sequence[str], status: int, codes: Sequence[int]) -> None:
    code = os.waitstatus_to_exitcode(status)
    if code not in codes:
        raise RuntimeError(f"exit code {code}: {' '.join(command)}")


def _tree(pid: int) -> list[int]:
    """Return a process and all below it."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{parent}/task").iterdir():
                found += [int(child) for child in (thread / "children").read_text().split()]
    return found


def _sizes(pid: int) -> tuple[int, int] | None:
    """Return resident and proportional bytes of a Python process, None for another kind or one that has ended."""
    try:
        if not Path(f"/proc/{pid}/exe").readlink().name.startswith("python"):
            return None
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return None
    sizes = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in text.splitlines()[1:]}
    return sizes["Rss"], sizes["Pss"]
