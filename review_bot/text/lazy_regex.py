"""Regular expressions that are compiled when they are first used.

Compiling the hundred expressions of this package takes as long as a small review; most runs need a few of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub")


class LazyRegex:
    """Offers what ``re.Pattern`` offers for text, as quick to call; takes what ``re.compile`` takes."""

    if TYPE_CHECKING:
        pattern: re.Pattern[str]
        """The compiled expression."""

        def search(self, text: str, position: int = 0) -> re.Match[str] | None:
            """Find the first match from a position on."""

        def match(self, text: str, position: int = 0) -> re.Match[str] | None:
            """Match at a position."""

        def fullmatch(self, text: str) -> re.Match[str] | None:
            """Match a whole text."""

        def finditer(self, text: str, position: int = 0) -> Iterator[re.Match[str]]:
            """Yield every match from a position on."""

        def findall(self, text: str) -> list[Any]:
            """Return the text of every match; with groups, the groups of each."""

        def split(self, text: str) -> list[str]:
            """Split a text at every match."""

        def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
            """Replace every match."""

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        """Compile the expression when the first of its methods is asked for; from then on they are its own."""
        if name != "pattern" and name not in _METHODS:
            raise AttributeError(name)
        self.pattern = compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(self, name)
