"""Stamps of code and rules: a stamp changes with every edit, and nothing is read for it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from hashlib import sha256

_SUFFIXES = (".json", ".py", ".so", ".yaml")


def stamp_of(*paths: str) -> str:
    """Return what changes with any of some files, or any file of code or rules below some folders. Raises OSError.

    A file that is written again has another time of change (``st_ctime``), which no program can set.
    """
    lines = (line for path in paths for line in _lines(path))
    return sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _lines(path: str) -> Iterator[str]:
    status = os.stat(path)
    if not stat.S_ISDIR(status.st_mode):
        yield f"{path} {status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}\n"
        return
    with os.scandir(path) as listed:
        for entry in sorted(listed, key=lambda each: each.name):
            is_folder = "." not in entry.name and entry.name != "__pycache__" and entry.is_dir()
            if is_folder or entry.name.endswith(_SUFFIXES):
                yield from _lines(entry.path)
