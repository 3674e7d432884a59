"""Which attributes the objects of a class cannot be given, by everything that the tree shows of the class.

::

    class Point(NamedTuple): x: int        Point(1).x = 2      a field; and Point(1).z = 2, as it has no ``__dict__``
    @dataclass(frozen=True) class A: ...   A().x = 2           whatever the name
    class B: __slots__ = ("x",)            B().z = 2           no slot
    class C:
        @property
        def x(self): ...                   C().x = 2           no setter

Nothing is said of a class with a base, decorator or metaclass that is not known, with several bases, or with a
``__setattr__`` of its own.

Sources: https://docs.python.org/3/reference/datamodel.html#slots,
https://docs.python.org/3/library/dataclasses.html#frozen-instances and
https://docs.python.org/3/library/functions.html#property
"""

from __future__ import annotations

import ast
import re
from collections import Counter

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.class_bodies import inherited, written_slots
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.dataclass_init import dataclass_switch, deciding, is_dataclass
from review_bot.analysis.facts.named_tuple_init import is_named_tuple, named_tuple_init
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.module_tree import module_tree
from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.statements import (
    decorator_names,
    is_definition,
    is_function,
    is_string,
    last_name,
    targets_of,
)
from review_bot.analysis.python.syntax import full_name, imported_names, is_name, text_of
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple

_DECIDING = frozenset({
    "__setattr__", "__delattr__", "__getattribute__", "__new__", "__init_subclass__", "__class__", "__dict__",
    "__set_name__",
})  # fmt: skip
"""Names by which a class decides itself what its objects are or take."""

_PROPERTIES = ({"property"}, {"property", "override"}, {"property", "final"})
_NO_FIELDS = ("ClassVar", "InitVar", "KW_ONLY")


class ReadOnly(NamedTuple):
    """Why an attribute cannot be assigned, in words, with the line of the class or property that decides it."""

    why: str
    path: str
    line: int


class _Body(NamedTuple):
    """What one class says. ``slots``: None if its objects have a ``__dict__`` by it."""

    symbol: Symbol
    line: int
    kind: str
    fields: frozenset[str]
    slots: frozenset[str] | None
    properties: dict[str, int]
    others: frozenset[str]


@query
def read_only(side: Snapshot, owner: Symbol, name: str) -> ReadOnly | None:
    """Return why the objects of a class, not of one below it, refuse that an attribute is set; None if they may not."""
    if name.startswith("__"):
        return None
    bodies = _bodies(side, owner) or ()
    found = _refusal(bodies, name) if bodies else None
    is_set = found is not None and _is_set_on_class(side, tuple(each.symbol.name for each in bodies), name)
    return None if is_set else found


@query
def read_only_below(side: Snapshot, owner: Symbol, name: str) -> ReadOnly | None:
    """Return the same for a class whose objects the tree makes, and every class below it."""
    found = read_only(side, owner, name)
    if found is None or not is_made(side, owner.name):
        return None
    below = (Symbol(each.path, each.definition.name) for each in subclasses(side, owner.name))
    return found if all(read_only(side, each, name) is not None for each in below) else None


@query
def is_made(side: Snapshot, owner: str) -> bool:
    """Return whether some code makes objects of a class itself."""
    trees = (side.tree(path) for path in files_with(side, [owner], ".py"))
    return any(last_name(call.func) == owner for tree in trees if tree is not None for call in nodes_of(tree, ast.Call))


def _refusal(bodies: tuple[_Body, ...], name: str) -> ReadOnly | None:
    first = bodies[0]
    if first.kind == "frozen":
        return ReadOnly(f"`{first.symbol.name}` is a frozen dataclass", first.symbol.path, first.line)
    for each in bodies:
        if name in each.others or name in (each.slots or ()):
            return None
        if (why := _of_body(each, name)) is not None:
            return ReadOnly(why, each.symbol.path, each.properties.get(name, each.line))
    slots = [each.slots for each in bodies]
    if None in slots or any("__dict__" in each for each in slots if each is not None):
        return None
    is_tuple = bodies[-1].kind == "tuple"
    what = "is a named tuple" if is_tuple else "does not list it in `__slots__`"
    return ReadOnly(f"`{first.symbol.name}` {what}", first.symbol.path, first.line)


def _of_body(body: _Body, name: str) -> str | None:
    """Return in words what one class has under a name that cannot be assigned, if it has it."""
    if name in body.properties:
        return f"it is a property of `{body.symbol.name}` without a setter"
    kind = {"frozen": "frozen dataclass", "tuple": "named tuple"}.get(body.kind)
    return f"it is a field of the {kind} `{body.symbol.name}`" if kind and name in body.fields else None


