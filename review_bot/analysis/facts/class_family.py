"""The names that the objects of a class have: those of the class, of its bases, and of the classes below it.

A family is known only where the tree shows all of it: every base is a class of the tree, or one of a few whose names
are known; nothing in it sets attributes by a name that is not written there.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import partial

from review_bot.analysis.facts.ancestors import ancestors
from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.kept_classes import gives_class_back
from review_bot.analysis.facts.members import NAMES_OF_MLX, NAMES_OF_MODULES
from review_bot.analysis.facts.objects_handed_on import OPEN_SIGNS, REGISTERS, STRING, definition_text, names_set_on
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.project.module_tree import module_tree
from review_bot.analysis.python.statements import Function, is_definition, is_function, last_name
from review_bot.analysis.python.syntax import bound_name, dotted, text_of
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of, walk

_EMPTY_BASES = frozenset({"ABC", "Generic", "Protocol", "abc.ABC", "object", "typing.Generic", "typing.Protocol"})
"""Bases that add no public name."""

_MODULES = frozenset({"nn.Module", "torch.nn.Module"})

_SETS_NOTHING = frozenset({"inference_mode", "no_grad", "overload", "override"})
"""Decorators of ``__init__`` that only run it."""
_OF_OBJECTS = frozenset(dir(object)) | {"__dict__", "__annotations__"}
_ASKS = frozenset(dir(builtins)) | {"ref", "proxy", "partial", "fields", "asdict", "astuple", "replace"}


def names_in_class(owner: ast.ClassDef, text: str) -> frozenset[str]:
    """Return the names that a class itself binds, sets, or writes as a string (``register_buffer("mask", ...)``)."""
    names: set[str] = set(STRING.findall(text))
    for statement in owner.body:
        if is_definition(statement):
            names.add(statement.name)
    module = is_module(owner)
    for node in walk(owner):
        if isinstance(node, ast.Attribute):
            if not isinstance(node.ctx, ast.Load) or (module and node.attr.startswith("_")):
                names.add(node.attr)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                names.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(map(bound_name, node.names))
    return frozenset(names | _OF_OBJECTS | (NAMES_OF_MODULES | NAMES_OF_MLX if module else frozenset()))


def shows_all(owner: ast.ClassDef, text: str) -> bool:
    """Return whether the text of a class shows each name that its objects get from it."""
    return shows_all_but_given(owner, text) and not gives_itself_away(owner)


def gives_itself_away(owner: ast.ClassDef) -> bool:
    """Return whether a method of a class passes its object to a plain function, which may set attributes."""
    return any(map(_gets_self, nodes_of(owner, ast.Call)))


def shows_all_but_given(owner: ast.ClassDef, text: str) -> bool:
    """Return the same as ``shows_all``, apart from what functions set that get an object of the class."""
    if any(sign in text for sign in OPEN_SIGNS):
        return False
    if any(is_function(each) and each.name == "__init__" and not _is_plain(each) for each in owner.body):
        return False
    return not any(name in text for name in REGISTERS) or not any(map(_names_by_code, walk(owner)))


def _is_plain(function: Function) -> bool:
    """Return whether no decorator can set attributes from the arguments."""
    return all(last_name(each) in _SETS_NOTHING for each in function.decorator_list)


def is_module(owner: ast.ClassDef) -> bool:
    """Return whether a class directly extends ``nn.Module``."""
    return any(dotted(base) in _MODULES for base in owner.bases)


def has_known_bases(owner: ast.ClassDef) -> bool:
    """Return whether no base of a class has to be looked up in the tree."""
    return all(map(_is_known, owner.bases))


@query
def names_in_family(side: Snapshot, path: str, name: str) -> frozenset[str] | None:
    """Return the names that the bases of a top-level class and the classes below it have; None: not all are shown."""
    found = names_above(side, path, name)  # most classes are answered by their bases alone
    for each in () if found is None else subclasses(side, name):
        above = names_above(side, each.path, each.definition.name)
        if above is None or found is None:
            return None
        found |= above
    return found


@query
def names_above(side: Snapshot, path: str, name: str) -> frozenset[str] | None:
    """Return the names that a top-level class and its bases have; None: not all are shown."""
    names: set[str] = set()
    owner = Symbol(path, name)
    for symbol in (owner, *ancestors(owner, partial(_bases_of, call_targets(side)))):
        found = None if symbol is None else _names_of(side, symbol)
        if found is None:
            return None
        names |= found
    return frozenset(names)


@query
def names_of_super(side: Snapshot, owner: Symbol) -> frozenset[str] | None:
    """Return the names that ``super()`` has in the methods of a top-level class; None: not all are shown.

    A class below that has other bases as well may put one of them in between.
    """
    above = list(call_targets(side).bases(owner))
    if not above or any(len(each.definition.bases) > 1 for each in subclasses(side, owner.name)):
        return None
    names: set[str] = set()
    for each in above:
        found = None if each is None else names_above(side, each.path, each.name)
        if found is None:
            return None
        names |= found
    return frozenset(names)


@query
def _names_of(side: Snapshot, symbol: Symbol) -> frozenset[str] | None:
    """Return the names that a class has by itself; None: not all are shown."""
    targets = call_targets(side)
    node, file = targets.class_of(symbol), targets.file(symbol.path)
    if node is None or file is None or module_tree(side).is_twice(symbol.path):
        return None
    text = definition_text(side, symbol.path, node)
    marks = [each for each in node.decorator_list if _adds_names(each)]
    if not shows_all_but_given(node, text) or node.keywords:
        return None
    if not all(gives_class_back(targets, file, each) for each in marks):
        return None
    given = _names_given(side, symbol.path, node)
    return None if given is None else names_in_class(node, text) | given


def _names_given(side: Snapshot, path: str, owner: ast.ClassDef) -> frozenset[str] | None:
    """Return the names that plain functions may give the objects of a class that they get; None: not all are shown."""
    names = frozenset[str]()
    for call in filter(_gets_self, nodes_of(owner, ast.Call)):
        own = {each.name for each in walk(owner) if is_definition(each)}
        own |= {each.id for each in nodes_of(owner, ast.Name) if isinstance(each.ctx, ast.Store)}
        found = None if last_name(call.func) in own else names_set_on(side, path, call, "self")
        if found is None:
            return None
        names |= found
    return names


def _bases_of(targets: CallTargets, owner: Symbol) -> Iterator[Symbol | None]:
    """Yield the bases of a class, whatever is known by itself aside; None for one that the tree does not contain."""
    node, file = targets.class_of(owner), targets.file(owner.path)
    if node is None or file is None:
        yield None
        return
    for base in node.bases:
        if not _is_known(base):
            yield targets.named_by(file, base, ())


def _is_known(base: ast.expr) -> bool:
    plain = base.value if isinstance(base, ast.Subscript) else base
    return dotted(plain) in _EMPTY_BASES | _MODULES


def _adds_names(decorator: ast.expr) -> bool:
    return last_name(decorator) not in {"dataclass", "final", "runtime_checkable", "total_ordering"}


def _gets_self(call: ast.Call) -> bool:
    """Return whether a plain function gets ``self``: it may set attributes, as ``copy_fields(self, other)`` does."""
    if not isinstance(call.func, ast.Name) or call.func.id in _ASKS or not call.func.id.islower():
        return False
    return any(isinstance(each, ast.Name) and each.id == "self" for each in call.args)


def _names_by_code(node: ast.AST) -> bool:
    """Return whether a node registers a part of a module under a name that is not written there."""
    if not isinstance(node, ast.Call) or last_name(node.func) not in REGISTERS:
        return False
    name = node.args[0] if node.args else None
    return text_of(name) is None
