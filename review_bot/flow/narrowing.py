"""What the outcome of a condition says about the places in it, on each path.

::

    if x is None:               below it x is None, and after an ``else`` or an early exit x is an object
    if isinstance(x, str):      below it x is an object
    if a and b.c:               the second part is looked at only where the first is true
    if fast: ... if fast:       the second condition goes the way of the first, unless ``fast`` was bound between
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256

from review_bot.analysis.python.conditions import truth
from review_bot.analysis.python.node_types import ORDERS
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import is_literal, structure
from review_bot.changes.node_index import kept_on_node, walk
from review_bot.flow.state import OBJECT, Decision, State, Step, Value, merged, place_of, places_in
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_PROVING = frozenset({"isinstance", "hasattr", "callable", "issubclass"})
"""Functions that are false of None, whatever else they are asked, with what ``isinstance`` may list set aside."""

_NEGATED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {ast.NotEq: ast.Eq, ast.IsNot: ast.Is, ast.NotIn: ast.In}
_SIZE = LazyRegex(r"(?:^|_)(?:count|len|length|size)$|^num_")
"""Names of what counts something."""
_LONGEST = 300
"""Characters of a condition that is its own key; of a longer one it is a digest."""
_LONGEST_SHOWN = 60
_MOST_STATES = 32
"""Paths that are kept apart within one condition; ``merged`` leaves few of them behind it."""


class Branches(NamedTuple):
    """The paths on which a condition is true, and those on which it is false."""

    true: list[State]
    false: list[State]


def branch(
    test: ast.expr, states: Iterable[State], constants: Mapping[str, object], *, others: Collection[State] = ()
) -> Branches:
    """Part paths by the outcome of a condition. ``constants``: see ``conditions.constants_of``.

    ``others``: further paths to the condition, for which it may ask for None.
    """
    found = Branches([], [])
    before = [*states]
    asked = asks_for_none(test)
    explained = asked is not None and any(each.value(asked[0]).presence == "none" for each in (*before, *others))
    for state in before:
        true, false = _branch(test, state, constants, explained=explained)
        found = Branches(_bounded([*found.true, *true]), _bounded([*found.false, *false]))
    return found


def _branch(test: ast.expr, state: State, constants: Mapping[str, object], *, explained: bool = False) -> Branches:
    """Part one path. ``explained``: the condition asks for None, which is on another path what is asked about."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _branch(test.operand, state, constants)
        return Branches(inner.false, inner.true)
    if isinstance(test, ast.BoolOp):
        return _joined(test, state, constants)
    known = True if _is_of_size(test) else truth(test, constants)
    if known is not None:
        return Branches([state], []) if known else Branches([], [state])
    if isinstance(test, ast.NamedExpr):
        place = test.target.id
        return Branches([state.binding(place, OBJECT)], [state.forgetting([place])])
    asked = asks_for_none(test)
    if asked is not None:
        return _by_presence(asked, state, test, explained=explained)
    return _by_two(test, state, constants) or _decided(test, state)


def _by_two(test: ast.expr, state: State, constants: Mapping[str, object]) -> Branches | None:
    """Part one path by a comparison of two tests for None; None: the condition is no such comparison.

    ::

        (a is None) != (b is None)      (a is None) ^ (b is None)      (a is None) == (b is None)
    """
    match test:
        case ast.BinOp(left=left, op=ast.BitXor(), right=right):
            differ = True
        case ast.Compare(
            left=left, ops=[ast.Eq() | ast.NotEq() | ast.Is() | ast.IsNot() as compared], comparators=[right]
        ):
            differ = isinstance(compared, (ast.NotEq, ast.IsNot))
        case _:
            return None
    if asks_for_none(left) is None or asks_for_none(right) is None:
        return None
    first = branch(left, [state], constants)
    with_true, with_false = branch(right, first.true, constants), branch(right, first.false, constants)
    same = [*with_true.true, *with_false.false]
    other = [*with_true.false, *with_false.true]
    return Branches(other, same) if differ else Branches(same, other)


def asks_for_presence(test: ast.expr, state: State) -> bool:
    """Return whether the outcome of a condition is one with that of a place being None, on this path."""
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    if asks_for_none(test) is not None:
        return True
    place = _shown_present(_positive(test)[0]) if isinstance(test, (ast.Compare, ast.Call)) else None
    return place is not None and state.value(place).presence == "none"


def shows_present(test: ast.expr) -> tuple[str, bool] | None:
    """Return the place that cannot hold None where a condition goes one way, and that way: ``a != 0`` → a, False."""
    asked, way = test, True
    while isinstance(asked, ast.UnaryOp) and isinstance(asked.op, ast.Not):
        asked, way = asked.operand, not way
    asked, negated = _positive(asked)
    is_condition = asked is not test or isinstance(test, (ast.Compare, ast.Call))  # a name is a value of its own
    place = _shown_present(asked) if is_condition else None
    return None if place is None else (place, way is not negated)


