"""The process that reads a coverage report: ``python -I -m review_bot.sandbox.coverage_worker DESCRIPTOR``.

The Action starts it by ``COMMAND``, and nothing else does. Reports come from the workspace of a job, where the code
under review may have written them, so a parser that one of them takes over finds no token, no environment and no right
here. It asks for what is wanted in one JSON object on standard input, and answers with one on standard output.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module

from review_bot.coverage import reading
from review_bot.coverage.reported import Reported, Unusable
from review_bot.processes import confinement, typed_json

COMMAND = (sys.executable, "-I", "-m", "review_bot.sandbox.coverage_worker")
"""Starts the process; the descriptor of the report follows."""

LATE = ("ctypes", "review_bot.coverage.cobertura")
"""What is imported late elsewhere: the files may not be readable for the user that this process becomes."""

MEMORY = 512 * 1024 * 1024
"""Bytes that the process may take."""

CPU_SECONDS = 30


def main() -> None:
    """Answer one request and end. Does not return."""
    code = 1
    try:
        for name in LATE:
            import_module(name)
        descriptor = int(sys.argv[1])
        request = json.loads(sys.stdin.buffer.read())
        confinement.give_up_privileges()
        confinement.limit_resources(memory=MEMORY, cpu_seconds=CPU_SECONDS, descriptors=8)
        confinement.forbid_children()
        answer = _read(descriptor, {name: frozenset(lines) for name, lines in request.items()})
        sys.stdout.write(answer)
        sys.stdout.flush()
        code = 0
    except confinement.ConfinementError as error:
        sys.stdout.write(_unusable(f"was not read: {error}"))
        sys.stdout.flush()
    finally:
        os._exit(code)


def _read(descriptor: int, wanted: dict[str, frozenset[int]]) -> str:
    try:
        with open(descriptor, "rb") as stream:
            return typed_json.encode((None, reading.read(stream, wanted)))
    except Unusable as error:
        return _unusable(str(error))
    except OSError as error:
        return _unusable(f"cannot be read: {error.strerror}")


def _unusable(reason: str) -> str:
    return typed_json.encode((reason, Reported()))


if __name__ == "__main__":
    main()
