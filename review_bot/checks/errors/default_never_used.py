"""A default of ``getattr`` that is never used, because the class of the object surely has the attribute.

::

    @dataclass
    class EngineOptions:
        overlap: bool = False

    def run(options: EngineOptions):
        if getattr(options, "overlap", True):       always the field
        if hasattr(options, "overlap"):             always true

A field of a data class or a model, a name that a class body binds, and a plain method are surely there. A property is
not: where it raises AttributeError, the default is used. ``default_always_used`` looks at names that a class lacks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.attribute_lookups import LOOKUPS, added_lookups, looked_up, shown_default
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.code_file import Call
from review_bot.analysis.facts.dataclass_init import is_dataclass
from review_bot.analysis.facts.declared_class import declared_class
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.python.statements import defaults_of, is_function, last_name, targets_of
from review_bot.analysis.python.syntax import is_literal, is_name, keyword, unpacks, unquoted
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_OPEN = frozenset({"Any", "Protocol", "TypedDict", "type"})
"""Bases of classes whose objects may be of another class, or that are metaclasses."""
_OF_INIT = frozenset({"ClassVar", "InitVar", "KW_ONLY"})
"""What is annotated so is no attribute that ``__init__`` sets."""


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the names that look-ups on added lines ask for."""
    return added_lookups(source) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each name in a file that an object surely has."""
    targets = call_targets(codebase.head)
    for path, found in sorted(facts.items()):
        file, wanted = targets.file(path), set(found)
        for each in () if file is None else sorted(file.calls(LOOKUPS), key=lambda each: each.node.lineno):
            name = looked_up(each.node)
            if file is None or (name, each.node.lineno) not in wanted or _may_be_none(each):
                continue
            owner = declared_class(targets, file, each.node.args[0], each.scopes, optional=False)
            place = None if owner is None else _place_of(codebase.head, owner, name)
            if owner is None or place is None:
                continue
            values = {
                "object": ast.unparse(each.node.args[0]),
                "owner": owner.name,
                "name": name,
                "result": _result(each.node),
            }
            related = (Related(place[0], place[1], f"gives it `{name}`"),)
            yield Hit(each.node.lineno, path=path, values=values, related=related, statement=f"{owner.name}.{name}")


def _result(call: ast.Call) -> str:
    if len(call.args) < 3:
        return "this is always true"
    return " ".join(filter(None, ("the default", shown_default(call), "is never used")))


def _may_be_none(call: Call) -> bool:
    """Return whether a function takes None for the object that a call asks, whatever its annotation says."""
    name = call.node.args[0].id if isinstance(call.node.args[0], ast.Name) else ""
    functions = (each for each in call.scopes if not isinstance(each, ast.ClassDef))
    return any(each.arg == name and is_literal(value, None) for one in functions for each, value in defaults_of(one))


def _place_of(side: Snapshot, owner: Symbol, name: str) -> tuple[str, int] | None:
    """Return the file and line that give each object of a class a name; None if an object may lack it."""
    targets = call_targets(side)
    for each in (owner, *targets.bases(owner)):
        node, file = (None, None) if each is None else (targets.class_of(each), targets.file(each.path))
        if each is None or node is None or file is None or not _OPEN.isdisjoint(map(last_name, node.bases)):
            return None
        if any(last_name(each_keyword.value) != "ABCMeta" for each_keyword in node.keywords):
            return None
        bound = [statement for statement in node.body if _binds(statement, name)]
        if bound:
            is_made = is_dataclass(node, file.tree)
            by_class = all(_is_of_class(statement) for statement in bound)
            by_init = is_made and len(bound) == 1 and _is_of_init(bound[0]) and not _has_own_init(side, owner, each)
            return (each.path, bound[0].lineno) if by_class or by_init else None
    return None


def _has_own_init(side: Snapshot, owner: Symbol, made: Symbol) -> bool:
    """Return whether an object of a class may be made without the ``__init__`` of the data class that it inherits."""
    targets = call_targets(side)
    above = [targets.class_of(each) for each in (owner, made, *targets.bases(owner)) if each is not None]
    methods = [each.name for node in above if node is not None for each in node.body if is_function(each)]
    below = [each for part in subclasses(side, made.name) for each in part.definition.methods]
    return "__init__" in methods or "__init__" in below


def _binds(statement: ast.stmt, name: str) -> bool:
    if is_function(statement) or isinstance(statement, ast.ClassDef):
        return statement.name == name
    return any(is_name(each, name) for target in targets_of(statement) for each in nodes_of(target, ast.Name))


def _is_of_class(statement: ast.stmt) -> bool:
    """Return whether a statement of a class body leaves the class, or each object of a model, with what it binds."""
    if is_function(statement):
        return not statement.decorator_list
    value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    made_by = last_name(value.func) if isinstance(value, ast.Call) else ""
    if value is None or not isinstance(value, ast.Call) or made_by.lower() != "field":
        return value is not None
    if unpacks(value) or any(isinstance(each, ast.Constant) and each.value is ... for each in value.args):
        return False
    of_model = made_by == "Field" and (bool(value.args) or keyword(value, "default_factory") is not None)
    return of_model or keyword(value, "default") is not None


def _is_of_init(statement: ast.stmt) -> bool:
    """Return whether the ``__init__`` that a data class gets sets what a statement of its body declares."""
    if not isinstance(statement, ast.AnnAssign):
        return False
    kind = statement.annotation.value if isinstance(statement.annotation, ast.Subscript) else statement.annotation
    if last_name(unquoted(kind)) in _OF_INIT:
        return False
    value = statement.value
    if not isinstance(value, ast.Call):
        return value is None
    is_set = keyword(value, "init") is None or keyword(value, "default_factory") is not None
    return last_name(value.func) == "field" and is_set and not unpacks(value)


CHECK = change_check(gather, relate, CheckTraits(literals=("getattr", "hasattr")))
