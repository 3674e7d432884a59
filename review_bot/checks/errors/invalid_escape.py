r"""A backslash in a string in front of a character that no escape sequence begins with: ``"\d"``."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.changes.python_parsing import CannotParse, python_text
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_ESCAPE = LazyRegex(r"\\(?:\r\n|.|\n)")
_KNOWN = frozenset("\n\r\\'\"abfnrtvx01234567NuU")
_OF_TEXT = frozenset("NuU")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first invalid escape of each string. Raises CannotParse."""
    if "\\" not in (source.text or ""):
        return
    _ = source.tree  # a file that cannot be parsed is reported as such
    if {pair[1] for pair in _ESCAPE.findall(source.text or "")} <= _KNOWN - _OF_TEXT:
        return  # in a string or out of one: a run of backslashes is paired from its first
    for line, text in _strings(source):
        prefix, _, body = text.partition(text.lstrip("rRbBuUfFtT")[:1])
        if "r" in prefix.lower() or "f" in prefix.lower():
            continue  # f-strings are other tokens since Python 3.12
        for match in _ESCAPE.finditer(body):
            sign = match[0][1]
            if sign not in _KNOWN or (sign in _OF_TEXT and "b" in prefix.lower()):
                where = line + body[: match.start()].count("\n")
                begins = (Related(source.path, line, "the string begins here"),) if line != where else ()
                yield Hit(where, values={"escape": f"\\{'(backtick)' if sign == '`' else sign}"}, related=begins)
                break


def _strings(source: SourceFile) -> Iterator[tuple[int, str]]:
    """Yield the string literals of a file as written, each with its first line. Raises CannotParse."""
    import io
    import tokenize  # few files hold an escape that may be invalid

    try:
        for token in tokenize.generate_tokens(io.StringIO(python_text(source.text or "")).readline):
            if token.type == tokenize.STRING and "\\" in token.string:
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError) as error:
        raise CannotParse(str(error), None) from error


CHECK = file_check(examine, CheckTraits(literals=("\\",)))
