"""A loop over nothing asserts nothing: ``for each in some(found)`` fails there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Item = TypeVar("Item")


def some(items: Iterable[Item]) -> list[Item]:
    """Return the items as a list that has at least one."""
    found = list(items)
    assert found, "nothing to look at"
    return found
