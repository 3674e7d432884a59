r"""What makes git write other bytes into a checkout or an archive than those of the text that is reviewed.

=========================  =============================================================================================
``working-tree-encoding``  of ``.gitattributes``: another byte for each character. Harmless are UTF-8; an encoding that
                           keeps ASCII, for files in which no character beyond it ends a line or is another name; and
                           UTF-16 for files whose programs read it, with its mark or as data alone
``ident``                  ``$Id:...$`` is replaced unless its text has a space inside, quotes and calls in it included
``export-subst``           ``$Format:...$`` is replaced by what the commit says, also by lines and quotes of its own
=========================  =============================================================================================

An attribute may come from a macro, a quoted pattern or another file, so it is known for a plain pattern alone, and the
placeholders count without it. Sources: ``parse_attr_line`` in attr.c, ``ident_to_worktree`` in convert.c and
``format_subst`` in archive.c of git, https://git-scm.com/docs/gitattributes, https://git-scm.com/docs/pretty-formats.
"""

from __future__ import annotations

from review_bot.changes.text_kinds import text_kind
from review_bot.text.lazy_regex import LazyRegex

UTF_8 = LazyRegex(r"(?i)utf[-_]8(?:[-_].*)?|utf8|u8")
LATIN_1 = LazyRegex(r"(?i)(?:latin[-_]1|iso[-_]8859[-_]1|iso[-_]latin[-_]1)(?:[-_].*)?|latin1|l1|iso8859[-_]1")
PLAIN = LazyRegex(
    r"(?i)(?:us[-_])?ascii|latin(?:[2-9]|10)|iso[-_]?8859[-_](?:[2-9]|1[013-6])|(?:cp|windows[-_])125[0-8]|koi8[-_][ru]"
)
"""Names that Python knows, of encodings in which every byte of ASCII is a character of its own and keeps its meaning.

A tail such as ``-unix`` is understood after the first two alone (``get_normal_name`` of CPython's tokenizer).
"""

_MARKED = LazyRegex(r"(?i)utf-?(?:16|32)(?:[bl]e-bom)?")
_UNMARKED = LazyRegex(r"(?i)utf-?(?:16|32)[bl]e")
_DATA_IN_UTF_16 = frozenset({"csv", "resx", "strings", "tsv"})
"""Formats whose programs read UTF-16, and that run nothing, whatever is found in them."""

_READ_AS_UTF_16 = _DATA_IN_UTF_16 | {"inf", "ps1", "psd1", "psm1", "rc", "reg", "sln", "vbs"}
"""Those that are read as UTF-16 if its mark is there.

Programs of others ignore its NUL bytes or fail, and find ASCII in what is none.
"""

_READ_BY_PIP = frozenset({"in", "txt"})
_BLANK = " \t\r"
_AS_IT_IS = LazyRegex(r"(?i)utf-?8")
_ENCODING = LazyRegex(r"working-tree-encoding=([^ \t\r]+)")
_PATTERN = LazyRegex(r'[^ \t\r"\[\\]*\.(\w+)(?=[ \t\r])')
"""A pattern without quotes and classes that ends in a suffix. Macros begin with ``[attr]``."""

_FORMAT = LazyRegex(
    r"\$Format:[^$]*%[-+ ]?(?:\+|[bBNnse]|G[A-Z]|w\(|x[0-9A-Fa-f]{2}|[ac][nNeElL]|\((?:trailers|describe|decorate))"
)
"""A placeholder for line ends, for any character or for what an author writes. ``%h``, ``%d`` and dates are usual."""

_IDENT = LazyRegex(r"\$Id:(?! ?\$| ?[0-9a-f]{40,64} ?\$)[^$\n][^$\n ]* ?\$")


def other_encoding(line: str) -> str | None:
    """Return the encoding by which a line of a ``.gitattributes`` makes files mean something else, or None.

    ``line``: without the byte order mark of the file.
    """
    line = line.strip(_BLANK)
    if line.startswith("#"):
        return None
    found = _PATTERN.match(line)
    suffix = found[1].lower() if found is not None else ""
    encodings = (each[1] for each in _ENCODING.finditer(line))
    return next((each for each in encodings if not _is_harmless(each, suffix)), None)


def _is_harmless(encoding: str, suffix: str) -> bool:
    if _AS_IT_IS.fullmatch(encoding):
        return True
    if LATIN_1.fullmatch(encoding) or PLAIN.fullmatch(encoding):
        kind = text_kind(f"file.{suffix}")
        return kind is not None and suffix not in _READ_BY_PIP and kind.reader != "Python" and kind.line_ends.isascii()
    return bool(
        (suffix in _READ_AS_UTF_16 and _MARKED.fullmatch(encoding))
        or (suffix in _DATA_IN_UTF_16 and _UNMARKED.fullmatch(encoding))
    )


def replaced_text(text: str) -> tuple[int, str] | None:
    """Return where a text has a placeholder that git replaces by other code, and what that does; or None."""
    if "$Format:" in text and (found := _FORMAT.search(text)):
        return found.start(), (
            "a placeholder that `git archive` replaces by text or lines of the commit where `export-subst` applies, so "
            "an archive may run different code"
        )
    if "$Id:" in text and (found := _IDENT.search(text)):
        return found.start(), (
            "text between `$Id:` and `$`, which git replaces where `ident` applies, so a checkout may run different "
            "code"
        )
    return None


def keeps_ascii(encoding: str) -> bool:
    """Return whether every byte of ASCII means itself in an encoding."""
    return any(known.fullmatch(encoding) for known in (UTF_8, LATIN_1, PLAIN))
