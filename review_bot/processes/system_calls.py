"""Denies a process, and all that it forks, the system calls that analysis never needs (seccomp(2), Linux).

Denied are the network, files, other programs, other processes, name spaces, what outlives a process, and what asks the
kernel for more rights. A denied call fails with EPERM. The numbers are those of <asm/unistd.h>; other machines than
these two get no filter.
"""

from __future__ import annotations

import os
import sys

from review_bot.records import NamedTuple


class _Machine(NamedTuple):
    """``audit``: the number of the architecture; ``calls``: what is denied; ``foreign``: other numbers from here on.

    ``signals``: what sends a signal to the process that its first argument names.
    """

    audit: int
    seccomp: int
    clone: int
    signals: tuple[int, ...]
    calls: tuple[int, ...]
    foreign: int | None = None


# socket connect accept sendto sendmsg bind listen socketpair execve truncate ptrace pivot_root chroot mount umount2
# init_module delete_module kexec_load add_key request_key keyctl unshare accept4 perf_event_open open_by_handle_at
# sendmmsg setns process_vm_readv process_vm_writev finit_module bpf execveat userfaultfd
_X86_64 = (
    *(41, 42, 43, 44, 46, 49, 50, 53, 59, 76, 101, 155, 161, 165, 166),
    *(175, 176, 246, 248, 249, 250, 272, 288, 298, 304),
    *(307, 308, 310, 311, 313, 321, 322, 323),
)
_AARCH64 = (
    *(198, 203, 202, 206, 211, 200, 201, 199, 221, 45, 117, 41, 51, 40, 39),
    *(105, 106, 104, 217, 218, 219, 97, 242, 241, 265),
    *(269, 268, 270, 271, 273, 280, 281, 282),
)
# openat renameat renameat2 mkdirat linkat unlinkat symlinkat mknodat fchmod fchmodat fchown fchownat ftruncate setxattr
# lsetxattr fsetxattr removexattr lremovexattr fremovexattr utimensat inotify_init1 fanotify_init name_to_handle_at
# shmget shmat shmctl semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open mq_unlink
_X86_64_FILES = (
    *(257, 264, 316, 258, 265, 263, 266, 259, 91, 268, 93, 260, 77, 188),
    *(189, 190, 197, 198, 199, 280, 294, 300, 303),
    *(29, 30, 31, 64, 65, 66, 220, 68, 69, 70, 71, 240, 241),
)
_AARCH64_FILES = (
    *(56, 38, 276, 34, 37, 35, 36, 33, 52, 53, 55, 54, 46, 5),
    *(6, 7, 14, 15, 16, 88, 26, 262, 264),
    *(194, 196, 195, 190, 193, 191, 192, 186, 189, 188, 187, 180, 181),
)
# open creat rename mkdir rmdir link unlink symlink mknod chmod chown lchown utime utimes futimesat inotify_init
_X86_64_OLDER = (2, 85, 82, 83, 84, 86, 87, 88, 133, 90, 92, 94, 132, 235, 261, 253)
# io_uring_setup io_uring_enter io_uring_register open_tree move_mount fsopen fsmount pidfd_open openat2 pidfd_getfd
# fchmodat2 setxattrat removexattrat open_tree_attr file_setattr
_NEWER = (425, 426, 427, 428, 429, 430, 432, 434, 437, 438, 452, 463, 466, 467, 469)

# kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal
_X86_64_SIGNALS = (62, 200, 234, 129, 297, 424)
_AARCH64_SIGNALS = (129, 130, 131, 138, 240, 424)

_MACHINES = {
    "x86_64": _Machine(
        *(0xC000003E, 317, 56, _X86_64_SIGNALS),
        _X86_64 + _X86_64_FILES + _X86_64_OLDER + _NEWER,
        foreign=0x40000000,  # x32 begins there
    ),
    "aarch64": _Machine(0xC00000B7, 277, 220, _AARCH64_SIGNALS, _AARCH64 + _AARCH64_FILES + _NEWER),
}

