"""Syntax that a newer Python reads and the one that runs here does not, found in text that it cannot parse.

::

    def first[T](items: list[T]) -> T: ...   3.12   PEP 695; ``[T = int]`` 3.13, PEP 696
    type Pair = tuple[int, int]              3.12   PEP 695
    f"{names["first"]}"                      3.12   PEP 701: quotes, backslashes, comments in a replacement field
    t"{name}"                                3.14   PEP 750
    except ValueError, TypeError:            3.14   PEP 758
    [*row for row in rows]                   3.15   PEP 798
    lazy import json                         3.15   PEP 810

The text is split into tokens as Python 3.14 does it. It may be wrong anywhere: what is found before the scan gets lost
counts, and a text without any of these is wrong in every Python 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_BLANK = LazyRegex(r"(?:[ \t\f\r]|\\\r?\n)+|#[^\n]*")
_STRING = LazyRegex(r"([A-Za-z]{0,2})('''|\"\"\"|'|\")")
_PREFIXES = frozenset({"", "r", "u", "b", "br", "rb", "f", "fr", "rf", "t", "tr", "rt"})
_WORD = LazyRegex(r"\w+")
_NAMED = LazyRegex(r"\\N\{[^{}\n]*\}")
_OPENS, _CLOSES = "([{", ")]}"
_OPERATORS = frozenset({"and", "if", "in", "is", "not", "or"})
_DEEPEST = 100


class Newer(NamedTuple):
    """The first line (1-based) with syntax that needs Python 3.``minor`` or newer."""

    line: int
    minor: int


class _Token(NamedTuple):
    """A token; ``starts``: a statement may start with it."""

    text: str
    line: int
    starts: bool


_NOTHING = _Token("", 0, False)


class _Lost(Exception):
    """The text is not made of Python's tokens from here on."""


def newer_syntax(text: str, running: int) -> Newer | None:
    """Return the newest syntax in a text that Python 3.``running`` does not know, on the line of the first such."""
    scan = _Scan(text)
    in_statements = list(_in_statements(scan.tokens()))
    found = [each for each in (*scan.strings, *in_statements) if each.minor > running]
    return Newer(min(each.line for each in found), max(each.minor for each in found)) if found else None


class _Bracket:
    """An open bracket: the line of the ``*`` behind it, and whether it holds type parameters, with a default or not."""

    def __init__(self, *, parameters: int | None = None) -> None:
        self.parameters, self.default = parameters, False
        self.star: int | None = None


def _in_statements(tokens: Iterable[_Token]) -> Iterator[Newer]:
    brackets: list[_Bracket] = []
    before = (_NOTHING, _NOTHING)
    listing: _Token | None = None
    for token in tokens:
        if token.text in _OPENS:
            parameters = before[0].line if token.text == "[" and _takes_parameters(*before) else None
            brackets.append(_Bracket(parameters=parameters))
        elif token.text in _CLOSES and brackets:
            closed = brackets.pop()
            if closed.parameters is not None:
                yield Newer(closed.parameters, 13 if closed.default else 12)
        elif brackets:
            yield from _in_bracket(token, before[1], brackets[-1])
        elif token.text == "=" and _is_alias(*before):
            yield Newer(before[0].line, 12)
        elif token.text in {"import", "from"} and before[1].starts and before[1].text == "lazy":
            yield Newer(before[1].line, 15)
        elif token.starts and token.text == "except":
            listing = token
        elif listing is not None and token.text in {",", ":", "\n"}:
            if token.text == ",":
                yield Newer(listing.line, 14)
            listing = None
        before = (before[1], token)
    for bracket in brackets:
        if bracket.parameters is not None:
            yield Newer(bracket.parameters, 12)


def _in_bracket(token: _Token, before: _Token, bracket: _Bracket) -> Iterator[Newer]:
    if token.text == "*" and before.text in _OPENS:
        bracket.star = token.line
    elif token.text == ",":
        bracket.star = None
    elif token.text == "=":
        bracket.default = True
    elif token.text == "for" and bracket.star is not None:
        yield Newer(bracket.star, 15)


def _takes_parameters(keyword: _Token, name: _Token) -> bool:
    return keyword.text in {"def", "class"} or _is_alias(keyword, name)


def _is_alias(keyword: _Token, name: _Token) -> bool:
    return keyword.starts and keyword.text == "type" and name.text.isidentifier() and name.text not in _OPERATORS


