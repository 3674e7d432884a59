"""Objects of a local repository by name: commits and blobs, read through one ``git cat-file --batch``."""

import os
import time
from typing import NoReturn

from review_bot.changes.content import LARGEST_FILE, SNIFFED
from review_bot.errors import ForgeError
from review_bot.forges import git_environment, git_process
from review_bot.records import NamedTuple


class Commit(NamedTuple):
    """A commit: its id, and its committer's date as ``YYYY-MM-DD`` where they were."""

    id: str
    date: str


class BlobReader:
    """Reads objects through one ``git cat-file --batch``, started when first asked; a forked process starts its own."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._pid: int | None = None
        self._owner = os.getpid()
        self._requests = self._answers = -1
        self._buffer = b""

    def find_commit(self, revision: str) -> Commit | None:
        """Return the commit that a revision names, or None; of several, the one that git prefers."""
        found = self._ask(f"{revision}^{{commit}}") if revision and not revision.startswith(("-", "^")) else None
        if found is None:
            return None
        name, kind, size = found
        text = self._exactly(size + 1)
        return Commit(name, _committer_date(text)) if kind == "commit" else None

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a blob (by id, or ``REV:path``), or None if there is none, or it is too large."""
        found = self.look(name)
        return None if found is None or found[0] > LARGEST_FILE else found[1]

    def look(self, name: str) -> tuple[int, bytes] | None:
        """Return size and bytes of a blob; of one larger than ``LARGEST_FILE``, its beginning. None: no such blob."""
        found = self._ask(name)
        if found is None:
            return None
        _, kind, size = found
        if size > LARGEST_FILE:
            data = self._exactly(SNIFFED)
            self.close()  # cheaper than to read on; the next question starts a new process
            return (size, data) if kind == "blob" else None
        data = self._exactly(size + 1)[:-1]
        return (size, data) if kind == "blob" else None

    def has(self, name: str) -> bool:
        """Return whether there is an object of this name, such as the folder of ``REV:path``."""
        found = self._ask(name)
        if found is not None:
            self._exactly(found[2] + 1)
        return found is not None

    def close(self) -> None:
        """End the process."""
        if self._pid is not None and self._owner == os.getpid():
            os.close(self._requests)
            os.close(self._answers)
            git_process.end(self._pid)  # it may wait for a file, and writes nothing
        self._pid = None

    def _ask(self, name: str) -> tuple[str, str, int] | None:
        """Ask for an object and return (id, type, size); its bytes and a line end are still to be read."""
        if "\n" in name:
            return None
        if self._pid is None or self._owner != os.getpid():
            self._start()
        try:
            os.write(self._requests, name.encode("utf-8", "surrogateescape") + b"\n")
        except BrokenPipeError:
            self._died()
        parts = self._line().decode("utf-8", "surrogateescape").split(" ")
        is_found = len(parts) == 3 and len(parts[0]) in {40, 64} and parts[1] in {"blob", "commit", "tree", "tag"}
        return (parts[0], parts[1], int(parts[2])) if is_found else None

    def _start(self) -> None:
        self._owner = os.getpid()
        requests_end, self._requests = os.pipe()
        self._answers, answers_end = os.pipe()
        actions = [
            (os.POSIX_SPAWN_DUP2, requests_end, 0),
            (os.POSIX_SPAWN_DUP2, answers_end, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        try:
            self._pid = git_process.spawn(
                self._folder, ["cat-file", "--batch"], git_environment.environment(self._folder), actions
            )
        finally:
            os.close(requests_end)
            os.close(answers_end)
        self._buffer = b""

    def _line(self) -> bytes:
        while b"\n" not in self._buffer:
            self._fill()
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _exactly(self, count: int) -> bytes:
        chunks = [self._buffer[:count]]
        missing = count - len(chunks[0])
        self._buffer = self._buffer[count:]
        while missing:
            git_process.readable([self._answers])
            data = os.read(self._answers, min(missing, 1 << 20))
            if not data:
                self._died()
            chunks.append(data)
            missing -= len(data)
        return b"".join(chunks)

    def _fill(self) -> None:
        git_process.readable([self._answers])
        data = os.read(self._answers, 1 << 16)
        if not data:
            self._died()
        self._buffer += data

    def _died(self) -> NoReturn:
        self.close()
        answer = git_process.run(self._folder, "rev-parse", "--git-dir")
        if answer.code:
            raise git_process.failure(self._folder, "cat-file", answer)
        if git_process.run(
            self._folder, "config", "--get-regexp", r"^(remote\..*\.promisor|extensions\.partialclone)$"
        ).output:
            raise git_process.objects_missing("git does not fetch during a review")
        raise ForgeError(f"`git cat-file` exited without a response in {self._folder}; run `git fsck` there")


def _committer_date(text: bytes) -> str:
    """Return the day on which a commit was made, by the clock of its committer; empty if it cannot be known."""
    for line in text.split(b"\n"):
        if not line:
            break
        if line.startswith(b"committer "):
            seconds, zone = line.rsplit(b" ", 2)[1:]
            try:
                offset = int(zone[:1] + b"1") * (int(zone[1:3]) * 3600 + int(zone[3:5]) * 60)
                return time.strftime("%Y-%m-%d", time.gmtime(int(seconds) + offset))
            except (ValueError, OverflowError):
                break
    return ""
