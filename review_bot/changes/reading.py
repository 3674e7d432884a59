r"""The one place that decides how the text of a file is read.

===================  ===================================================================================================
byte order mark      dropped from the first line before a rule sees it; columns do not count it
line ends            ``\n``; the ``\r`` of ``\r\n`` stays with its line
other line ends      unreviewed where the reader of the file ends a line at ``\r``, U+0085, U+2028, ... (text_kinds)
NUL                  unreviewed in every kind of text: git and GitHub do not show the file, and readers stop there
not UTF-8            each such line is read as Latin-1, for the line patterns; the file is unreviewed
names                Python's: unreviewed if one is written in letters that Python reads as others (disguised_names)
declared encodings   Python's and pip's: unreviewed if they do not know the name, if bytes of ASCII may mean something
                     else in it, or if characters beyond ASCII do, whose bytes in UTF-8 are others there, or none
written by git       unreviewed where attributes make git write other code into a checkout or archive (written_by_git)
===================  ===================================================================================================

Only lines that the change adds make a file unreviewed, or every line where all of a renamed file is new to its rules.
Sources: https://docs.python.org/3/reference/lexical_analysis.html#encoding-declarations, ``auto_decode`` of pip.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from review_bot.changes.pull_request import ChangedFile, Hunk, Unreviewed, WholeTexts, without_mark
from review_bot.changes.text_kinds import TextKind, is_read_otherwise, text_kind
from review_bot.changes.written_by_git import LATIN_1, PLAIN, UTF_8, keeps_ascii, other_encoding, replaced_text
from review_bot.errors import DiffError
from review_bot.text.lazy_regex import LazyRegex

NOT_UTF8 = "not UTF-8; not every rule could be tried on it"

_DECLARATION = LazyRegex(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_NAMES = {
    "\0": "a NUL byte",
    "\x0b": "a vertical tab (U+000B)",
    "\x0c": "a form feed (U+000C)",
    "\r": "a lone carriage return (U+000D)",
    "\x85": "U+0085 (next line)",
    "\u2028": "U+2028 (line separator)",
    "\u2029": "U+2029 (paragraph separator)",
}


_MULTIBYTE = LazyRegex(r"(?i)gbk|gb2312|gb18030|cp936|cp949|cp932|big5|euc[-_](?:jp|kr)|shift[-_]jis")
"""More names that Python knows, of encodings in which a byte of ASCII may be the second half of a character."""


def text_at_base(data: bytes, path: str) -> str | None:
    """Return the text of a file as it was, or None if its bytes are none. Nothing of the change makes it unknown.

    Python's is read in the encoding that it declares; else each line that is no UTF-8 is read as Latin-1, as in hunks.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        if b"\0" in data:
            return None
    declared = text_as_declared(data, path)
    if declared is not None:
        return declared
    lines = []
    for line in data.split(b"\n"):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            lines.append(line.decode("latin-1"))
    return "\n".join(lines)


def text_as_declared(data: bytes, path: str) -> str | None:
    """Return the text of a Python file that is not UTF-8, in the encoding that it declares; None if it is none."""
    kind = text_kind(path)
    if kind is None or kind.reader != "Python" or b"\0" in data:
        return None
    first = data.split(b"\n", 2)[:2]
    declarations = (_DECLARATION.search(line.decode("latin-1")) for line in first)
    name = next((found[1] for found in declarations if found is not None), "")
    try:
        if LATIN_1.fullmatch(name):
            return data.decode("latin-1")
        return data.decode(name) if PLAIN.fullmatch(name) or _MULTIBYTE.fullmatch(name) else None
    except (UnicodeDecodeError, LookupError):
        return None


def readable_hunks(hunks: tuple[Hunk, ...]) -> tuple[tuple[Hunk, ...], bool]:
    """Turn bytes that are no UTF-8 (surrogates, as ``surrogateescape`` leaves them) into Latin-1, line by line.

    Also return whether the new side has such a line.
    """
    undecodable = False
    result = []
    for hunk in hunks:
        lines = []
        for line in hunk.lines:
            try:
                line.encode("utf-8")
            except UnicodeEncodeError:
                undecodable = undecodable or line[:1] != "-"
                line = line.encode("utf-8", "surrogateescape").decode("latin-1")  # noqa: PLW2901  # the same line, readable
            lines.append(line)
        result.append(hunk._replace(lines=tuple(lines)))
    return tuple(result), undecodable


def read_otherwise(file: ChangedFile, whole: str | None = None) -> str | None:
    """Return why other readers may understand a file's new text differently, or None.

    ``whole``: its whole text, if all of it counts as added.
    """
    kind = text_kind(file.path)
    numbered = file.added_lines() if whole is None else enumerate(without_mark(whole).split("\n"), 1)
    lines = list(numbered)
    text, line_ends = "\n".join([line for _, line in lines]), kind.line_ends if kind is not None else ""
    is_odd = any(each in text for each in f"\0{line_ends}")  # several times as quick as the expression
    found = _pattern(line_ends).search(text) if is_odd else None
    if found is not None:
        number = lines[found.string.count("\n", 0, found.start())][0]
        return _reason(number, found[0], kind)
    replaced = None if kind is not None and kind.is_prose else replaced_text(text)
    if replaced is not None:
        number = lines[text.count("\n", 0, replaced[0])][0]
        return f"line {number} contains {replaced[1]}; remove it"
    if kind is not None and kind.reader == "git":
        return _written_as(lines)
    if kind is not None and kind.reader in {"Python", "pip"}:
        first = _first_lines(file) if whole is None else [line for _, line in lines[:2]]
        return _declared(first, kind)
    return None


