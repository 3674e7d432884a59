"""Writes files: below the root of a tree through no symbolic link, and there all of a text or nothing.

Which part of a path is the tree's, and so may be a trap of the one who made it:

=====================================  ========================================================================
a relative path                        all of it: the current folder may be a checkout of anyone's branch
an absolute path into a working tree   what follows the outermost folder that holds ``.git``
any other absolute path                nothing: the person who typed it means what it leads to (``/dev/stdout``)
=====================================  ========================================================================
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from review_bot.errors import ReviewBotError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class NotWritten(ReviewBotError):
    """A file was left as it was; the text names it and says why."""


def write_typed(path: str, text: str, *, makes_folders: bool = False) -> None:
    """Write a text to a path that a person typed. Raises NotWritten."""
    root, below = _split(path)
    if root is not None:
        write_below(root, below, text.encode("utf-8", "backslashreplace"), shown=path, makes_folders=makes_folders)
        return
    try:
        if makes_folders:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        _write_anywhere(os.path.realpath(path), text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise _not_written(path, error) from error


def _write_anywhere(path: str, data: bytes) -> None:
    """Write all of a file or nothing; what is no regular file, or has a folder of someone else, in place.

    Raises OSError.
    """
    is_there = os.path.lexists(path)
    if not is_there or (os.path.isfile(path) and os.access(path, os.W_OK)):
        folder = os.open(os.path.dirname(path), _FOLDER)
        try:
            if os.access(".", os.W_OK, dir_fd=folder):
                replace_file(folder, os.path.basename(path), data, _mode_of(folder, os.path.basename(path)))
                return
        finally:
            os.close(folder)
    with open(path, "wb", buffering=0) as stream:
        _write_all(stream.fileno(), data)


def make_folder(path: str) -> bool:
    """Make a folder that a person typed; return whether it is new. Raises NotWritten."""
    root, below = _split(path)
    try:
        if root is None:
            is_new = not os.path.isdir(path)
            os.makedirs(path, exist_ok=True)
            return is_new
        with ExitStack() as opened:
            here, is_new = os.open(root, _FOLDER), False
            opened.callback(os.close, here)
            for part in _parts(below):
                here, is_new = _enter(here, part, makes_folders=True)
                opened.callback(os.close, here)
            return is_new
    except OSError as error:
        raise _not_written(path, error) from error


def write_below(root: str, path: str, data: bytes, *, makes_folders: bool, shown: str | None = None) -> None:
    """Write a file below a folder, through no symbolic link. Raises NotWritten, which names the file ``shown``."""
    try:
        with folder_of(root, path, makes_folders=makes_folders) as (folder, name):
            replace_file(folder, name, data, _mode_of(folder, name))
    except OSError as error:
        raise _not_written(path if shown is None else shown, error) from error


@contextmanager
def folder_of(root: str, path: str, *, makes_folders: bool = False) -> Iterator[tuple[int, str]]:
    """Open the folder of a file below ``root``, and yield its descriptor and the name of the file in it.

    Raises OSError, also if a folder on the way is a symbolic link.
    """
    *folders, name = _parts(path) or [""]
    with ExitStack() as opened:
        here = os.open(root, _FOLDER)
        opened.callback(os.close, here)
        for part in folders:
            here, _ = _enter(here, part, makes_folders=makes_folders)
            opened.callback(os.close, here)
        yield here, name


def replace_file(folder: int, name: str, data: bytes, mode: int | None) -> None:
    """Put a new file in the place of ``name`` in an open folder, in one step (rename(2)). Raises OSError.

    ``mode``: its permissions; None: those of a new file.
    """
    temporary = f".review-bot-{os.getpid()}-{os.urandom(6).hex()}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE, 0o666, dir_fd=folder)
    try:
        try:
            _write_all(handle, data)
            if mode is not None:
                os.fchmod(handle, mode)
        finally:
            os.close(handle)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


def exists_below(root: str, path: str) -> bool:
    """Return whether a file, folder or link of this name is there, be it a link to nothing."""
    return os.path.lexists(os.path.join(root, path))


def _split(path: str) -> tuple[str | None, str]:
    """Return the root of the tree that a typed path leads into, or None, and the path below it."""
    if not os.path.isabs(path):
        return _outside(path)
    parts = os.path.normpath(path).split(os.sep)
    for count in range(1, len(parts)):
        root = os.sep.join(parts[:count]) or os.sep
        if os.path.lexists(os.path.join(root, ".git")):
            return root, os.sep.join(parts[count:])
    return None, path


def _outside(path: str) -> tuple[str, str]:
    """Return a relative path as the folder where it begins (``.``, ``..``, ``../..``) and the rest."""
    parts = os.path.normpath(path).split(os.sep)
    ups = next((count for count, part in enumerate(parts) if part != os.pardir), len(parts))
    return os.sep.join(parts[:ups]) or os.curdir, os.sep.join(parts[ups:])


def _parts(path: str) -> list[str]:
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if ".." in parts:
        raise OSError(None, "the path leads outside its folder")
    return parts


def _enter(folder: int, name: str, *, makes_folders: bool) -> tuple[int, bool]:
    is_new = False
    if makes_folders:
        with suppress(FileExistsError):
            os.mkdir(name, 0o777, dir_fd=folder)
            is_new = True
    try:
        return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=folder), is_new
    except OSError as error:
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError(error.errno, f"{name!r} in its path is a symbolic link in the tree") from error
        raise


def _mode_of(folder: int, name: str) -> int | None:
    """Return the permissions of a file, or None if there is none. Raises OSError if it is not a regular file."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(status.st_mode):
        raise OSError(None, "it is a symbolic link in the tree")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(None, "it is not a regular file")
    return stat.S_IMODE(status.st_mode)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _not_written(path: str, error: OSError) -> NotWritten:
    return NotWritten(f"could not write {path}: {error.strerror or error}")
