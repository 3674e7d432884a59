"""Reads files below a folder that a person has named, never through a symbolic link that leads out of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from review_bot.changes.content import LARGEST_FILE, TOO_LARGE
from review_bot.errors import ConfigError


class CannotRead(Exception):
    """A file is there and was not read; the text says why."""


def read_bytes(root: str, path: str) -> bytes | None:
    """Return the bytes of a file, or None if there is none of that name. Raises CannotRead."""
    full = os.path.join(root, path)
    try:
        # Without O_NONBLOCK the opening of a named pipe waits for someone to write to it.
        handle = os.open(full, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        if os.path.islink(full):
            raise CannotRead("it is a broken symbolic link") from None
        return None
    except OSError as error:
        raise CannotRead(f"it cannot be read: {error.strerror}") from error
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        raise CannotRead("it is not a regular file")
    with os.fdopen(handle, "rb") as stream:
        if not _is_below(os.path.realpath(full), os.path.realpath(root)):
            raise CannotRead("a symbolic link leads out of the folder")
        if status.st_size > LARGEST_FILE:
            raise CannotRead(f"it is {TOO_LARGE}")
        return stream.read(LARGEST_FILE)


def read_settings(root: str, path: str) -> str | None:
    """Return the text of a settings file, or None if there is none. Raises ConfigError if it cannot be used."""
    try:
        data = read_bytes(root, path)
    except CannotRead as error:
        raise ConfigError(str(error), path=path) from error
    return None if data is None else decode_settings(data, path)


def read_named(path: str) -> str:
    """Return the text of a settings file that a person has named, wherever it is. Raises ConfigError."""
    try:
        with open(path, "rb") as stream:
            return decode_settings(stream.read(), path)
    except OSError as error:
        raise ConfigError(f"it cannot be read: {error.strerror}", path=path) from error


def decode_settings(data: bytes, path: str) -> str:
    """Return the text of a settings file. Raises ConfigError if it is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError("the file is not UTF-8; save it as UTF-8", path=path, line=line) from error


def yaml_files(root: str, folder: str) -> list[tuple[str, str]]:
    """Return (path from ``root``, text) of every YAML file below a folder of a tree, sorted. Raises ConfigError."""
    texts = ((path, read_settings(root, path)) for path in yaml_paths(root, folder))
    return [(path, text) for path, text in texts if text is not None]


def yaml_paths(root: str, folder: str) -> Iterator[str]:
    """Yield the path from ``root`` of every YAML file below a folder of a tree, sorted."""
    for parent, folders, names in os.walk(os.path.join(root, folder)):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".yml", ".yaml")):
                yield os.path.relpath(os.path.join(parent, name), root)


def _is_below(path: str, root: str) -> bool:
    return path.startswith(root if root.endswith(os.sep) else root + os.sep)
