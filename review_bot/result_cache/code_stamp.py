"""Identifies the code that computes results: this package, the native libraries that it matches with, and Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec

import review_bot
from review_bot.version import VERSION

LIBRARIES = ("ast_grep_py", "re2", "unidiff", "yaml")
"""What the engine imports besides the standard library."""

_CODE = (".py", ".so", ".json")


def code_stamp() -> str | None:
    """Return what changes with any file of the code, and with how Python was started; None if that is not known.

    A version would not do: a checkout is edited without a new one. Nothing is read: a file that is written again has
    another time of change (``st_ctime``), which no program can set.
    """
    folders = [os.path.dirname(review_bot.__file__), *map(_folder_of, LIBRARIES)]
    started = (VERSION, sys.version, sys.flags, sys.warnoptions, sys.getrecursionlimit())
    try:
        return f"{stamp_of(*folders)} {started}" if all(folders) else None
    except OSError:
        return None


def stamp_of(*folders: str) -> str:
    """Return what changes with any file of code below some folders. Raises OSError."""
    return sha256(
        "".join(line for folder in folders for line in _files(folder)).encode("utf-8", "surrogateescape")
    ).hexdigest()


def _folder_of(library: str) -> str:
    """Return the folder of a library that is not imported for this; empty if it has none."""
    spec = find_spec(library)
    return "" if spec is None or spec.origin is None else os.path.dirname(spec.origin)


def _files(folder: str) -> Iterator[str]:
    yield f"{folder}\n"
    with os.scandir(folder) as listed:
        entries = sorted(listed, key=lambda each: each.name)
    for entry in entries:
        if entry.name.endswith(_CODE):
            status = entry.stat()
            yield f"{entry.name} {status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}\n"
        elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
            yield from _files(entry.path)
