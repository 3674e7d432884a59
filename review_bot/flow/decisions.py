"""The decisions that a path takes at a statement: a branch, a case, a loop that runs, an exception."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from review_bot.analysis.python.bindings import bound_places
from review_bot.changes.node_lines import last_line, lines_of
from review_bot.flow.narrowing import shortened
from review_bot.flow.state import Decision, State, places_in


def into_branch(node: ast.If, state: State, decides: frozenset[str], *, outcome: bool, forced: bool) -> State:
    """Return the path into one branch of an ``if``, if the other one binds ``decides``.

    ``forced``: what was known before the ``if`` leaves no other way.
    """
    if not decides:
        return state
    asked = shortened(node.test)
    note = f"`{asked}` is {'true' if outcome else 'false'}"
    taken = node.body if outcome else node.orelse
    until = last_line(taken[-1]) if taken else 0
    decision = Decision(outcome, state.taken, node.lineno, note, frozenset(), decides, until=until, forced=forced)
    return state.deciding(f"if {node.lineno}", decision._replace(reads=places_in(node.test), asked=asked))


def bound_by_others(cases: Sequence[ast.match_case]) -> Iterator[frozenset[str]]:
    """Yield for each case of a ``match`` the places that other cases bind."""
    own = [bound_places([case]) for case in cases]
    times = Counter(chain.from_iterable(own))
    every = frozenset(times)
    for bound in own:  # not by a union for each case, which would take the square of their number
        yield every.difference(place for place in bound if times[place] == 1)


def into_case(node: ast.Match, case: ast.match_case, state: State, decides: frozenset[str]) -> State:
    """Return the path into one case of a ``match``, if the others bind ``decides``."""
    if not decides:
        return state
    line = case.pattern.lineno
    note = f"`case {shortened(case.pattern)}` is taken"
    decision = Decision(True, state.taken, line, note, frozenset(), decides, until=last_line(case.body[-1]))
    return state.deciding(f"case {line}", decision._replace(reads=places_in(node.subject)))


def after_assertion(state: State, node: ast.Assert) -> State:
    """Return the path after an assertion, which has only one way."""
    lines = lines_of(node)
    asserted = {key: each._replace(asserted=True) for key, each in state.decided.items() if each.line in lines}
    return state._replace(decided={**state.decided, **asserted}) if asserted else state


def into_loop(node: ast.For | ast.AsyncFor, state: State, origins: frozenset[str]) -> State:
    """Return the path into a loop: a decision as well, if what it runs over comes from what was decided before.

    The loop may have nothing to run over where a condition on the same places is false.
    """
    if all(origins.isdisjoint(each.mentions | each.reads) for each in state.decided.values()):
        return state
    note = f"the loop on line {node.lineno} runs"
    return state.deciding(f"for {node.lineno}", Decision(True, state.taken, node.lineno, note, frozenset()))


def after_exception(
    state: State, handler: ast.ExceptHandler | None, node: ast.Try | ast.TryStar, decides: frozenset[str]
) -> State:
    """Return the path on which an exception left the body of a ``try``."""
    line = node.lineno if handler is None else handler.lineno
    note = "the statements of this `try` raise" if handler is None else "an exception is handled here"
    return state.deciding(f"except {line}", Decision(True, state.taken, line, note, frozenset(), decides, raised=True))
