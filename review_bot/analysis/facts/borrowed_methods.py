"""Classes whose methods run on objects of another class, which have the attributes that this other class gives them.

::

    layer.__class__ = Clamped                  methods of ``Clamped`` run on an object that another class made
    types.MethodType(Clamped.forward, layer)   so does this one
    layer.forward = Clamped.forward            and this one
    Clamped.forward(layer)                     and this one, unless it is ``Clamped.forward(self)`` in a class below it

Tests call methods on stand-ins; what they lend does not count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.fact import facts_of_file
from review_bot.analysis.facts.receivers import receiver
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import is_function, last_name
from review_bot.analysis.python.syntax import argument_values, dotted, is_name, text_of
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of, walk
from review_bot.records import NamedTuple
from review_bot.rules.scope import is_test

_BINDERS = frozenset({"MethodType", "partial", "partialmethod"})
_SETTERS = frozenset({"setattr", "__setattr__"})


class Borrowed(NamedTuple):
    """A class of which other objects get a method, or all if ``method`` is empty.

    ``by``: the class around the code that does so; empty if it is not one whose own object gets it.
    """

    owner: str
    method: str = ""
    by: str = ""


@facts_of_file
def borrowed_in(tree: ast.Module) -> Iterator[Borrowed]:
    """Yield what one file puts on objects of other classes, as far as its text shows."""
    around = {id(node): owner.name for owner in nodes_of(tree, ast.ClassDef) for node in walk(owner)}
    for statement in nodes_of(tree, ast.Assign):
        if any(isinstance(each, ast.Attribute) and each.attr == "__class__" for each in statement.targets):
            yield from (Borrowed(name) for name in _names(statement.value, tree))
        else:
            yield from _method(statement.value, around.get(id(statement), ""))
    for call in nodes_of(tree, ast.Call):
        by, values = around.get(id(call), ""), argument_values(call)
        called = last_name(call.func)
        if called in _SETTERS and len(values) > 1 and text_of(values[-2]) == "__class__":
            yield from (Borrowed(name) for name in _names(values[-1], tree))
        elif called in _BINDERS | _SETTERS:
            yield from (found for each in values for found in _method(each, by))
        if isinstance(call.func, ast.Attribute):
            bound = call.func.value if called == "__get__" else call.func
            yield from _method(bound, by if values and is_name(values[0], "self") else "")


def _method(written: ast.expr, by: str) -> Iterator[Borrowed]:
    """Yield what reads like a method of a class."""
    owner = dotted(written.value) if isinstance(written, ast.Attribute) else None
    name = (owner or "").rpartition(".")[2]
    if isinstance(written, ast.Attribute) and name.lstrip("_")[:1].isupper():
        yield Borrowed(name, written.attr, by)


def _names(value: ast.expr, tree: ast.Module) -> set[str]:
    """Return the names in an expression, and those in what the file assigns to them."""
    names = _named(value)
    for each in nodes_of(tree, ast.Assign):
        if any(isinstance(target, ast.Name) and target.id in names for target in each.targets):
            names = names | _named(each.value)
    return names


def _named(value: ast.expr) -> set[str]:
    return {last_name(each) for each in walk(value) if isinstance(each, (ast.Name, ast.Attribute))}


@query
def has_borrowed_methods(side: Snapshot, owner: Symbol) -> bool:
    """Return whether methods of a class, or of one below it, run on objects that another class made."""
    names = {owner.name, *(each.definition.name for each in subclasses(side, owner.name))}
    paths = [path for path in files_with(side, names, ".py") if not is_test(path)]
    methods = frozenset[str]().union(*(_of_objects(tree, names) for path in paths if (tree := side.tree(path))))
    return any(
        each.owner in names and each.by not in names and (not each.method or each.method in methods)
        for path in paths
        if (tree := side.tree(path)) is not None
        for each in borrowed_in(tree)
    )


def _of_objects(tree: ast.Module, names: set[str]) -> set[str]:
    """Return the methods of some classes that take ``self``."""
    return {
        method.name
        for owner in nodes_of(tree, ast.ClassDef)
        if owner.name in names
        for method in owner.body
        if is_function(method) and receiver(method) == "self"
    }
