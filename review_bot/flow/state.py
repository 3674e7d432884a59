"""What is certain at a place of a function on one path to it: the values of its places, and the decisions on the way.

A *place* is a local name or a dotted attribute, as it is written: ``x``, ``self.mask``, ``batch.meta.sizes``.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal

from review_bot.analysis.python.syntax import dotted
from review_bot.changes.node_index import below
from review_bot.findings import Held
from review_bot.records import NamedTuple

Presence = Literal["unknown", "unbound", "none", "object", "optional"]
"""Whether a place holds an object: it is bound to one, to None, to nothing at all, or nothing is known.

``optional``: some calls leave a parameter out whose default is None, and others do not.
"""


class Step(NamedTuple):
    """One reason for what is certain; ``line`` is 1-based, ``note`` a clause in Markdown.

    ``holds``: what is known after it of places and conditions.
    """

    line: int
    note: str
    holds: tuple[Held, ...] = ()


class Value(NamedTuple):
    """What is certain of a place. ``truth``: its truth value; ``step`` made it so, after ``since`` decisions.

    ``stale``: other code ran since and may have bound it again; then it says only how a later condition goes that asks
    the same, since nothing is said about a path that may be impossible. ``copy_of``: the name that it was assigned from
    while nothing was known, so that what a test says of the one holds for the other. ``shows``: a place that holds an
    object where the truth value of this one is the given one, after ``k = a == 0``. ``written``: the text assigns None
    or another constant, and no test or annotation had to be believed. ``fallback``: the place that may hold None
    wherever this one does, after ``k = found.get("key", a)``.
    """

    presence: Presence = "unknown"
    truth: bool | None = None
    step: Step | None = None
    since: int = 0
    stale: bool = False
    copy_of: str = ""
    shows: tuple[str, bool] | None = None
    written: bool = False
    fallback: str = ""

    def without(self, place: str) -> Value:
        """Return the value without what it says together with a place that is bound again."""
        shown = self.shows is not None and _is_in(self.shows[0], place)
        falls_back = bool(self.fallback) and _is_in(self.fallback, place)
        if not shown and not falls_back:
            return self
        return self._replace(shows=None if shown else self.shows, fallback="" if falls_back else self.fallback)


UNKNOWN = Value()
OBJECT = Value("object")


class Decision(NamedTuple):
    """A way that the path took: the outcome of a condition, or an exception.

    ``number``: how many it took before. ``mentions``: the places of the condition that, when bound again, end what it
    says. ``reads``: the places that decided it. ``decides``: the places that only the way not taken binds. ``note`` is
    a clause in Markdown. ``asked``: the condition, empty for an exception. ``until``: the last line of the branch that
    was taken, if it is known. ``asserted``: an assertion said so, which leaves no other way. ``forced``: what was known
    before left no other way. ``raised``: it is an exception. ``one_of``: conditions of which one is true, if it is.
    """

    truth: bool
    number: int
    line: int
    note: str
    mentions: frozenset[str]
    decides: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    asked: str = ""
    until: int = 0
    asserted: bool = False
    forced: bool = False
    raised: bool = False
    one_of: frozenset[str] = frozenset()


class Doubt(NamedTuple):
    """One way of a test of a place that may hold what lets the test go one way only."""

    place: str
    line: int
    truth: bool


class State(NamedTuple):
    """One path to a place of a function, or several that differ in nothing that is certain.

    ``decided`` is keyed by the condition or the statement; ``taken``: how many decisions there ever were. ``mixed``:
    places that some of the paths bind in ways that they do not share, that remember a test on some of them, of which
    something was certain before they may have been bound again, or that a lookup fell back to. ``doubts``: the ways of
    tests of one of these, which may hold what lets the test go one way only.
    ``places`` holds nothing that is ``UNKNOWN``.
    """

    places: Mapping[str, Value]
    decided: Mapping[str, Decision]
    taken: int = 0
    mixed: frozenset[str] = frozenset()
    doubts: frozenset[Doubt] = frozenset()

    def value(self, place: str) -> Value:
        """Return what is certain of a place."""
        return self.places.get(place, UNKNOWN)

    def binding(self, place: str, value: Value) -> State:
        """Return the path after a place was bound to another value; what depended on the old one is forgotten."""
        below_it, value = f"{place}.", value.without(place)
        places: dict[str, Value] = {}
        copies: list[str] = []
        for each, held in self.places.items():
            if each != place and not each.startswith(below_it):
                kept = held.without(place)
                if kept != UNKNOWN:
                    places[each] = kept
                if held.copy_of == place:
                    copies.append(each)
        for each in copies:  # they stay copies of one another
            places[each] = places[each]._replace(copy_of="" if each == copies[0] else copies[0])
            if places[each] == UNKNOWN:
                del places[each]
        if value.copy_of == place:
            value = value._replace(copy_of="".join(copies[:1]))
        if value != UNKNOWN:
            places[place] = value
        decided = {key: each for key, each in self.decided.items() if not _mentions(each, place)}
        return State(places, decided, self.taken, self.mixed - {place}, self.doubts)

    def forgetting(self, places: Iterable[str]) -> State:
        """Return the path on which nothing is certain any more of some places."""
        state = self
        for place in places:
            if state._says_something_of(place):
                state = state.binding(place, UNKNOWN)
        return state

    def _says_something_of(self, place: str) -> bool:
        """Return whether binding a place again changes what is certain."""
        if place in self.places or place in self.mixed:
            return True
        below_it = f"{place}."
        return any(
            each.startswith(below_it) or held.copy_of == place or held.without(place) is not held
            for each, held in self.places.items()
        ) or any(_mentions(each, place) for each in self.decided.values())

    def learning(self, place: str, value: Value) -> State:
        """Return the path on which a test has shown more about a place, whose binding stays the same."""
        origin = self.value(place).copy_of or place
        places = {**self.places, origin: value._replace(copy_of="") if value.copy_of else value}
        copies = [each for each, held in self.places.items() if held.copy_of == origin]
        if copies:
            places |= dict.fromkeys(copies, value._replace(copy_of=origin))
        return State(places, self.decided, self.taken, self.mixed, self.doubts)

    def with_known_tests(self, places: Iterable[str]) -> set[str]:
        """Return those places of which it is known how a test goes, alone or together with that of another."""
        known = {held.copy_of for held in self.places.values()}
        known.update(held.shows[0] for held in self.places.values() if held.shows is not None)
        return {
            each
            for each in places
            if each in known or (held := self.value(each)).presence in {"none", "object"} or held.copy_of
        }

    def remembering_tests(self, places: Iterable[str]) -> set[str]:
        """Return those places that hold the outcome of a condition, or what another place holds."""
        copied = {held.copy_of for held in self.places.values()}
        return {
            each
            for each in places
            if each in copied
            or (held := self.value(each)).copy_of
            or held.shows is not None
            or (held.presence == "object" and held.truth is not None)
        }

    def tested(self, place: str | None, line: int, *, truth: bool) -> State:
        """Return one way of a test of a place, or of none: a doubt if the place is one of ``mixed``."""
        return self if place is None or place not in self.mixed else self.doubting(place, line, truth=truth)

    def doubting(self, place: str, line: int, *, truth: bool) -> State:
        """Return a path that may be impossible, since the test that it took one way may always go the other way."""
        return self._replace(doubts=self.doubts | {Doubt(place, line, truth)})

    def suspecting(self, place: str, line: int) -> State:
        """Return a path on which a place may always hold None: a test that finds an object there is doubtful."""
        if self.value(place).presence == "object":
            return self.doubting(place, line, truth=True)
        return self._replace(mixed=self.mixed | {place})

    def absent(self) -> Iterator[str]:
        """Yield the places that hold None or nothing."""
        return (place for place, held in self.places.items() if held.presence in {"none", "unbound"})

    def only(self, places: Collection[str]) -> State:
        """Return the path without what is certain of all other places."""
        return self._replace(places={place: held for place, held in self.places.items() if place in places})

    def has_copies(self, place: str) -> bool:
        """Return whether another name holds the same, of which nothing was known when one was assigned to the other."""
        return bool(self.value(place).copy_of) or any(held.copy_of == place for held in self.places.values())

    def deciding(self, key: str, decision: Decision) -> State:
        """Return the path that took one more way."""
        return self._replace(decided={**self.decided, key: decision}, taken=self.taken + 1)


def place_of(node: ast.AST | None) -> str | None:
    """Return the place that an expression names, or None."""
    return dotted(node) if isinstance(node, (ast.Name, ast.Attribute)) else None


def places_in(node: ast.AST) -> frozenset[str]:
    """Return every place that an expression mentions, with those that longer ones begin with."""
    found: set[str] = set()
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop()
        place = place_of(each)
        if place is not None:
            found.add(place)
        waiting += below(each)
    return frozenset(found)


def merged(states: Iterable[State], most: int) -> list[State]:
    """Return paths without those that differ only in decisions that no longer matter.

    If more than ``most`` remain, they become one, on which only that is certain on which all agree.
    """
    found = distinct(states)
    if len(found) <= most:
        return found
    one = found[0]
    for state in found[1:]:
        one = _agreed(one, state)
    return [one]


def distinct(states: Iterable[State]) -> list[State]:
    """Return paths without those that differ only in decisions that no longer matter."""
    found = [*states]
    if len(found) < 2:
        return found
    alike: dict[frozenset[tuple[str, Value]], State] = {}
    for state in found:
        key = frozenset(state.places.items())
        alike[key] = _agreed(alike[key], state) if key in alike else state
    return [*alike.values()]


def _agreed(one: State, other: State) -> State:
    places = {place: value for place, value in one.places.items() if other.value(place) == value}
    decided = {
        key: each._replace(forced=each.forced and other.decided[key].forced)
        for key, each in one.decided.items()
        if key in other.decided and other.decided[key].truth == each.truth
    }
    parted = {
        place
        for side in (one, other)
        for key, each in side.decided.items()
        if key not in decided
        for place in each.decides - _decided_by_both(key, one, other)
    }
    apart = {
        each
        for side in (one, other)
        for each in side.remembering_tests(place for place in side.places if place not in places)
    }
    mixed = one.mixed | other.mixed | parted | apart
    return State(places, decided, max(one.taken, other.taken), mixed, _either(one.doubts, other.doubts))


def _decided_by_both(key: str, one: State, other: State) -> frozenset[str]:
    """Return the places that either way of a decision may bind, and that hold the same on both: it does not matter."""
    way, opposite = one.decided.get(key), other.decided.get(key)
    both = frozenset[str]() if way is None or opposite is None else way.decides & opposite.decides
    return frozenset(place for place in both if one.value(place) == other.value(place))


def _either(one: frozenset[Doubt], other: frozenset[Doubt]) -> frozenset[Doubt]:
    """Return the doubts about a place that one of two paths leads to: of both ways of a test, one is possible."""
    if not one or not other:
        return frozenset()
    apart, others = one - other, other - one
    if len(apart) == len(others) == 1:
        (doubt,), (opposite,) = apart, others
        if doubt == opposite._replace(truth=not opposite.truth):
            return one & other
    return one | other


def maybe_bound(states: Iterable[State], places: Collection[str]) -> list[State]:
    """Return paths after places may have been bound again, or not.

    What was certain of one before may still be: a path on which it is tested from now on is doubtful.
    """
    before = [*states]
    known = {each for state in before for each in state.with_known_tests(places)}
    return [state.forgetting(places)._replace(mixed=state.mixed | known) for state in before]


def _is_in(place: str, other: str) -> bool:
    return place == other or place.startswith(f"{other}.")


def _mentions(decision: Decision, place: str) -> bool:
    mentions = decision.mentions
    return place in mentions or (bool(mentions) and any(each.startswith(f"{place}.") for each in mentions))
