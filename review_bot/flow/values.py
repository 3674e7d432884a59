"""What an expression is on a path, as far as its text proves it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.flow.narrowing import branch
from review_bot.flow.state import OBJECT, UNKNOWN, State, Step, Value, place_of

_OBJECTS = (
    *(ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Lambda, ast.Compare),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
"""Expressions that are never None."""

_MAKING = frozenset({
    "bool", "bytes", "dict", "enumerate", "float", "frozenset", "int", "len", "list", "object", "open", "range", "repr",
    "set", "sorted", "str", "tuple", "type", "zip",
})  # fmt: skip
"""Built-in functions that never return None."""


def outcomes(node: ast.expr, state: State, constants: Mapping[str, object]) -> Iterator[tuple[State, Value]]:
    """Yield what an expression is on each way through its own conditions: ``a if b else None``, ``a or b``."""
    if isinstance(node, ast.IfExp):
        true, false = branch(node.test, [state], constants)
        for inner, states in ((node.body, true), (node.orelse, false)):
            for each in states:
                yield from outcomes(inner, each, constants)
    elif isinstance(node, ast.BoolOp):
        yield from _in_turn(node, state, constants)
    else:
        yield state, value_of(node, state)


def value_of(node: ast.expr, state: State) -> Value:
    """Return what a simple expression is on a path."""
    if isinstance(node, ast.Constant):
        return _none(node.lineno, state) if node.value is None else Value("object", bool(node.value))
    if isinstance(node, ast.NamedExpr):
        return value_of(node.value, state)
    if isinstance(node, _OBJECTS):
        return OBJECT
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _MAKING:
        return OBJECT
    place = place_of(node)
    held = UNKNOWN if place is None else state.value(place)
    return UNKNOWN if held.presence == "unbound" else held


def _none(line: int, state: State) -> Value:
    return Value("none", False, Step(line, ""), state.taken)  # by its place


def _in_turn(node: ast.BoolOp, state: State, constants: Mapping[str, object]) -> Iterator[tuple[State, Value]]:
    """Yield the values of ``a or b`` (the first that is true, or the last) or of ``a and b``."""
    going = [state]
    for value in node.values[:-1]:
        true, false = branch(value, going, constants)
        taken, going = (false, true) if isinstance(node.op, ast.And) else (true, false)
        for each in taken:
            yield each, OBJECT if isinstance(node.op, ast.Or) else value_of(value, each)
    for each in going:
        yield from outcomes(node.values[-1], each, constants)
