"""C++ and CUDA source as text: what is code in it, and what its blocks are.

No grammar is used: a parser without the headers cannot resolve macros, templates and kernel launches, and
the questions here need only braces, parentheses and names.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from review_bot.records import NamedTuple

_NO_CODE = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|R"(?P<mark>[^\s()\\"]{0,16})\(.*?(?:\)(?P=mark)"|\Z)"""
    r"""|"(?:\\.?|[^"\\\n])*(?:"|(?=\n)|\Z)|'(?:\\.|[^'\\\n]){1,8}'""",
    re.DOTALL,
)
_CLOSING = {"(": ")", "[": "]"}


class Block(NamedTuple):
    """The text between two braces: offsets of the braces, and the words before the first one (``if (x)``)."""

    start: int
    end: int
    header: str


class CodeText:
    """One file. ``code`` is as long as the text; comments, strings and characters are blanks in it."""

    def __init__(self, text: str) -> None:
        self.code = _NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.code))]

    def line(self, offset: int) -> int:
        """Return the line (1-based) of an offset."""
        return bisect_right(self._starts, offset)

    def column(self, offset: int) -> int:
        """Return the column (1-based, code points) of an offset."""
        return offset - self._starts[self.line(offset) - 1] + 1

    @cached_property
    def blocks(self) -> list[Block]:
        """Every block, in the order of their opening braces."""
        found: list[Block] = []
        opened: list[int] = []
        for match in re.finditer(r"[{}]", self.code):
            if match[0] == "{":
                opened.append(match.start())
            elif opened:
                start = opened.pop()
                found.append(Block(start, match.start(), self._header(start)))
        return sorted(found)

    def around(self, offset: int) -> Iterator[Block]:
        """Yield the blocks that contain an offset, the innermost first."""
        inside = [block for block in self.blocks if block.start < offset < block.end]
        return reversed(inside)

    def function_around(self, offset: int) -> Block | None:
        """Return the outermost block around an offset that has parameters before it: the function's body."""
        found = None
        for block in self.around(offset):
            if ")" in block.header and not _CONTROL.match(block.header):
                found = block
        return found

    def closing(self, offset: int) -> int:
        """Return the offset of the parenthesis or bracket that closes the one at ``offset``; the end if none does."""
        opening, depth = self.code[offset], 0
        for match in re.finditer(re.escape(opening) + "|" + re.escape(_CLOSING[opening]), self.code[offset:]):
            depth += 1 if match[0] == opening else -1
            if not depth:
                return offset + match.start()
        return len(self.code)

    def _header(self, brace: int) -> str:
        """Return what is between the last statement and a brace, in one line of at most 400 characters."""
        before = self.code[max(0, brace - 2000) : brace]
        depth, start = 0, 0
        for place in range(len(before) - 1, -1, -1):
            character = before[place]
            if character == ")":
                depth += 1
            elif character == "(":
                depth -= 1
            elif character in ";{}" and depth <= 0:
                start = place + 1
                break
        return " ".join(before[start:].split())[-400:]


_CONTROL = re.compile(r"(else\b|if\b|for\b|while\b|switch\b|do\b|try\b|catch\b)")
