"""Comments that name where code, or a whole file, was copied from.

::

    # Adapted from https://example.org/repo/file.py
    # Copied and modified from pkg.models.attention.Attention with Attention->Fast
"""

from __future__ import annotations

from review_bot.text.lazy_regex import LazyRegex

_ORIGIN = LazyRegex(r"(?:#|\"\"\"|^)\s*(?:Adapted|Copied|Modified)(?:\s+and\s+\w+)?\s+from\b")

_COPIED = LazyRegex(r"(?i)\b(?:(?:copied|taken|borrowed)(?: verbatim| directly)? from|a copy of)\b")
_HEADER = 1_500
"""Characters at the start of a file in which it says where all of it is from."""


def names_origin(line: str) -> bool:
    """Return whether a line of a file says that code was copied from elsewhere."""
    return _ORIGIN.search(line) is not None


def is_copied(text: str) -> bool:
    """Return whether a file says near its start that it was copied from an address."""
    header = text[:_HEADER]
    places = (mark.end() for mark in _COPIED.finditer(header))
    return any("://" in "".join(header[place:].splitlines()[:2]) for place in places)
