"""The files of a git diff, read one by one; what git hides as binary although it is text is read as text."""

import os
from collections.abc import Iterator

from review_bot.changes.content import content_of, problem_with
from review_bot.changes.diff_header import problem_with_name
from review_bot.changes.pull_request import ABSENT_MODE, ChangedFile, Unreviewed
from review_bot.forges import folder, git_diff, git_process, lfs_content, untracked
from review_bot.forges.git_diff import Record
from review_bot.forges.git_objects import BlobReader

_MOST_ARGUMENTS = 100_000
"""Characters of path names in one command line; every system takes more."""


class DiffFileReader:
    """Reads the files of diffs. ``folder``: where git runs; ``root``: of the working tree, if the head is one."""

    def __init__(self, folder: str, root: str, blobs: BlobReader, *, in_working_tree: bool) -> None:
        self._git, self._root, self._blobs, self._in_working_tree = folder, root, blobs, in_working_tree

    def read(self, output: bytes, sides: list[str], index: str | None) -> tuple[list[ChangedFile], list[Unreviewed]]:
        """Read the files of a diff; what git calls binary and is text is asked for again, as text.

        ``sides``: the commits that were compared; ``index``: the file that took the place of the index, if any.
        """
        files: list[ChangedFile] = []
        unreviewed: list[Unreviewed] = []
        hidden: list[Record] = []
        unmerged: set[str] = set()
        for record, sections in git_diff.split_answer(output):
            problem = problem_with_name(record.path)
            if record.status == "U":
                unmerged.add(record.path)
            elif self._is_unchanged_object(record):
                continue
            elif problem:
                unreviewed.append(Unreviewed(record.path, f"its name {problem}"))
            elif record.added is None and self._hides_text(record, unreviewed):
                hidden.append(record)
            else:
                file, problem = git_diff.read_file(record, sections)
                files.append(file)
                if problem:
                    unreviewed.append(Unreviewed(record.path, problem))
        for file, problem in self._as_text(hidden, sides, index):
            files.append(file)
            if problem:
                unreviewed.append(Unreviewed(file.path, problem))
        unreviewed += [Unreviewed(path, "it has merge conflicts; resolve them first") for path in sorted(unmerged)]
        return files, unreviewed

    def _is_unchanged_object(self, record: Record) -> bool:
        """Return whether git lists a file only because the filter of Git LFS does not run."""
        if not self._in_working_tree or record.status != "M" or not git_process.filters(self._git):
            return False
        found = self._blobs.look(record.old_blob)
        if found is None or found[0] > lfs_content.LARGEST_POINTER:
            return False
        if self._blobs.look(f"HEAD:{record.path}") != found:
            return False
        return lfs_content.is_content_of(found[1], os.path.join(self._root, record.path))

    def _hides_text(self, record: Record, unreviewed: list[Unreviewed]) -> bool:
        """Return whether a file that git calls binary is text; name it if its text cannot be read."""
        if "160000" in {record.old_mode, record.new_mode}:
            return False
        mode, blob = record.new_mode, record.new_blob
        if mode == ABSENT_MODE:
            mode, blob = record.old_mode, record.old_blob
        try:
            size, data = self._bytes_of(record.path, mode, blob)
        except folder.CannotRead as error:
            unreviewed.append(Unreviewed(record.path, str(error)))
            return False
        content = content_of(record.path, data, size)
        problem = problem_with(content)
        if problem is not None:
            unreviewed.append(Unreviewed(record.path, problem))
        return content == "text"

    def _bytes_of(self, path: str, mode: str, blob: str) -> tuple[int, bytes]:
        """Return size and bytes of one side of a file, or its first bytes. Raises CannotRead."""
        if blob.strip("0"):
            found = self._blobs.look(blob)
            if found is not None:
                return found
            if not self._in_working_tree:  # else git has named what the object would be, were the file added
                raise folder.CannotRead("its object is missing from the repository; fetch it")
        if mode == "120000":
            target = os.readlink(os.path.join(self._root, path))
            return len(target), os.fsencode(target)
        return untracked.look(self._root, path)

    def _as_text(
        self, records: list[Record], sides: list[str], index: str | None
    ) -> Iterator[tuple[ChangedFile, str | None]]:
        for share in _shares(records):
            paths = [f":(top,literal){path}" for record in share for path in record.paths]
            started = git_process.start(self._git, [*git_diff.ARGUMENTS, "--text", *sides, "--", *paths], index=index)
            answer = git_process.finish(started)
            if answer.code:
                raise git_process.failure(self._git, "diff", answer)
            found = {record.paths: (record, sections) for record, sections in git_diff.split_answer(answer.output)}
            for record in share:
                if record.paths in found:
                    yield git_diff.read_file(*found[record.paths], as_text=True)
                else:
                    yield git_diff.read_file(record, [])[0], "git treats it as binary and does not show it as text"


def _shares(records: list[Record]) -> Iterator[list[Record]]:
    """Divide records so that the names of each share fit in one command line."""
    share: list[Record] = []
    size = 0
    for record in records:
        size += sum(len(os.fsencode(path)) + 20 for path in record.paths)
        if share and size > _MOST_ARGUMENTS:
            yield share
            share, size = [], 0
        share.append(record)
    if share:
        yield share
