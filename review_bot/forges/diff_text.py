"""A diff from a file or standard input as a pull request, with the new files next to it when they are given.

With ``--source``, every text of the change must be what the diff says, line by line; and where the diff names the git
objects of a file, both its texts must be those objects, so that a diff that lacks a part is noticed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha1, sha256

from review_bot.changes import patching, unified_diff
from review_bot.changes.content import Content, content_of
from review_bot.changes.open_pull_requests import OpenPullRequestSource
from review_bot.changes.pull_request import ChangedFile, PullRequest, Unreviewed, WholeTexts
from review_bot.changes.repository import Repository
from review_bot.changes.text_kinds import text_kind
from review_bot.errors import DiffError, UsageError
from review_bot.forges import folder
from review_bot.text import file_name

LARGEST_DIFF = 500_000_000
"""Bytes; a larger diff is refused."""

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class DiffText:
    """Reads a change from diff text. ``source``: a folder with the new files; the diff undone gives the old ones."""

    def __init__(self, data: bytes, *, source: str | None = None) -> None:
        if source is not None and not os.path.isdir(source):
            raise UsageError(f"--source {source}: there is no such folder")
        self._data, self._source = data, source
        self._pull_request = PullRequest(())
        self._blobs: dict[str, tuple[str, str]] = {}
        self._new: dict[str, str] = {}
        self._old: dict[str, str] = {}

    def read(self) -> PullRequest:
        """Read the change; a file that does not fit the source folder is unreviewed.

        Raises DiffError if the text is not a diff, or if no file of it fits.
        """
        text, escaped = _decode(self._data)
        if not text.strip():
            return self._pull_request
        parsed = unified_diff.parse_diff(text, escaped=escaped)
        self._blobs = parsed.blobs
        named = {entry.path for entry in parsed.unreviewed}
        unreviewed = list(parsed.unreviewed)
        looked_at = [file for file in parsed.files if file.path not in named]
        misfits: list[Unreviewed] = []
        for file in looked_at:
            try:
                unreviewed += [Unreviewed(file.path, problem) for problem in self._read_texts(file)]
            except DiffError as error:
                misfits.append(Unreviewed(file.path, str(error)))
        if misfits and len(misfits) == len(looked_at):
            raise DiffError(misfits[0].reason)
        unreviewed += misfits
        alike = file_name.shown_alike(file.path for file in parsed.files)
        unreviewed += [Unreviewed(path, file_name.SHOWN_ALIKE) for path in alike]
        files = tuple(sorted(parsed.files, key=lambda file: file.path))
        self._pull_request = PullRequest(files, unreviewed=tuple(unreviewed))
        return self._pull_request

    def read_new(self, wanted: Iterable[int]) -> WholeTexts:
        """Return the texts at the head of files by index: those of the source folder, and those of added files."""
        return WholeTexts({index: self._new.get(self._pull_request.files[index].path) for index in wanted})

    def read_old(self, wanted: Iterable[int]) -> WholeTexts:
        """Return the texts at the base of files by index, made by undoing the diff."""
        return WholeTexts({index: self._old.get(self._pull_request.files[index].path) for index in wanted})

    def repository(self) -> Repository:
        """Return the tree in the source folder; it is not available without one."""
        if self._source is None:
            return Repository()
        head = frozenset(_walk(self._source))
        changed = self._pull_request.files
        base = (head - {file.path for file in changed if file.status in {"added", "copied", "renamed"}}) | {
            file.base_path for file in changed if file.status in {"deleted", "renamed"}
        }
        by_base = {file.base_path: file.path for file in changed if file.status != "added"}

        def read_base(path: str) -> str | None:
            return self._old.get(by_base[path]) if path in by_base else self._text(path)

        return Repository(head, base, self._text, read_base, available=True)

    def settings(self, path: str) -> str | None:
        """Return the text of a settings file of the source folder. Raises ConfigError if it cannot be read."""
        return folder.read_settings(self._source, path) if self._source is not None else None

    def own_files(self, below: str) -> list[tuple[str, str]]:
        """Return (path, text) of the YAML files below a folder of the source folder."""
        return [] if self._source is None else folder.yaml_files(self._source, below)

    def head_paths(self) -> frozenset[str] | None:
        """Return every path in the source folder, or None without one."""
        return self.repository().head_paths if self._source is not None else None

    def head_text(self, path: str) -> str | None:
        """Return the text of a file in the source folder, or None."""
        return self.repository().head_text(path)

    def base_file(self, path: str) -> str | None:
        """Return the text of a file before the change, or None."""
        return self.repository().base_text(path)

    def open_pull_requests(self) -> OpenPullRequestSource | None:
        """Return None: a diff has no description of its own."""
        return None

    def sizes(self, paths: Iterable[str], /) -> Mapping[str, int]:
        """Return the sizes of files in the source folder, in bytes."""
        from review_bot.forges import file_sizes  # asked only for files that could not be reviewed

        return {} if self._source is None else file_sizes.in_folder(self._source, paths)

    def commits(self) -> None:
        """Return None: a diff has no commits."""
        return

    def close(self) -> None:
        """Nothing to end."""

    def _read_texts(self, file: ChangedFile) -> Iterator[str]:
        """Keep both whole texts of a file where they can be known; yield why one that should be known is not.

        Raises DiffError if the source folder holds another text than the diff says.
        """
        if self._source is not None:
            _check_presence(self._source, file)
        if file.kind == "binary":
            yield from self._hidden_text(file)
        if file.kind not in {"text", "symlink"} or not (file.hunks or self._source):
            return
        try:
            new = self._whole_new(file)
        except folder.CannotRead as error:
            yield f"its text in --source could not be read: {error}"
            return
        if new is None:
            return
        try:
            old = "" if file.status == "added" else patching.undo(new, file.hunks)
        except DiffError as error:
            yield str(error)
            return
        blobs = self._blobs.get(file.path, ("", ""))
        if self._source is not None and not _is_blob(new, blobs[1]):
            raise DiffError(
                f"the diff does not match --source: {file.path} there is not the object {blobs[1]} "
                "that the diff names; check out the head of the change there"
            )
        if not _is_blob(new, blobs[1]) or not _is_blob(old, blobs[0]):
            yield (
                f"the diff does not turn the object {blobs[0]} into {blobs[1]}, as it says; it is incomplete or "
                "was created with whitespace ignored, so create it again"
            )
            return
        if file.status != "deleted":
            self._new[file.path] = new
        if file.status != "added":
            self._old[file.path] = old

    def _whole_new(self, file: ChangedFile) -> str | None:
        """Return the new text of a file, or None if only the diff is known. Raises DiffError, CannotRead."""
        if self._source is None:
            return _alone(file)
        if file.status == "deleted":
            return ""
        full = os.path.join(self._source, file.path)
        is_link = file.kind == "symlink" and os.path.islink(full)
        data = os.fsencode(os.readlink(full)) if is_link else folder.read_bytes(self._source, file.path)
        try:
            text = (data or b"").decode("utf-8")
        except UnicodeDecodeError:
            raise folder.CannotRead("it is not UTF-8") from None
        blob = self._blobs.get(file.path, ("", ""))[1]
        line = patching.misfit(text, file.hunks)
        if "\r\n" in text and (line is not None or not _is_blob(text, blob)):
            # A working tree with `core.autocrlf`: the diff knows the line ends of git.
            unix = text.replace("\r\n", "\n")
            if patching.misfit(unix, file.hunks) is None and _is_blob(unix, blob):
                return unix
        if line is None and file.status == "added" and text != patching.apply("", file.hunks):
            line = file.added + 1
        if line is not None:
            raise DiffError(
                f"the diff does not match --source: {file.path}: line {line} there differs from the diff; "
                "check out the head of the change there"
            )
        return text

    def _hidden_text(self, file: ChangedFile) -> Iterator[str]:
        """Yield why a file that the diff calls binary should have been read, if it is text."""
        content: Content = "binary"
        if self._source is None or file.status == "deleted":
            content = "binary" if text_kind(file.path) is None else "text"  # the name alone has to decide
        else:
            try:
                data = folder.read_bytes(self._source, file.path)
            except folder.CannotRead as error:
                yield f"its text in --source could not be read: {error}"
                return
            content = content_of(file.path, data or b"", len(data or b""))
        if content != "binary":
            yield "the diff marks it as binary and lacks its text; create the diff with `git diff --text`"

    def _text(self, path: str) -> str | None:
        try:
            data = folder.read_bytes(self._source or "", path)
            return None if data is None else data.decode("utf-8")
        except (folder.CannotRead, UnicodeDecodeError):
            return None


def _check_presence(source: str, file: ChangedFile) -> None:
    """Raise DiffError if a file is not in the source folder, or is still there after its deletion."""
    full = os.path.join(source, file.path)
    is_there = os.path.lexists(full)
    is_folder = os.path.isdir(full) and not os.path.islink(full)  # what a deleted file or submodule may become
    if file.status == "deleted" and is_there and not is_folder:
        problem = f"it deletes {file.path}, which exists there"
    elif file.status != "deleted" and not is_there and file.kind != "submodule":
        problem = f"{file.path} is not there"
    else:
        return
    raise DiffError(f"the diff does not match --source: {problem}; check out the head of the change there")


def _alone(file: ChangedFile) -> str | None:
    """Return the new text of a file if the diff contains all of it, or None."""
    if file.status == "deleted":
        return ""
    return patching.apply("", file.hunks) if file.status == "added" else None


def _decode(data: bytes) -> tuple[str, bool]:
    """Return the text of a diff, and whether some of its bytes are no UTF-8 (as ``surrogateescape`` leaves them)."""
    if len(data) > LARGEST_DIFF:
        raise DiffError(f"the diff is larger than {LARGEST_DIFF:,} bytes; review it in parts")
    if data.startswith(_UTF16):  # as PowerShell writes it
        try:
            return data.decode("utf-16"), False
        except UnicodeDecodeError as error:
            raise DiffError("the diff is invalid UTF-16; save it as UTF-8") from error
    try:
        return data.decode("utf-8-sig"), False
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape").removeprefix("\ufeff"), True


def _is_blob(text: str, name: str) -> bool:
    """Return whether a text is the git object whose id begins with ``name``; an unknown one is not denied."""
    if not name.strip("0"):
        return True
    data = text.encode("utf-8", "surrogateescape")
    whole = b"blob %d\0%b" % (len(data), data)
    # git's own name for it, no secret; a repository uses one of the two.
    return any(make(whole, usedforsecurity=False).hexdigest().startswith(name) for make in (sha1, sha256))


def _walk(source: str) -> Iterator[str]:
    root = source.rstrip(os.sep) or os.sep
    for parent, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name != ".git")
        below = parent[len(root) :].lstrip(os.sep)
        links = [name for name in folders if os.path.islink(os.path.join(parent, name))]  # which git has as files
        for name in (*names, *links):
            yield f"{below}/{name}" if below else name
