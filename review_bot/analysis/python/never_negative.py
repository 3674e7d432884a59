"""Local variables that hold no number below zero, as far as the text of their function proves it.

::

    padding = 0
    for size in sizes:
        if size >= count:
            padding = size - count
    if padding >= 0:                 always true
"""

from __future__ import annotations

import ast

from review_bot.analysis.python.bindings import binding_counts, shared_names
from review_bot.analysis.python.statements import Function, last_name, parameter_names
from review_bot.analysis.python.syntax import reads_same
from review_bot.changes.node_index import nodes_of

_SIZES = frozenset({"abs", "len"})
_MORE = (ast.Gt, ast.GtE)
_LESS = (ast.Lt, ast.LtE)


class NotNegative:
    """A number that is zero or more: compares as each such number does, and raises TypeError where they differ."""

    def __ge__(self, other: object) -> bool:
        """Return true of what is zero at most."""
        return _certain(other, isinstance(other, int) and other <= 0, answer=True)

    def __gt__(self, other: object) -> bool:
        """Return true of what is below zero."""
        return _certain(other, isinstance(other, int) and other < 0, answer=True)

    def __lt__(self, other: object) -> bool:
        """Return false of what is zero at most."""
        return _certain(other, isinstance(other, int) and other <= 0, answer=False)

    def __le__(self, other: object) -> bool:
        """Return false of what is below zero."""
        return _certain(other, isinstance(other, int) and other < 0, answer=False)

    def __eq__(self, other: object) -> bool:
        """Return false of what is below zero."""
        return _certain(other, isinstance(other, int) and other < 0, answer=False)

    __hash__ = object.__hash__


def _certain(other: object, known: bool, *, answer: bool) -> bool:  # noqa: FBT001  # its own condition
    if not known:
        raise TypeError(f"zero or more may be on either side of {other!r}")
    return answer


def never_negative(function: Function) -> dict[str, object]:
    """Return the local variables that are compared with a number and are never below zero, as constants."""
    asked = {
        side.id
        for each in nodes_of(function, ast.Compare)
        if any(isinstance(one, (ast.Constant, ast.UnaryOp)) for one in (each.left, *each.comparators))
        for side in (each.left, *each.comparators)
        if isinstance(side, ast.Name)
    } - parameter_names(function)
    if not asked:
        return {}
    bound = binding_counts(function)
    proven: dict[str, int] = {}
    guards = _guards(function)
    for statement in nodes_of(function, ast.Assign):
        target = statement.targets[0]
        if len(statement.targets) == 1 and isinstance(target, ast.Name) and target.id in asked:
            proven[target.id] = proven.get(target.id, 0) + _is_size(statement.value, guards.get(id(statement), []))
    shared = shared_names(function)
    return {name: NotNegative() for name, times in proven.items() if times == bound[name] and name not in shared}


def _guards(function: Function) -> dict[int, list[ast.Compare]]:
    """Return the comparisons under which each statement directly below an ``if`` runs, by its identity."""
    found: dict[int, list[ast.Compare]] = {}
    for branch in nodes_of(function, ast.If):
        both = branch.test.values if isinstance(branch.test, ast.BoolOp) else [branch.test]
        if isinstance(branch.test, ast.BoolOp) and isinstance(branch.test.op, ast.Or):
            continue
        compared = [each for each in both if isinstance(each, ast.Compare) and len(each.ops) == 1]
        found.update((id(statement), compared) for statement in branch.body if compared)
    return found


def _is_size(value: ast.expr, guards: list[ast.Compare]) -> bool:
    """Return whether a value is a count or a size, or a difference that one of some comparisons keeps from zero up."""
    if isinstance(value, ast.Constant):
        return type(value.value) is int and value.value >= 0
    if isinstance(value, ast.Call):
        name = last_name(value.func) if isinstance(value.func, ast.Name) else ""
        return name in _SIZES or (name == "max" and any(_is_size(each, []) for each in value.args))
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Sub):
        return False
    ordered = [
        (each.comparators[0], each.left) if isinstance(each.ops[0], _LESS) else (each.left, each.comparators[0])
        for each in guards
        if isinstance(each.ops[0], (*_MORE, *_LESS))
    ]
    return any(reads_same(more, value.left) and reads_same(less, value.right) for more, less in ordered)