_CLONE3 = 435
_NAME_SPACES = 0x7E020080
"""CLONE_NEWNS, CLONE_NEWCGROUP, ... CLONE_NEWNET and CLONE_NEWTIME, as flags of clone(2)."""

# <linux/bpf_common.h>, <linux/seccomp.h>
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_EPERM, _ENOSYS = 1, 38
_SET_MODE_FILTER, _SPEC_ALLOW = 1, 4
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16


def deny_dangerous() -> bool:
    """Deny the calls from now on; return whether this kernel and machine do. Needs PR_SET_NO_NEW_PRIVS.

    Signals stay: a process may have to end those that it has forked.
    """
    machine = _machine()
    return machine is not None and _install(machine, _program(machine))


def deny_signals() -> bool:
    """Deny this process to send a signal to any other; return whether this kernel and machine do, as above."""
    machine = _machine()
    return machine is not None and _install(machine, _signal_program(machine, os.getpid()))


def _machine() -> _Machine | None:
    return _MACHINES.get(os.uname().machine) if sys.platform == "linux" and sys.maxsize > 2**32 else None


def _install(machine: _Machine, lines: list[bytes]) -> bool:
    import ctypes

    program = b"".join(lines)
    instructions = ctypes.create_string_buffer(program, len(program))

    class Filter(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    given = Filter(len(program) // 8, ctypes.addressof(instructions))
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.syscall(machine.seccomp, _SET_MODE_FILTER, _SPEC_ALLOW, ctypes.byref(given)) == 0)


def _start(machine: _Machine) -> list[bytes]:
    """Return the instructions that fail for another architecture and load the number of the call."""
    line = [_instruction(_LOAD, _ARCHITECTURE), _instruction(_IF_EQUAL, machine.audit, 1, 0)]
    return [*line, _instruction(_RETURN, _FAIL | _EPERM), _instruction(_LOAD, _NUMBER)]


def _signal_program(machine: _Machine, own: int) -> list[bytes]:
    """Return the instructions for signals. ``own``: this process, which ``abort`` ends."""
    count = len(machine.signals)
    line = _start(machine)
    line += [_instruction(_IF_EQUAL, number, count - at, 0) for at, number in enumerate(machine.signals)]
    line += [_instruction(_RETURN, _ALLOW), _instruction(_LOAD, _FIRST_ARGUMENT), _instruction(_IF_EQUAL, own, 1, 0)]
    return [*line, _instruction(_RETURN, _FAIL | _EPERM), _instruction(_RETURN, _ALLOW)]


def _program(machine: _Machine) -> list[bytes]:
    """Return the instructions: each test jumps over the rest to one of the ends."""
    calls = machine.calls
    ends = {"allow": 0, "deny": 1, "missing": 2, "clone": 3}
    tests: list[tuple[int, int, str]] = [(_IF_EQUAL, number, "deny") for number in calls]
    if machine.foreign is not None:
        tests.insert(0, (_IF_AT_LEAST, machine.foreign, "deny"))
    tests += [(_IF_EQUAL, _CLONE3, "missing"), (_IF_EQUAL, machine.clone, "clone")]
    line = _start(machine)
    for at, (test, value, end) in enumerate(tests):
        line.append(_instruction(test, value, len(tests) - at - 1 + ends[end], 0))
    line += [_instruction(_RETURN, _ALLOW), _instruction(_RETURN, _FAIL | _EPERM)]
    line += [
        _instruction(_RETURN, _FAIL | _ENOSYS)
    ]  # clone3: the C library then calls clone, whose flags are seen here
    line += [_instruction(_LOAD, _FIRST_ARGUMENT), _instruction(_IF_ANY_BIT, _NAME_SPACES, 0, 1)]
    return [*line, _instruction(_RETURN, _FAIL | _EPERM), _instruction(_RETURN, _ALLOW)]


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return a ``struct sock_filter`` of a little-endian machine."""
    return code.to_bytes(2, "little") + bytes((if_true, if_false)) + value.to_bytes(4, "little")