def misread_characters(file: ChangedFile, text: str, *, is_new: bool) -> str | None:
    """Return why Python or pip reads characters beyond ASCII of its whole new text as others, or fails to; or None.

    ``is_new``: all of it counts as added. Where the change adds neither the declaration nor such a character, it was so
    before.
    """
    kind = text_kind(file.path)
    if kind is None or kind.reader not in {"Python", "pip"} or text.isascii():
        return None
    added = None if is_new else dict(file.added_lines())
    for number, line in enumerate(text.split("\n", 2)[:2], 1):
        found = _DECLARATION.search(without_mark(line))
        if found is None or UTF_8.fullmatch(found[1]):
            continue
        is_read_alike = kind.reader == "Python" and LATIN_1.fullmatch(found[1]) and without_mark(text) == text
        if is_read_alike and not _has_names_beyond_ascii(text):
            continue  # it has a character for each byte, but most are not letters; pip ends lines at some
        if added is None or number in added or not all(each.isascii() for each in added.values()):
            return (
                f"it declares the encoding {found[1][:40]}, in which {kind.reader} cannot read the characters beyond "
                "ASCII, or reads others; save it as UTF-8 and remove the declaration"
            )
    return None


def _has_names_beyond_ascii(text: str) -> bool:
    from review_bot.changes.disguised_names import has_names_beyond_ascii

    return has_names_beyond_ascii(text)


def read_texts(
    files: Sequence[ChangedFile], wanted: Iterable[int], text_of: Callable[[ChangedFile], str]
) -> WholeTexts:
    """Return the texts of files by index. One for which ``text_of`` raises DiffError is unreviewed for that reason."""
    texts: dict[int, str | None] = {}
    unreviewed: list[Unreviewed] = []
    for index in wanted:
        try:
            texts[index] = text_of(files[index])
        except DiffError as error:
            texts[index] = None
            unreviewed.append(Unreviewed(files[index].path, str(error)))
    return WholeTexts(texts, tuple(unreviewed))


def disguised_name(file: ChangedFile, text: str, *, is_new: bool) -> str | None:
    """Return which name of an added line of Python is not what it looks like, or None.

    ``text``: the whole new text. ``is_new``: all of it counts as added.
    """
    kind = text_kind(file.path)
    if kind is None or kind.reader != "Python" or text.isascii():
        return None
    from review_bot.changes.disguised_names import disguised_names

    added = None if is_new else {number for number, _ in file.added_lines()}
    found = next((each for each in disguised_names(text) if added is None or each.line in added), None)
    if found is None:
        return None
    if found.name is None:
        return f"line {found.line} contains a name with characters that show nothing; write it in ASCII"
    return (
        f"line {found.line} contains characters that Python reads as the name `{found.name}`; rules and searches "
        "do not find it; write it in ASCII"
    )


def is_new_to_its_readers(file: ChangedFile) -> bool:
    """Return whether a renamed file gets readers that may understand its text differently than those it had."""
    return (
        file.status in {"renamed", "copied"}
        and file.kind == "text"
        and file.old_path is not None
        and is_read_otherwise(file.old_path, file.path)
    )


@lru_cache(maxsize=64)
def _pattern(line_ends: str) -> re.Pattern[str]:
    others = re.escape(line_ends.replace("\r", ""))
    alone = r"|\r(?!\n|\Z)" if "\r" in line_ends else ""
    return re.compile(rf"[\0{others}]{alone}")


def _reason(number: int, character: str, kind: TextKind | None) -> str:
    name = _NAMES.get(character, f"U+{ord(character):04X}")
    if character == "\0" or kind is None:
        return (
            f"line {number} contains {name}, so git and GitHub do not show this file as text; only line patterns were "
            "tried on it; remove the byte"
        )
    return (
        f"line {number} contains {name}, which ends a line for {kind.reader} but not for git and GitHub; replace it "
        "with a line feed or write its escape"
    )


def _first_lines(file: ChangedFile) -> Iterator[str]:
    """Yield the first two lines of the new side, as far as the hunks show them."""
    for hunk in file.hunks[:2]:
        number = hunk.new_start
        for line in hunk.lines:
            if line[:1] in {"+", " "}:
                if number > 2:
                    return
                yield line[1:]
                number += 1


def _declared(lines: Iterable[str], kind: TextKind) -> str | None:
    for line in lines:
        found = _DECLARATION.search(without_mark(line))
        if found and not keeps_ascii(found[1]):
            may = "may run different code" if kind.reader == "Python" else "may read different lines"
            return (
                f"it declares the encoding {found[1][:40]}, so {kind.reader} {may} than these lines show, "
                "or none; save it as UTF-8 and remove the declaration"
            )
    return None


def _written_as(lines: Iterable[tuple[int, str]]) -> str | None:
    """Return which line of a ``.gitattributes`` makes git write files with other bytes than those of their text."""
    for number, line in lines:
        encoding = other_encoding(without_mark(line) if number == 1 else line)
        if encoding is not None:
            return (
                f"line {number} makes git write files in the encoding {encoding[:40]}, so a checkout may run "
                "different code than the review reads; remove it"
            )
    return None
