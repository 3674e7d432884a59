"""The uses of places that fail on some path, and whether they fail on every path that reaches them."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from review_bot.flow.state import OBJECT, State, Value
from review_bot.flow.uses import Uses
from review_bot.records import NamedTuple


class Use(NamedTuple):
    """A use of a place on one path that reaches it: ``how`` is a clause in Markdown, empty for a plain read.

    ``always``: it is the same on every path that reaches it. ``logged``: the line of the handler that writes what it
    raises to a log and does nothing else, or 0.
    """

    place: str
    node: ast.expr
    how: str
    value: Value
    state: State
    always: bool = False
    logged: int = 0


class CollectedUses(Uses):
    """Collects the uses in expressions that are followed along the paths of a function.

    ``untraceable``: places of which nothing is certain. ``caught``: of each ``try`` around this place that catches what
    a use raises, the line of a handler that only logs it, or 0. ``may_have_ended``: a path was given up at a call
    that may return after all.
    """

    def __init__(
        self, constants: Mapping[str, object], imported: Mapping[str, str], untraceable: frozenset[str]
    ) -> None:
        super().__init__(constants, imported)
        self.untraceable, self.may_have_ended = untraceable, False
        self.caught: list[int] = []
        self._uses: list[Use] = []
        self._reported: set[tuple[object, ...]] = set()
        self._sound: set[tuple[int, str]] = set()
        self._given: set[tuple[int, str]] = set()
        self._bound: set[tuple[int, str]] = set()
        """Of plain reads, those that some path reaches with a value, or perhaps with one."""
        self._ended: dict[int, State] = {}
        self._shown: dict[int, tuple[State, set[str]]] = {}

    def found(self) -> tuple[Use, ...]:
        """Return the uses, and of each whether there is no other path to it."""
        found: list[Use] = []
        for use in self._uses:
            others = self._given if use.value.presence == "optional" else self._sound if use.how else self._bound
            seen = bool(use.how) or not self.may_have_ended
            found.append(use._replace(always=seen and (id(use.node), use.place) not in others))
        return tuple(found)

    def evaluated(self, node: ast.expr, states: list[State], how: str = "") -> list[State]:
        """Return the paths that go on after an expression; ``how``: it must be an object, and is used in this way."""
        self.expression(node, states)
        if how:
            self.needed(node, how, states)
        return self.going_on(states)

    def going_on(self, states: list[State]) -> list[State]:
        """Return the paths that a use does not end; what was used on them is an object."""
        after: list[State] = []
        for state in states:
            if self._ended.pop(id(state), None) is None:  # the same path may go on elsewhere, as past a loop
                for place in sorted(self._shown.pop(id(state), (state, set[str]()))[1]):
                    state = state.learning(place, OBJECT)  # noqa: PLW2901
                after.append(state)
        return after

    def shown(self, place: str, states: list[State]) -> None:
        """Note that a place holds an object on the paths that go on, if nothing else is certain of it."""
        for state in states:
            value = state.value(place)
            if place not in self.untraceable and (value.stale or value.presence in {"unknown", "optional"}):
                self._learn(place, state)

    def _learn(self, place: str, state: State) -> None:
        self._shown.setdefault(id(state), (state, set()))[1].add(place)

    def used(self, place: str, node: ast.expr, how: str, states: list[State]) -> None:
        """Collect a use on the paths that no earlier use of the expression ends, and end those on which it fails."""
        if place in self.untraceable:
            return
        for state in (each for each in states if id(each) not in self._ended):
            value = state.value(place)
            optional = bool(how) and value.presence == "optional"
            if how and (value.stale or optional or value.presence == "unknown"):
                self._learn(place, state)
            if how and not optional:
                self._given.add((id(node), place))
            if not optional and (value.stale or value.presence != ("none" if how else "unbound")):
                (self._sound if how else self._bound).add((id(node), place))
                continue
            if optional:
                self._sound.add((id(node), place))
            else:
                self._ended[id(state)] = state
            logged = self.caught[-1] if self.caught else 0
            if self.caught and (optional or not logged):
                continue
            decided = sorted((text, each.truth) for text, each in state.decided.items())
            key = (id(node), how, value, bool(state.doubts), *decided)
            if key not in self._reported:
                self._reported.add(key)
                self._uses.append(Use(place, node, how, value, state, logged=logged))
