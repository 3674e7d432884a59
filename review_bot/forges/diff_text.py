"""A diff from a file or standard input as a pull request, with the new files beside it when they are given."""

from __future__ import annotations

import os
from collections.abc import Iterable

from review_bot.changes import patching, unified_diff
from review_bot.changes.pull_request import PullRequest, Unreviewed
from review_bot.changes.repository import Repository
from review_bot.errors import DiffError, UsageError
from review_bot.forges.local_git import rule_files


class DiffText:
    """Reads a change from diff text. ``source``: a folder with the new files; old texts are made by undoing the diff."""

    def __init__(self, data: bytes, *, source: str | None = None) -> None:
        if source is not None and not os.path.isdir(source):
            raise UsageError(f"--source {source}: there is no such folder")
        self._data, self._source = data, source
        self._pull_request = PullRequest(())

    def read(self) -> PullRequest:
        """Read the change. Raises DiffError if the text is no diff, or does not fit the source folder."""
        try:
            text, undecodable = self._data.decode("utf-8"), False
        except UnicodeDecodeError:
            text, undecodable = self._data.decode("latin-1"), True
        if not text.strip():
            return self._pull_request
        parsed = unified_diff.parse_diff(text.removeprefix("\ufeff"))
        unreviewed = list(parsed.unreviewed)
        if undecodable:
            unreviewed += [
                Unreviewed(file.path, "not UTF-8; only line patterns were tried on it")
                for file in parsed.files
                if any(not line.isascii() for hunk in file.hunks for line in hunk.lines)
            ]
        self._pull_request = PullRequest(tuple(sorted(parsed.files)), unreviewed=tuple(unreviewed))
        return self._pull_request

    def read_new(self, wanted: Iterable[int]) -> dict[int, str | None]:
        """Return the texts at the head of files by index. Raises DiffError where the folder holds another text."""
        texts: dict[int, str | None] = {}
        for index in wanted:
            file = self._pull_request.files[index]
            if self._source is None:
                texts[index] = patching.apply("", file.hunks) if file.status == "added" else None
                continue
            text = self._text(file.path)
            if text is not None:
                try:
                    patching.undo(text, file.hunks)
                except DiffError as error:
                    raise DiffError(
                        f"the diff does not fit --source: {file.path}: {error}; check out the head of the change there"
                    ) from error
            texts[index] = text
        return texts

    def read_old(self, wanted: Iterable[int]) -> dict[int, str | None]:
        """Return the texts at the base of files by index, made by undoing the diff."""
        texts: dict[int, str | None] = {}
        for index in wanted:
            file = self._pull_request.files[index]
            new = "" if file.status == "deleted" else self._text(file.path) if self._source is not None else None
            try:
                texts[index] = None if new is None else patching.undo(new, file.hunks)
            except DiffError:
                texts[index] = None
        return texts

    def repository(self) -> Repository:
        """Return the tree in the source folder; it is not available without one."""
        if self._source is None:
            return Repository()
        head = frozenset(_walk(self._source))
        changed = self._pull_request.files
        base = (head - {file.path for file in changed if file.status in {"added", "copied", "renamed"}}) | {
            file.base_path for file in changed if file.status in {"deleted", "renamed"}
        }
        by_base = {file.base_path: index for index, file in enumerate(changed) if file.status != "added"}

        def read_base(path: str) -> str | None:
            index = by_base.get(path)
            return self._text(path) if index is None else self.read_old([index])[index]

        return Repository(head, base, self._text, read_base, available=True)

    def settings(self, path: str) -> str | None:
        """Return the text of a settings file of the source folder."""
        return self._text(path) if self._source is not None else None

    def own_rules(self, folder: str) -> list[tuple[str, str]]:
        """Return (path, text) of the rule files in the source folder."""
        return [] if self._source is None else rule_files(self._source, folder)

    def close(self) -> None:
        """Nothing to end."""

    def _text(self, path: str) -> str | None:
        full = os.path.join(self._source or "", path)
        if os.path.islink(full):
            return None
        try:
            with open(full, encoding="utf-8", newline="") as stream:
                return stream.read()
        except (OSError, UnicodeDecodeError):
            return None


def _walk(folder: str) -> Iterable[str]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in names:
            yield os.path.relpath(os.path.join(parent, name), folder).replace(os.sep, "/")
