r"""What a rule cannot match without: words and parts of words that save reading and parsing a file.

The answer is one of several alternatives, each a set of things that must all be present::

    pattern: torch.load($$$A)              (("torch", "load"),)            words
    any: [pattern: eval($X), regex: ^exec]  (("eval",), ("~exec",))         a word, or a part of one

A word is a whole identifier or keyword. A part (marked ``~``) may be inside a word; one marked ``~~`` ignores case.
``BEYOND_LATIN`` stands for a letter of a script beyond Latin and Greek, ``BEYOND_ASCII`` for any character that is not
in ASCII. None means that nothing is known and the rule must always run.

Filters may only let too much through, so they never ask how tokens are spaced: ``torch . load (x)`` is the same code as
``torch.load(x)``. They also look at what Python makes of a text: identifiers in their NFKC form, and strings without
their escape sequences and joined where they are adjacent. Jupyter joins the strings of a list that hold a cell, so
those of a notebook are joined too. Every doubt ends in None.
"""

from __future__ import annotations

import re
from functools import cached_property

from review_bot.changes.python_parsing import CannotParse, parse_python

Alternatives = tuple[tuple[str, ...], ...]

BEYOND_LATIN = "^beyond-latin"
"""What a check names among its ``literals`` if it looks for Cyrillic, Arabic, Chinese, Japanese, Korean ... text."""

BEYOND_ASCII = "^beyond-ascii"
"""What a regular expression needs that looks for characters outside of ASCII alone."""

_BEYOND_LATIN = (
    *(range(0x0400, 0x1D00), range(0x2E80, 0xD800), range(0xF900, 0xFB00), range(0xFF66, 0xFFDD)),
    range(0x20000, 0x40000),
)
"""Code points of these scripts. No regular expression: one beyond the first plane takes longer to compile than this."""

_ESCAPE = r"\\(?:\n|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|N\{[^{}\n]{1,100}\}|[0-7]{1,3})"
_JOINED = re.compile(r"""["'](?:(?<=[\w}].)|(?<=\\\n.))(?:[\s"'\\]+|[rRbBuUfFtT]{1,2}(?=["']))*""")
"""Quotes after a word with all that may be before the rest of it, where Python joins the adjacent strings."""

_BETWEEN_ITEMS = re.compile(r'"\s*,\s*"')
"""What separates the strings of a list in JSON."""

_COMMENT_AFTER_STRING = re.compile(r"""["'][ \t]*#""")
_AFTER_A_NUMBER = ("and", "else", "for", "if", "in", "is", "not", "or")
"""Keywords that Python allows to touch a number before them, as in ``1if x else 2``."""

_LONGEST_WORD = 200
"""Code points of the longest word that a rule can ask for: one that is longer is not tried in other spellings."""


