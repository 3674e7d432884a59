r"""The header of one file in a diff: its names, status and modes.

Names may be quoted as C strings (``"a/tab\tname.py"``) and carry a prefix: ``a/`` and ``b/``, other letters with
``diff.mnemonicPrefix``, none with ``--no-prefix``, folders in plain ``diff -ru old new``. Where a header states a name
more than once, all of them must agree; a header that contradicts itself is an error, never a guess.
"""

import re
from collections.abc import Iterable, Sequence

from review_bot.changes.pull_request import ABSENT_MODE, Hunk, Status
from review_bot.errors import DiffError
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

HEADER_LINE = LazyRegex(
    r"(?:--- |\+\+\+ |index |(?:old|new|new file|deleted file) mode |(?:dis)?similarity index "
    r"|(?:rename|copy) (?:from|to) |Binary files |GIT binary patch$)"
)
"""A line of the header of git, after its first."""

_KEYS = (
    "old mode ", "new mode ", "new file mode ", "deleted file mode ", "similarity index ", "dissimilarity index ",
    "rename from ", "rename to ", "copy from ", "copy to ", "index ", "--- ", "+++ ",
)  # fmt: skip
_INDEX = LazyRegex(r"([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: ([0-7]{6}))?$")
_SUBMODULE = LazyRegex(r"Submodule (.+?) (?:([0-9a-f]{4,64})\.{2,3}([0-9a-f]{4,64})(?: \([^()]+\))?:?$|contains .)")
_QUOTED = LazyRegex(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_OCTAL = LazyRegex(r"[0-3][0-7]{2}")
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_PREFIXES = {("a", "b"), ("b", "a"), ("i", "w"), ("w", "i"), ("c", "i"), ("i", "c"), ("c", "w"), ("w", "c"),
             ("o", "w"), ("w", "o"), ("1", "2"), ("2", "1")}  # fmt: skip
"""What git puts before the old and the new name: see ``diff.mnemonicPrefix`` and ``--no-index`` in git-diff(1)."""

_EMPTY_BLOBS = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
_EPOCH = LazyRegex(r"\t(?:1970-01-01|1969-12-31) ")
_DRIVE = LazyRegex(r"[A-Za-z]:[\\/]")
_LONGEST_NAME = 4096
_IGNORED_BY_HFS = LazyRegex("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
_CUT_OFF = "its hunks are missing; the diff is truncated or was edited, so create it again"


class Header(NamedTuple):
    """The facts of a header. ``blobs``: abbreviated object ids of both texts, empty if it does not name them."""

    path: str
    old_path: str
    status: Status
    old_mode: str
    new_mode: str
    binary: bool
    blobs: tuple[str, str]


def read_header(lines: Sequence[str], hunks: Sequence[Hunk], *, last: bool) -> Header:
    """Read the header of one file. Raises DiffError if it contradicts itself or lacks its hunks.

    ``last``: nothing follows it, so that what it does not state may be cut off.
    """
    if lines[0].startswith("Submodule "):
        return _submodule(lines[0])
    if names := names_of_binary(lines[0]):
        name = _name_on_both(*names)
        if name is None:
            raise DiffError("the two names of a binary file have nothing in common")
        return Header(_checked(name), name, "modified", "100644", "100644", binary=True, blobs=("", ""))
    facts = _facts(lines)
    binary = lines[-1] == "GIT binary patch" or any(
        line.startswith(("Binary files ", "GIT binary patch")) for line in lines[1:]
    )
    if lines[0].startswith("diff --git "):
        header = _of_git(lines[0], facts, hunks, binary=binary)
        if last and not hunks and not binary and header.status in {"added", "deleted"} and "index " not in facts:
            raise DiffError(_CUT_OFF)
        return header
    return _plain(facts, hunks)


def name_for_people(lines: Sequence[str]) -> str:
    """Return the name to call a section by whose header cannot be used."""
    for key in ("+++ ", "--- ", "rename to ", "copy to "):
        for line in lines:
            if line.startswith(key) and not _is_null(line[4:]):
                try:
                    return re.sub(r"^[ab]/", "", _raw_name(line.removeprefix(key)))
                except DiffError:
                    continue
    names = re.sub(r"^(?:diff --git|Binary files|Submodule) ", "", lines[0])
    middle = len(names) // 2
    return names[middle + 3 :] if names[2:middle] == names[middle + 3 :] else names


def problem_with_name(path: str) -> str | None:
    """Return what is wrong with a file name that a change vouches for, or None."""
    parts = path.split("/")
    problems = (
        ("is empty", not path),
        ("holds a NUL", "\0" in path),
        ("is absolute", path.startswith("/") or _DRIVE.match(path)),
        ("leaves the repository", ".." in parts),
        ("has an empty folder name", "" in parts or "." in parts),
        (f"is longer than {_LONGEST_NAME:,} bytes", len(path) * 4 > _LONGEST_NAME < _bytes(path)),
        ("lies in .git", _perhaps_git(path) and any(map(_is_git, path.replace("\\", "/").split("/")))),
    )
    return next((words for words, is_so in problems if is_so), None)


def _perhaps_git(path: str) -> bool:
    return not path.isascii() or "git" in path.lower()


def _is_git(part: str) -> bool:
    """Return whether a file system may take a folder for ``.git``, as git itself does (``verify_path``).

    HFS+ sees no joiners and direction marks; NTFS sees no dots and blanks at the end, nothing behind a colon, and has
    the short name ``git~1``. Source: https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreprotectHFS
    """
    name = _IGNORED_BY_HFS.sub("", part).lower().partition(":")[0].rstrip(". ")
    return name in {".git", "git~1"}


def unquote(name: str) -> str:
    r"""Undo git's C-style quoting: ``"h\303\251.py"`` → ``hé.py``; an unquoted name is returned as it is.

    Bytes that are no UTF-8 come back as ``surrogateescape`` does it. Raises DiffError.
    """
    if not name.startswith('"'):
        return name
    if not _QUOTED.fullmatch(name):
        raise DiffError("a quoted name has no closing quote")
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
                raise DiffError(f"a quoted name is invalid after column {position + 1}")
            out.append(_ESCAPES[escaped])
            position += 2
    return out.decode("utf-8", "surrogateescape")


def _facts(lines: Iterable[str]) -> dict[str, str]:
    """Return the header's lines by their key. Raises DiffError for a duplicate key."""
    facts: dict[str, str] = {}
    for line in lines:
        key = next((key for key in _KEYS if line.startswith(key)), None)
        if key is None:
            continue
        if key in facts:
            raise DiffError(f"its header has two lines `{key.strip()}`")
        facts[key] = line[len(key) :]
    return facts


def _of_git(first: str, facts: dict[str, str], hunks: Sequence[Hunk], *, binary: bool) -> Header:
    blobs, mode = ("", ""), "100644"
    if "index " in facts:
        match = _INDEX.match(facts["index "])
        if match is None:
            raise DiffError("its `index` line cannot be parsed")
        blobs, mode = (match[1], match[2]), match[3] or mode
    old_mode, new_mode = facts.get("old mode ", mode).strip(), facts.get("new mode ", mode).strip()
    if ("--- " in facts) != ("+++ " in facts):
        raise DiffError("its header lacks a `---` or a `+++` line")
    if ("old mode " in facts) != ("new mode " in facts):
        raise DiffError("its header lacks an `old mode` or a `new mode` line")
    if old_mode[:3] != new_mode[:3]:  # all lines of the other kind of file are new, and are not shown
        raise DiffError("its header makes it another type of file, which git shows as a deletion and an addition")
    status: Status = "modified"
    if "new file mode " in facts:
        status, old_mode, new_mode = "added", ABSENT_MODE, facts["new file mode "].strip()
    if "deleted file mode " in facts:
        if status == "added":
            raise DiffError("its header marks the file as both new and deleted")
        status, old_mode, new_mode = "deleted", facts["deleted file mode "].strip(), ABSENT_MODE
    status, old_path, path = _git_names(first, facts, status)
    if status == "added":
        old_mode = ABSENT_MODE
    elif status == "deleted":
        new_mode = ABSENT_MODE
    _check_hunks(facts, status, blobs, hunks, binary=binary)
    return Header(_checked(path), _checked(old_path), status, old_mode, new_mode, binary, blobs)


def _git_names(first: str, facts: dict[str, str], status: Status) -> tuple[Status, str, str]:
    """Return status, old and new path, after comparing every name that the header states."""
    pair = _git_line_names(first)
    renamed = _rename(facts, "rename") or _rename(facts, "copy")
    if renamed is not None:
        if status != "modified":
            raise DiffError(f"its header marks the file as both {status} and renamed")
        stated_by = {"--- ": renamed[0], "+++ ": renamed[1]}
        if not all(_is_prefixed(_raw_name(facts[key]), name) for key, name in stated_by.items() if key in facts):
            raise DiffError("its header names two different files")
        if '"' not in first and not (first.endswith(renamed[1]) and renamed[0] in first):
            raise DiffError("its header names two different files")
        return ("renamed" if "rename to " in facts else "copied"), *renamed
    stated: list[str] = []
    if "--- " in facts:
        old_null, new_null = _is_null(facts["--- "]), _is_null(facts["+++ "])
        if old_null and new_null:
            raise DiffError("neither side has a name")
        if (old_null and status == "deleted") or (new_null and status == "added"):
            raise DiffError("its header marks the file as both new and deleted")
        if (status == "added" and not old_null) or (status == "deleted" and not new_null):
            raise DiffError("its header marks the file as new or deleted, but names both sides")
        status = "added" if old_null else "deleted" if new_null else status
        stated = [_raw_name(facts[key]) for key, is_null in (("--- ", old_null), ("+++ ", new_null)) if not is_null]
    name = None if pair is None else _name_on_both(*pair)
    if name is None and len(stated) == 2:
        name = _name_on_both(*stated)
    if name is None or not all(_is_prefixed(each, name) for each in stated):
        raise DiffError("its header names two different files")
    return status, name, name


def _rename(facts: dict[str, str], verb: str) -> tuple[str, str] | None:
    """Return old and new name of a rename or a copy, or None if it is not one."""
    stated = [facts.get(f"{verb} from "), facts.get(f"{verb} to ")]
    names = [unquote(name) for name in stated if name is not None]
    if len(names) == 1:
        raise DiffError(f"its header lacks a `{verb} from` or a `{verb} to` line")
    return (names[0], names[1]) if names else None


def _check_hunks(
    facts: dict[str, str], status: Status, blobs: tuple[str, str], hunks: Sequence[Hunk], *, binary: bool
) -> None:
    """Raise DiffError if the header promises hunks and there are none."""
    if hunks:
        if "--- " not in facts or binary:
            raise DiffError("its header does not allow hunks")
        return
    if binary:
        return
    is_empty = {"added": _is_empty_blob(blobs[1]), "deleted": _is_empty_blob(blobs[0])}.get(
        status, blobs[0] == blobs[1]
    )
    is_exact = facts.get("similarity index ", "100%") == "100%"
    if "--- " in facts or (blobs != ("", "") and not is_empty) or not is_exact:
        raise DiffError(_CUT_OFF)
    if len(facts) == ("index " in facts):
        raise DiffError("its header is empty; the diff is truncated or was edited, so create it again")


def _plain(facts: dict[str, str], hunks: Sequence[Hunk]) -> Header:
    """Read a ``---``/``+++`` pair of diff(1), svn, difflib and others, which have no other header."""
    old, new = facts["--- "], facts["+++ "]
    if not hunks:
        raise DiffError("no hunk follows its header")
    if _is_null(old) and _is_null(new):
        raise DiffError("neither side has a name")
    status: Status = "modified"
    if _is_null(old) or _EPOCH.search(old) or (len(hunks) == 1 and not hunks[0].old_start and not hunks[0].old_count):
        status = "added"
    elif _is_null(new) or _EPOCH.search(new) or (len(hunks) == 1 and not hunks[0].new_start and not hunks[0].new_count):
        status = "deleted"
    names = [_raw_name(each) for each in (old, new) if not _is_null(each)]
    if len(names) == 1:
        path = old_path = re.sub(r"^[ab]/", "", names[0])
    else:
        common = _name_on_both(*names)
        if common is not None:
            path = old_path = common
        elif names[0].startswith("a/") and names[1].startswith("b/"):
            old_path, path = names[0][2:], names[1][2:]
            status = "renamed" if status == "modified" else status
        else:
            path = old_path = names[1]  # `diff -u file.orig file`
    for value in (old, new):
        if "\\" in value.split("\t", 1)[0] and not value.startswith('"'):
            raise DiffError("its name contains backslashes; create the diff with forward slashes, as git does")
    old_mode, new_mode = (ABSENT_MODE if status == gone else "100644" for gone in ("added", "deleted"))
    return Header(_checked(path), _checked(old_path), status, old_mode, new_mode, binary=False, blobs=("", ""))


def names_of_binary(line: str) -> tuple[str, str] | None:
    """Return the names in GNU diff's ``Binary files OLD and NEW differ``; None for any other line."""
    if not (line.startswith("Binary files ") and line.endswith(" differ")):
        return None
    names = line[len("Binary files ") : -len(" differ")]
    joint = names.rfind(" and ", 1, len(names) - 1)
    return (names[:joint], names[joint + len(" and ") :]) if joint > 0 else None


def _submodule(line: str) -> Header:
    match = _SUBMODULE.match(line)
    if match is None:
        raise DiffError("this submodule line cannot be parsed")
    name = _checked(match[1])
    return Header(name, name, "modified", "160000", "160000", binary=False, blobs=("", ""))


def _checked(path: str) -> str:
    problem = problem_with_name(path)
    if problem:
        raise DiffError(f"its name {problem}")
    return path


def _bytes(path: str) -> int:
    return len(path.encode("utf-8", "surrogateescape"))


def _is_null(value: str) -> bool:
    return value.split("\t", maxsplit=1)[0].strip() == "/dev/null"


def _is_empty_blob(blob: str) -> bool:
    return not blob or any(each.startswith(blob) for each in _EMPTY_BLOBS)


def _is_prefixed(raw: str, name: str) -> bool:
    return raw == name or raw.endswith("/" + name)


def _raw_name(value: str) -> str:
    """Return the name of a ``---`` or ``+++`` line, without the time stamp or the tab that may follow."""
    if not value.startswith('"'):
        return value.split("\t", maxsplit=1)[0]
    match = _QUOTED.match(value)
    if match is None or value[match.end() : match.end() + 1] not in {"", "\t"}:
        raise DiffError("a quoted name has no closing quote")
    return unquote(match[0])


def _git_line_names(line: str) -> tuple[str, str] | None:
    """Return both names of a ``diff --git`` line, or None where blanks in them leave it open.

    Unquoted, they are only clear when both sides have the same name, which is so unless a file was renamed.
    """
    rest = line[len("diff --git ") :]
    if '"' in (rest[:1], rest[-1:]):
        first = _QUOTED.match(rest)
        if first is not None:
            return unquote(first[0]), unquote(rest[first.end() + 1 :])
        start = rest.find(' "')
        return (rest[:start], unquote(rest[start + 1 :])) if start > 0 else None
    middle = len(rest) // 2
    if rest[middle : middle + 1] == " " and _name_on_both(rest[:middle], rest[middle + 1 :]) is not None:
        return rest[:middle], rest[middle + 1 :]
    if rest.count(" ") > 200:
        return None
    places = [place for place, char in enumerate(rest) if char == " "]
    pairs = [(rest[:place], rest[place + 1 :]) for place in places]
    return next((pair for pair in pairs if _name_on_both(*pair) is not None), None)


def _name_on_both(first: str, second: str) -> str | None:
    """Return the name that two sides share behind their prefixes, or None if they name different files."""
    if first == second:
        return first
    if (first[:1], second[:1]) in _PREFIXES and first[1:2] == second[1:2] == "/":
        return first[2:] if first[2:] == second[2:] else None
    parts = 0
    old, new = first.split("/"), second.split("/")
    while parts < min(len(old), len(new)) and old[-1 - parts] == new[-1 - parts]:
        parts += 1
    return "/".join(old[-parts:]) if parts else None
