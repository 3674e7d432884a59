"""In which order to merge pull requests that build on one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from review_bot.records import NamedTuple
from review_bot.review.context import Overlap

THIS_ONE = 0


class Order(NamedTuple):
    """``order``: numbers, first to be merged first, this one as 0; ``cycles``: those that need each other."""

    order: tuple[int, ...]
    cycles: tuple[tuple[int, ...], ...]


def to_merge(found: Iterable[Overlap], needs: Mapping[int, set[int]]) -> Order:
    """Return an order: what this one needs comes first, what removes something it uses comes last, else by number.

    ``needs``: which others a pull request needs. Empty where any order will do. Where some need each other, they are
    together, by number, and are named as a cycle.
    """
    before: dict[int, set[int]] = {number: set(others) for number, others in needs.items()}
    for each in found:
        if each.relation in {"adds-module", "adds-name"}:
            before.setdefault(THIS_ONE, set()).add(each.number)
        elif each.relation == "removes-used":
            before.setdefault(each.number, set()).add(THIS_ONE)
    waiting = {*before, *(number for others in before.values() for number in others)}
    reaches = {number: _reachable(number, before) for number in waiting}
    groups = {tuple(sorted({number, *(o for o in reaches[number] if number in reaches[o])})) for number in waiting}
    order: list[int] = []
    while groups:
        ready = [group for group in groups if reaches[group[0]] <= {*order, *group}]
        following = min(ready, key=_place)
        order += sorted(following, key=lambda number: (number == THIS_ONE, number))
        groups.remove(following)
    cycles = sorted(tuple(sorted(group)) for group in _cyclic(waiting, reaches))
    return Order(tuple(order), tuple(cycles))


def _place(group: tuple[int, ...]) -> tuple[bool, tuple[int, ...]]:
    """Order groups by number, this one as early as it can be."""
    return (THIS_ONE not in group, group)


def _cyclic(waiting: Iterable[int], reaches: Mapping[int, set[int]]) -> set[tuple[int, ...]]:
    return {
        tuple(sorted({number, *(other for other in reaches[number] if number in reaches[other])}))
        for number in waiting
        if number in reaches[number]
    }


def _reachable(number: int, before: Mapping[int, set[int]]) -> set[int]:
    """Return all that has to be merged before a pull request, itself too if it is part of a cycle."""
    found: set[int] = set()
    waiting = [*before.get(number, ())]
    while waiting:
        other = waiting.pop()
        if other not in found:
            found.add(other)
            waiting += before.get(other, ())
    return found
