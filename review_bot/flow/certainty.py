"""Whether a use on one path is a finding: the path can surely be taken, as far as the function's own text says.

A path is taken for possible if at most one decision made its value what it is, nothing was decided between that and
the use, and no earlier decision asked about the same places: two conditions may hold together always or never for
reasons that the text does not show. Nor may a name have been tested that a loop may have left as it was, and of which
something was certain before: the test may go one way only. Where a test alone says that a value may be None, no other
condition decides too: it may hold whenever None is passed. None of that matters where every path leads to the same:
then the use fails whenever it is reached.
"""

from __future__ import annotations

from review_bot.findings import Held
from review_bot.flow.interpreter import Use
from review_bot.flow.state import Decision, Step, Value


def reasons(use: Use) -> tuple[Step, ...] | None:
    """Return the steps that lead to a use of None or of nothing, or None if the path may be impossible.

    A use of a parameter that was left out has steps if all paths that reach it agree; whether each call reaches it is
    another question (see ``first_way``).
    """
    if use.value.presence == "optional":
        return None if use.value.step is None or not use.always else (_holding(use.value.step, use),)
    decided = _decided(use)
    if decided is None and use.always and use.value.written and use.value.step is not None:
        decided = (use.value.step,)
    return None if decided is None else tuple(_holding(step, use) for step in decided)


def _holding(step: Step, use: Use) -> Step:
    """Return a step with what the place of the use holds from there on."""
    word = "nothing" if use.value.presence == "unbound" else "None"
    places = dict.fromkeys(filter(None, (use.place, use.value.copy_of)))
    return step._replace(holds=(*step.holds, *(Held(place, word) for place in places)))


def _decided(use: Use) -> tuple[Step, ...] | None:
    """Return the steps of a path that is possible by itself."""
    place, value, state = use.place, use.value, use.state
    if state.doubtful or place in state.mixed:
        return None
    later = sorted((each for each in state.decided.values() if each.number >= value.since), key=lambda d: d.number)
    deciders = [each for each in later if place in each.decides]
    if len(deciders) > 1 or (deciders and value.presence == "none" and not value.written):
        return None
    tested = 0 if value.step is None else value.step.line
    doubts = [each for each in later if each.line != tested and not any(_is_part(each, other) for other in deciders)]
    if deciders:
        (decider,) = deciders
        if any(each.number > decider.number or each.mentions & decider.reads for each in doubts):
            return None
        if any(_is_shown_none(each) and each.since > decider.number for each in state.places.values()):
            return None  # a later test of what may have been bound on the same way
    elif doubts:
        return None
    steps = [] if value.step is None else [value.step]
    return (*steps, *map(_step, deciders))


def _is_shown_none(value: Value) -> bool:
    """Return whether nothing but a test says that a place holds None."""
    return value.presence == "none" and not value.written


def _step(decider: Decision) -> Step:
    asked = (Held(decider.asked, str(decider.truth).lower()),) if decider.asked else ()
    return Step(decider.line, decider.note, asked)


def _is_part(decision: Decision, decider: Decision) -> bool:
    """Return whether a decision is the decider, or one about a part of its condition."""
    return decision == decider or (decision.line == decider.line and not decision.decides)
