r"""Diff text to changed files; the only user of unidiff.

A section of ``git diff`` output, with its parts as this module names them::

    diff --git a/old.py b/new.py          ┐
    similarity index 92%                  │ header: status, names, modes
    rename from old.py                    │
    rename to new.py                      │
    index 83db48f..bf2a1c3 100644         │
    --- a/old.py                          │
    +++ b/new.py                          ┘
    @@ -1,3 +1,4 @@ def f():              ┐
     import os                            │ body: hunks, read by unidiff behind a header
    +import sys                           │ of our own, so that no name can confuse it
    \ No newline at end of file           ┘

Names in a header may be quoted as C strings (``"a/tab\tname.py"``); they are unquoted here. Where a machine-readable
list of names exists (``git diff --raw -z``), the header's names are not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from typing import NamedTuple

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from review_bot.changes.pull_request import ABSENT_MODE, ChangedFile, Hunk, Kind, Status, Unreviewed
from review_bot.errors import DiffError

_HUNK = re.compile(r"@@ -(\d{1,18})(?:,(\d{1,18}))? \+(\d{1,18})(?:,(\d{1,18}))? @@")
_OCTAL = re.compile(r"[0-3][0-7]{2}")
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_GIT_LINE = re.compile(r'diff --git ("(?:[^"\\]|\\.)*"|.*?) ("(?:[^"\\]|\\.)*"|[^"]*)$', re.DOTALL)
_LFS = "version https://git-lfs.github.com/spec/"
_MOST_LINES = 100_000_000


class Section(NamedTuple):
    """The part of a diff about one file: header lines, hunk text, and the 1-based line of the diff it begins on."""

    header: tuple[str, ...]
    body: str
    line: int


class ParsedDiff(NamedTuple):
    """What a diff text tells: the files, and the ones whose text it should have held and does not."""

    files: tuple[ChangedFile, ...]
    unreviewed: tuple[Unreviewed, ...]


def read_hunks(body: str) -> tuple[Hunk, ...]:
    """Read the hunks of one file. Raises DiffError if a hunk's lines do not fit its counts."""
    if not body:
        return ()
    for match in re.finditer(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", body, re.MULTILINE):
        if any(group and len(group) > 9 for group in match.groups()):
            raise DiffError(f"the hunk header {match[0]!r} counts more lines than a file can have")
    try:
        patch = PatchSet(StringIO("--- a/file\n+++ b/file\n" + body, newline="\n"))
    except UnidiffParseError as error:
        raise DiffError(str(error)) from error
    if len(patch) != 1:
        raise DiffError("the hunks of one file hold the header of another")
    hunks = []
    for hunk in patch[0]:
        lines = []
        for line in hunk:
            value: str = line.value
            lines.append(line.line_type + value.removesuffix("\n"))
        hunks.append(Hunk(hunk.source_start, hunk.source_length, hunk.target_start, hunk.target_length, tuple(lines)))
    return tuple(hunks)


def counts(hunks: tuple[Hunk, ...]) -> tuple[int, int]:
    """Return (added, removed) lines."""
    markers = [line[:1] for hunk in hunks for line in hunk.lines]
    return markers.count("+"), markers.count("-")


def parse_diff(text: str) -> ParsedDiff:
    """Read a whole diff: of git, or plain ``---``/``+++`` pairs. Raises DiffError, with the line of the diff."""
    files: dict[str, ChangedFile] = {}
    unreviewed: list[Unreviewed] = []
    for section in split_sections(text):
        try:
            file = _read_section(section)
        except DiffError as error:
            path = _section_path(section)
            if path is None:
                raise DiffError(f"line {section.line} of the diff: {error}") from error
            unreviewed.append(Unreviewed(path, f"line {section.line} of the diff: {error}"))
            continue
        earlier = files.get(file.path)
        if earlier is not None and {earlier.status, file.status} == {"deleted", "added"}:
            file = retyped(earlier, file)
        elif earlier is not None:
            unreviewed.append(Unreviewed(file.path, f"line {section.line} of the diff: a second section for this file"))
            continue
        files[file.path] = file
    return ParsedDiff(tuple(files.values()), tuple(unreviewed))


def retyped(gone: ChangedFile, new: ChangedFile) -> ChangedFile:
    """Join the two sections that git writes when a file becomes a symlink, or the like."""
    if gone.status == "added":
        gone, new = new, gone
    return new._replace(
        status="retyped",
        old_path=gone.path,
        old_mode=gone.old_mode,
        old_blob=gone.old_blob,
        hunks=new.hunks,
        removed=gone.removed,
    )


def split_sections(text: str) -> Iterator[Section]:
    """Split a diff into its files, honouring hunk counts: what looks like a header inside a hunk is content.

    Raises DiffError if the text is not a diff, is a combined diff, or ends inside a hunk.
    """
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    header: list[str] = []
    body: list[str] = []
    start = 0
    position = 0
    while position < len(lines):
        line = lines[position]
        if line.startswith("@@@") or line.startswith(("diff --cc ", "diff --combined ")):
            raise DiffError(
                f"line {position + 1} of the diff: this is a combined diff of a merge, which does not say what the change "
                "adds; make one against a single base, such as `git diff BASE...HEAD`"
            )
        if match := _HUNK.match(line):
            if not header:
                raise DiffError(f"line {position + 1} of the diff: a hunk without a file header before it")
            position = _take_hunk(lines, position, match, body)
            continue
        is_plain_start = (
            line.startswith("--- ") and position + 1 < len(lines) and lines[position + 1].startswith("+++ ")
        )
        if line.startswith("diff --git ") or (is_plain_start and (body or not _open_git(header))):
            if header and (body or _open_git(header)):
                yield Section(tuple(header), "".join(body), start)
            header, body, start = [], [], position + 1
        if header or line.startswith("diff --git ") or is_plain_start:
            if not (body and not line.startswith(("--- ", "+++ ", "diff "))):
                header.append(line)
        position += 1
    if header and (body or _open_git(header)):
        yield Section(tuple(header), "".join(body), start)
    elif any(line.strip() for line in lines) and start == 0:
        raise DiffError(_not_a_diff(text))


def _open_git(header: list[str]) -> bool:
    return bool(header) and header[0].startswith("diff --git ")


def _take_hunk(lines: list[str], position: int, match: re.Match[str], body: list[str]) -> int:
    """Move one hunk to ``body`` and return the position after it."""
    old, new = (int(count) if count is not None else 1 for count in (match[2], match[4]))
    if old > _MOST_LINES or new > _MOST_LINES:
        raise DiffError(f"line {position + 1} of the diff: the hunk counts more lines than a file can have")
    first = position
    body.append(lines[position] + "\n")
    position += 1
    while position < len(lines) and (old > 0 or new > 0):
        line = lines[position]
        marker = line[:1]
        if marker == "\\":
            pass
        elif marker == "+":
            new -= 1
        elif marker == "-":
            old -= 1
        elif marker == " " or line == "":
            old, new = old - 1, new - 1
            line = line or " "
        else:
            break
        body.append(line + "\n")
        position += 1
    if position < len(lines) and lines[position].startswith("\\"):
        body.append(lines[position] + "\n")
        position += 1
    if old or new:
        raise DiffError(
            f"line {first + 1} of the diff: the hunk that begins here is cut short; the diff is truncated or was edited"
        )
    return position


def _read_section(section: Section) -> ChangedFile:
    old_path, new_path, status, old_mode, new_mode, binary = _header_facts(section)
    hunks = read_hunks(section.body)
    added, removed = counts(hunks)
    path = new_path if new_path is not None else old_path
    if path is None:
        raise DiffError("neither side has a name")
    bad = problem_with_name(path)
    if bad:
        raise DiffError(f"the file name {path!r} {bad}")
    if status == "modified" and old_path != new_path:
        status = "renamed"
    return ChangedFile(
        path=path,
        old_path=None if status == "added" else old_path,
        status=status,
        kind="binary" if binary else kind_of(new_mode if status != "deleted" else old_mode, hunks),
        hunks=hunks,
        added=added,
        removed=removed,
        old_mode=old_mode,
        new_mode=new_mode,
    )


def kind_of(mode: str, hunks: tuple[Hunk, ...]) -> Kind:
    """Return what a file is, from its mode and, for a pointer of Git LFS, from its text."""
    if mode == "120000":
        return "symlink"
    if mode == "160000":
        return "submodule"
    for hunk in hunks:
        if hunk.new_start == 1 and any(line[1:].startswith(_LFS) for line in hunk.lines[:2]):
            return "lfs"
    return "text"


def problem_with_name(path: str) -> str | None:
    """Return what is wrong with a file name that only diff text vouches for, or None."""
    parts = path.split("/")
    if "\0" in path:
        return "holds a NUL"
    if path.startswith("/"):
        return "is absolute"
    if ".." in parts:
        return "leaves the repository"
    if len(path.encode("utf-8", "surrogateescape")) > 4096:
        return "is longer than 4,096 bytes"
    if ".git" in (part.lower() for part in parts):
        return "lies in .git"
    return None


def unquote(name: str) -> str:
    r"""Undo git's C-style quoting: ``"h\303\251.py"`` → ``hé.py``; an unquoted name is returned as it is."""
    if not (len(name) >= 2 and name.startswith('"') and name.endswith('"')):
        return name
    inner = name[1:-1]
    out = bytearray()
    position = 0
    while position < len(inner):
        char = inner[position]
        if char != "\\":
            out += char.encode("utf-8", "surrogateescape")
            position += 1
        elif octal := _OCTAL.match(inner, position + 1):
            out.append(int(octal[0], 8))
            position += 4
        else:
            escaped = inner[position + 1 : position + 2]
            if escaped not in _ESCAPES:
                raise DiffError(f"the quoted name {name} is wrong after column {position + 1}")
            out.append(_ESCAPES[escaped])
            position += 2
    return out.decode("utf-8", "surrogateescape")


def _header_facts(section: Section) -> tuple[str | None, str | None, Status, str, str, bool]:
    old_mode = new_mode = "100644"
    status: Status = "modified"
    old_path = new_path = None
    names_known = binary = False
    for line in section.header:
        key, _, value = line.partition(" ")
        if line.startswith("diff --git "):
            old_path, new_path = _git_line_names(line)
        elif line.startswith("new file mode "):
            status, old_mode, new_mode = "added", ABSENT_MODE, line[14:].strip()
        elif line.startswith("deleted file mode "):
            status, old_mode, new_mode = "deleted", line[18:].strip(), ABSENT_MODE
        elif line.startswith("old mode "):
            old_mode = line[9:].strip()
        elif line.startswith("new mode "):
            new_mode = line[9:].strip()
        elif line.startswith(("rename from ", "copy from ")):
            old_path, names_known = unquote(line.split(" ", 2)[2]), True
            status = "renamed" if key == "rename" else "copied"
        elif line.startswith(("rename to ", "copy to ")):
            new_path, names_known = unquote(line.split(" ", 2)[2]), True
        elif line.startswith("index ") and line[-7:-6] == " ":
            old_mode = new_mode = line[-6:]
        elif line.startswith("Binary files ") or line == "GIT binary patch":
            binary = True
        elif key == "---" and not names_known:
            old_path, status = (None, "added") if _is_null(value) else (_side_name(value), status)
        elif key == "+++" and not names_known:
            new_path, status = (None, "deleted") if _is_null(value) else (_side_name(value), status)
    if status == "added":
        old_path = None
    if status == "deleted":
        new_path = None
    return old_path, new_path, status, old_mode, new_mode, binary


def _is_null(name: str) -> bool:
    return name.split("\t", maxsplit=1)[0].strip() == "/dev/null"


def _side_name(value: str) -> str:
    """Return the path of a ``---`` or ``+++`` line: without prefix, time stamp and the tab git puts behind blanks."""
    name = unquote(value.rstrip("\t")) if value.startswith('"') else value.split("\t", maxsplit=1)[0]
    return _without_prefix(name)


def _without_prefix(name: str) -> str:
    return name[2:] if re.match(r"[abciow]/", name) else name


def _git_line_names(line: str) -> tuple[str | None, str | None]:
    """Return both names of a ``diff --git`` line. Unquoted names with blanks are only clear when both are the same."""
    rest = line[len("diff --git ") :]
    if not rest.startswith('"') and not rest.endswith('"'):
        middle = len(rest) // 2
        first, second = rest[:middle], rest[middle + 1 :]
        if rest[middle : middle + 1] == " " and _without_prefix(first) == _without_prefix(second):
            return _without_prefix(first), _without_prefix(second)
    match = _GIT_LINE.match(line)
    if not match:
        return None, None
    first, second = unquote(match[1]), unquote(match[2])
    return _without_prefix(first), _without_prefix(second)


def _section_path(section: Section) -> str | None:
    try:
        old_path, new_path, *_ = _header_facts(section)
    except DiffError:
        return None
    path = new_path or old_path
    return None if path is None or problem_with_name(path) else path


def _not_a_diff(text: str) -> str:
    start = text.lstrip()[:200].lower()
    if start.startswith(("<!doctype", "<html", "<?xml")):
        return "this is an HTML page, not a diff; was the address right and were you signed in?"
    if start.startswith(("{", "[")):
        return "this is JSON, not a diff; ask for the media type application/vnd.github.diff"
    return "there is no file header in it (`diff --git`, or `---` and `+++`), so this is not a unified diff"