def _is_of_size(test: ast.expr) -> bool:
    """Return whether a condition asks of a size that it is not negative, which it always is: ``padding_size >= 0``."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    left, right = (
        (test.left, test.comparators[0]) if isinstance(test.ops[0], ast.GtE) else (test.comparators[0], test.left)
    )
    is_zero = isinstance(right, ast.Constant) and right.value == 0
    is_size = isinstance(left, (ast.Name, ast.Attribute)) and _SIZE.search(last_name(left)) is not None
    return isinstance(test.ops[0], (ast.GtE, ast.LtE)) and is_size and is_zero


def _joined(test: ast.BoolOp, state: State, constants: Mapping[str, object]) -> Branches:
    going = [state]
    left: list[State] = []
    tested: list[tuple[str, int]] = []
    for value in test.values:
        true, false = branch(value, going, constants)
        going, gone = (true, false) if isinstance(test.op, ast.And) else (false, true)
        asked = asks_for_none(value)
        for place, line in tested if asked is None else ():
            gone = [each.doubting(place, line, truth=True) for each in gone]  # it may be what excludes None there
        left = _bounded([*left, *gone])
        if asked is not None and asked[1] is isinstance(test.op, ast.And):
            tested.append((asked[0], value.lineno))
    return Branches(going, left) if isinstance(test.op, ast.And) else Branches(left, going)


def _bounded(states: list[State]) -> list[State]:
    """Return paths through a part of a condition, as one if there are very many: each further part may double them."""
    return states if len(states) <= _MOST_STATES else merged(states, _MOST_STATES)


def asks_for_none(test: ast.expr) -> tuple[str, bool] | None:
    """Return (place, True) for ``x is None`` and (place, False) for ``x is not None``, else None."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    sides = [test.left, test.comparators[0]]
    places = [place_of(side) for side in sides]
    place = places[0] if is_literal(sides[1], None) else places[1] if is_literal(sides[0], None) else None
    if place is None:
        return None
    kind = type(test.ops[0])
    return (place, kind in {ast.Is, ast.Eq}) if kind in {ast.Is, ast.IsNot, ast.Eq, ast.NotEq} else None


def _by_presence(asked: tuple[str, bool], state: State, test: ast.expr, *, explained: bool) -> Branches:
    (place, is_none), line = asked, test.lineno
    held = state.value(place)
    none = [state] if held.presence == "none" else []
    present = [state] if held.presence == "object" else []
    if held.presence not in {"none", "object"}:
        step = Step(line, f"`{place}` is tested for None")
        without, having = (state.tested(place, line, truth=truth) for truth in (True, False))
        without = without.doubting(place, line, truth=True) if explained else without
        before = _decided_alone(place, test, state)
        if before is not None and not before.truth:
            having = having.doubting(place, line, truth=False)  # what was false before is perhaps never but None
        without = without.learning(place, Value("none", truth=False, step=step, since=state.taken))
        none = [without.suspecting(held.fallback, line) if held.fallback else without]
        present = [having.learning(place, OBJECT)]
    return Branches(none, present) if is_none else Branches(present, none)


def _decided_alone(place: str, test: ast.expr, state: State) -> Decision | None:
    """Return how a condition went that consisted of the place alone that a comparison asks about."""
    sides = (test.left, *test.comparators) if isinstance(test, ast.Compare) and state.decided else ()
    return next((state.decided.get(_key(side)) for side in sides if place_of(side) == place), None)


def _decided(test: ast.expr, state: State) -> Branches:
    """Part a path by a condition of which only the text is known."""
    asked, negated = _asked(test)
    before = state.decided.get(asked.key)
    place = asked.present
    held = Value() if place is None else state.value(place)
    none = held.presence == "none" or (held.truth is False and asked.is_place)
    sure = held.truth is True and asked.is_place
    is_shared = asked.is_place and place is not None and state.has_copies(place)
    opposite = None if asked.false is None else state.decided.get(asked.false)
    never = opposite is not None and opposite.truth
    ways: dict[bool, list[State]] = {True: [], False: []}
    for outcome in (True, False):
        if (before is not None and before.truth != outcome) or (outcome and (none or never)) or (sure and not outcome):
            continue
        if not outcome and _is_the_last(asked.key, state):
            continue
        after = state if none or sure else state.tested(place, test.lineno, truth=outcome)
        if held.shows is not None and asked.is_place:
            shown, way = held.shows
            if way is outcome and state.value(shown).presence == "none":
                continue
            after = after.tested(shown, test.lineno, truth=outcome)
            after = after.learning(shown, OBJECT) if way is outcome else after
        if place is not None and outcome:
            after = after.learning(place, held if held.presence == "object" else OBJECT)
        if place is not None and is_shared:
            after = after.learning(place, after.value(place)._replace(truth=outcome))
        if before is None and not none and not sure:
            word = "true" if outcome is not negated else "false"
            note = f"`{shortened(test)}` is {word}"
            made = Decision(outcome, state.taken, test.lineno, note, asked.mentions, one_of=asked.one_of)
            after = after.deciding(asked.key, made)
        ways[outcome] = [after]
    return Branches(ways[not negated], ways[negated])


