"""A method that repeats the one which its class inherits, statement for statement.

::

    class FairQueue(RequestQueue):
        def _can_add(self, request):        as in RequestQueue
            ...

The class behaves the same without it, and what is repaired in the base does not reach the copy. Names that the two
methods read mean the same in both files; ``super()`` and private names (``__x``) mean another class in each.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.class_bodies import binds
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.python.statements import Function, decorator_names, is_function, is_string, statements
from review_bot.analysis.python.syntax import structure
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_LEAST = 4
"""Statements, inner ones too; shorter methods say what a class does."""
_PLAIN = frozenset({"classmethod", "property", "staticmethod"})
_MADE = frozenset({"__call__", "__init__"})
"""Special methods for which it makes no difference which class defines them."""


def gather(source: SourceFile) -> tuple[tuple[str, str, int], ...] | None:
    """Return the added methods that may repeat another, with their classes and lines. Raises CannotParse."""
    found = [
        (owner.name, method.name, method.lineno)
        for owner in source.nodes(ast.ClassDef)
        if owner.bases and not owner.decorator_list
        for method in owner.body
        if is_function(method) and source.mostly_added(*span_of(method)) and _counts(method)
    ]
    return tuple(found) or None


def _counts(method: Function) -> bool:
    is_special = method.name.startswith("__") and method.name.endswith("__")
    if is_special and method.name not in _MADE:
        return False
    if not set(decorator_names(method)) <= _PLAIN or len(method.decorator_list) > 1:
        return False
    return len(list(statements(_body(method)))) >= _LEAST and not _depends_on_class(method)


def _body(method: Function) -> list[ast.stmt]:
    """Return the statements of a method without its docstring."""
    return method.body[1:] if method.body and is_string(method.body[0]) else method.body


def _depends_on_class(method: Function) -> bool:
    """Return whether code means something else in another class: ``super()``, or a private name."""
    names = [each.id for each in nodes_of(method, ast.Name)] + [each.attr for each in nodes_of(method, ast.Attribute)]
    return any(each in {"super", "__class__"} or (each.startswith("__") and not each.endswith("__")) for each in names)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit for each class, on the first such method, with the others listed."""
    side = codebase.head
    targets = call_targets(side)
    for path, found in sorted(facts.items()):
        file = targets.file(path)
        repeated: dict[Symbol, list[tuple[Function, Symbol, Function]]] = {}
        for name, method_name, line in found:
            owner = Symbol(path, name)
            method = targets.function_of(Symbol(path, f"{name}.{method_name}"))
            above = _inherited(targets, owner, method_name)
            base = None if above is None else targets.function_of(above)
            if file is None or method is None or above is None or base is None or method.lineno != line:
                continue
            if _is_mixed(side, owner) or not _reads_same(method, base):
                continue
            if _mean_same(targets, file, targets.file(above.path), method):
                repeated.setdefault(owner, []).append((method, above, base))
        for owner, each in repeated.items():
            method, above, base = each[0]
            values = {"method": f"{owner.name}.{method.name}", "base": above.name}
            others = [Related(path, other.lineno, f"`{other.name}` repeats `{of.name}`") for other, of, _ in each[1:]]
            related = (Related(above.path, base.lineno, f"`{above.name}`"), *others)
            yield Hit(method.lineno, path=path, values=values, related=related)


def _inherited(targets: CallTargets, owner: Symbol, name: str) -> Symbol | None:
    """Return the method that a class would have without its own, if the order of its bases leaves no doubt."""
    above = targets.method(owner, name, of_bases=True)
    if above is None:
        return None
    place = Symbol(above.path, above.name.rpartition(".")[0])
    below = {*targets.bases(owner)} - {place, *targets.bases(place)}
    nodes = [None if each is None else targets.class_of(each) for each in below]
    return None if any(node is None or binds(node, name) for node in nodes) else above


def _is_mixed(side: Snapshot, owner: Symbol) -> bool:
    """Return whether a class below has several bases, where the method may hide that of another base."""
    return any(len(each.definition.bases) > 1 for each in subclasses(side, owner.name))


def _reads_same(method: Function, base: Function) -> bool:
    if type(method) is not type(base):
        return False
    one, other = (
        [structure(each.args), *map(structure, each.decorator_list), *map(structure, _body(each))]
        for each in (method, base)
    )
    return one == other


def _mean_same(targets: CallTargets, file: CodeFile, other: CodeFile | None, method: Function) -> bool:
    """Return whether the names that a method takes from its module mean the same in another one."""
    if other is None or file is other:
        return other is not None
    own = {each.arg for each in nodes_of(method, ast.arg)}
    own |= {each.id for each in nodes_of(method, ast.Name) if not isinstance(each.ctx, ast.Load)}
    names = {each.id: each for each in nodes_of(method, ast.Name) if each.id not in own}
    return all(_same_name(targets, file, other, each) for each in names.values())


def _same_name(targets: CallTargets, file: CodeFile, other: CodeFile, name: ast.Name) -> bool:
    here, there = (targets.named_by(each, name, ()) for each in (file, other))
    if here is not None or there is not None:
        return here == there
    if name.id in file.imports or name.id in other.imports:
        return file.imports.get(name.id) == other.imports.get(name.id)
    return hasattr(builtins, name.id) and not any(each.binds_otherwise(name.id) for each in (file, other))


CHECK = change_check(gather, relate, CheckTraits(literals=("class def",)))
