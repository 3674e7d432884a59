r"""Diff text to changed files; the only user of unidiff.

A section of ``git diff`` output, with its parts as this module names them::

    diff --git a/old.py b/new.py          ┐
    similarity index 92%                  │ header: status, names, modes; read in diff_header.py
    rename from old.py                    │
    rename to new.py                      │
    index 83db48f..bf2a1c3 100644         │
    --- a/old.py                          │
    +++ b/new.py                          ┘
    @@ -1,3 +1,4 @@ def f():              ┐
     import os                            │ body: hunks, read by unidiff behind a header
    +import sys                           │ of our own, so that no name can confuse it
    \ No newline at end of file           ┘

unidiff parses the hunks: their headers, the kind and text of each line, and the number of lines on each side, which
must fit the header. It does not check everything that a gate needs, so this module does:

* before unidiff, the diff is split into files. Counting the lines of each hunk shows where it ends, so that a removed
  line ``-- a/x`` (``--- a/x`` in the diff) never starts a file. Text between files (mails, commit messages) is skipped,
  but a line that may be a lost part of a hunk is an error.
* after unidiff, every line of the body belongs to exactly one hunk, no hunk overlaps the one before it, and each new
  position is the old one moved by the lines that earlier hunks add and remove.

A file that fails one of these checks is unreviewed, or the whole diff is refused: damage never makes a line disappear.
"""

import re
from collections.abc import Iterator, Sequence

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from review_bot.changes.diff_header import HEADER_LINE, Header, name_for_people, names_of_binary, read_header
from review_bot.changes.lfs_pointer import shows_pointer
from review_bot.changes.patching import NO_NEWLINE
from review_bot.changes.pull_request import ABSENT_MODE, ChangedFile, Hunk, Kind, Unreviewed
from review_bot.changes.reading import NOT_UTF8, readable_hunks
from review_bot.errors import DiffError
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_HUNK = LazyRegex(r"@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@")
_COMBINED = LazyRegex(r"@@@+ -[0-9]|diff --cc |diff --combined ")
_LOST_HEADER = LazyRegex(
    r"(?:old|new|new file|deleted file) mode [0-7]{6}$|(?:dis)?similarity index [0-9]+%$|(?:rename|copy) (?:from|to) ."
    r"|index [0-9a-f]{4,64}\.\.[0-9a-f]{4,64}(?: [0-7]{6})?$|GIT binary patch$|\+\+\+ [ab]/"
)
_OTHER_FORMAT = LazyRegex(r"[0-9]+(?:,[0-9]+)?[acd][0-9]+(?:,[0-9]+)?\n[<>] |\*{15}(?: .*)?\n\*\*\* [0-9]")
"""How a hunk begins in the formats of ``diff`` and ``diff -c``, which ``patch`` applies among others too."""

_MESSAGE = LazyRegex(
    r"From [0-9a-f]{40} |commit [0-9a-f]{40}|From: |# HG changeset patch|changeset: |Property changes on: |Submodule "
)
_ONLY_IN = LazyRegex(r"Only in (.*?): (.+)")
_BINARY_DATA = LazyRegex(r"(?:literal|delta) [0-9]+$|[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{5,}$|$")
_SUBPROJECT = LazyRegex(r"[-+]Subproject commit [0-9a-f]+(?:-dirty)?$|\\")

LARGEST_BODY = 50_000_000
"""Characters of one file's hunks; a larger one is named as unreviewed."""

WITHOUT_LINES = ("binary", "submodule")
"""Kinds of which a diff shows no lines, or none of their own."""


class Section(NamedTuple):
    """The part of a diff about one file: header lines, hunk text, and the 1-based line of the diff it begins on.

    ``last``: the diff ends with it, so that a part of it may be cut off.
    """

    header: tuple[str, ...]
    body: str
    line: int
    last: bool = False


class ParsedDiff(NamedTuple):
    """The contents of a diff: its files, and those whose text it should contain and does not.

    ``blobs``: for a path, the beginnings of the object ids that git names for its old and new text.
    """

    files: tuple[ChangedFile, ...]
    unreviewed: tuple[Unreviewed, ...]
    blobs: dict[str, tuple[str, str]]


