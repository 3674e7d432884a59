r"""Python text as a formatter would space it, for rules that look at the text of nodes.

::

    torch . load (path)          torch.load(path)
    torch \                      torch.load(path)
      .load(path)
    f(  # a note                 f(
        a)                           a)
        from a import (              from a import (
    b)                               b)
    (torch).load(path, x=(None))  torch.load(path, x=None)

ast-grep compares the text of nodes with regular expressions, and a comment or a continuation inside a call keeps its
patterns from matching. Its parser takes a line inside brackets that is indented less than its statement for the end of
the block. So built-in rules are tried on this spelling too, wherever it differs. Only spaces, continuations, comments,
indentation inside brackets and brackets around one name or literal go; strings stay as they are, and every place leads
back to the text.
"""

from __future__ import annotations

import keyword
from bisect import bisect_right
from collections.abc import Iterator

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_PIECE = LazyRegex(
    r'''(?P<string>"""(?:[^"\\]|\\[\s\S]?|"(?!""))*(?:"""|\Z)|\'\'\'(?:[^'\\]|\\[\s\S]?|'(?!\'\'))*(?:\'\'\'|\Z)'''
    r"""|"(?:[^"\\\n]|\\[\s\S]?)*(?:"|(?=\n)|\Z)|'(?:[^'\\\n]|\\[\s\S]?)*(?:'|(?=\n)|\Z))"""
    r"""|(?P<open>[(\[{])(?P<padding>[ \t\f]+(?![ \t\f])(?=[^\n#\\])|\s+(?=[)\]}]))?|(?P<close>[)\]}])"""
    r"""|(?P<note>[ \t\f]*#[^\n]*)"""
    r"""|(?P<blank>(?:[ \t\f]|\\\r?\n)+)(?P<chain>\n\s*(?=\.[^\W\d]))?|(?P<lone>\n\s*(?=\.[^\W\d]))|\n\s*(?=\n)"""
    r"""|(?P<line>\n[ \t\f]*)(?=[^\s#])"""
)
r"""What matters in a text. Each alternative takes what it begins with, so that nothing is read twice."""

_FIRST_LINE = LazyRegex(r"[ \t\f]*")
_TIGHT_BEFORE = frozenset(".,)]}([")
"""Signs before which no space is usual (before a bracket: if a name or a bracket precedes it)."""

_KEYWORDS = frozenset(keyword.kwlist) | {"match", "case", "type", "print"}
_LONGEST_WORD = 64
_LONGEST_OPERAND = 200
"""Characters between brackets that are read as one name or literal."""

_OPERAND = LazyRegex(
    r"""[\s(]*(?P<operand>[^\W\d]\w*(?:\.[^\W\d]\w*)*|\d[\w.]*"""
    r"""|[A-Za-z]{0,2}(?:"[^"\\\n]*"|'[^'\\\n]*'))[\s)]*"""
)
_BEFORE_OPERAND = frozenset(keyword.kwlist) - {"None", "True", "False"}
"""Words behind which a bracket calls nothing: none of these is a value."""
_SIGNS_BEFORE_OPERAND = frozenset("=([{,:;+-*/%<>|&^~@")


class UsualSpelling(NamedTuple):
    """A text in another spelling. ``starts``: where each piece begins in it; ``places``: its span in the original."""

    text: str
    starts: tuple[int, ...]
    places: tuple[tuple[int, int], ...]

    def place(self, index: int) -> int:
        """Return the place in the original of a character of this text (0-based code points)."""
        return self._span(index)[0]

    def end(self, index: int) -> int:
        """Return where the original of a character of this text ends."""
        return self._span(index)[1]

    def _span(self, index: int) -> tuple[int, int]:
        """Return the span of a character; one of a piece that is written otherwise has the span of all of it."""
        piece = bisect_right(self.starts, index) - 1
        start, end = self.places[piece]
        following = self.starts[piece + 1] if piece + 1 < len(self.starts) else len(self.text)
        if end - start != following - self.starts[piece]:
            return start, end
        return start + index - self.starts[piece], start + index - self.starts[piece] + 1


def respelled(text: str, cuts: list[tuple[int, int, str]]) -> UsualSpelling:
    """Return a text with spans of it replaced, given as (start, end, replacement), in order and apart."""
    pieces: list[str] = []
    starts: list[int] = []
    places: list[tuple[int, int]] = []
    length = at = 0
    for start, end, instead in [*cuts, (len(text), len(text), "")]:
        for piece, place in ((text[at:start], (at, start)), (instead, (start, end))):
            if piece or not starts:
                starts.append(length)
                places.append(place)
                pieces.append(piece)
                length += len(piece)
        at = end
    return UsualSpelling("".join(pieces), tuple(starts), tuple(places))


