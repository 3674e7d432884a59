"""What a process can be kept from on this machine: other processes, privileges, memory, files, children.

On Linux every setting must hold, or ``ConfinementError`` is raised. Elsewhere (macOS) there is no ``prctl``, and the
kernel does not keep to every limit: what does not exist there is left out, and only giving up root must hold.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from importlib import import_module
from importlib.machinery import BuiltinImporter, FrozenImporter
from typing import NoReturn

from review_bot.processes import system_calls

NOBODY = 65534
"""User and group without rights, the same number on Linux distributions; on macOS no user has that number."""

_LINUX = sys.platform == "linux"

# From <linux/prctl.h>; see prctl(2).
_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38


class ConfinementError(Exception):
    """A process could not be confined as it must be."""


def deny_inspection() -> bool:
    """Keep processes of the same user from reading this one's memory and environment; root still can.

    Returns whether that was done: ``prctl(PR_SET_DUMPABLE)`` is Linux's.
    """
    return _prctl(_PR_SET_DUMPABLE, 0)


def give_up_privileges() -> None:
    """Leave root for good, gain nothing by ``exec`` any more, and deny inspection. Raises ConfinementError.

    Nothing is imported from files any more (``end_imports``). Where the kernel filters system calls, it has no network,
    opens and changes no file, and starts no other program (``system_calls``).
    """
    end_imports()
    if 0 in {os.getuid(), os.geteuid()}:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        except OSError as error:
            raise ConfinementError(f"it cannot change from root to user {NOBODY}: {error.strerror}") from error
        if 0 in {os.getuid(), os.geteuid(), os.getgid(), os.getegid()} or os.getgroups():
            raise ConfinementError(f"it is still root after changing to user {NOBODY}")
    # Behind the change of user, which resets what the kernel sends at the parent's end.
    if _LINUX and not (
        _prctl(_PR_SET_NO_NEW_PRIVS, 1) and deny_inspection() and _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    ):
        raise ConfinementError("prctl refuses to confine it")
    system_calls.deny_dangerous()  # not every kernel and machine does


def end_imports() -> None:
    """Let no module be imported from a file any more.

    What a process needs once it has given up its rights must be imported before: below a folder that other users may
    not enter the import would fail, and only there. So it fails everywhere, and every test shows it.
    """
    if sys.version_info >= (3, 14):
        import_module("ctypes._layout")  # which ctypes imports when a structure is first declared
        import_module("_ast_unparse")  # which ast imports when a tree is first written out
    sys.meta_path[:] = [BuiltinImporter, FrozenImporter, _NoFiles()]


class _NoFiles:
    """The last finder of modules: it finds none, and says why."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> NoReturn:
        raise ModuleNotFoundError(f"{name} was not imported before this process dropped its privileges", name=name)


def end_with_parent() -> None:
    """Let this process end with the one that started it, on Linux."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def limit_resources(*, memory: int, cpu_seconds: int, descriptors: int) -> None:
    """Limit memory (bytes), processor time and open files; allow neither files nor cores. Raises ConfinementError."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, descriptors)
    _limit(resource.RLIMIT_CPU, cpu_seconds)
    _limit(resource.RLIMIT_AS, memory)


def address_space() -> int:
    """Return the bytes of address space that this process has, or 0 where the system does not say (macOS)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as stream:
            return int(stream.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def forbid_children() -> None:
    """Let this process start and signal no other, and end it with the one that started it. Raises ConfinementError.

    For an unprivileged process only: root is not bound by the limit. (It is not set to more than 0 anywhere, since the
    kernel counts all processes of a user, those of other containers too.)
    """
    _limit(resource.RLIMIT_NPROC, 0)
    if _LINUX and not _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL):
        raise ConfinementError("prctl refuses to tie it to its parent")
    system_calls.deny_signals()


def _limit(kind: int, most: int) -> None:
    try:
        hard = resource.getrlimit(kind)[1]
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (allowed, allowed))
    except (OSError, ValueError) as error:
        if _LINUX:
            raise ConfinementError(f"limit {kind} cannot be set to {most}: {error}") from error


def _prctl(option: int, value: int) -> bool:
    if not _LINUX:
        return False
    import ctypes

    return bool(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) == 0)