def _is_the_last(key: str, state: State) -> bool:
    """Return whether a condition is true as none of those is of which one must be: after ``k in ("a", "b")``."""
    return any(
        each.truth
        and key in each.one_of
        and all(other == key or (other in state.decided and not state.decided[other].truth) for other in each.one_of)
        for each in state.decided.values()
    )


class _Asked(NamedTuple):
    """What a condition asks, without its negation.

    ``key``: the same for two that are written alike. ``present``: the place that cannot hold None where it is true.
    ``false``: the key of what is false where it is true, as ``a`` is where ``a == ""``. ``one_of``: the keys of
    conditions of which one is true where it is.
    """

    key: str
    present: str | None
    is_place: bool
    mentions: frozenset[str]
    false: str | None = None
    one_of: frozenset[str] = frozenset()


@kept_on_node
def _asked(test: ast.expr) -> tuple[_Asked, bool]:
    """Return what a condition asks, and whether it is negated."""
    positive, negated = _positive(test)
    is_place = isinstance(positive, (ast.Name, ast.Attribute))
    false = _key(positive.left) if isinstance(positive, ast.Compare) and _is_empty(positive) else None
    asked = _Asked(_key(positive), _shown_present(positive), is_place, places_in(positive), false, _members(positive))
    return asked, negated


def _members(test: ast.expr) -> frozenset[str]:
    """Return the keys of ``k == "a"`` and ``k == "b"`` for ``k in ("a", "b")``; none for another condition."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.In):
        return frozenset()
    listed = test.comparators[0]
    items = listed.elts if isinstance(listed, (ast.List, ast.Set, ast.Tuple)) else []
    if not items or not all(isinstance(each, ast.Constant) for each in items):
        return frozenset()
    return frozenset(_key(ast.Compare(test.left, [ast.Eq()], [each])) for each in items)


def _is_empty(test: ast.Compare) -> bool:
    """Return whether a comparison is true only of something that is false: ``a == ""``."""
    other = test.comparators[0]
    return (
        isinstance(test.ops[0], ast.Eq) and len(test.ops) == 1 and isinstance(other, ast.Constant) and not other.value
    )


def _key(test: ast.expr) -> str:
    """Return a short text that two conditions share only if they are written alike."""
    text = structure(test)
    return text if len(text) <= _LONGEST else sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@kept_on_node
def shortened(node: ast.expr | ast.pattern) -> str:
    """Return the text of an expression or a pattern, of a long one the beginning."""
    text = ast.unparse(node)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


def _positive(test: ast.expr) -> tuple[ast.expr, bool]:
    """Return a condition without its negation, and whether it had one: ``a != b`` → ``a == b``, True."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _NEGATED:
        return ast.Compare(test.left, [_NEGATED[type(test.ops[0])]()], test.comparators), True
    return test, False


def _shown_present(test: ast.expr) -> str | None:
    """Return the place that cannot hold None where this condition is true, if there is one."""
    if isinstance(test, (ast.Name, ast.Attribute)):
        return place_of(test)
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id in _PROVING and test.args:
        return None if _lists_none(test) else place_of(test.args[0])
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        other = test.comparators[0]
        if isinstance(test.ops[0], (ast.Eq, ast.Is)) and isinstance(other, ast.Constant) and other.value is not None:
            return place_of(test.left)
        if isinstance(test.ops[0], ORDERS):
            return place_of(test.left) or place_of(other)
        if isinstance(test.ops[0], ast.In) and isinstance(other, (ast.Tuple, ast.List, ast.Set)):
            plain = all(isinstance(each, ast.Constant) and each.value is not None for each in other.elts)
            return place_of(test.left) if plain else None
    return None


def _lists_none(test: ast.Call) -> bool:
    """Return whether ``isinstance`` asks for what may be the class of None."""
    return any(
        is_literal(node, None)
        or (isinstance(node, ast.Name) and node.id in {"NoneType", "type", "object"})
        or (isinstance(node, ast.Attribute) and node.attr == "NoneType")
        for argument in test.args[1:]
        for node in walk(argument)
    )
