"""Path patterns as git reads them in ``.gitattributes``, and GitHub in ``CODEOWNERS``: compared part by part.

A pattern is the tuple of its parts between slashes, from the root on. ``**`` stands for any folders, ``**?`` at the end
for a file or all below a folder; within a part ``*``, ``?`` and a backslash before a literal character are known.
"""

from __future__ import annotations

import re

from review_bot.text.lazy_regex import LazyRegex


def is_wild(part: str) -> bool:
    """Return whether a part has to be compared, not only looked up."""
    return any(char in part for char in "*?\\")


def matches(segments: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Return whether a pattern matches a whole path; the work is at most pattern × path."""
    at = {0}  # how many parts may have been taken
    for position, segment in enumerate(segments):
        last = position == len(segments) - 1
        if segment == "**?":
            return bool(at)
        if segment == "**":
            if last:
                return any(start < len(parts) for start in at)
            at = set(range(min(at), len(parts)))
        else:
            at = {start + 1 for start in at if start < len(parts) and _part_matches(segment, parts[start])}
        if not at:
            return False
    return len(parts) in at


def _part_matches(pattern: str, part: str) -> bool:
    """Match one part with ``*``, ``?`` and a backslash before a literal character; only the last star is taken back."""
    tokens = _TOKEN.findall(pattern)
    at = position = 0
    star, tried = -1, 0
    while at < len(part):
        here = tokens[position] if position < len(tokens) else ""
        if here == "*":
            star, tried = position, at
            position += 1
        elif here == "?" or here[-1:] == part[at]:
            at += 1
            position += 1
        elif star >= 0:
            tried += 1
            at, position = tried, star + 1
        else:
            return False
    return all(rest == "*" for rest in tokens[position:])


_TOKEN = LazyRegex(r"\\.|.", re.DOTALL)
