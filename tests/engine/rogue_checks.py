"""Checks that misbehave, for the worker: each does what its option ``does`` says to the file that it is given."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import socket
import sys
import time
from pathlib import Path

from review_bot.rules.check import ChangeCheck, CheckTraits, FileCheck
from review_bot.rules.rule import Hit

TOKEN = "ghs_this_must_never_be_seen"

TOUCHED = Path("/tmp/review-bot-touched")
"""A folder that everyone may write to, for ``touch``."""


def hang():
    while True:
        time.sleep(1)


def spin():
    while True:
        pass


def crash():
    ctypes.string_at(0)


def eat():
    hoard = []
    while True:
        hoard.append(bytearray(16 * 1024 * 1024))


def print_nonsense():
    for descriptor in (0, 1, 2):
        try:
            os.write(descriptor, b'{"examination": []}\n' * 1_000)
        except OSError:
            continue
    print("{}", flush=True)  # noqa: T201  # what is tested
    return "printed"


def bomb():
    try:
        return f"forked {os.fork()}"
    except OSError as error:
        return f"no fork: {type(error).__name__}"


def escape():
    os.setsid()
    while True:
        time.sleep(1)


def write_a_file():
    try:
        with open(f"/tmp/worker-{os.getpid()}", "w") as stream:
            stream.write("x")
    except OSError as error:
        return f"no file: {type(error).__name__}"
    return "written"


def touch():
    """Try to read, make, change and remove files, to signal others, and to leave something behind in the kernel."""
    said = []
    for name, call in {
        "read": lambda: open(TOUCHED / "file").close(),
        "list": lambda: os.listdir(TOUCHED),
        "create": lambda: os.close(os.open(TOUCHED / "new", os.O_CREAT | os.O_WRONLY)),
        "rename": lambda: os.rename(TOUCHED / "file", TOUCHED / "moved"),
        "remove": lambda: os.unlink(TOUCHED / "file"),
        "link": lambda: os.symlink("elsewhere", TOUCHED / "link"),
        "folder": lambda: os.mkdir(TOUCHED / "folder"),
        "pipe": lambda: os.mkfifo(TOUCHED / "pipe"),
        "rights": lambda: os.chmod(TOUCHED / "file", 0o777),
        "time": lambda: os.utime(TOUCHED / "file"),
        "parent": lambda: os.kill(os.getppid(), 0),
        "all": lambda: os.kill(-1, 0),
    }.items():
        try:
            call()
            said.append(name)
        except OSError:
            continue
    shared_memory = 29 if os.uname().machine == "x86_64" else 194
    if ctypes.CDLL(None).syscall(shared_memory, 0x5242, 4096, 0o1600) >= 0:
        said.append("shared memory")
    return f"could {said}"


def spy():
    """Look for the token in this environment, in that of every process, and in what this one has open."""
    seen = [f"uid {os.getuid()}", f"environment {sorted(os.environ)}", f"cwd {os.getcwd()}"]
    readable = 0
    processes: list[str] = []
    with contextlib.suppress(OSError):
        processes = os.listdir("/proc")
    for name in processes:
        if name.isdigit():
            try:
                with open(f"/proc/{name}/environ", "rb") as stream:
                    readable += TOKEN.encode() in stream.read()
            except OSError:
                continue
    descriptors = []
    for number in range(256):
        try:
            os.fstat(number)
            descriptors.append(number)
        except OSError:
            continue
    return "; ".join([*seen, f"tokens {readable}", f"descriptors {descriptors}"])


def reach_out():
    """Try the network, another program, name spaces, io_uring, another process, and a module from a file."""
    libc = ctypes.CDLL(None, use_errno=True)
    run, true = libc.execve, b"/bin/true"
    said = []
    for name, call in {
        "udp": lambda: libc.socket(socket.AF_INET, socket.SOCK_DGRAM, 0),
        "unix": lambda: libc.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0),
        "program": lambda: run(true, (ctypes.c_char_p * 2)(true, None), None),
        "namespace": lambda: libc.unshare(0x10000000),
        "clone": lambda: libc.syscall(56 if os.uname().machine == "x86_64" else 220, 0x10000000 | 17, 0, 0, 0, 0),
        "io_uring": lambda: libc.syscall(425, 1, None),
        "process": lambda: libc.syscall(434, os.getppid(), 0),
    }.items():
        ctypes.set_errno(0)
        code = call()
        said.append(f"{name} {errno.errorcode.get(ctypes.get_errno(), code)}")
    try:
        import this  # noqa: F401  # what nobody has imported
    except ModuleNotFoundError as error:
        said.append(str(error))
    return ", ".join(said)


def exit_quietly():
    os._exit(0)


def forge():
    """Answer with something that is no record of ours."""
    payload = b"cos\nsystem\n(S'touch /tmp/owned'\ntR."
    os.write(3, b"R" + len(payload).to_bytes(8, "big") + payload)
    time.sleep(5)


def rewrite_a_class():
    """Answer with a pickle that gives a class of ours other attributes when it is loaded."""
    payload = b"\x80\x02creview_bot.engine.file_examination\nFileResult\nN}X\x08\x00\x00\x00findings)s\x86b."
    os.write(3, b"R" + len(payload).to_bytes(8, "big") + payload)
    time.sleep(5)


def answer_for_others():
    """Answer for this file, and for files that nobody asked this process about."""
    from review_bot.engine.file_examination import FileResult
    from review_bot.processes import typed_json

    payload = typed_json.encode(FileResult(0)).encode()
    for _ in range(50):
        os.write(3, b"R" + len(payload).to_bytes(8, "big") + payload)
    time.sleep(5)


def throw():
    raise Panic("at the disco")


class Panic(BaseException):
    """Like a panic in Rust."""


def gather(source, options) -> int:
    return 1


def examine(source, options):
    if "bad()" in (source.text or ""):
        said = globals()[options["does"]]()
        yield Hit(1, message=f"did {options['does']}: {said}")
    elif "good()" in (source.text or ""):
        yield Hit(1, message="looked")


def relate(facts, pull_request, repository, options):
    return [Hit(None, message=f"did {options['does']}: {globals()[options['does']]()}")]


def load_check(name):
    """Return the check that a test's rulebook names: ``file`` or ``change``."""
    traits = CheckTraits(None)
    return FileCheck(examine, traits) if name == "file" else ChangeCheck(gather, relate, traits)


def command(root):
    """Return how to start a worker that knows this module."""
    code = f"import sys; sys.path.insert(0, {root!r}); import tests.engine.rogue_checks; from review_bot.sandbox.worker import main; main()"
    return (sys.executable, "-I", "-c", code)
