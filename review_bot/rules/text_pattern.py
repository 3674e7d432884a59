"""Regular expressions over single lines and file names; the only user of RE2, which matches in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import re2

_FOLLOWING = 4096
NO_EXCEPTIONS: Mapping[str, str] = MappingProxyType({})


def _options() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.never_nl = False
    options.max_mem = 16 * 1024 * 1024
    return options


@lru_cache(maxsize=4096)
def compile_regex(pattern: str) -> Any:
    """Compile a pattern. Raises ``re2.error``."""
    return re2.compile(pattern, _options())


@lru_cache(maxsize=4096)
def _asks_for_the_text(pattern: str) -> bool:
    r"""Return whether a pattern holds ``\\A``, ``\\z`` or a flag by which ``^`` matches only at the start."""
    return re.search(r"\\[Az]|\(\?[a-zA-Z]*-", pattern) is not None


@lru_cache(maxsize=4096)
def _compile_multiline(pattern: str) -> Any:
    return re2.compile("(?m)" + pattern, _options())


def check(pattern: str) -> None:
    """Compile a pattern in both ways that the engine needs. Raises ``re2.error``."""
    compile_regex(pattern)
    _compile_multiline(pattern)


def search(pattern: str, text: str) -> tuple[int, int] | None:
    """Return start and end (0-based, code points) of the first match in a text, or None."""
    found = compile_regex(pattern).search(text)
    return found.span() if found else None


def matches_name(pattern: str, name: str, unless: Mapping[str, str]) -> bool:
    """Return whether a pattern matches a file name. The exception ``line`` is looked for in the whole name."""
    found = _first_that_counts(compile_regex(pattern), name, unless.get("match"))
    return found is not None and not ("line" in unless and search(unless["line"], name))


def search_lines(
    pattern: str, lines: Iterable[tuple[int, str]], joined: str, unless: Mapping[str, str] = NO_EXCEPTIONS
) -> Iterator[tuple[int, int, int]]:
    r"""Yield (line number, start, end) of the first match in each line; offsets are 0-based code points.

    ``joined`` is all lines with ``\n`` between: one search in it shows whether the lines are worth a loop.
    ``unless``: patterns of exceptions. ``line``: a line that it finds has no match. ``match``: a match in whose own
    text it is found does not count, and the next match on the line is tried.
    """
    if "\r" in joined:  # of a line end \r\n nothing belongs to the line
        joined = _with_line_feeds(joined)
        lines = [(number, line.removesuffix("\r")) for number, line in lines]
    if not _asks_for_the_text(pattern) and _compile_multiline(pattern).search(joined) is None:
        return
    compiled = compile_regex(pattern)
    for number, line in lines:
        span = _first_that_counts(compiled, line, unless.get("match"))
        if span is not None and not ("line" in unless and search(unless["line"], line)):
            yield number, *span


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").removesuffix("\r")


def _first_that_counts(compiled: Any, line: str, exception: str | None) -> tuple[int, int] | None:
    """Return the first match in a line that is not an exception. Two matches may share one character between them."""
    span = _next_match(compiled, line, 0)
    while span and exception is not None and search(exception, line[slice(*span)]):
        start, end = span
        if end >= len(line):
            return None
        span = _next_match(compiled, line, max(start + 1, end - 1))
    return span


def _next_match(compiled: Any, line: str, position: int) -> tuple[int, int] | None:
    """Return the first match from a position on.

    RE2 encodes all that it is given, which would take the square of a line of exceptions: a match is looked for in what
    follows at first, and believed if it is well inside.
    """
    if position:
        following = line[position - 1 : position + _FOLLOWING]
        found = compiled.search(following, 1)
        if found and found.start() <= _FOLLOWING // 2 and found.end() < len(following):
            return found.start() + position - 1, found.end() + position - 1
    found = compiled.search(line, position)
    return found.span() if found else None


def matching_lines(pattern: str, joined: str) -> list[int]:
    r"""Return the index of each line that matches; of a match that goes on behind a line end, that of its first line.

    ``joined`` is all lines with ``\n`` between. To search it costs a fifth of a search in each line.
    """
    found: list[int] = []
    index = counted = 0
    for match in _compile_multiline(pattern).finditer(joined):
        start = match.start()
        index += joined.count("\n", counted, start)
        counted = start
        if not found or found[-1] != index:
            found.append(index)
    return found


def search_whole(pattern: str, text: str) -> bool:
    """Return whether a pattern matches anywhere in a file's text, ``^`` and ``$`` at line ends."""
    return _compile_multiline(pattern).search(_with_line_feeds(text) if "\r" in text else text) is not None


def groups(pattern: str, text: str) -> dict[str, str] | None:
    """Return what the named groups of the first match in a text hold; None without a match of all of them."""
    found = compile_regex(pattern).search(text)
    names: dict[str, str] = found.groupdict() if found else {}
    return names if found and all(names.values()) else None


def group_names(pattern: str) -> frozenset[str]:
    """Return the names of the groups of a pattern."""
    return frozenset(compile_regex(pattern).groupindex)


def escape(text: str) -> str:
    """Return a pattern that matches a text as it is."""
    escaped: str = re2.escape(text)
    return escaped
