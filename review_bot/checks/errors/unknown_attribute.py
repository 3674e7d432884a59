"""An attribute that the change reads of an object whose class, by everything the tree shows, has none of that name.

The object is one that the function makes or takes with an annotation, or ``self`` in a class with bases in the tree;
``unset_attribute`` looks at classes without bases.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import AttributeUse
from review_bot.analysis.facts.declared_class import declared_class
from review_bot.analysis.facts.members import lacks
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.uses import is_set_elsewhere
from review_bot.analysis.python.statements import Function, is_function, last_name
from review_bot.analysis.python.syntax import argument_values, attribute_of_self, structure
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import kept_on_node, nodes_of, walk
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit

_NO_BASES = frozenset({"object", "Module"})
_MOST_FILES = 60

MOST_UNKNOWN = 2
"""Attributes of ``self`` that a class lacks; one that lacks more lends its methods to other classes."""

_READS_ONLY = frozenset({"bool", "dict", "enumerate", "format", "hash", "id", "iter", "len", "list", "print", "str"})


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the attributes that added lines read of objects whose class a file may show. Raises CannotParse."""
    typed, fields = _typed(source), _fields(source)
    found = {
        (node.attr, node.lineno)
        for node in source.nodes(ast.Attribute)
        if isinstance(node.ctx, ast.Load)
        and node.lineno in source.added
        and not node.attr.startswith("__")
        and _is_typed(node.value, typed, fields)
    }
    asked = {each.value for each in source.nodes(ast.Constant) if isinstance(each.value, str)} if found else set[str]()
    stored = (
        {each.attr for each in source.nodes(ast.Attribute) if not isinstance(each.ctx, ast.Load)} if found else asked
    )
    return tuple(sorted(each for each in found if each[0] not in asked | stored)) or None


def _is_typed(value: ast.expr, names: set[str], fields: set[str]) -> bool:
    if isinstance(value, ast.Name):
        return value.id in names
    return attribute_of_self(value) in fields


def _typed(source: SourceFile) -> set[str]:
    """Return the names of parameters with the annotation of a class, and of what a call of a class makes."""
    names = {each.arg for each in source.nodes(ast.arg) if each.annotation is not None and _is_class(each.annotation)}
    for assign in source.nodes(ast.Assign):
        if isinstance(assign.value, ast.Call) and _is_class(assign.value.func):
            names |= {each.id for each in assign.targets if isinstance(each, ast.Name)}
    if any(not {last_name(base) for base in each.bases} <= _NO_BASES for each in source.nodes(ast.ClassDef)):
        names.add("self")
    return names


def _fields(source: SourceFile) -> set[str]:
    """Return the attributes of ``self`` that are declared, or set to a parameter or to what a call of a class makes."""
    found = {
        each.target.id
        for each in source.nodes(ast.AnnAssign)
        if isinstance(each.target, ast.Name) and _is_class(each.annotation)
    }
    for assign in source.nodes(ast.Assign):
        made = isinstance(assign.value, ast.Call) and _is_class(assign.value.func)
        if made or isinstance(assign.value, ast.Name):
            found |= {each.attr for each in assign.targets if isinstance(each, ast.Attribute)}
    return found


def _is_class(node: ast.expr) -> bool:
    """Return whether an expression may name a class: it has a word with a capital."""
    return any(
        isinstance(each, ast.Constant) or last_name(each)[:1].isupper()
        for each in walk(node)
        if isinstance(each, (ast.Name, ast.Attribute, ast.Constant))
    )


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first such read of each attribute in a file."""
    side = codebase.head
    targets = call_targets(side)
    for path, found in sorted(facts.items())[:_MOST_FILES]:
        file, wanted = targets.file(path), set(found)
        seen: set[tuple[Symbol, str]] = set()
        hits: dict[tuple[Symbol, str], list[Hit]] = {}
        uses = () if file is None else file.attributes(frozenset(name for name, _ in wanted))
        for use in sorted(uses, key=lambda use: use.node.lineno):
            name = use.node.attr
            if file is None or (name, use.node.lineno) not in wanted or _is_passed_on(use):
                continue
            owner = declared_class(targets, file, use.node.value, use.scopes)
            if owner is None or (owner, name) in seen or not lacks(side, owner, name):
                continue
            if _is_own_self(use) or is_set_elsewhere(side, name):
                continue
            seen.add((owner, name))
            values = {"name": name, "owner": owner.name, "object": ast.unparse(use.node.value)}
            subject = f"{owner.path}:{owner.name}"
            hit = Hit(use.node.lineno, path=path, values=values, statement=f"{owner.name}.{name}", subject=subject)
            hits.setdefault((owner, values["object"]), []).append(hit)
        for (_, read_of), of_class in hits.items():
            if read_of != "self" or len(of_class) <= MOST_UNKNOWN:
                yield from of_class


def _is_own_self(use: AttributeUse) -> bool:
    """Return whether an attribute of ``self`` is read in a class that ``unset_attribute`` looks at.

    It has no base in the tree, or an ``__init__`` of its own.
    """
    around = use.scopes[0] if use.scopes else None
    if not attribute_of_self(use.node) or not isinstance(around, ast.ClassDef):
        return False
    has_init = any(is_function(each) and each.name == "__init__" for each in around.body)
    return has_init or {last_name(each) for each in around.bases} <= _NO_BASES


def _is_passed_on(use: AttributeUse) -> bool:
    """Return whether the function around a read asks what the object is, or first gives it to another function.

    That one may attach attributes by computed names, as ``register_module(f"{name}_observer", observer)`` does.
    """
    functions: list[Function] = [each for each in use.scopes if is_function(each)]
    if not functions:
        return True
    return _given(functions[-1]).get(structure(use.node.value), use.node.lineno + 1) <= use.node.lineno


@kept_on_node
def _given(function: Function) -> dict[str, int]:
    """Return what a function gives to others that may keep it, written out, with the first line where it does so."""
    found: dict[str, int] = {}
    for call in nodes_of(function, ast.Call):
        if last_name(call.func) not in _READS_ONLY:
            for each in argument_values(call):
                written = structure(each)
                found[written] = min(call.lineno, found.get(written, call.lineno))
    return found


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("def",), doubted=True))