@query
def _bodies(side: Snapshot, owner: Symbol) -> tuple[_Body, ...] | None:
    """Return what a class and its bases say, the nearest first; None if not all of it is known."""
    targets = call_targets(side)
    chain: list[_Body] = []
    for place in (owner, *targets.bases(owner)):
        if chain and chain[-1].kind == "tuple":
            return tuple(chain)  # what is above it is the standard library's
        node, file = (None, None) if place is None else (targets.class_of(place), targets.file(place.path))
        body = None if place is None or node is None or file is None else _body(place, node, file.tree)
        if body is None or module_tree(side).is_twice(body.symbol.path):
            return None
        chain.append(body)
    return tuple(chain)


def _body(symbol: Symbol, node: ast.ClassDef, tree: ast.Module) -> _Body | None:
    """Return what a class itself says; None if not all of it is known."""
    bound, slots, fields = bound_names(node.body), written_slots(node), _fields(node)
    is_data, kind = is_dataclass(node, tree), ""
    if not _is_usual(node, tree) or (deciding(node, tree) and not is_data) or ("__slots__" in bound and slots is None):
        return None
    if is_data:
        frozen, slotted = dataclass_switch(node, tree, "frozen"), dataclass_switch(node, tree, "slots")
        if frozen is None or slotted is None:
            return None
        kind, slots = ("frozen" if frozen else ""), (fields if slotted else slots)
    elif is_named_tuple(node, tree):
        init = named_tuple_init(node)
        if init is None:
            return None
        kind, fields = "tuple", frozenset(each.name for each in init.parameters)
        slots = slots if isinstance(node.bases[0], ast.Call) else frozenset()
    properties = {} if "property" in imported_names(tree) else _properties(node)
    own = fields if kind or slots is not None else frozenset[str]()
    return _Body(symbol, node.lineno, kind, fields, slots, properties, frozenset(bound - properties.keys() - own))


def _is_usual(node: ast.ClassDef, tree: ast.Module) -> bool:
    """Return whether a class is made and takes attributes as usual, and binds what its statements show."""
    names = imported_names(tree)
    stores = {each.attr for each in nodes_of(node, ast.Attribute) if not isinstance(each.ctx, ast.Load)}
    return (
        all(each.arg == "metaclass" and full_name(each.value, names) == "abc.ABCMeta" for each in node.keywords)
        and len(inherited(node, tree)) <= 1
        and _DECIDING.isdisjoint(stores | bound_names(node.body))
        and all(map(_is_plain, node.body))
    )


def _is_plain(statement: ast.stmt) -> bool:
    """Return whether a statement of a class body binds what is written there and nothing else."""
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return all(isinstance(each, ast.Name) for each in targets_of(statement))
    is_text = is_string(statement) or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
    return is_definition(statement) or is_text or isinstance(statement, ast.Pass)


def _fields(node: ast.ClassDef) -> frozenset[str]:
    """Return the names that a class body annotates as fields of objects."""
    written = (each for each in node.body if isinstance(each, ast.AnnAssign))
    return frozenset(
        ast.unparse(each.target)
        for each in written
        if not any(word in ast.unparse(each.annotation) for word in _NO_FIELDS)
    )


def _properties(node: ast.ClassDef) -> dict[str, int]:
    """Return the properties that nothing in the class body gives a setter, with their lines."""
    times = Counter(name for each in node.body for name in bound_names([each]))
    made = (each for each in node.body if is_function(each) and decorator_names(each) in _PROPERTIES)
    return {
        each.name: each.lineno
        for each in made
        if times[each.name] == 1 and is_name(each.decorator_list[-1], "property")
    }


@query
def _is_set_on_class(side: Snapshot, owners: tuple[str, ...], name: str) -> bool:
    """Return whether some code outside may give one of these classes another attribute, as ``Point.x = slow`` does."""
    stored = re.compile(rf"\b(?:{'|'.join(map(re.escape, owners))})\s*[.,]\s*[\"']?(?:{re.escape(name)}|__setattr__)\b")
    paths = (path for path in files_with(side, owners, ".py") if stored.search(side.text(path) or ""))
    return any(_sets(tree, owners, name) for tree in map(side.tree, paths) if tree is not None)


def _sets(tree: ast.Module, owners: tuple[str, ...], name: str) -> bool:
    """Return whether a file sets or deletes an attribute of a class, also by a function that is given its name."""
    stores = (each for each in nodes_of(tree, ast.Attribute) if not isinstance(each.ctx, ast.Load))
    return any(last_name(each.value) in owners and each.attr in {name, "__setattr__"} for each in stores) or any(
        len(call.args) > 1 and last_name(call.args[0]) in owners and text_of(call.args[1]) in {name, "__setattr__"}
        for call in nodes_of(tree, ast.Call)
    )