class Vocabulary:
    """The words of a text. Asked for alternatives, it remembers the answer to each literal.

    ``joins_items``: a word may be spread over strings that follow each other in a list, as in a notebook.
    """

    def __init__(self, text: str, *, joins_items: bool = False) -> None:
        self.text = text
        self._joins_items = joins_items
        self._holds: dict[str, bool] = {}

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the text, with those that Python reads in another spelling."""
        return frozenset(words(self.text) | self._read_otherwise)

    @cached_property
    def _read_otherwise(self) -> set[str]:
        found = _other_spellings(self.text)
        if self._joins_items:
            joined = _BETWEEN_ITEMS.sub("", self.text)
            found |= words(joined) | _other_spellings(joined)
        if self._joins_words:
            found.update(self._joined_words or ())
        return found

    @cached_property
    def _joins_words(self) -> bool:
        return _may_join_words(self.text)

    @cached_property
    def _joined_words(self) -> set[str] | None:
        return _words_of_strings(self.text)

    @cached_property
    def _respelled(self) -> str:
        return "\n".join(self._read_otherwise)

    @cached_property
    def _folded(self) -> str:
        # Folded as regular expressions do, so that K also counts as the sign for kelvin.
        return f"{self.text}\n{self._respelled}".casefold()

    def hold(self, alternatives: Alternatives | None) -> bool:
        """Return whether one of the alternatives is in the text with all its literals."""
        if alternatives is None or (self._joins_words and self._joined_words is None):
            return True
        answers = self._holds
        for alternative in alternatives:
            for literal in alternative:
                known = answers.get(literal)
                if known is None:
                    known = answers[literal] = self._has(literal)
                if not known:
                    break
            else:
                return True
        return False

    def _has(self, literal: str) -> bool:
        if literal == BEYOND_LATIN:
            return not self.text.isascii() and any(
                ord(sign) in each for sign in set(self.text) for each in _BEYOND_LATIN
            )
        if literal == BEYOND_ASCII:
            return not self.text.isascii()
        if literal.startswith("~~"):
            return literal[2:] in self._folded
        if literal.startswith("~"):
            return literal[1:] in self.text or literal[1:] in self._respelled
        return literal in self.words


def vocabulary_of(path: str, text: str) -> Vocabulary:
    """Return the words of a file, or of some lines of it."""
    return Vocabulary(text, joins_items=path.endswith(".ipynb"))


def words(text: str) -> set[str]:
    """Return the words of a text; where one touches a number before it, each that it may be."""
    found = set(re.findall(r"\w+", text))
    for word in [each for each in found if not (each[0].isalpha() or each[0] == "_")]:
        found.discard(word)
        found.update(keyword for keyword in _AFTER_A_NUMBER if word.endswith(keyword))
        found.update(re.findall(r"[^\W\d]\w*", word))
    return found


def _other_spellings(text: str) -> set[str]:
    """Return the words of a text that Python reads otherwise than they are written, as it reads them."""
    found: set[str] = set()
    if "\\" in text:
        plain = re.sub(_ESCAPE, _unescaped, text)
        if plain != text:
            found |= words(plain) - words(text)
    if not text.isascii():
        import unicodedata

        # Not \w alone: identifiers may hold marks, and signs that are read as an underscore.
        lines = "\n".join([line for line in text.split("\n") if not line.isascii()])
        for run in set(re.findall(r"(?:\w|[^\x00-\x7f])+", lines)):
            if not run.isascii() and len(run) <= _LONGEST_WORD:
                read = unicodedata.normalize("NFKC", run)
                found |= {read, *words(read)}
    return found


def _may_join_words(text: str) -> bool:
    """Return whether a word may be spread over adjacent string literals: ``"cu" "da"``."""
    for quotes in _JOINED.finditer(text):
        if (
            len(quotes[0]) > 1
            and quotes[0][-1] in "\"'\\"
            and re.match(r"[\w{]", text[quotes.end() : quotes.end() + 1])
        ):
            return True
    if _COMMENT_AFTER_STRING.search(text) is None:
        return False
    after_string = False
    for line in text.split("\n"):
        rest = line.lstrip()
        if after_string and re.match(r"[rRbBuUfFtT]{0,2}[\"']", rest):
            return True
        if rest and not rest.startswith("#"):
            after_string = _COMMENT_AFTER_STRING.search(line) is not None
    return False


def _words_of_strings(text: str) -> set[str] | None:
    """Return the words of a text's string literals as Python joins them; None if it is not Python."""
    import ast

    from review_bot.changes.node_index import nodes_of

    try:
        tree = parse_python(text)
    except CannotParse:
        return None
    values = [node.value for node in nodes_of(tree, ast.Constant)]
    texts = {
        each.decode("latin-1") if isinstance(each, bytes) else each for each in values if isinstance(each, str | bytes)
    }
    return set().union(*map(words, texts))


def _unescaped(match: re.Match[str]) -> str:
    body = match[0][1:]
    if body == "\n":
        return ""
    if body[0] == "N":
        import unicodedata

        try:
            return unicodedata.lookup(body[2:-1])
        except KeyError:
            return match[0]
    code = int(body[1:], 16) if body[0] in "xuU" else int(body, 8)
    return chr(code) if code < 0x110000 else match[0]
