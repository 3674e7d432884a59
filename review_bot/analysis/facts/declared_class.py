"""The class of an object by what its function or class declares, beyond what ``call_targets`` follows.

::

    def f(cache: Cache | None): cache.get              Cache
    class A:
        def __init__(self, cache: Cache): self.cache = cache
        def f(self): self.cache.get                    Cache
    class B:
        cache: Cache
        def f(self): self.cache.get                    Cache
"""

from __future__ import annotations

import ast

from review_bot.analysis.facts.call_targets import CallTargets
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.running_code import Scope
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.python.statements import Function, is_function, last_name, named_parameters
from review_bot.analysis.python.syntax import attribute_of_self, is_literal, unquoted
from review_bot.changes.codebase import query
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile

NO_BASES = frozenset({"object", "Module"})
"""Bases that are not looked up in the tree."""


def declared_class(
    targets: CallTargets, file: CodeFile, value: ast.expr, scopes: tuple[Scope, ...], *, optional: bool = True
) -> Symbol | None:
    """Return the class of an object as it is made or declared, if the tree contains the class.

    ``optional``: also of one that may be None.
    """
    known = targets.type_of(file, value, scopes)
    if known is not None:
        return known
    annotation: ast.expr | None = None
    if isinstance(value, ast.Name):
        function = next((each for each in reversed(scopes) if not isinstance(each, ast.ClassDef)), None)
        annotation = _parameter(function, value.id) if function is not None and is_function(function) else None
    elif name := attribute_of_self(value):
        owner = scopes[0] if scopes else None
        annotation = _field(owner, name) if isinstance(owner, ast.ClassDef) else None
    bare = _without_none(annotation) if optional else unquoted(annotation)
    return None if bare is None else targets.class_named_by(file, bare, ())


def _parameter(function: Function, name: str) -> ast.expr | None:
    """Return the annotation of a parameter that its function never binds again."""
    stored = any(each.id == name and not isinstance(each.ctx, ast.Load) for each in nodes_of(function, ast.Name))
    return None if stored else next((each.annotation for each in named_parameters(function) if each.arg == name), None)


def _field(owner: ast.ClassDef, name: str) -> ast.expr | None:
    """Return what declares an attribute: the only annotation in the class, or that of the parameter it is set to."""
    stores = [
        each
        for each in nodes_of(owner, ast.Attribute)
        if each.attr == name and not isinstance(each.ctx, ast.Load) and last_name(each.value) in {"self", "cls"}
    ]
    declared = [
        each.annotation
        for each in owner.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.target.id == name
    ]
    if not stores:
        return declared[0] if len(declared) == 1 else None
    if len(stores) > 1 or declared:
        return None
    for method in filter(is_function, owner.body):
        for assign in nodes_of(method, ast.Assign):
            if assign.targets == [stores[0]] and isinstance(assign.value, ast.Name):
                return _parameter(method, assign.value.id)
    return None


def _without_none(annotation: ast.expr | None) -> ast.expr | None:
    """Return the one class that an annotation names, None aside."""
    annotation = unquoted(annotation)
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        sides = [each for each in (annotation.left, annotation.right) if not is_literal(each, None)]
        return _without_none(sides[0]) if len(sides) == 1 else None
    if isinstance(annotation, ast.Subscript):
        return _without_none(annotation.slice) if last_name(annotation.value) == "Optional" else None
    return annotation if isinstance(annotation, (ast.Name, ast.Attribute)) else None


def is_typed(value: ast.expr, source: SourceFile) -> bool:
    """Return whether a file by itself may show the class of what an expression names."""
    if isinstance(value, ast.Name):
        return value.id in _typed(source)
    return attribute_of_self(value) in _fields(source)


@query
def _typed(source: SourceFile) -> set[str]:
    """Return the names of parameters with the annotation of a class, and of what a call of a class makes."""
    names = {each.arg for each in source.nodes(ast.arg) if each.annotation is not None and _is_class(each.annotation)}
    for assign in source.nodes(ast.Assign):
        if isinstance(assign.value, ast.Call) and _is_class(assign.value.func):
            names |= {each.id for each in assign.targets if isinstance(each, ast.Name)}
    if any(not {last_name(base) for base in each.bases} <= NO_BASES for each in source.nodes(ast.ClassDef)):
        names.add("self")
    return names


@query
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
