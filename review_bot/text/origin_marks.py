"""Comments that name where code was copied from.

::

    # Adapted from https://example.org/repo/file.py
    # Copied and modified from pkg.models.attention.Attention with Attention->Fast
"""

from __future__ import annotations

from review_bot.text.lazy_regex import LazyRegex

_ORIGIN = LazyRegex(r"(?:#|\"\"\"|^)\s*(?:Adapted|Copied|Modified)(?:\s+and\s+\w+)?\s+from\b")


def names_origin(line: str) -> bool:
    """Return whether a line of a file says that code was copied from elsewhere."""
    return _ORIGIN.search(line) is not None
