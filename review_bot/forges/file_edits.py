"""Gives files of a working tree another text: all of it or nothing, and only while they are what was reviewed."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile

_CHANGED = "it is not what was reviewed: it was written meanwhile, or git converts its line ends"


class CannotWrite(Exception):
    """A file was left as it is; the text says why."""


def replace_text(root: str, path: str, before: str, after: str) -> None:
    """Give the file ``path`` below ``root`` the text ``after`` in place of ``before``. Raises CannotWrite.

    A new file with the same mode takes its place in one step (rename(2)), so that nobody ever sees half of it.
    Symbolic links are not followed, nor written through.
    """
    full = os.path.join(root, path)
    folder = os.path.dirname(full)
    try:
        if os.path.realpath(folder) != os.path.join(os.path.realpath(root), os.path.dirname(path)).rstrip(os.sep):
            raise CannotWrite("a folder on its way is a symbolic link")
        status = os.lstat(full)
        if not stat.S_ISREG(status.st_mode):
            raise CannotWrite("it is no regular file")
        with open(os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as stream:
            if stream.read() != before.encode():
                raise CannotWrite(_CHANGED)
        _replace(full, folder, after.encode(), status)
    except OSError as error:
        raise CannotWrite(f"it cannot be written: {error.strerror}") from error


def _replace(full: str, folder: str, data: bytes, status: os.stat_result) -> None:
    handle, temporary = tempfile.mkstemp(prefix=".review-bot-", dir=folder)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(handle, stat.S_IMODE(status.st_mode))
            os.fsync(handle)
        _must_be(status, os.lstat(full))
        os.replace(temporary, full)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _must_be(before: os.stat_result, now: os.stat_result) -> None:
    if (now.st_ino, now.st_size, now.st_mtime_ns) != (before.st_ino, before.st_size, before.st_mtime_ns):
        raise CannotWrite(_CHANGED)
