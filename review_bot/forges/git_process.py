"""Runs git; every git process of this program starts here.

Nothing of the user's or the repository's configuration changes what git prints, runs a program or opens a connection
(see ``git_environment``). ``posix_spawn`` is used in place of ``subprocess``, whose import alone costs as much as a
small review.
"""

import os
import resource
import select
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from review_bot.errors import ForgeError, NoRepository, ReviewBotError, UsageError
from review_bot.forges import git_environment
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

MOST_INPUT = 16_384
"""Bytes that a pipe holds on every system before anything reads it."""

SILENT_SECONDS = 45.0
"""How long git may print nothing; a named pipe in place of a file that git reads would block it forever."""

MEMORY = 2 * 1024**3
"""Bytes of data that a git process may allocate, where the system can limit those of another process (Linux)."""

_UNREAD_OBJECT = LazyRegex(r"unable to read [0-9a-f]{40}")
"""Git's error for an object that is missing or damaged; for one that was left out, it names the promisor."""

_READS_OBJECTS = frozenset(
    {
        "cat-file",
        "config",
        "for-each-ref",
        "log",
        "ls-files",
        "ls-tree",
        "merge-base",
        "remote",
        "rev-list",
        "rev-parse",
    }
)
"""Commands that never read or write a file of the working tree, and so never run a filter or a hook."""


_started: set[int] = set()
"""The git processes of this process that have not been waited for."""

os.register_at_fork(after_in_child=_started.clear)


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


def start(
    folder: str,
    arguments: Sequence[str],
    *,
    given: str | None = None,
    standard_input: bytes = b"",
    index: str | None = None,
    protocols: str = "none",
) -> Running:
    """Start git in a folder. ``given``: a file to be its standard input; ``index``: a file in place of the index.

    ``standard_input``: its standard input itself, no more than ``MOST_INPUT``. ``protocols``: what git may fetch with.
    Raises ForgeError if git is not installed.
    """
    if len(standard_input) > MOST_INPUT:
        raise ValueError(f"{len(standard_input)} bytes are more than a pipe takes at once")
    environment = git_environment.environment(folder, protocols)
    output, output_end = os.pipe()
    error, error_end = os.pipe()
    if index is not None:
        environment["GIT_INDEX_FILE"] = index
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, given or os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, output_end, 1),
        (os.POSIX_SPAWN_DUP2, error_end, 2),
    ]
    words = -1
    if standard_input:
        words, words_end = os.pipe()
        os.write(words_end, standard_input)
        os.close(words_end)
        actions[0] = (os.POSIX_SPAWN_DUP2, words, 0)
    try:
        pid = spawn(folder, arguments, environment, actions)
    except ReviewBotError:
        os.close(output)
        os.close(error)
        raise
    finally:
        os.close(output_end)
        os.close(error_end)
        if standard_input:
            os.close(words)
    return Running(pid, output, error)


def finish(running: Running, silence: float = SILENT_SECONDS) -> Answer:
    """Read all that a started git prints and wait for its end. Raises ForgeError after so many seconds of silence."""
    chunks: dict[int, list[bytes]] = {running.output: [], running.error: []}
    open_ends = set(chunks)
    while open_ends:
        for stream in readable(open_ends, silence):
            data = os.read(stream, 1 << 20)
            if data:
                chunks[stream].append(data)
            else:
                open_ends.discard(stream)
                os.close(stream)
    status = _wait(running.pid)
    error = b"".join(chunks[running.error]).decode("utf-8", "replace").strip()
    return Answer(os.waitstatus_to_exitcode(status), b"".join(chunks[running.output]), error)


def end_all() -> None:
    """End every git process that is still running; it may be blocked forever."""
    for pid in [*_started]:
        end(pid)


def readable(ends: Iterable[int], silence: float = SILENT_SECONDS) -> list[int]:
    """Return which of these pipes can be read. Raises ForgeError if git prints nothing for too long."""
    try:
        ready, _, _ = select.select(list(ends), [], [], silence)
    except BaseException:  # a signal asks this program to end
        end_all()
        raise
    if ready:
        return ready
    end_all()
    raise ForgeError(
        f"git printed nothing for {silence:.0f} seconds and was stopped; a named pipe or an endless file in "
        "place of one that git reads, such as .gitignore, blocks it: check whether `git status` works there"
    )


def end(pid: int) -> None:
    """End one git that was started, unless it has been waited for."""
    if pid in _started:
        os.kill(pid, signal.SIGKILL)
        _wait(pid)


def _wait(pid: int) -> int:
    """Return the status with which a git process ended."""
    _, status = os.waitpid(pid, 0)
    _started.discard(pid)
    return status


def run(folder: str, *arguments: str) -> Answer:
    """Run git to its end."""
    return finish(start(folder, arguments))


