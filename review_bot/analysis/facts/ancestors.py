"""The classes above one, each once, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from review_bot.analysis.facts.runs import Symbol

_MOST = 100
"""Classes above one that are followed: more than any class that people write has."""


def ancestors(owner: Symbol, bases_of: Callable[[Symbol], Iterable[Symbol | None]]) -> Iterator[Symbol | None]:
    """Yield the bases of a class, and theirs, nearest first; None for one that is not known, or inherits from itself.

    ``bases_of``: returns those of one class.
    """
    seen, below = {owner}, {owner}
    path: list[tuple[Symbol, Iterator[Symbol | None]]] = [(owner, iter(bases_of(owner)))]
    while path:
        try:
            base = next(path[-1][1])
        except StopIteration:
            below.remove(path.pop()[0])
            continue
        if base is None or len(seen) > _MOST or base in below:
            yield None
        elif base not in seen:
            seen.add(base)
            below.add(base)
            yield base
            path.append((base, iter(bases_of(base))))
