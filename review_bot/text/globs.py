r"""Path patterns as ast-grep reads them in ``files`` and ``ignores``: the dialect of the Rust crate ``globset``.

::

    ?          one byte
    *          any characters, ``/`` too
    **/        zero or more folders, at the start of a pattern or between two ``/``
    /**        everything below, at the end
    [a-z] [!a] one character of a class
    {a,b}      one of several; an empty one is dropped
    \x         the character x itself

A pattern matches a whole path, and a leading ``./`` is no part of any path. Behind ``(?i)`` (ours: ast-grep writes
``caseInsensitive: true``) a pattern does not distinguish ASCII capitals from small letters. Like ``globset`` we match
UTF-8 bytes. Source: https://docs.rs/globset/latest/globset/#syntax, with its default options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Annotated

from review_bot.setting import Setting
from review_bot.text.file_name import to_bytes

IGNORE_CASE = "(?i)"
LONGEST_FOR_RE = 300
"""Bytes of a path up to which Python's own engine, quicker to call, may backtrack over a pattern with few stars."""

_ANY = b".*"
_PREFIX = b"(?:/?|.*/)"
_INFIX = b"(?:/|/.*/)"
_SUFFIX = b"/.*"

_SPECIAL = frozenset("*?[]{},\\!")

Matcher = Callable[[bytes], object]


def check_path_pattern(pattern: str) -> None:
    """Raise ValueError if a pattern of a configuration cannot match a path."""
    if pattern.startswith("./"):
        raise ValueError(f"{pattern!r} matches no path; leave out the ./")
    try:
        compile_glob(pattern)
    except ValueError as error:
        raise ValueError(f"invalid path pattern: {error}") from error


PathPattern = Annotated[str, Setting(least=1, check=check_path_pattern)]


@lru_cache(maxsize=4096)
def compile_glob(pattern: str) -> Matcher:
    """Compile one pattern to a function of a path's UTF-8 bytes. Raises ValueError that says what is wrong."""
    ignore_case = pattern.startswith(IGNORE_CASE)
    glob = pattern.removeprefix(IGNORE_CASE)
    if not ignore_case and (simple := simple_matcher(glob)) is not None:
        return simple
    translated = _Translation(glob).regex()
    try:
        quick = re.compile(translated, re.DOTALL | (re.IGNORECASE if ignore_case else 0)).fullmatch
    except re.error as error:
        raise ValueError(f"{glob!r} has an invalid character class") from error
    few_stars = translated.count(b".*") <= 2

    def matches(path: bytes) -> object:
        if few_stars and len(path) <= LONGEST_FOR_RE:
            return quick(path)
        return _linear(translated, ignore_case=ignore_case)(path)

    return matches


def simple_matcher(glob: str) -> Matcher | None:
    """Return the function for a pattern of a usual form, which needs no regular expression, or None for any other.

    The forms, where ``x`` is plain text, perhaps with single stars in it: ``x``, ``**/x``, ``x/**``, ``**/x/**``.
    """
    middle = glob.removeprefix("**/")
    anywhere = middle != glob
    below = middle.endswith("/**")
    middle = middle.removesuffix("/**")
    ending = middle.startswith("*")
    plain = middle.removeprefix("*")
    if not plain or "**" in middle or middle.startswith(("/", "./")) or not _SPECIAL.isdisjoint(plain.replace("*", "")):
        return None
    if "*" in plain or (below and ending):
        return _starred(middle.encode("utf-8", "surrogatepass"), anywhere=anywhere, below=below)
    text = plain.encode("utf-8", "surrogatepass")
    if ending:
        return lambda path: path.endswith(text)
    inside = b"/" + text
    if below:
        start, within = text + b"/", inside + b"/"
        return lambda path: path.startswith(start) or (anywhere and within in path)
    if anywhere:
        return lambda path: path == text or path.endswith(inside)
    return lambda path: path == text


def _starred(text: bytes, *, anywhere: bool, below: bool) -> Matcher:
    """Return the function for plain text with stars: each part is looked for behind the one before, which is linear."""
    first, *inner, last = text.split(b"*")
    if below:
        inner, last = [*inner, last + b"/"], b""

    def matches(path: bytes) -> bool:
        at = 0
        if first and not path.startswith(first):
            at = path.find(b"/" + first) + 1 if anywhere else 0
            if at == 0:
                return False
        at += len(first)
        for part in inner:
            found = path.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        return path.endswith(last) and at + len(last) <= len(path)

    return matches


