"""What added code does to an object that its class, by everything the tree shows, does not support.

::

    class Pool: ...                  without `__enter__`
    with Pool() as pool: ...         TypeError

Only objects count that the code itself makes; ``api/operation_lost`` looks at methods that the change removes.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.made_objects import MadeObjects
from review_bot.analysis.facts.members import members
from review_bot.analysis.facts.operations import Operation, operations
from review_bot.analysis.facts.running_code import RunningCode, Scope
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.uses import is_set_elsewhere
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.statements import assigned_values, last_name
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_EXPECTED = frozenset({"AttributeError", "TypeError", "Exception", "BaseException"})
_OF_LIBRARIES = frozenset({"_modules", "model_fields", "trainable_parameters"})
"""Names that only bases in libraries have, which define such methods too."""

Place = tuple[int, int]
"""Of an object: its line (1-based) and column (bytes from 0, as in ``ast``)."""


def gather(source: SourceFile) -> tuple[Place, ...] | None:
    """Return the places of objects with which added lines of a file do something. Raises CannotParse."""
    if not source.path.endswith(".py"):
        return None
    return (
        tuple(sorted({_place(each) for each in _on_objects(source.tree) if each.value.lineno in source.added})) or None
    )


def _place(done: Operation) -> Place:
    return done.value.lineno, done.value.col_offset


def _on_objects(tree: ast.Module) -> Iterator[Operation]:
    """Yield what is done to the results of calls, and to names and attributes that may hold one."""
    made = {last_name(target) for target, value in assigned_values(tree) if isinstance(value, ast.Call)}
    for each in operations(tree):
        is_name = isinstance(each.value, (ast.Name, ast.Attribute)) and last_name(each.value) in made
        if is_name or isinstance(each.value, ast.Call):
            yield each


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each such object whose class lacks what the operation needs."""
    objects = MadeObjects(codebase)
    for path, places in sorted(facts.items()):
        file = call_targets(codebase.head).file(path)
        for place, done, owner in () if file is None else _unsupported(file, frozenset(places), objects, codebase):
            needed = " or ".join(f"`{name}`" for name in sorted(done.needs))
            values = {"done": done.words, "owner": owner.name, "needed": needed}
            subject = f"{owner.path}:{owner.name}"
            yield Hit(place[0], path=path, values=values, subject=subject, statement=f"{done.words} {owner.name}")


def _unsupported(
    file: CodeFile, places: Collection[Place], objects: MadeObjects, codebase: Codebase
) -> Iterator[tuple[Place, Operation, Symbol]]:
    """Yield the place of each object, the first operation that its class does not support, and the class."""
    by_value: dict[ast.expr, list[Operation]] = {}
    written = {each.value for each in nodes_of(file.tree, ast.Constant) if isinstance(each.value, str)}
    for each in _on_objects(file.tree):
        if _place(each) in places and written.isdisjoint(each.needs):
            by_value.setdefault(each.value, []).append(each)
    running = RunningCode(file.tree, constants_of(file.tree))
    for value, scopes in running.of(list(by_value), _EXPECTED):
        found = _first(file, by_value[value], scopes, objects, codebase)
        if found is not None:
            yield (value.lineno, value.col_offset), *found


def _first(
    file: CodeFile, done: list[Operation], scopes: tuple[Scope, ...], objects: MadeObjects, codebase: Codebase
) -> tuple[Operation, Symbol] | None:
    side = codebase.head
    for each in done:

        def lacks(owner: Symbol, needs: frozenset[str] = each.needs) -> bool:
            known = members(side, owner)
            return known.closed and known.names.isdisjoint(needs | _OF_LIBRARIES)

        owner = objects.class_of(file, each.value, scopes, lacks)
        if owner is not None and lacks(owner) and not any(is_set_elsewhere(side, name) for name in each.needs):
            return each, owner
    return None


CHECK = change_check(gather, relate, CheckTraits(literals=("class", "("), doubted=True))
