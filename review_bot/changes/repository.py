"""The tree around a change: every path at base and head, and text by path.

A ``Repository`` is filled from what the source can read before or while the rules run; a rule can ask it for text,
never for a connection.
"""

from collections.abc import Callable
from typing import NamedTuple


def _nothing(_path: str) -> str | None:
    return None


class Repository(NamedTuple):
    """Paths are relative to the root, with ``/``. ``available`` is false when the tree is unknown (a bare diff)."""

    head_paths: frozenset[str] = frozenset()
    base_paths: frozenset[str] = frozenset()
    read_head: Callable[[str], str | None] = _nothing
    read_base: Callable[[str], str | None] = _nothing
    available: bool = False

    def head_text(self, path: str) -> str | None:
        """Return the text of a file at the head, or None if it is absent or is not UTF-8 text."""
        return self.read_head(path) if path in self.head_paths else None

    def base_text(self, path: str) -> str | None:
        """Return the text of a file at the base (the merge base), or None if it is absent or is not UTF-8 text."""
        return self.read_base(path) if path in self.base_paths else None
