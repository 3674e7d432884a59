"""Whether a use on one path is a finding: the path can surely be taken, as far as the function's own text says.

A path is taken for possible if at most one decision made its value what it is, nothing was decided between that and
the use, or whatever was decided there leads to the same, and no earlier decision asked about the same places: two
conditions may hold together always or never for reasons that the text does not show. Nor may a name have been tested
that a loop may have left as it was, and of which something was certain before: the test may go one way only. Where a
test alone says that a value may be None, no other condition decides too: it may hold whenever None is passed. None of
that matters where every path leads to the same: then the use fails whenever it is reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from review_bot.findings import Held
from review_bot.flow.collected_uses import Use
from review_bot.flow.state import Decision, State, Step, Value


def reasons(use: Use, uses: Sequence[Use]) -> tuple[Step, ...] | None:
    """Return the steps that lead to a use of None or of nothing, or None if the path may be impossible.

    ``uses`` are those of the function, or at least those of the same expression.
    A use of a parameter that was left out has steps if all paths that reach it agree; whether each call reaches it is
    another question (see ``first_way``). There are no steps where no path that reaches the use has bound the name.
    """
    if use.value.presence == "optional":
        return None if use.value.step is None or not use.always else (_holding(use.value.step, use),)
    decided = _decided(use, uses)
    if decided is None and use.always:
        if use.value.step is None and use.value.presence == "unbound":
            decided = ()
        elif use.value.written and use.value.step is not None:
            decided = (use.value.step,)
    if decided == () and use.value.presence == "unbound" and not use.always:
        return None  # on the paths that bind it, a handler or the like decided, and nothing says that this one is taken
    return None if decided is None else tuple(_holding(step, use) for step in decided)


def _holding(step: Step, use: Use) -> Step:
    """Return a step with what the place of the use holds from there on."""
    word = "nothing" if use.value.presence == "unbound" else "None"
    places = dict.fromkeys(filter(None, (use.place, use.value.copy_of)))
    return step._replace(holds=(*step.holds, *(Held(place, word) for place in places)))


def _decided(use: Use, uses: Sequence[Use]) -> tuple[Step, ...] | None:
    """Return the steps of a path that is possible by itself."""
    place, value, state = use.place, use.value, use.state
    known = [] if value.step is None else [value.step]
    later = sorted((each for each in state.decided.values() if each.number >= value.since), key=lambda d: d.number)
    deciders = [each for each in later if place in each.decides]
    if not _is_clear(use) or (deciders and value.presence == "none" and not value.written):
        return None
    if len(deciders) > 1:
        raised = deciders[-1]
        return (*known, _step(raised)) if raised.raised and _raises_there(use, raised, uses) else None
    tested = 0 if value.step is None else value.step.line
    doubts = [each for each in later if each.line != tested and not any(_is_part(each, other) for other in deciders)]
    doubts = [each for each in doubts if not any(_is_asserted_in(each, other) for other in deciders)]
    doubts = [each for each in doubts if deciders or not _is_written(each, state)]
    if deciders:
        (decider,) = deciders
        shown = any(_is_shown_none(state.value(each)) for each in decider.decides)
        if shown or (any(each.number > decider.number for each in doubts) and not _leads_there(use, decider, uses)):
            return None  # a later test, maybe of what the same way binds
        earlier = any(each.number < decider.number and each.mentions & decider.reads for each in doubts)
        if earlier or _is_behind_property(state, decider):
            return None
    if _is_made_by_two(value, state):
        return None
    return (*known, *map(_step, deciders)) if deciders or not doubts else None


def _is_made_by_two(value: Value, state: State) -> bool:
    """Return whether ``x = None if y is last else z`` asked about what an earlier step had made of ``y``."""
    if value.step is None:
        return False
    line = value.step.line
    asked = (each for each in state.decided.values() if each.line == line and each.number < value.since)
    known = (state.value(place).step for each in asked if not each.forced for place in each.mentions)
    return any(step is not None and step.line != line for step in known)


def _is_behind_property(state: State, decider: Decision) -> bool:
    """Return whether something is known of ``x._size`` where the decider asked about ``x.size``, or the reverse.

    By convention one is the property that returns the other.
    """
    known = state.places.keys() - decider.reads
    asked = {_public(place) for place in decider.reads if "." in place}
    return any("." in place and _public(place) in asked for place in known)


def _public(place: str) -> str:
    return place.replace("._", ".")


def _is_shown_none(value: Value) -> bool:
    """Return whether nothing but a test says that a place holds None."""
    return value.presence == "none" and not value.written


def _is_asserted_in(decision: Decision, decider: Decision) -> bool:
    """Return whether a decision is an assertion in the branch that another one led to."""
    return decision.asserted and decider.line < decision.line <= decider.until


def _is_written(decision: Decision, state: State) -> bool:
    """Return whether a path left a decision no other way by what it wrote: ``joint = None; if joint is not None``."""
    return decision.forced and bool(decision.reads) and all(state.value(each).written for each in decision.reads)


def _is_clear(use: Use) -> bool:
    return not use.state.doubts and use.place not in use.state.mixed


def _leads_there(use: Use, decider: Decision, uses: Sequence[Use]) -> bool:
    """Return whether every path from a decision leads to the same use, whatever else is decided on the way."""
    before = _ways(each for each in use.state.decided.items() if each[1].number <= decider.number)
    after: list[Mapping[object, bool]] = []
    for each in uses:
        if each.node is use.node and each.place == use.place and each.value == use.value and _is_clear(each):
            known = [(key, one) for key, one in each.state.decided.items() if one.number <= decider.number]
            if _ways(known) == before:
                rest = [pair for pair in each.state.decided.items() if pair[1].number > decider.number]
                after.append(_ways(pair for pair in rest if not _is_asserted_in(pair[1], decider)))
    return _is_all(after)


def _raises_there(use: Use, raised: Decision, uses: Sequence[Use]) -> bool:
    """Return whether an exception leads to the same use, whatever is decided before it or after it."""
    return _is_all(
        [
            _ways(pair for pair in each.state.decided.items() if pair[1].line != raised.line)
            for each in uses
            if each.node is use.node
            and each.place == use.place
            and each.value == use.value
            and _is_clear(each)
            and any(one.raised and one.line == raised.line for one in each.state.decided.values())
        ]
    )


def _ways(decided: Iterable[tuple[str, Decision]]) -> dict[object, bool]:
    """Return how each condition went; that of a whole ``if`` says nothing more than its parts, or what was known."""
    found = [(key, each) for key, each in decided if not each.forced]
    asked = {each.line for key, each in found if not key.startswith("if ")}
    return {key: each.truth for key, each in found if not key.startswith("if ") or each.line not in asked}


def _is_all(ways: Sequence[Mapping[object, bool]]) -> bool:
    """Return whether one of some conjunctions is true, however their conditions go."""
    if not ways or any(not each for each in ways):
        return bool(ways)
    key = next(iter(ways[0]))
    return all(
        _is_all([{k: v for k, v in each.items() if k != key} for each in ways if each.get(key, truth) is truth])
        for truth in (True, False)
    )


def _step(decider: Decision) -> Step:
    asked = (Held(decider.asked, str(decider.truth).lower()),) if decider.asked else ()
    return Step(decider.line, decider.note, asked)


def _is_part(decision: Decision, decider: Decision) -> bool:
    """Return whether a decision is the decider, or one about a part of its condition."""
    return decision == decider or (decision.line == decider.line and not decision.decides)
