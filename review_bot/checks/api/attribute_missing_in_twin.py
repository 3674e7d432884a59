"""A method that copies the one of a sibling class, apart from an attribute which only code of their base can read.

::

    class ArWorker(DeviceWorker):                    class GenerationWorker(DeviceWorker):      # new
        def init_device(self):                           def init_device(self):
            ...                                              ...
            self.initial_memory = free_memory()              # nothing
            ...                                              ...
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.classes import classes_in, subclasses
from review_bot.analysis.facts.uses import uses_of
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import Function, is_function, is_string, targets_of
from review_bot.analysis.python.syntax import attribute_of_self, classes, structure
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit

_FEWEST = 8
"""Statements of a method that is compared."""
_ALIKE = 0.8
"""How many of the statements of both, at least, are equal (a ratio)."""
_MOST_SIBLINGS = 30
_PLAIN = frozenset({"ABC", "Enum", "Exception", "Generic", "Module", "NamedTuple", "Protocol", "TestCase", "object"})
"""Bases that say nothing of what their classes have in common."""


class Written(NamedTuple):
    """A method on added lines, and the bases of its class."""

    owner: str
    bases: tuple[str, ...]
    method: str
    line: int


def gather(source: SourceFile) -> tuple[Written, ...] | None:
    """Return the methods of which added lines hold most, and that are long enough. Raises CannotParse."""
    found = [
        Written(owner.name, bases, method.name, method.lineno)
        for owner in classes(source.tree)
        if (bases := _bases(owner))
        for method in owner.body
        if is_function(method) and method.name != "__init__" and len(method.body) >= _FEWEST
        if source.mostly_added(*span_of(method))
    ]
    return tuple(found) or None


def _bases(owner: ast.ClassDef) -> tuple[str, ...]:
    names = (each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in owner.bases)
    return tuple(name for name in names if name and name not in _PLAIN)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each such method for the attributes that the first of its copies sets alone."""
    for path, each in each_fact(facts):
        hit = next(_differing(path, each, codebase.head), None)
        if hit is not None:
            yield hit


def _differing(path: str, each: Written, side: Snapshot) -> Iterator[Hit]:
    """Yield a hit for each class with the same base whose method is a copy but for an attribute."""
    base = each.bases[0]
    siblings = [one for one in subclasses(side, base) if base in one.definition.base_names]
    mine = _method(side, path, each.owner, each.method) if len(siblings) <= _MOST_SIBLINGS else None
    if mine is None or any(
        call.func.id == "super" for call in nodes_of(mine, ast.Call) if isinstance(call.func, ast.Name)
    ):
        return  # what it calls may set the attribute
    for one in sorted(siblings, key=lambda one: (one.path, one.definition.line)):
        twin = one.definition.name
        theirs = _method(side, one.path, twin, each.method) if each.method in one.definition.methods else None
        if twin == each.owner or theirs is None:
            continue
        same, most = _alike(mine, theirs)
        if most < _FEWEST or same < _ALIKE * most:
            continue
        lacking = [(name, line) for name, line in _set_by(theirs).items() if _is_lacking(name, each, twin, side)]
        if lacking:
            names = ", ".join(f"`self.{name}`" for name, _ in lacking)
            own = f"{each.owner}.{each.method}"
            values = {
                "name": own, "twin": f"{twin}.{each.method}", "names": names, "same": str(same), "all": str(most),
                "base": base,
            }  # fmt: skip
            related = tuple(Related(one.path, line, "sets it") for _, line in lacking)
            yield Hit(each.line, path=path, values=values, related=related, statement=f"{own} {names}")


def _method(side: Snapshot, path: str, owner: str, name: str) -> Function | None:
    tree = side.tree(path)
    for each in () if tree is None else classes(tree):
        for method in each.body if each.name == owner else ():
            if is_function(method) and method.name == name:
                return method
    return None


def _alike(one: Function, other: Function) -> tuple[int, int]:
    """Return how many statements of two methods are equal, and how many the longer one has."""
    mine, theirs = ([structure(each) for each in method.body if not is_string(each)] for method in (one, other))
    return sum((Counter(mine) & Counter(theirs)).values()), max(len(mine), len(theirs))


def _set_by(method: Function) -> dict[str, int]:
    """Return the attributes that a method always sets, with the lines."""
    targets = (target for each in method.body for target in targets_of(each))
    return {name: target.lineno for target in targets if (name := attribute_of_self(target))}


def _is_lacking(name: str, each: Written, twin: str, side: Snapshot) -> bool:
    """Return whether a class has no such attribute, while its twin has it for the code of their base alone."""
    found = uses_of(side, name)
    if not found.complete or any(it.use.owner == twin and it.use.access == "read" for it in found.places):
        return False
    setting = {it.use.owner for it in found.places if it.use.access == "write"}
    above = {other for other in setting if any(it.definition.name == each.owner for it in subclasses(side, other))}
    below = {it.definition.name for it in subclasses(side, each.owner)}
    reads = {it.use.owner for it in found.places if it.use.access == "read"}
    if above or not setting.isdisjoint({each.owner, "", *below}):
        return False
    of_tree = any(
        it.name == each.bases[0] for path in files_with(side, [each.bases[0]], ".py") for it in classes_in(side, path)
    )
    return not of_tree or any(
        it.definition.name == each.owner for other in reads - {""} for it in subclasses(side, other)
    )


CHECK = change_check(gather, relate, CheckTraits(literals=("self",)))
