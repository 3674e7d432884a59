r"""A pull request as a value: which files changed, and which of their lines.

Lines end at ``\n`` only, as git, GitHub and ast-grep count them: a form feed, a lone carriage return or
U+2028 inside a line does not start a new one. Line numbers are 1-based. A byte order mark at the start of a file is no
part of its first line: hunks keep it, ``added_lines`` and ``removed_lines`` do not.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

from review_bot.records import NamedTuple

Status = Literal["added", "modified", "deleted", "renamed", "copied", "retyped"]
Kind = Literal["text", "binary", "symlink", "submodule", "lfs"]
Side = Literal["RIGHT", "LEFT"]

ABSENT_MODE = "000000"
BYTE_ORDER_MARK = "\ufeff"


class Hunk(NamedTuple):
    r"""One ``@@ -old_start,old_count +new_start,new_count @@`` with its lines.

    ``lines`` keep their marker as first character: blank for context, ``+``, ``-``, or a backslash for
    ``\ No newline at end of file``.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[str, ...]


class ChangedFile(NamedTuple):
    """One file of the change. ``path`` is its name at the head, or at the base if it was deleted.

    ``shown``: the place where the change lives shows its hunks, so that comments may be placed in them. GitHub does not
    for a file whose diff is too large.
    """

    path: str
    old_path: str | None
    status: Status
    kind: Kind
    hunks: tuple[Hunk, ...] = ()
    added: int = 0
    removed: int = 0
    old_mode: str = ABSENT_MODE
    new_mode: str = ABSENT_MODE
    old_blob: str | None = None
    new_blob: str | None = None
    shown: bool = True

    @property
    def base_path(self) -> str:
        """The name at the base, through renames; the name at the head for an added or copied file."""
        return self.path if self.old_path is None or self.status == "copied" else self.old_path

    def added_lines(self) -> Iterator[tuple[int, str]]:
        """Yield (line number at the head, text) of each added line, without its end."""
        return self._numbered("+")

    def removed_lines(self) -> Iterator[tuple[int, str]]:
        """Yield (line number at the base, text) of each removed line, without its end."""
        return self._numbered("-")

    def _numbered(self, wanted: str) -> Iterator[tuple[int, str]]:
        for hunk in self.hunks:
            number = hunk.new_start if wanted == "+" else hunk.old_start
            for line in hunk.lines:
                marker = line[:1]
                if marker == wanted:
                    yield number, without_mark(line[1:]) if number == 1 else line[1:]
                    number += 1
                elif marker == " ":
                    number += 1

    def commentable(self, line: int, side: Side = "RIGHT") -> bool:
        """Return whether a review comment may be on this line: it lies inside a hunk of the diff that is shown."""
        if not self.shown:
            return False
        if side == "RIGHT":
            return any(h.new_start <= line < h.new_start + h.new_count for h in self.hunks)
        return any(h.old_start <= line < h.old_start + h.old_count for h in self.hunks)


def without_mark(text: str) -> str:
    """Return a text without the byte order mark that it may begin with."""
    return text.removeprefix(BYTE_ORDER_MARK)


class Unreviewed(NamedTuple):
    """Text that should have been read and was not; it makes the verdict ``incomplete``.

    ``size``: bytes of the file, where someone asked for it and it is known.
    """

    path: str
    reason: str
    size: int | None = None


class WholeTexts(NamedTuple):
    """Whole texts of files, by index in the pull request; None where only the diff is known.

    ``unreviewed``: the files whose text should have been there and could not be read, or did not fit the diff.
    """

    texts: Mapping[int, str | None]
    unreviewed: tuple[Unreviewed, ...] = ()


class CommitMessage(NamedTuple):
    """The message of a commit of the change. ``parents``: how many it has; more than one in a merge."""

    sha: str
    message: str
    parents: int = 1


MOST_COMMITS = 250
"""Commits of a change whose messages are read: as many as GitHub lists.

Source: https://docs.github.com/en/rest/pulls/pulls#list-commits-on-a-pull-request
"""


MOST_NEW_LINES = 6_000
"""Lines of new Python files from which on a change brings code along, mostly from elsewhere, rather than writes it.

Of the warnings on lines that two people judged, 98 of 100 are useful where there are fewer than 3,000 such lines, 94
from there to 6,000, 88 up to 15,000, and 68 beyond."""


class PullRequest(NamedTuple):
    """A change to review; the same value whether it came from git, a diff or GitHub.

    ``author`` and ``labels`` are GitHub's. The login of a bot ends with ``[bot]``, which that of a person cannot.
    ``commits``: oldest first; None if no rule reads them, or if not all of them are known.
    """

    files: tuple[ChangedFile, ...]
    base: str | None = None
    merge_base: str | None = None
    head: str | None = None
    repository: str | None = None
    number: int | None = None
    title: str | None = None
    body: str | None = None
    base_label: str | None = None
    base_date: str | None = None
    unreviewed: tuple[Unreviewed, ...] = ()
    author: str | None = None
    labels: tuple[str, ...] = ()
    commits: tuple[CommitMessage, ...] | None = None

    def added_numbers(self) -> dict[str, frozenset[int]]:
        """Return the numbers of the added lines at the head, by path."""
        return {file.path: frozenset(number for number, _ in file.added_lines()) for file in self.files}

    @property
    def brought(self) -> frozenset[str]:
        """The new files, if they have so many lines of Python that the change brings code rather than writes it."""
        new = [file for file in self.files if file.status == "added" and file.kind == "text"]
        lines = sum(file.added for file in new if file.path.endswith(".py"))
        return frozenset(file.path for file in new) if lines >= MOST_NEW_LINES else frozenset()

    @property
    def added(self) -> int:
        """Added lines over all text files."""
        return sum(file.added for file in self.files)

    @property
    def removed(self) -> int:
        """Removed lines over all text files."""
        return sum(file.removed for file in self.files)
