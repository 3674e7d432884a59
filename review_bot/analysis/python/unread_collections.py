"""Local lists, sets and dictionaries that a function fills and that nothing reads.

A collection may keep its elements alive, such as tasks, processes and tensors whose pointers are in use, so only one
counts of which all elements are values: made by operators and pure calls, or known by another name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.bindings import READS_BY_TEXT, shared_names
from review_bot.analysis.python.collection_methods import FILLING
from review_bot.analysis.python.pure_calls import is_pure
from review_bot.analysis.python.statements import Function
from review_bot.analysis.python.syntax import own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple

_EMPTY = frozenset({"dict", "list", "set"})
_MAKING = frozenset(
    {"format", "get", "items", "keys", "new", "new_full", "new_ones", "new_zeros", "strftime", "values"}
)
"""Further methods that return a value, besides those of tensors that work in place."""
_ACTING = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Lambda)


class UnreadCollection(NamedTuple):
    """A collection that nothing reads: its name, the last place where it is made, and the first that fills it."""

    name: str
    made: ast.Assign
    filled: ast.stmt


def unread_collections(function: Function, imported: Mapping[str, str]) -> Iterator[UnreadCollection]:
    """Yield each of them, in the order in which they are first made."""
    made = {
        each.targets[0].id: each
        for each in own_nodes(function.body)
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and _is_empty(each.value)
        if isinstance(each.targets[0], ast.Name)
    }
    fills = _fills(function) if made else {}
    read = _otherwise_used(function, fills) if fills else frozenset()
    if not READS_BY_TEXT.isdisjoint(read):
        return
    for name, statement in made.items():
        filled = fills.get(name, [])
        if filled and name not in read and not name.startswith("_") and _are_values(function, filled, imported):
            yield UnreadCollection(name, statement, filled[0])


def _is_empty(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in _EMPTY and not value.args and not value.keywords
    return (isinstance(value, ast.List) and not value.elts) or (isinstance(value, ast.Dict) and not value.keys)


def _fills(function: Function) -> dict[str, list[ast.stmt]]:
    """Return the statements that do nothing but put something into a local name."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in nodes_of(function, ast.Expr):
        called = statement.value.func if isinstance(statement.value, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr in FILLING and isinstance(called.value, ast.Name):
            found.setdefault(called.value.id, []).append(statement)
    for assignment in nodes_of(function, ast.Assign):
        target = assignment.targets[0]
        if len(assignment.targets) == 1 and isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            found.setdefault(target.value.id, []).append(assignment)
    return found


def _otherwise_used(function: Function, fills: Mapping[str, list[ast.stmt]]) -> frozenset[str]:
    """Return the names that a function reads, or binds to something that is not empty."""
    filling: set[int] = set()
    for statement in (each for several in fills.values() for each in several):
        place = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            place = statement.value.func
        if isinstance(place, (ast.Subscript, ast.Attribute)):
            filling.add(id(place.value))
    for assignment in nodes_of(function, ast.Assign):
        if len(assignment.targets) == 1 and _is_empty(assignment.value):
            filling.add(id(assignment.targets[0]))
    used = {each.id for each in nodes_of(function, ast.Name) if id(each) not in filling}
    return shared_names(function) | used


def _are_values(function: Function, filled: list[ast.stmt], imported: Mapping[str, str]) -> bool:
    """Return whether nothing depends on the elements being kept alive."""
    if any(each.attr == "data_ptr" for each in nodes_of(function, ast.Attribute)):
        return False
    given: dict[str, list[ast.expr]] = {}
    for assignment in nodes_of(function, ast.Assign):
        for target in assignment.targets:
            for each in ast.walk(target):
                if isinstance(each, ast.Name):
                    given.setdefault(each.id, []).append(assignment.value)
    for statement in filled:
        parts = list(ast.walk(statement))
        if isinstance(statement, ast.Expr):
            parts.remove(statement.value)
        sources = [
            part
            for each in parts
            if isinstance(each, ast.Name)
            for value in given.get(each.id, ())
            for part in ast.walk(value)
        ]
        if not all(_is_value(each, imported) for each in (*parts, *sources)):
            return False
    return True


def _is_value(node: ast.AST, imported: Mapping[str, str]) -> bool:
    """Return whether a part of an expression makes nothing that ends when the last reference to it goes."""
    if not isinstance(node, ast.Call):
        return not isinstance(node, _ACTING)
    if isinstance(node.func, ast.Attribute) and (node.func.attr in _MAKING or node.func.attr.endswith("_")):
        return True
    return is_pure(node, imported) or (isinstance(node.func, ast.Name) and node.func.id in _EMPTY)