def read_hunks(body: str) -> tuple[Hunk, ...]:
    """Read the hunks of one file. Raises DiffError if they do not fit their counts, or do not fit together."""
    if not body:
        return ()
    lines = body.split("\n")
    if not lines[-1]:
        lines.pop()
    header = ["--- a/file\n", "+++ b/file\n"]
    try:
        patch = PatchSet([*header, *(line + "\n" for line in lines)])
    except (UnidiffParseError, ValueError) as error:
        raise DiffError("a hunk does not have as many lines as its header says") from error
    if len(patch) != 1:
        raise DiffError("the hunks of one file contain the header of another")
    hunks = []
    for hunk in patch[0]:
        texts = tuple([line.line_type + line.value.removesuffix("\n") for line in hunk])
        if "" in texts:
            raise DiffError("an empty line follows a hunk")
        hunks.append(Hunk(hunk.source_start, hunk.source_length, hunk.target_start, hunk.target_length, texts))
    if sum(len(hunk.lines) + 1 for hunk in hunks) != len(lines):
        raise DiffError("a line among the hunks belongs to none of them")
    _check_order(hunks)
    return tuple(hunks)


def _check_order(hunks: Sequence[Hunk]) -> None:
    """Check that hunks follow each other and that the positions of their new lines match the earlier ones."""
    shift = old_end = 0
    for hunk in hunks:
        # A side without lines names the line before; `@@ -0,0 +1,3 @@` adds at the top of the file.
        old_first = hunk.old_start + (not hunk.old_count)
        new_first = hunk.new_start + (not hunk.new_count)
        if old_first <= old_end or new_first < 1:
            raise DiffError(f"the hunk at line {hunk.old_start} overlaps the one before it")
        if new_first - old_first != shift:
            raise DiffError(
                f"the hunk `-{hunk.old_start},{hunk.old_count} +{hunk.new_start},{hunk.new_count}` is not "
                "at the position that the hunks before it imply"
            )
        shift += hunk.new_count - hunk.old_count
        old_end = old_first + hunk.old_count - 1


def counts(hunks: Sequence[Hunk]) -> tuple[int, int]:
    """Return (added, removed) lines."""
    markers = [line[:1] for hunk in hunks for line in hunk.lines]
    return markers.count("+"), markers.count("-")


def parse_diff(text: str, *, escaped: bool = False) -> ParsedDiff:
    """Read a whole diff: of git, or plain ``---``/``+++`` pairs. Raises DiffError, with the line of the diff.

    ``escaped``: bytes of the diff that are not UTF-8 are in ``text`` as ``surrogateescape`` leaves them.
    """
    text = _with_unix_line_ends(text)
    files: dict[str, ChangedFile] = {}
    unreviewed: list[Unreviewed] = []
    blobs: dict[str, tuple[str, str]] = {}
    for section in split_sections(text):
        if isinstance(section, Unreviewed):
            unreviewed.append(section)
            continue
        try:
            file, ids, undecodable = _read_section(section, escaped=escaped)
        except DiffError as error:
            path = name_for_people(section.header)
            unreviewed.append(Unreviewed(path, f"line {section.line} of the diff: {error}"))
            continue
        earlier = files.get(file.path)
        if earlier is not None and _is_one_change(earlier, file):
            file = joined(earlier, file)
            ids = ("" if earlier.kind in WITHOUT_LINES else blobs[file.path][0], ids[1])
        elif earlier is not None:
            unreviewed.append(
                Unreviewed(
                    file.path,
                    f"line {section.line} of the diff: a second section for this file, as in a series of patches; "
                    "create a single diff, such as `git diff BASE...HEAD`",
                )
            )
            files[file.path] = earlier._replace(hunks=(), added=0, removed=0)
            continue
        if undecodable:
            unreviewed.append(Unreviewed(file.path, NOT_UTF8))
        files[file.path] = file
        blobs[file.path] = ids
    return ParsedDiff(tuple(files.values()), tuple(unreviewed), blobs)


def _is_one_change(gone: ChangedFile, new: ChangedFile) -> bool:
    """Return whether two sections say that a file goes and comes back as something else, or with other lines."""
    other_type = gone.old_mode[:3] != new.new_mode[:3]
    return (gone.status, new.status) == ("deleted", "added") and (other_type or gone.kind == new.kind == "text")


