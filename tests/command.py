"""Runs the command as ``python -m review_bot`` does, in a fork of a process that has imported the package already.

Imports take most of the time of a small review. How a new process starts, what it imports and what it does with its
streams and signals is tested with new ones.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import IO, Any

_PROGRAM = """
import gc, importlib, json, os, pkgutil, socket, sys, time
gc.disable()
import review_bot
for module in pkgutil.walk_packages(review_bot.__path__, "review_bot."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
gc.freeze()
usual = [(stream.encoding, stream.errors) for stream in (sys.stdin, sys.stdout, sys.stderr)]
requests = socket.socket(fileno=int(sys.argv[1]))
while True:
    data, descriptors, _, _ = socket.recv_fds(requests, 1, 4)
    if not data:
        break
    pid = os.fork()
    if not pid:
        try:
            with open(descriptors[0]) as request:
                arguments, folder, environment = json.load(request)
            for number, descriptor in enumerate(descriptors[1:]):
                os.dup2(descriptor, number)
            os.closerange(3, 256)
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(environment)
            time.tzset()
            sys.argv = ["review-bot", *arguments]
            modes = zip(("r", "w", "w"), usual)
            sys.stdin, sys.stdout, sys.stderr = (
                open(number, mode, encoding=encoding, errors=errors) for number, (mode, (encoding, errors)) in enumerate(modes)
            )
            from review_bot.cli import run_process
            run_process()
        finally:
            os._exit(99)
    for descriptor in descriptors:
        os.close(descriptor)
    requests.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""

_OF_THE_START = ("LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "PYTHONHASHSEED", "PYTHONIOENCODING", "PYTHONUTF8")
"""Variables that a process reads when it starts."""

_ready: list[socket.socket] = []


def run_command(
    arguments: Sequence[Any],
    *,
    cwd: str | os.PathLike[str] = ".",
    env: Mapping[str, Any] | None = None,
    input: str | bytes | None = None,  # noqa: A002  # as `subprocess.run`
    text: bool = False,
    timeout: float = 120,
) -> subprocess.CompletedProcess[Any]:
    """Return what the command printed, and its exit code: ``subprocess.run`` with ``capture_output=True``."""
    environment = {name: os.fsdecode(value) for name, value in (os.environ if env is None else env).items()}
    given = [os.fsdecode(each) for each in arguments]
    if any(name in environment and environment[name] != os.environ.get(name) for name in _OF_THE_START):
        command = [sys.executable, "-P", "-m", "review_bot", *given]
        return subprocess.run(
            command, cwd=cwd, env=environment, input=input, text=text, timeout=timeout, capture_output=True, check=False
        )
    request = json.dumps([given, os.path.abspath(cwd), environment])
    with _file(request) as asked, _file(input or "") as stdin, _file("") as stdout, _file("") as stderr:
        process = _process()
        process.settimeout(timeout)
        socket.send_fds(process, [b"."], [each.fileno() for each in (asked, stdin, stdout, stderr)])
        code = int(process.recv(20))
        printed = [_content(each) for each in (stdout, stderr)]
    out, err = (each.decode().replace("\r\n", "\n") for each in printed) if text else printed
    return subprocess.CompletedProcess(given, code, out, err)


def _process() -> socket.socket:
    if not _ready:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-I", "-c", _PROGRAM, str(theirs.fileno())]
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd="/", pass_fds=[theirs.fileno()])
        _ready.append(ours)
        atexit.register(_end, process, ours)
    return _ready[0]


def _end(process: subprocess.Popen[bytes], requests: socket.socket) -> None:
    requests.close()
    process.wait()


def _file(content: str | bytes) -> IO[bytes]:
    file = tempfile.TemporaryFile()  # noqa: SIM115  # the caller closes it
    file.write(content.encode() if isinstance(content, str) else content)
    file.seek(0)
    return file


def _content(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()