def unusual_parts(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, replacement) of what differs from the usual spelling, in order."""
    return sorted([*unusual_spaces(text), *needless_brackets(text)])


def unusual_spaces(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, replacement) of what is not spaced as usual, in order."""
    cuts: list[tuple[int, int, str]] = []
    depth = 0
    indentation = _FIRST_LINE.match(text)[0]  # type: ignore[index]  # it matches anything
    for piece in _PIECE.finditer(text):
        kind, (start, end) = piece.lastgroup, piece.span()
        if kind in {"open", "padding"}:
            depth += 1
            if piece["padding"]:
                cuts.append((start + 1, end, ""))
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "note" and depth:
            cuts.append((start, end, ""))
        elif kind == "blank":
            cuts += _blank_cut(text, start, end, depth)
        elif kind in {"chain", "lone"} and depth:
            cuts.append((start, end, ""))
        elif kind == "line" and not depth:
            indentation = text[start + 1 : end]
        elif kind == "line" and _width(text[start + 1 : end]) < _width(indentation):
            cuts.append((start, end, f"\n{indentation}"))
    return cuts


def needless_brackets(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, replacement) of the brackets around one name, dotted name or literal, in order.

    Each is replaced by a space where words would touch.
    """
    cuts: list[tuple[int, int, str]] = []
    waiting: list[tuple[int, int]] = []
    for piece in _PIECE.finditer(text):
        if piece.lastgroup in {"open", "padding"}:
            waiting.append((piece.start(), len(cuts)))
        elif piece.lastgroup == "close" and waiting:
            start, position = waiting.pop()
            if _is_needless(text, start, piece.start(), is_inside=bool(waiting)):
                before, after = _word_before(text, start), text[piece.end() : piece.end() + 1]
                cuts.insert(position, (start, start + 1, " " if before else ""))
                cuts.append((piece.start(), piece.end(), " " if after.isalnum() or after == "_" else ""))
    return cuts


def _is_needless(text: str, start: int, end: int, *, is_inside: bool) -> bool:
    """Return whether the brackets at two places change nothing. ``is_inside``: others are around them."""
    if text[start] != "(" or text[end] != ")" or end - start > _LONGEST_OPERAND:
        return False
    inside = _OPERAND.fullmatch(text[start + 1 : end])
    if inside is None or inside["operand"] in _BEFORE_OPERAND or ("\n" in inside[0] and not is_inside):
        return False
    after = text[end + 1 : end + 1 + _LONGEST_WORD].lstrip(" \t)")[:1]
    if after == "." and inside["operand"][0].isdigit():
        return False
    line = text[max(0, start - _LONGEST_WORD) : start].rstrip(" \t")
    breaks = line[-1:] == "\n" or (line == "" and start <= _LONGEST_WORD)
    if breaks and not (is_inside or line.endswith(("\\\n", "\\\r\n"))):
        return after != ":"  # an annotation of a name in brackets is another one
    line = line.rstrip(" \t\r\n\\")
    if breaks and "#" in line.rpartition("\n")[2]:
        return False
    word = _word_before(line, len(line))
    return word in _BEFORE_OPERAND if word else line[-1:] in _SIGNS_BEFORE_OPERAND


def _width(blank: str) -> int:
    return len(blank.replace("\f", "").expandtabs(8))


def outside_code(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each string, without its prefix, and of each comment."""
    for piece in _PIECE.finditer(text):
        if piece.lastgroup in {"string", "note"}:
            yield piece.span()


def _blank_cut(text: str, start: int, end: int, depth: int) -> list[tuple[int, int, str]]:
    before, after = text[start - 1 : start], text[end : end + 1]
    continued = "\\" in text[start:end]
    if before in {"", "\n"} or after in {"", "\n", "#"}:  # indentation, or the end of a line
        return [(start, end, " ")] if continued and before not in {"", "\n"} else []
    tight = before == "." or (after in _TIGHT_BEFORE and (after not in "([" or _takes_bracket(text, start)))
    if after == ".":
        word = _word_before(text, start)
        tight = (before in ")]}\"'" or word != "") and word not in _KEYWORDS and not word[:1].isdigit()
    elif before == ".":
        tight = not text.startswith("import", end)
    elif depth:
        tight = tight or ("=" in {before, after} and _is_keyword_argument(text, start, end))
    else:
        tight = tight or after == ":"
    if tight:
        return [(start, end, "")]
    return [(start, end, " ")] if continued else []


def _is_keyword_argument(text: str, start: int, end: int) -> bool:
    """Return whether spaces are around the sign of ``f(name = value)``."""
    if text[end : end + 1] == "=":
        sign, name_end = end, start
    else:
        sign, name_end = start - 1, len(text[max(0, start - 1 - _LONGEST_WORD) : start - 1].rstrip(" \t\f\\\n"))
        name_end += max(0, start - 1 - _LONGEST_WORD)
    if text[sign + 1 : sign + 2] == "=":
        return False
    name = _word_before(text, name_end)
    head = text[max(0, name_end - len(name) - _LONGEST_WORD) : name_end - len(name)].rstrip()
    return name != "" and head[-1:] in {"(", ","}


def _takes_bracket(text: str, end: int) -> bool:
    """Return whether a bracket behind this place calls or indexes what is before it."""
    if text[end - 1] in ")]":
        return True
    return _word_before(text, end) != "" and _word_before(text, end) not in _KEYWORDS


def _word_before(text: str, end: int) -> str:
    """Return the word that ends here, or its end if it is long."""
    start = end
    while start > max(0, end - _LONGEST_WORD) and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return text[start:end]
