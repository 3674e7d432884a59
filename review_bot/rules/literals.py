"""What a rule cannot match without: words and text parts that save us from reading and parsing a file.

The answer is one of several alternatives, each a set of things that must all be present::

    pattern: torch.load($$$A)              (("torch", "load"),)            words
    any: [pattern: eval($X), regex: ^exec]  (("eval",), ("~exec",))         a word, or a part of one

A word stands for itself, with no word character beside it; a part (marked ``~``) may stand inside a word, and one
marked ``~~`` in capitals or not;
``BEYOND_LATIN`` stands for a letter of a script beyond Latin and Greek, ``BEYOND_ASCII`` for any character that is not
in ASCII. None means that nothing can be said and the
rule must always be tried. Being wrong here would lose findings, so every doubt ends in None.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache

Alternatives = tuple[tuple[str, ...], ...]

BEYOND_LATIN = "^beyond-latin"
"""What a check names among its ``LITERALS`` if it looks for Cyrillic, Arabic, Chinese, Japanese, Korean ... text."""

BEYOND_ASCII = "^beyond-ascii"
"""What a regular expression needs that looks for characters outside of ASCII alone."""

_WORD = r"[^\W\d]\w*"
_BEYOND_LATIN = "[\u0400-\u1cff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff]"


def words(text: str) -> set[str]:
    """Return the words of a text, for ``present``. A number is none, and the ``if`` of ``1if x`` is one."""
    return set(re.findall(_WORD, text))


def present(alternatives: Alternatives | None, words: AbstractSet[str], text: str) -> bool:
    """Tell whether a text (and the set of its words) holds one of the alternatives."""
    if alternatives is None:
        return True
    for alternative in alternatives:
        for literal in alternative:
            if literal[0] == "~":
                if not _holds_part(text, literal):
                    break
            elif literal == BEYOND_LATIN:
                if text.isascii() or re.search(_BEYOND_LATIN, text) is None:
                    break
            elif literal == BEYOND_ASCII:
                if text.isascii():
                    break
            elif literal not in words:
                break
        else:
            return True
    return False


def perhaps_in(alternatives: Alternatives | None, text: str, known: dict[str, bool]) -> bool:
    """Tell whether a long text may hold one of the alternatives, without making the set of all its words.

    ``known`` remembers, for this text, which literals it holds; rules ask for the same ones again and again.
    """
    if alternatives is None:
        return True
    for alternative in alternatives:
        for literal in alternative:
            holds = known.get(literal)
            if holds is None:
                holds = known[literal] = literal == BEYOND_LATIN or _perhaps_holds(text, literal)
            if not holds:
                break
        else:
            return True
    return False


def _perhaps_holds(text: str, literal: str) -> bool:
    """Tell whether a text holds a part, or a word that stands alone; one behind a number counts too."""
    if literal[0] in "~^":
        return _holds_part(text, literal)
    at = text.find(literal)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(literal) : at + len(literal) + 1]
        if not (before.isalpha() or before == "_") and not (after.isalnum() or after == "_"):
            return True
        at = text.find(literal, at + 1)
    return False


def _holds_part(text: str, literal: str) -> bool:
    if literal == BEYOND_ASCII:
        return not text.isascii()
    if literal.startswith("~~"):  # folded as regular expressions do, so that K counts as the sign for kelvin too
        return literal[2:] in _folded(text)
    return literal.removeprefix("~") in text


@lru_cache(maxsize=2)
def _folded(text: str) -> str:
    return text.casefold()
