"""Regular expressions that are compiled when they are first used.

Compiling the hundred expressions of this package takes as long as a small review; most runs need a few of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any


class LatePattern:
    """Offers what ``re.Pattern`` offers for text; takes what ``re.compile`` takes."""

    __slots__ = ("_compiled", "_flags", "_source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source, self._flags = source, flags
        self._compiled: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled expression."""
        if self._compiled is None:
            self._compiled = re.compile(self._source, self._flags)
        return self._compiled

    def search(self, text: str, position: int = 0) -> re.Match[str] | None:
        """Find the first match from a position on."""
        return self.pattern.search(text, position)

    def match(self, text: str, position: int = 0) -> re.Match[str] | None:
        """Match at a position."""
        return self.pattern.match(text, position)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Match a whole text."""
        return self.pattern.fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield every match."""
        return self.pattern.finditer(text)

    def findall(self, text: str) -> list[Any]:
        """Return the text of every match; with groups, the groups of each."""
        return self.pattern.findall(text)

    def split(self, text: str) -> list[str]:
        """Split a text at every match."""
        parts: list[str] = self.pattern.split(text)
        return parts

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Replace every match."""
        return self.pattern.sub(replacement, text)
