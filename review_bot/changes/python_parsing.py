"""Python source as this interpreter reads it, and why it could not."""

from __future__ import annotations

import sys
import warnings
from collections import deque
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from review_bot.text.lazy_regex import LazyRegex

if TYPE_CHECKING:
    import ast
    from types import FrameType

_IN_DOUBT = LazyRegex(r"\A(?:Exceeds the limit|too many)|\0|\{%-?[ \t]+\w|\A[^\n]*\n#![^\n]*python2")
"""Limits of the interpreter, binary data, templates and Python 2: text that may be right for another reader."""


class CannotRead(Exception):
    """A rule's reader cannot read the file, which is unreviewed then. ``line`` is 1-based; None: the whole file."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason if line is None else f"line {line}: {reason}")
        self.reason, self.line = reason, line


class CannotParse(CannotRead):
    """This interpreter cannot parse the file as Python. ``error``: no Python 3 can, for this reason."""

    def __init__(self, reason: str, line: int | None = None, *, error: str | None = None) -> None:
        super().__init__(reason, line)
        self.error = error


LARGEST_TEXT = 5_000_000
"""Code points of a file that is still parsed."""

_BYTES_NEEDED = 1024
"""Bytes of memory with which Python can parse a text, for each of its characters: names on lines of their own need the
most, some 910. Code that people write needs 60 to 180."""

_LEAST_NEEDED = 16 * 1024 * 1024
"""Bytes, for any text."""

_DEEP = 200
"""Calls above which the text is not known to be what is nested too deeply: Python ends at a thousand."""


def raise_if_cut_short(error: Exception, text: str) -> None:
    """Raise an error again if this process could not read a text for want of memory, or of room for further calls.

    That says nothing about the text: a change whose other files fill the memory would hide what the text holds. Python
    raises the same errors for a text that is nested too deeply, which no process can read.
    """
    if isinstance(error, MemoryError):
        bytes(max(_LEAST_NEEDED, _BYTES_NEEDED * len(text)))  # raises MemoryError itself where there is not as much
    if isinstance(error, RecursionError) and _is_deep(sys._getframe()):  # noqa: SLF001  # the documented way to ask
        raise error


def _is_deep(frame: FrameType | None) -> bool:
    depth = 0
    while frame is not None and depth <= _DEEP:
        frame, depth = frame.f_back, depth + 1
    return depth > _DEEP


def python_text(text: str) -> str:
    """Return Python source as CPython is to read it: each line ended by a line feed, and by nothing else."""
    return text.replace("\r\n", "\n").replace("\r", " ") if "\r" in text else text


_MOST_KEPT = 500_000
"""Characters of the newest texts whose trees are kept; a tree takes some 45 bytes for each."""

_MOST_KEPT_OF_LARGE = 150_000
"""The same for a large change: each rule goes over all files, so that the newest are seldom those that come next."""


class _Trees:
    """The trees that are in use, by their text, and the newest of the others."""

    def __init__(self) -> None:
        self._in_use: WeakValueDictionary[str, ast.Module] = WeakValueDictionary()
        self._newest: deque[tuple[int, ast.Module]] = deque()
        self._kept = 0
        self.most_kept = _MOST_KEPT

    def of(self, text: str) -> ast.Module:
        tree = self._in_use.get(text)
        if tree is None:
            tree = self._in_use[text] = _parse(text)
            self._newest.append((len(text), tree))
            self._kept += len(text)
            while self._kept > self.most_kept:
                self._kept -= self._newest.popleft()[0]
        return tree

    def forget(self) -> None:
        self._newest.clear()
        self._kept = 0


_trees = _Trees()


def keep_trees(*, many: bool) -> None:
    """Keep as many trees as pay for a change of few files, or as few as do for one of many."""
    _trees.most_kept = _MOST_KEPT if many else _MOST_KEPT_OF_LARGE


def forget_trees() -> None:
    """Free the trees that nothing uses."""
    _trees.forget()


def parse_python(text: str) -> ast.Module:
    """Parse Python source so that line numbers are those of git. Raises CannotParse.

    CPython takes a lone carriage return for a line end and git does not, so each one is read as a blank. A text that is
    parsed already gives the same tree, which its callers must not change.
    """
    return _trees.of(text)


def parsed(text: str) -> ast.Module | None:
    """Return the syntax tree of Python source, or None if it cannot be parsed."""
    try:
        return parse_python(text)
    except CannotParse:
        return None


def _parse(text: str) -> ast.Module:
    import ast  # a change without Python needs none

    if len(text) > LARGEST_TEXT:
        raise CannotParse(f"larger than {LARGEST_TEXT:,} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as an invalid escape sequence in the code under review
            return ast.parse(python_text(text))
    except SyntaxError as error:
        raise CannotParse(error.msg, error.lineno, error=error.msg) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise_if_cut_short(error, text)
        raise CannotParse(str(error) or type(error).__name__) from error


def explained(error: CannotParse, text: str) -> CannotParse:
    """Return why this interpreter cannot parse a text: its syntax is newer, is not Python's, or is wrong."""
    from review_bot.changes.newer_syntax import newer_syntax

    running = sys.version_info.minor
    newer = newer_syntax(text, running)
    if newer is not None:
        which = f"uses syntax newer than Python 3.{running}, which runs Review Bot"
        return CannotParse(f"{which}; install Review Bot on Python 3.{newer.minor} or newer", newer.line)
    wrong = error.error if error.error is not None and not _IN_DOUBT.search(f"{error.error}\n{text}") else None
    return CannotParse(f"Python 3.{running} cannot parse it: {error.reason}", error.line, error=wrong)
