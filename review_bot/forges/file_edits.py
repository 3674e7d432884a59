"""Gives files of a working tree another text: all of it or nothing, and only while they are what was reviewed."""

from __future__ import annotations

import os
import stat

from review_bot.files.file_writing import folder_of, replace_file

_CHANGED = "it is not what was reviewed: it was edited since, or git converts its line endings"


class CannotWrite(Exception):
    """A file was left as it is; the text says why."""


def replace_text(root: str, path: str, before: str, after: str) -> None:
    """Give the file ``path`` below ``root`` the text ``after`` in place of ``before``. Raises CannotWrite.

    A new file with the same mode takes its place in one step, so that no reader ever sees half of it. Symbolic links
    are not followed, nor written through.
    """
    try:
        with folder_of(root, path) as (folder, name):
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if not stat.S_ISREG(status.st_mode):
                raise CannotWrite("it is not a regular file")
            handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
            with open(handle, "rb") as stream:
                if stream.read() != before.encode():
                    raise CannotWrite(_CHANGED)
            _must_be(status, os.stat(name, dir_fd=folder, follow_symlinks=False))
            replace_file(folder, name, after.encode(), stat.S_IMODE(status.st_mode))
    except OSError as error:
        raise CannotWrite(f"it cannot be written: {error.strerror}") from error


def _must_be(before: os.stat_result, now: os.stat_result) -> None:
    if (now.st_ino, now.st_size, now.st_mtime_ns) != (before.st_ino, before.st_size, before.st_mtime_ns):
        raise CannotWrite(_CHANGED)