def matches_any(patterns: Iterable[str], path: str) -> bool:
    """Return whether ``path`` (relative, with ``/``) matches one of the patterns."""
    encoded = to_bytes(path)
    for pattern in patterns:  # noqa: SIM110  # a generator takes longer than most patterns
        if compile_glob(pattern)(encoded):
            return True
    return False


@lru_cache(maxsize=256)
def _linear(regex: bytes, *, ignore_case: bool) -> Matcher:
    """Compile for RE2: a path of four thousand underscores against ``*_*_*`` must not stop the review."""
    import re2

    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.dot_nl = True
    options.log_errors = False
    options.case_sensitive = not ignore_case
    matcher: Matcher = re2.compile(regex, options).fullmatch
    return matcher


class _Translation:
    """Reads one pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    def regex(self) -> bytes:
        pieces = self._branch(inside_braces=False)
        return _ANY if pieces == [_PREFIX] else b"".join(pieces)

    def _peek(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _branch(self, *, inside_braces: bool) -> list[bytes]:
        """Read to the end of the pattern, or to the comma or brace that ends this branch."""
        pieces: list[bytes] = []
        while char := self._peek():
            if inside_braces and char in ",}":
                return pieces
            self._at += 1
            if char == "*":
                self._star(pieces, inside_braces=inside_braces)
            elif char == "?":
                pieces.append(b".")
            elif char == "[":
                pieces.append(self._class())
            elif char == "{":
                pieces.append(self._braces())
            elif char == "}":
                raise ValueError(f"{self._pattern!r} has a '}}' without a '{{'")
            elif char == "\\":
                char = self._peek()
                if not char:
                    raise ValueError(f"{self._pattern!r} ends in a backslash")
                self._at += 1
                pieces.append(_literal(char))
            else:
                pieces.append(_literal(char))
        if inside_braces:
            raise ValueError(f"{self._pattern!r} has a '{{' without a '}}'")
        return pieces

    def _star(self, pieces: list[bytes], *, inside_braces: bool) -> None:
        before = self._pattern[self._at - 2 : self._at - 1] if self._at >= 2 else ""
        if self._peek() != "*":
            pieces.append(_ANY)
            return
        self._at += 1
        after = self._peek()
        if not pieces:
            if after in {"", "/"}:
                self._at += len(after)
                pieces.append(_PREFIX)
            else:
                pieces.append(_ANY)
            return
        at_end = not after or (inside_braces and after in ",}")
        if before != "/" or not (at_end or after == "/"):
            pieces.append(_ANY)
            return
        if not at_end:
            self._at += 1
        if pieces[-1] not in {_PREFIX, _SUFFIX}:
            pieces[-1] = _SUFFIX if at_end else _INFIX

    def _class(self) -> bytes:
        negated = self._peek() in {"!", "^"} and self._peek() != ""
        self._at += negated
        ranges: list[list[str]] = []
        first, in_range = True, False
        while True:
            char = self._peek()
            if not char:
                raise ValueError(f"{self._pattern!r} has a '[' without a ']'")
            self._at += 1
            if char == "]" and not first:
                break
            if in_range:
                if char < ranges[-1][0]:
                    raise ValueError(f"{self._pattern!r} has the range {ranges[-1][0]}-{char}, which runs backwards")
                ranges[-1][1] = char
                in_range = False
            elif char == "-" and not first:
                in_range = True
            else:
                ranges.append([char, char])
            first = False
        if in_range:
            ranges.append(["-", "-"])
        body = b"".join(_literal(a) if a == b else _literal(a) + b"-" + _literal(b) for a, b in ranges)
        return b"[" + (b"^" if negated else b"") + body + b"]"

    def _braces(self) -> bytes:
        branches: list[bytes] = []
        while True:
            branches.append(b"".join(self._branch(inside_braces=True)))
            self._at += 1
            if self._pattern[self._at - 1] == "}":
                break
        filled = [branch for branch in branches if branch]
        return b"(?:" + b"|".join(filled) + b")" if filled else b""


def _literal(char: str) -> bytes:
    """Escape one character for a regular expression over bytes, inside a class or outside."""
    encoded = char.encode("utf-8", "surrogatepass")
    if len(encoded) == 1 and (char.isalnum() or char in "_/"):
        return encoded
    return b"".join(b"\\x%02x" % byte for byte in encoded)
