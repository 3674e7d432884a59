"""The user's cache folder for what can be computed again, ``$XDG_CACHE_HOME/review-bot`` or ``~/.cache/review-bot``.

A file there counts only if no one else can have written it: it and its folder belong to this user, others have no write
access to them, neither is a symbolic link, and the folder is not in a working tree, where a checkout could have put it.
Its first line is the digest of the rest, so that damage shows. What cannot be written is not kept. There is no cache on
a CI machine (``CI`` is set), where steps share a home, nor where ``REVIEW_BOT_NO_CACHE`` switches it off.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class CacheFolder:
    """A folder of files that may vanish at any time. Reading and writing raise no error."""

    def __init__(self, path: str) -> None:
        self.path = path

    def read(self, name: str, largest: int) -> bytes | None:
        """Return the content of a file, of at most ``largest`` bytes; None unless it is there, whole and ours."""
        with suppress(OSError), self._opened() as folder:
            descriptor = os.open(name, _READ, dir_fd=folder)
            with open(descriptor, "rb", buffering=0) as stream:
                status = os.fstat(descriptor)
                if not _is_ours(status, stat.S_ISREG) or status.st_size > largest:
                    return None
                check, _, content = stream.read(status.st_size).partition(b"\n")
                if check == _digest(content):
                    with suppress(OSError):  # a read-only disk
                        os.utime(descriptor)  # the files that were used longest ago are the first to go
                    return content
        return None

    def write(self, name: str, content: bytes) -> None:
        """Keep a file if that can be done: it is replaced as a whole, or stays as it was."""
        with suppress(OSError):
            os.makedirs(self.path, mode=0o700, exist_ok=True)
            with self._opened() as folder:
                temporary = f"{name}.{os.urandom(8).hex()}.tmp"
                descriptor = os.open(temporary, _WRITE, 0o600, dir_fd=folder)
                try:
                    with open(descriptor, "wb") as stream:
                        stream.write(_digest(content) + b"\n")
                        stream.write(content)
                    os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
                except BaseException:  # a full disk, or a signal that ends this program
                    with suppress(OSError):
                        os.unlink(temporary, dir_fd=folder)
                    raise

    def trim(self, prefix: str, *, most_files: int, most_bytes: int) -> None:
        """Remove the files with a prefix that were used longest ago, until no more than so many are left."""
        with suppress(OSError), self._opened() as folder:
            found = []
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name.startswith(prefix):
                        with suppress(FileNotFoundError):  # another process removes files too
                            status = entry.stat(follow_symlinks=False)
                            found.append((status.st_mtime_ns, entry.name, status.st_size))
            size = 0
            for count, (_, name, bytes_) in enumerate(sorted(found, reverse=True), 1):
                size += bytes_
                if count > most_files or size > most_bytes:
                    with suppress(FileNotFoundError):
                        os.unlink(name, dir_fd=folder)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the folder. Raises OSError if it is not there, or others may have written to it."""
        folder = os.open(self.path, _READ | os.O_DIRECTORY)
        try:
            if not _is_ours(os.fstat(folder), stat.S_ISDIR):
                raise PermissionError(self.path)
            yield folder
        finally:
            os.close(folder)


def find(environment: Mapping[str, str] = os.environ) -> CacheFolder | None:
    """Return the cache folder of the user, which need not exist yet; None if the cache is off."""
    if environment.get("CI") or environment.get("REVIEW_BOT_NO_CACHE"):
        return None
    home, cache = environment.get("HOME", ""), environment.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):
        if not os.path.isabs(home):
            return None
        cache = os.path.join(home, ".cache")
    path = os.path.join(cache, "review-bot")
    return None if _in_working_tree(path, os.path.normpath(home)) else CacheFolder(path)


def _in_working_tree(path: str, home: str) -> bool:
    """Return whether a checkout can have made a folder. One of the home itself could write to its profile, too."""
    here = os.path.normpath(path)
    while here not in {home, os.path.dirname(here)}:
        if os.path.lexists(os.path.join(here, ".git")):
            return True
        here = os.path.dirname(here)
    return False


def _digest(content: bytes) -> bytes:
    return sha256(content).hexdigest().encode()


def _is_ours(status: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    """Return whether a file or folder is of the kind that it should be, and no one else can write to it."""
    others = stat.S_IWGRP | stat.S_IWOTH
    return is_kind(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & others
