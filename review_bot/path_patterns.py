"""Path patterns as ast-grep reads them: the ``globset`` dialect, in which ``*`` also crosses ``/``.

::

    ?          one character
    *          any characters, ``/`` too
    **/        zero or more folders, at the start or after a ``/``
    /**        everything below, at the end
    [a-z] [!a] one character of a class
    {a,b}      one of several
    \\x         the character x itself

Source: the documentation of the Rust crate ``globset`` ("Syntax"), with its default options, which ast-grep's
``files`` and ``ignores`` use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

Matcher = Callable[[str], bool]


@lru_cache(maxsize=1024)
def compile_glob(pattern: str) -> re.Pattern[str]:
    """Compile one pattern. Raises ValueError for an unclosed class or group."""
    return re.compile(_translate(pattern.removeprefix("./")), re.DOTALL)


def matches_any(patterns: Iterable[str], path: str) -> bool:
    """Tell whether ``path`` (relative, with ``/``) matches one of the patterns."""
    return any(compile_glob(pattern).fullmatch(path) for pattern in patterns)


def _translate(pattern: str) -> str:
    out: list[str] = []
    position, depth = 0, 0
    while position < len(pattern):
        if pattern.startswith("**", position) and (position == 0 or pattern[position - 1] == "/"):
            after = position + 2
            if after == len(pattern):
                out.append(".*" if position == 0 else ".+")
                break
            if pattern[after] == "/":
                out.append("(?:.*/)?")
                position = after + 1
                continue
        char = pattern[position]
        position += 1
        if char == "*":
            while pattern.startswith("*", position):
                position += 1
            out.append(".*")
        elif char == "?":
            out.append(".")
        elif char == "[":
            end = pattern.find("]", position + (2 if pattern.startswith(("!]", "^]"), position) else 1))
            if end < 0:
                raise ValueError(f"{pattern!r} has a '[' without its ']'")
            body = pattern[position:end].replace("\\", "\\\\")
            out.append("[^" + body[1:] + "]" if body[:1] in "!^" else "[" + body + "]")
            position = end + 1
        elif char == "{":
            depth += 1
            out.append("(?:")
        elif char == "}" and depth:
            depth -= 1
            out.append(")")
        elif char == "," and depth:
            out.append("|")
        elif char == "\\" and position < len(pattern):
            out.append(re.escape(pattern[position]))
            position += 1
        else:
            out.append(re.escape(char))
    if depth:
        raise ValueError(f"{pattern!r} has a '{{' without its '}}'")
    return "".join(out)
