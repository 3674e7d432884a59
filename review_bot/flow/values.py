"""What an expression is on a path, as far as its text proves it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from review_bot.analysis.python.node_types import COMPREHENSIONS
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import is_literal, structure
from review_bot.flow.narrowing import asks_for_presence, branch, shortened, shows_present
from review_bot.flow.state import OBJECT, UNKNOWN, State, Step, Value, place_of

_OBJECTS = (ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Lambda, ast.Compare, *COMPREHENSIONS)
"""Expressions that are never None."""

_MAKING = frozenset({
    "bool", "bytes", "dict", "enumerate", "float", "frozenset", "int", "len", "list", "object", "open", "range", "repr",
    "set", "sorted", "str", "tuple", "type", "zip",
})  # fmt: skip
"""Built-in functions that never return None."""


_ARRAYS = frozenset({"jnp", "np", "numpy", "torch"})
_MAKING_ARRAYS = frozenset({
    "arange", "array", "as_tensor", "asarray", "cat", "concat", "concatenate", "empty", "empty_like", "eye",
    "from_numpy", "full", "full_like", "linspace", "ones", "ones_like", "rand", "randint", "randn", "stack", "tensor",
    "where", "zeros", "zeros_like",
})  # fmt: skip
KEEPING_ARRAYS = frozenset({
    "astype", "bfloat16", "bool", "clone", "contiguous", "cpu", "cuda", "detach", "double", "expand", "flatten",
    "float", "half", "int", "long", "permute", "repeat", "reshape", "squeeze", "to", "transpose", "type", "unsqueeze",
    "view",
})  # fmt: skip
"""Functions of PyTorch and NumPy that make an array, and methods of one that return one."""


def outcomes(node: ast.expr, state: State, constants: Mapping[str, object]) -> Iterator[tuple[State, Value]]:
    """Yield what an expression is on each way through its own conditions: ``a if b else None``, ``a or b``.

    A test of None has two outcomes of its own: a later ``if`` of the name that it is bound to goes the same way. What
    is not None only where another test is true, as after ``k = a == 0``, is learned where the name is tested.
    """
    if isinstance(node, ast.IfExp):
        true, false = branch(node.test, [state], constants)
        # What a later test of the name asks about is that None, not what the other part was copied from.
        or_none = any(is_literal(part, None) for part in (node.body, node.orelse))
        for inner, outcome, states in ((node.body, True, true), (node.orelse, False, false)):
            shown = _is_shown_present(inner, node.test, outcome=outcome)
            missing = _is_shown_none(inner, node.test, outcome=outcome)
            for each in states:
                known = OBJECT if shown else _kept_none(inner, each) if missing else None
                for after, value in outcomes(inner, each, constants) if known is None else ((each, known),):
                    yield after, value._replace(copy_of="") if or_none else value
    elif isinstance(node, ast.BoolOp):
        yield from _in_turn(node, state, constants)
    elif asks_for_presence(node, state):
        for truth, states in zip((True, False), branch(node, [state], constants), strict=True):
            for each in states:
                yield each, Value("object", truth)
    elif (proved := shows_present(node)) is not None and state.value(proved[0]).presence != "object":
        yield state, OBJECT._replace(shows=proved)
    else:
        yield state, value_of(node, state)


def keeping_none(value: ast.expr, targets: Sequence[ast.expr]) -> ast.expr:
    """Return the value of an assignment, with the place itself for the None that it keeps.

    ::

        x = x[0] if x is not None else None          x[0] if x is not None else x
    """
    if not isinstance(value, ast.IfExp) or len(targets) != 1:
        return value
    match value.test:
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            keeps = is_literal(value.body, None)
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            keeps = is_literal(value.orelse, None)
        case _:
            return value
    place = place_of(left)
    if not keeps or place is None or place != place_of(targets[0]):
        return value
    if isinstance(value.test.ops[0], ast.Is):
        return ast.IfExp(value.test, left, value.orelse)
    return ast.IfExp(value.test, value.body, left)


def _is_shown_present(node: ast.expr, test: ast.expr, *, outcome: bool) -> bool:
    """Return whether a test shows that an expression is not None: ``d.get(k) if d.get(k) is not None else 0``.

    It is evaluated twice, and expected to be the same.
    """
    asked = test
    if isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Constant):
        if test.comparators[0].value is not None or not isinstance(test.ops[0], ast.IsNot if outcome else ast.Is):
            return False
        asked = test.left
    elif not outcome:
        return False
    return isinstance(node, (ast.Call, ast.Subscript)) and structure(asked) == structure(node)


def _is_shown_none(node: ast.expr, test: ast.expr, *, outcome: bool) -> bool:
    """Return whether a test shows that an expression is None: ``d.get(k) if d.get(k) is None else f(d.get(k))``."""
    if not isinstance(node, (ast.Call, ast.Subscript)) or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    kind = ast.Is if outcome else ast.IsNot
    asks = isinstance(test.ops[0], kind) and is_literal(test.comparators[0], None)
    return asks and structure(test.left) == structure(node)


def _kept_none(node: ast.expr, state: State) -> Value:
    step = Step(node.lineno, f"`{shortened(node)}` is None")
    return Value("none", False, step, state.taken, written=True)


def value_of(node: ast.expr, state: State) -> Value:
    """Return what a simple expression is on a path."""
    if isinstance(node, ast.Constant):
        return _none(node.lineno, state) if node.value is None else Value("object", bool(node.value), written=True)
    if isinstance(node, ast.NamedExpr):
        return value_of(node.value, state)
    if isinstance(node, _OBJECTS) or (isinstance(node, ast.Call) and _makes(node)):
        return OBJECT
    if isinstance(node, ast.Call) and (given := _given_for_missing(node)) is not None:
        return _looked_up(node, given, state)
    place = place_of(node)
    held = UNKNOWN if place is None else state.value(place)
    if held.presence in {"unknown", "optional"} and isinstance(node, ast.Name):
        return held._replace(copy_of=held.copy_of or node.id)
    return UNKNOWN if held.presence == "unbound" else held


_LOOK_UP = {"get": 1, "getattr": 2, "getenv": 1, "pop": 1}
"""Functions and methods that look something up → the place of the argument that they return where it is missing."""


def _given_for_missing(call: ast.Call) -> ast.expr | None:
    """Return what a call gives where it finds nothing: ``default`` of ``found.get("key", default)``."""
    at = _LOOK_UP.get(last_name(call.func))
    return None if at is None or len(call.args) != at + 1 or call.keywords else call.args[at]


def _looked_up(call: ast.Call, given: ast.expr, state: State) -> Value:
    """Return what a lookup gives: of None, which has no attributes, what is given for a missing one."""
    if last_name(call.func) == "getattr":
        owner = place_of(call.args[0])
        if owner is not None and state.value(owner).presence == "none":
            found = value_of(given, state)
            return Value("none", truth=False, stale=True) if found.presence == "none" else found
    fallback = place_of(given)
    return UNKNOWN if fallback is None else Value(fallback=fallback)


def _makes(call: ast.Call) -> bool:
    """Return whether a call returns an object whatever it is given."""
    match call.func:
        case ast.Name(id=name):
            return name in _MAKING
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return module in _ARRAYS and name in _MAKING_ARRAYS
        case ast.Attribute(value=ast.Call() as made, attr=name):
            return name in KEEPING_ARRAYS and _makes(made)
    return False


def _none(line: int, state: State) -> Value:
    return Value("none", False, Step(line, ""), state.taken, written=True)  # by its place


def _in_turn(node: ast.BoolOp, state: State, constants: Mapping[str, object]) -> Iterator[tuple[State, Value]]:
    """Yield the values of ``a or b`` (the first that is true, or the last) or of ``a and b``."""
    going = [state]
    for value in node.values[:-1]:
        true, false = branch(value, going, constants)
        outcome = isinstance(node.op, ast.Or)
        taken, going = (true, false) if outcome else (false, true)
        for each in taken:
            if outcome or isinstance(value, (ast.Compare, ast.UnaryOp)):
                yield each, Value("object", outcome)
            else:
                yield each, value_of(value, each)._replace(truth=False)
    for each in going:
        yield from outcomes(node.values[-1], each, constants)
