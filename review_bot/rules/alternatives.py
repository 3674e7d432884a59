"""Combines what must be held, as alternatives (see ``changes.vocabulary``): if all of it must be, or one of several."""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from review_bot.changes.vocabulary import Alternatives

_COMMON = frozenset({*keyword.kwlist, "self", "torch"})
"""Occurs in almost every file, or on every tenth line: it selects little, however long it is."""

MOST = 64
"""Alternatives; where there are more, nothing is said."""


def both(first: Alternatives | None, second: Alternatives | None) -> Alternatives | None:
    """Return what holds if both hold."""
    if first is None or second is None or len(first) * len(second) > MOST:
        return first or second
    return tuple(tuple(dict.fromkeys(one + other)) for one in first for other in second)


def one_of(items: Iterable[Alternatives | None]) -> Alternatives | None:
    """Return what holds if one of several holds, each of which needs something; None if one needs nothing."""
    result: list[tuple[str, ...]] = []
    for item in items:
        if item is None:
            return None
        result += [alternative for alternative in item if alternative not in result]
    return tuple(result) if 0 < len(result) <= MOST else None


def all_of(candidates: Iterable[Alternatives | None]) -> Alternatives | None:
    """Return what holds if all hold, as far as it can be written down: the most selective first."""
    known = sorted((each for each in candidates if each), key=selectivity, reverse=True)
    result: Alternatives | None = None
    for each in known:
        result = both(result, each)
    return result


def best(candidates: Iterable[Alternatives | None]) -> Alternatives | None:
    """Take the most selective: most letters in its weakest alternative, then fewest alternatives."""
    return max((candidate for candidate in candidates if candidate), key=selectivity, default=None)


def selectivity(alternatives: Alternatives) -> tuple[int, int]:
    """Return how much alternatives select: the letters of the weakest, then how few they are."""
    return min(sum(map(weight, alternative)) for alternative in alternatives), -len(alternatives)


def weight(literal: str) -> int:
    """Return how much a literal selects, in letters."""
    return 1 if literal.lstrip("~") in _COMMON else len(literal.lstrip("~"))