class _Scan:
    """Splits a text into tokens; ``strings`` gets what newer Pythons alone read in a string."""

    def __init__(self, text: str) -> None:
        self._text, self._position, self._line, self._counted = text, 0, 1, 0
        self.strings: list[Newer] = []

    def tokens(self) -> Iterator[_Token]:
        """Yield the tokens but for strings, comments and blanks, as far as the text has any."""
        depth, starts = 0, True
        while self._position < len(self._text):
            blank = _BLANK.match(self._text, self._position)
            if blank is not None:
                self._position = blank.end()
                continue
            try:
                text = self._next(0)
            except _Lost:
                return
            if text is None:
                starts = False
                continue
            depth -= text in _CLOSES and depth > 0
            if text != "\n" or not depth:
                yield _Token(text, self._line_of(self._position - len(text)), starts)
                starts = depth == 0 and text in {"\n", ";", ":"}
            depth += text in _OPENS

    def _line_of(self, position: int) -> int:
        """Return the line of a position; they must be asked for in the order of the text."""
        self._line += self._text.count("\n", self._counted, position)
        self._counted = max(self._counted, position)
        return self._line

    def _next(self, level: int) -> str | None:
        """Read a token; None stands for a string. Raises _Lost."""
        string = _STRING.match(self._text, self._position)
        if string is not None and string[1].lower() in _PREFIXES:
            self._read_string(string[1].lower(), string[2], level)
            return None
        word = _WORD.match(self._text, self._position)
        if word is not None:
            self._position = word.end()
            return str(word[0])
        self._position += 1
        return self._text[self._position - 1]

    def _read_string(self, prefix: str, quote: str, level: int) -> None:
        start = self._position
        self._position += len(prefix) + len(quote)
        if level > _DEEPEST:
            raise _Lost
        if not {"f", "t"} & {*prefix}:
            self._position = self._plain_end(quote)
            return
        line = self._line if level else self._line_of(start)
        if "t" in prefix:
            self.strings.append(Newer(line, 14))
        try:
            before = self._plain_end(quote)
        except _Lost:
            before = -1
        inside = _Fields(new=False)
        self._read_literal(quote, "r" in prefix, level, inside, spec=0)
        if inside.new or before != self._position:
            self.strings.append(Newer(line, 12))

    def _plain_end(self, quote: str) -> int:
        """Return where a string without replacement fields ends; each backslash takes the next character with it."""
        position = self._position
        while position < len(self._text):
            character = self._text[position]
            if character == "\\":
                position += 2
            elif self._text.startswith(quote, position):
                return position + len(quote)
            elif character == "\n" and len(quote) == 1:
                break
            else:
                position += 1
        raise _Lost

    def _read_literal(self, quote: str, raw: bool, level: int, fields: _Fields, spec: int) -> None:  # noqa: FBT001
        """Read an f-string behind its quote, or (``spec``) a format specification up to its closing brace."""
        text = self._text
        while self._position < len(text):
            character = text[self._position]
            if not spec and text.startswith(quote, self._position):
                self._position += len(quote)
                return
            if spec and character == "}":
                return
            if character == "\n" and len(quote) == 1:
                break
            if character == "\\":
                named = None if raw else _NAMED.match(text, self._position)
                self._position = named.end() if named is not None else self._position + 1
                if named is None and text[self._position : self._position + 1] not in {"{", "}"}:
                    self._position += 1
            elif not spec and text[self._position : self._position + 2] in {"{{", "}}"}:
                self._position += 2
            elif character == "{":
                self._read_field(quote, raw, level, fields, spec)
            else:
                self._position += 1
        raise _Lost

    def _read_field(self, quote: str, raw: bool, level: int, fields: _Fields, spec: int) -> None:  # noqa: FBT001
        """Read a replacement field from its opening brace to behind its closing one."""
        fields.new |= spec > 1
        if spec > _DEEPEST:
            raise _Lost
        self._position += 1
        depth, start = 0, self._position
        while self._position < len(self._text):
            character = self._text[self._position]
            if not depth and (character in "}:" or (character == "!" and self._text[self._position + 1 :][:1] != "=")):
                break
            if character in "#\\":
                fields.new = True
            blank = _BLANK.match(self._text, self._position)
            if blank is not None:
                self._position = blank.end()
                continue
            token = self._next(level + 1)
            depth += -1 if token is not None and token in _CLOSES else token is not None and token in _OPENS
        fields.new |= "\\" in self._text[start : self._position]
        if self._text.startswith("!", self._position):
            while self._position < len(self._text) and self._text[self._position] not in ":}":
                self._position += 1
        if self._text.startswith(":", self._position):
            self._position += 1
            self._read_literal(quote, raw, level, fields, spec + 1)
        if not self._text.startswith("}", self._position):
            raise _Lost
        self._position += 1


class _Fields:
    """Whether the replacement fields of a string hold what Python takes from 3.12 on."""

    def __init__(self, *, new: bool) -> None:
        self.new = new