def joined(gone: ChangedFile, new: ChangedFile) -> ChangedFile:
    """Join the two sections of a file that becomes a symlink, or the like: all lines go, all lines come."""
    is_retyped = gone.old_mode[:3] != new.new_mode[:3]
    both = new._replace(
        status="retyped" if is_retyped else "modified",
        old_path=gone.path,
        old_mode=gone.old_mode,
        old_blob=gone.old_blob,
    )
    if new.kind in WITHOUT_LINES:
        return both._replace(hunks=(), added=0, removed=0)
    if gone.kind in WITHOUT_LINES:
        return both
    lines = [line for hunk in (*gone.hunks, *new.hunks) for line in hunk.lines]
    hunk = Hunk(min(1, gone.removed), gone.removed, min(1, new.added), new.added, tuple(lines))
    return both._replace(hunks=(hunk,) if lines else (), removed=gone.removed)


def split_sections(text: str) -> Iterator[Section | Unreviewed]:
    """Split a diff into its files, honouring hunk counts: what looks like a header inside a hunk is content.

    Raises DiffError if the text is not a diff, is a combined diff, or has a line that belongs to nothing.
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    position = found = 0
    free = True  # other text may be here: a mail, a commit message
    while position < len(lines):
        line = lines[position]
        section: Section | Unreviewed | None = None
        if line.startswith("diff --git "):
            section, position = _take_section(lines, position, _git_header(lines, position))
        elif line.startswith("--- ") and position + 1 < len(lines) and lines[position + 1].startswith("+++ "):
            section, position = _take_section(lines, position, position + 2)
        elif match := _ONLY_IN.match(line):
            name = f"{match[1]}/{match[2]}"
            section, position = Unreviewed(name, "the diff names this file but does not contain it; "
                                                 "create it with `diff -N`"), position + 1  # fmt: skip
        elif line.startswith("Submodule ") or names_of_binary(line):
            section, position = Section((line,), "", position + 1), position + 1
        else:
            _refuse(lines, position, text, free=free)
            position += 1
        if section is not None:
            found += 1
            yield section
        free = _MESSAGE.match(line) is not None or (free and section is None)
    if not found and text.strip():
        raise DiffError(_not_a_diff(text))


def _git_header(lines: list[str], position: int) -> int:
    """Return the position after the header lines of a section of git."""
    position += 1
    while position < len(lines) and HEADER_LINE.match(lines[position]):
        is_binary_patch = lines[position] == "GIT binary patch"
        position += 1
        while is_binary_patch and position < len(lines) and _BINARY_DATA.match(lines[position]):
            position += 1
    return position


def _take_section(lines: list[str], start: int, end_of_header: int) -> tuple[Section, int]:
    header = tuple(lines[start:end_of_header])
    body: list[str] = []
    position = end_of_header
    size = 0
    while position < len(lines) and (match := _HUNK.match(lines[position])):
        position = _take_hunk(lines, position, match)
    for line in lines[end_of_header:position]:
        size += len(line) + 1
        body.append(line if line[:1] != "\\" else NO_NEWLINE)
    if size > LARGEST_BODY:
        return Section((*header, "too large"), "", start + 1), position
    return Section(header, "\n".join(body), start + 1, position == len(lines)), position


def _take_hunk(lines: list[str], first: int, match: re.Match[str]) -> int:
    """Return the position after one hunk. Raises DiffError if it does not hold what its header says."""
    old, new = (int(count) if count is not None else 1 for count in (match[2], match[4]))
    position = first + 1
    while position < len(lines) and (old > 0 or new > 0):
        marker = lines[position][:1]
        if marker == "+":
            new -= 1
        elif marker == "-":
            old -= 1
        elif marker in {" ", ""}:
            old, new = old - 1, new - 1
        elif marker != "\\":
            break
        position += 1
    if old or new:
        raise DiffError(
            f"line {first + 1} of the diff: the hunk that begins here does not match its header; "
            "the diff is truncated or was edited, so create it again"
        )
    if position < len(lines) and lines[position][:1] == "\\":
        position += 1
    return position


def _refuse(lines: list[str], position: int, text: str, *, free: bool) -> None:
    """Raise DiffError for a line outside of all sections that may be a part of one."""
    line = lines[position]
    if _COMBINED.match(line):
        raise DiffError(
            f"line {position + 1} of the diff: this is a combined diff of a merge, which does not show what the change "
            "adds; create a diff against a single base, such as `git diff BASE...HEAD`"
        )
    if line.startswith("@@ -"):
        if position == 0 or free:
            raise DiffError(f"line {position + 1} of the diff: a hunk without a file header before it")
        raise DiffError(f"line {position + 1} of the diff: this hunk header cannot be parsed")
    following = lines[position + 1] if position + 1 < len(lines) else ""
    if _OTHER_FORMAT.match(f"{line}\n{following}"):
        raise DiffError(
            f"line {position + 1} of the diff: a hunk in another format; create a unified diff, such as with "
            "`git diff` or `diff -u`"
        )
    # A mail ends in `-- ` and the version of git; a removed line `- ` would have another line of the diff behind it.
    is_signature = line in {"-- ", "--"} and following != "" and not _follows(following)
    if _LOST_HEADER.match(line) or (not free and line[:1] in {"+", "-", " ", "\\"} and not is_signature):
        if text.lstrip()[:1] in {"<", "{", "["} and free:
            raise DiffError(_not_a_diff(text))
        raise DiffError(
            f"line {position + 1} of the diff belongs to no file and no hunk; the diff is damaged or was edited, "
            "so create it again"
        )


def _follows(line: str) -> bool:
    """Return whether a line looks like one that is behind a hunk."""
    return line.startswith(("diff ", "@@ ", "Index: ", "Submodule ", "+", "-", " ", "\\"))


def _read_section(section: Section, *, escaped: bool) -> tuple[ChangedFile, tuple[str, str], bool]:
    """Return one file, the ids of its texts, and whether its new text has bytes that are no UTF-8."""
    if section.header[-1] == "too large":
        raise DiffError(f"its hunks are larger than {LARGEST_BODY:,} characters")
    hunks = read_hunks(section.body)
    header = read_header(section.header, hunks, last=section.last)
    undecodable = False
    if escaped:
        hunks, undecodable = readable_hunks(hunks)
    added, removed = counts(hunks)
    file = ChangedFile(
        path=header.path,
        old_path=None if header.status == "added" else header.old_path,
        status=header.status,
        kind=_kind(header, hunks),
        hunks=hunks,
        added=added,
        removed=removed,
        old_mode=header.old_mode,
        new_mode=header.new_mode,
    )
    if (header.status == "added" and removed) or (header.status == "deleted" and added):
        raise DiffError("a new file has removed lines, or a deleted file has added lines")
    if file.kind == "submodule":
        if not all(_SUBPROJECT.match(line) for hunk in hunks for line in hunk.lines):
            raise DiffError("its mode says that it is a submodule, but its lines do not")
        file = file._replace(hunks=(), added=0, removed=0)
    return file, header.blobs, undecodable


def _kind(header: Header, hunks: tuple[Hunk, ...]) -> Kind:
    return "binary" if header.binary else kind_of(header.old_mode, header.new_mode, hunks)


def with_hunks(file: ChangedFile, hunks: tuple[Hunk, ...]) -> ChangedFile:
    """Return a file with hunks, and what they and its modes say of its kind and its size."""
    added, removed = counts(hunks)
    return file._replace(kind=kind_of(file.old_mode, file.new_mode, hunks), hunks=hunks, added=added, removed=removed)


def kind_of(old_mode: str, new_mode: str, hunks: tuple[Hunk, ...]) -> Kind:
    """Return what a file is, from its mode and, for a pointer of Git LFS, from its text."""
    mode = old_mode if new_mode == ABSENT_MODE else new_mode
    if mode == "120000":
        return "symlink"
    if mode == "160000":
        return "submodule"
    return "lfs" if shows_pointer(hunks, old=new_mode == ABSENT_MODE) else "text"


def _with_unix_line_ends(text: str) -> str:
    """Undo a conversion of the whole diff to CRLF, which shows at its own headers: git never ends one in CR."""
    if "\r\n" not in text:
        return text
    header = re.search(r"^diff --git .*$|^--- .*\n(?=\+\+\+ )", text, re.MULTILINE)
    if header is None or not header[0].rstrip("\n").endswith("\r"):
        return text
    return text.replace("\r\n", "\n")


def _not_a_diff(text: str) -> str:
    start = text.lstrip()[:200].lower()
    if start.startswith(("<!doctype", "<html", "<?xml")):
        return "this is an HTML page, not a diff; check the URL, and whether it requires you to sign in"
    if re.match(r"[{\[]\s*[\"{\[\]}\d]", start):  # not the link that Markdown may begin with
        return "this is JSON, not a diff; ask for the media type application/vnd.github.diff"
    if re.search(r"^\x1b\[[0-9;]*m(?:diff --git|---) ", text, re.MULTILINE):
        return "this diff contains colour codes; create it with `git diff --no-color`"
    return (
        "this is not a unified diff: it has no file header (`diff --git`, or `---` and `+++`); create one with "
        "`git diff`"
    )
