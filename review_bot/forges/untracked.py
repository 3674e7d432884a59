"""Files that git does not track and does not ignore: they will be part of the change once they are added.

Git itself compares them: a copy of the index names each one as a file yet to be read, and ``git diff`` runs with that
copy, so that attributes, line-end conversions and type changes count as they do for a tracked file. The repository and
its index are left as they are.
"""

import os
import stat
import time
from collections.abc import Iterable

from review_bot.changes.content import LARGEST_FILE, SNIFFED, TOO_LARGE, content_of
from review_bot.changes.diff_header import problem_with_name
from review_bot.changes.pull_request import ChangedFile, Unreviewed
from review_bot.errors import ForgeError
from review_bot.forges import git_process
from review_bot.forges.folder import CannotRead
from review_bot.records import NamedTuple

_EMPTY_BLOBS = {40: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
                64: "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"}  # fmt: skip


class Untracked(NamedTuple):
    """``names``: files for git to compare; ``files``: what needs no comparison; ``unreviewed``: what cannot be read."""

    names: tuple[str, ...]
    files: tuple[ChangedFile, ...]
    unreviewed: tuple[Unreviewed, ...]


NONE = Untracked((), (), ())


def find(folder: str, root: str) -> Untracked:
    """Find what is not tracked and not ignored in the working tree at ``root``. Raises ReviewBotError if git fails."""
    listed = git_process.output(folder, "ls-files", "--others", "--exclude-standard", "-z", "--full-name", "--", ":/")
    names: list[str] = []
    files: list[ChangedFile] = []
    unreviewed: list[Unreviewed] = []
    for name in sorted(each.decode("utf-8", "surrogateescape") for each in listed.split(b"\0") if each):
        if name.endswith("/"):  # a repository inside this one: added, it becomes a submodule
            files.append(ChangedFile(name[:-1], None, "added", "submodule", new_mode="160000"))
            continue
        problem = problem_with_name(name)
        try:
            status = os.lstat(os.path.join(root, name))
        except OSError as error:
            problem = f"cannot be read: {error.strerror}"
        else:
            if stat.S_ISREG(status.st_mode) and not os.access(os.path.join(root, name), os.R_OK):
                problem = "cannot be read: Permission denied"
            elif status.st_size > LARGEST_FILE and not problem:
                _sort_large(root, name, files, unreviewed)
                continue
        if problem:
            unreviewed.append(Unreviewed(name, f"it {problem}"))
        else:
            names.append(name)
    return Untracked(tuple(names), tuple(files), tuple(unreviewed))


def look(root: str, name: str) -> tuple[int, bytes]:
    """Return size and bytes of a file; of one larger than ``LARGEST_FILE``, its beginning. Raises CannotRead."""
    try:
        handle = os.open(os.path.join(root, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as stream:
            size = os.fstat(handle).st_size
            return size, stream.read(SNIFFED if size > LARGEST_FILE else LARGEST_FILE)
    except OSError as error:
        raise CannotRead(f"it cannot be read: {error.strerror}") from error


def index_with(folder: str, names: Iterable[str]) -> str:
    """Return the path of a copy of the index that also names these files; ``drop`` it. Raises ReviewBotError."""
    answer = git_process.output(folder, "rev-parse", "--git-path", "index", "--show-object-format", "HEAD")
    place, object_format, *_ = answer.decode("utf-8", "surrogateescape").split("\n")
    parent = os.path.join(os.environ.get("TMPDIR") or "/tmp", f"review-bot-{os.getpid()}-{time.monotonic_ns()}")  # noqa: S108  # a new folder of our own, which mkdir refuses to share
    index, wanted = os.path.join(parent, "index"), os.path.join(parent, "names")
    try:
        os.mkdir(parent, 0o700)
        if os.path.exists(os.path.join(folder, place)):
            with open(os.path.join(folder, place), "rb") as old, open(index, "wb") as new:
                new.write(old.read())
                # Git reads a file again that is not older than the index, since an edit in the same tick of the clock
                # leaves size and time alike ("racy git"). A copy with a time of its own would hide such edits.
                status = os.fstat(old.fileno())
            os.utime(index, ns=(status.st_atime_ns, status.st_mtime_ns))
        blob = _EMPTY_BLOBS[64 if object_format == "sha256" else 40]
        with open(wanted, "wb") as stream:
            stream.writelines(f"100644 {blob}\t".encode() + os.fsencode(name) + b"\0" for name in names)
        arguments = [
            "-c",
            "core.protectNTFS=false",
            "-c",
            "core.protectHFS=false",
            "update-index",
            "-z",
            "--index-info",
        ]
        answered = git_process.finish(git_process.start(folder, arguments, given=wanted, index=index))
    except OSError as error:
        drop(index)
        raise ForgeError(
            f"{parent}: {error.strerror}; the untracked files need a temporary copy of the index"
        ) from error
    if answered.code:
        drop(index)
        raise git_process.failure(folder, "update-index", answered)
    return index


def drop(index: str) -> None:
    """Delete what ``index_with`` made."""
    parent = os.path.dirname(index)
    try:
        for name in os.listdir(parent):
            os.unlink(os.path.join(parent, name))
        os.rmdir(parent)
    except OSError:
        return  # a temporary folder that someone else has cleared away


def _sort_large(root: str, name: str, files: list[ChangedFile], unreviewed: list[Unreviewed]) -> None:
    file = ChangedFile(name, None, "added", "binary", new_mode="100644")
    try:
        size, data = look(root, name)
    except CannotRead as error:
        unreviewed.append(Unreviewed(name, str(error)))
        return
    if content_of(name, data, size) == "binary":
        files.append(file)
    else:
        unreviewed.append(Unreviewed(name, TOO_LARGE))