def output(folder: str, *arguments: str) -> bytes:
    """Return what git printed. Raises ReviewBotError with git's own words if it failed."""
    answer = run(folder, *arguments)
    if answer.code:
        raise failure(folder, arguments[0], answer)
    return answer.output


def is_distrust(answer: Answer) -> bool:
    """Return whether git refused to work because the repository belongs to another user (see safe.directory)."""
    return bool(answer.code) and ("dubious ownership" in answer.error or "unsafe repository" in answer.error)


def failure(folder: str, command: str, answer: Answer) -> ReviewBotError:
    """Return the error that says why a git command failed, and what to do."""
    words = answer.error
    if is_distrust(answer):
        from shlex import quote  # for this error alone

        place = quote(os.path.abspath(folder))
        return UsageError(
            f"git does not trust {folder!r}, because it belongs to another user; if you trust it, run "
            f"`git config --global --add safe.directory {place}`"
        )
    if "not a git repository" in words:
        return no_repository(folder)
    if "must be run in a work tree" in words:
        return UsageError(f"{folder!r} has no working tree; name the commits to review with --base and --head")
    if "promisor" in words or "could not fetch" in words.lower() or _UNREAD_OBJECT.search(words):
        return objects_missing(last_line(words))
    reason = last_line(words) or f"it exited with status {answer.code}"
    return ForgeError(f"`git {command}` failed in {folder}: {reason}; check whether the command works there")


def objects_missing(what: str) -> ForgeError:
    """Return the error for a clone without all objects, such as one made with ``--filter``; nothing is fetched here."""
    return ForgeError(
        f"this clone lacks objects that the change needs, or they are damaged ({what}); "
        "run `git fetch --refetch --no-filter`, or clone without `--filter`"
    )


def no_repository(folder: str) -> NoRepository:
    """Return the error for a folder outside of every repository."""
    return NoRepository(
        f"{folder!r} is not in a git repository; change to one, or pass it with -C DIR. "
        "`review-bot review --diff FILE` works without a repository"
    )


def last_line(text: str) -> str:
    """Return the last line that says something, without ``fatal:``."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("fatal: ").removeprefix("error: ") if lines else ""


_OFF = {"filter": ("clean=", "smudge=", "process=", "required=false"), "hook": ("enabled=false",)}
"""Sections of the configuration that name programs, and what switches one of them off.

``core.hooksPath`` is about the files of a folder alone; since version 2.54 git runs the ``hook`` sections too.
"""


@cache
def _declared(folder: str) -> frozenset[tuple[str, str]]:
    """Return (section, name) of the filters and hooks that the configuration of a repository declares."""
    sections = "|".join(_OFF)
    listed = run(folder, "config", "--null", "--name-only", "--get-regexp", rf"^({sections})\.").output
    settings = [each.split(".", 1) for each in listed.decode("utf-8", "surrogateescape").split("\0") if "." in each]
    return frozenset((section, rest.rpartition(".")[0]) for section, rest in settings if "." in rest)


def filters(folder: str) -> tuple[str, ...]:
    """Return the names of the filters that the configuration of a repository declares (see gitattributes(5))."""
    return tuple(sorted(name for section, name in _declared(folder) if section == "filter"))


def _without_programs(folder: str) -> list[str]:
    """Return settings with which no filter and no hook runs. Raises UsageError.

    Git then reads and writes files as they are.
    """
    declared = sorted(_declared(folder))
    for section, name in declared:
        if "=" in name:  # what `git -c` takes for the end of the name
            raise UsageError(f"the git configuration of {folder!r} declares a {section} named {name!r}; remove it")
    return [f"{section}.{name}.{setting}" for section, name in declared for setting in _OFF[section]]


def spawn(
    folder: str, arguments: Sequence[str], environment: dict[str, str], actions: Sequence[tuple[Any, ...]]
) -> int:
    """Start git with these file actions of ``posix_spawn`` and return its process. Raises ForgeError without a git."""
    program = git_environment.find_git(environment["PATH"].split(os.pathsep))
    name = arguments[git_environment.subcommand(arguments)]
    settings = [] if program is None or name in _READS_OBJECTS else _without_programs(folder)
    try:
        if program is not None:
            line = git_environment.command(folder, arguments, settings)
            pid = os.posix_spawn(program, line, environment, file_actions=actions)
            _started.add(pid)
            _limit(pid)
            return pid
    except (FileNotFoundError, PermissionError):
        program = None
    raise ForgeError("git is not installed or not on the PATH; install git, or review a diff with --diff")


def _limit(pid: int) -> None:
    if sys.platform == "linux":
        with suppress(OSError):  # it has ended, or a lower limit holds
            resource.prlimit(pid, resource.RLIMIT_DATA, (MEMORY, MEMORY))
