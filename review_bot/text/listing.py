"""Lists in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def first_of(texts: Iterable[str], most: int, separator: str = ", ") -> str:
    """Return the first texts, joined, and the number of the others: ``a, b and 3 more``."""
    found = list(texts)
    rest = f"{separator.strip(', ')} and {len(found) - most} more" if len(found) > most else ""
    return separator.join(found[:most]) + rest


def all_of(texts: Sequence[str]) -> str:
    """Return texts as a sentence lists them: ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def count(number: int, one: str, many: str = "") -> str:
    """Return ``1 file`` or ``2 files``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def counted(number: int, what: str) -> str:
    """Return a number with its noun, ``what`` for one: ``no values``, ``1 value``, ``2 values``."""
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
