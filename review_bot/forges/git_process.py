"""Runs git so that nothing of the user's or the repository's configuration changes what it prints.

No hook, external diff, text conversion, file-system monitor or pager runs. ``posix_spawn`` is used in place of
``subprocess``, whose import alone costs as much as a small review.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from review_bot.errors import ForgeError, UsageError

FIXED_CONFIG = (
    "core.quotepath=off",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "diff.external=",
    "diff.noprefix=false",
    "diff.mnemonicPrefix=false",
    "diff.suppressBlankEmpty=false",
    "diff.context=3",
    "diff.interHunkContext=0",
    "diff.orderFile=/dev/null",
    "diff.renameLimit=2000",
    "diff.submodule=short",
    "diff.ignoreSubmodules=none",
    "diff.wsErrorHighlight=none",
    "color.ui=false",
    "submodule.recurse=false",
    "log.showSignature=false",
)

_DROPPED = (
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_PAGER",
    "GIT_TRACE",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
)


class Answer(NamedTuple):
    """What a command printed, and how it ended."""

    code: int
    output: bytes
    error: str


class Running(NamedTuple):
    """A git that was started and not yet read."""

    pid: int
    output: int
    error: int


def start(folder: str, arguments: Sequence[str]) -> Running:
    """Start git in a folder. Raises ForgeError if git is not installed."""
    command = ["git", "--no-optional-locks", "--no-pager", "-C", folder]
    for setting in FIXED_CONFIG:
        command += ["-c", setting]
    command += arguments
    output, output_end = os.pipe()
    error, error_end = os.pipe()
    environment = {name: value for name, value in os.environ.items() if name not in _DROPPED}
    environment |= {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ATTR_NOSYSTEM": "1"}
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, output_end, 1),
        (os.POSIX_SPAWN_DUP2, error_end, 2),
    ]
    try:
        pid = os.posix_spawnp("git", command, environment, file_actions=actions)
    except FileNotFoundError:
        os.close(output)
        os.close(error)
        raise ForgeError("git is not installed or not on the PATH; install git, or review a diff with --diff") from None
    finally:
        os.close(output_end)
        os.close(error_end)
    return Running(pid, output, error)


def finish(running: Running) -> Answer:
    """Read all that a started git prints and wait for its end."""
    chunks: dict[int, list[bytes]] = {running.output: [], running.error: []}
    open_ends = set(chunks)
    while open_ends:
        ready, _, _ = select.select(list(open_ends), [], [])
        for end in ready:
            data = os.read(end, 1 << 20)
            if data:
                chunks[end].append(data)
            else:
                open_ends.discard(end)
                os.close(end)
    _, status = os.waitpid(running.pid, 0)
    error = b"".join(chunks[running.error]).decode("utf-8", "replace").strip()
    return Answer(os.waitstatus_to_exitcode(status), b"".join(chunks[running.output]), error)


def run(folder: str, *arguments: str) -> Answer:
    """Run git to its end."""
    return finish(start(folder, arguments))


def output(folder: str, *arguments: str) -> bytes:
    """Return what git printed. Raises ForgeError with git's own words if it failed."""
    answer = run(folder, *arguments)
    if answer.code:
        raise ForgeError(f"`git {arguments[0]}` failed in {folder}: {last_line(answer.error) or answer.code}")
    return answer.output


def last_line(text: str) -> str:
    """Return the last line that says something, without ``fatal:``."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("fatal: ").removeprefix("error: ") if lines else ""


def resolve(folder: str, revision: str) -> str:
    """Return the commit that a revision names. Raises UsageError."""
    if revision.startswith("-"):
        raise UsageError(f"{revision!r} is not a revision")
    answer = run(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    commit = answer.output.decode("ascii", "replace").strip()
    if answer.code or not commit:
        raise UsageError(
            f"{revision!r} is not a commit that this repository has; fetch it, or see `git branch --all` for names"
        )
    return commit


class BlobReader:
    """Reads blobs by id through one ``git cat-file --batch``, started when first asked."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._pid: int | None = None
        self._requests = self._answers = -1

    def read(self, name: str) -> bytes | None:
        """Return the bytes of an object name (or ``REV:path``), or None if there is no such blob."""
        if "\n" in name:
            return None
        if self._pid is None:
            self._start()
        os.write(self._requests, name.encode("utf-8", "surrogateescape") + b"\n")
        header = self._line()
        parts = header.rsplit(b" ", 2)
        if len(parts) != 3 or parts[1] != b"blob":
            if len(parts) == 3 and parts[2].isdigit():
                self._exactly(int(parts[2]) + 1)
            return None
        data = self._exactly(int(parts[2]) + 1)
        return data[:-1]

    def read_all(self, names: Iterable[str]) -> dict[str, bytes | None]:
        """Return the bytes of several objects."""
        return {name: self.read(name) for name in dict.fromkeys(names)}

    def close(self) -> None:
        """End the process."""
        if self._pid is not None:
            os.close(self._requests)
            os.close(self._answers)
            os.waitpid(self._pid, 0)
            self._pid = None

    def _start(self) -> None:
        requests_end, self._requests = os.pipe()
        self._answers, answers_end = os.pipe()
        for end in (self._requests, self._answers):
            os.set_inheritable(end, False)
        actions = [
            (os.POSIX_SPAWN_DUP2, requests_end, 0),
            (os.POSIX_SPAWN_DUP2, answers_end, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        command = ["git", "-C", self._folder, "cat-file", "--batch"]
        self._pid = os.posix_spawnp("git", command, dict(os.environ), file_actions=actions)
        os.close(requests_end)
        os.close(answers_end)
        self._buffer = b""

    def _line(self) -> bytes:
        while b"\n" not in self._buffer:
            self._fill()
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _exactly(self, count: int) -> bytes:
        chunks = [self._buffer[:count]]
        missing = count - len(chunks[0])
        self._buffer = self._buffer[count:]
        while missing:
            data = os.read(self._answers, min(missing, 1 << 20))
            if not data:
                raise ForgeError("`git cat-file` ended before it answered; is the repository damaged?")
            chunks.append(data)
            missing -= len(data)
        return b"".join(chunks)

    def _fill(self) -> None:
        data = os.read(self._answers, 1 << 16)
        if not data:
            raise ForgeError("`git cat-file` ended before it answered; is the repository damaged?")
        self._buffer += data
