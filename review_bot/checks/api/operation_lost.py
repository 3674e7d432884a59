"""What code still does to the objects of a class although the change removes the method that makes it possible.

::

    class Pool:
        def __enter__(self): ...        removed
    with Pool() as pool: ...            TypeError

It goes with its lines, or with the base class that has it. Objects count that the code itself makes, and ``self``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.borrowed_methods import has_borrowed_methods
from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.class_family import names_above
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.edited_classes import edited_module, lost_bases
from review_bot.analysis.facts.made_objects import MadeObjects, functions_that_make
from review_bot.analysis.facts.members import lacks, members, own_members
from review_bot.analysis.facts.operations import METHODS, Operation, operations
from review_bot.analysis.facts.read_only import is_made
from review_bot.analysis.facts.receivers import owner_of
from review_bot.analysis.facts.running_code import RunningCode, Scope
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.uses import is_set_elsewhere
from review_bot.analysis.facts.word_search import held_before, unused_copies, words_held
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.statements import assigned_values, is_function, last_name, targets_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit

_MOST_FILES = 200
"""Files of the base that are parsed for one change; with them, all that it touches."""
_EXPECTED = frozenset({"AttributeError", "TypeError", "Exception", "BaseException"})
_OF_LIBRARIES = frozenset({"_modules", "model_fields", "trainable_parameters"})
"""Names that only bases in libraries have, which define such methods too."""


class Lost(NamedTuple):
    """A method that a class lost, and the removed line of it; empty: those of bases, with the line of the header."""

    owner: str
    name: str
    line: int
    old_path: str


def gather(source: SourceFile) -> tuple[Lost, ...] | None:
    """Return the methods of this kind that classes which both sides have no longer define."""
    if (old := edited_module(source)) is None:
        return None
    kept = {each.name: each.names for each in own_members(source.tree)}
    new = {each.name for each in source.tree.body if isinstance(each, ast.ClassDef)}
    found: list[Lost] = []
    for owner in (each for each in old.body if isinstance(each, ast.ClassDef) and each.name in new):
        for name, first, last in _defined(owner):
            line = source.first_removed(first, last)
            if line is not None and name not in kept[owner.name]:
                found.append(Lost(owner.name, name, line, source.change.base_path))
    found += (Lost(name, "", line, source.change.base_path) for name, line in lost_bases(source, old))
    return tuple(found) or None


def _defined(owner: ast.ClassDef) -> Iterator[tuple[str, int, int]]:
    """Yield the methods of this kind that the body of a class binds, each with the lines of its header."""
    for statement in owner.body:
        if is_function(statement) and statement.name in METHODS:
            yield statement.name, statement.lineno, max(statement.lineno, statement.body[0].lineno - 1)
        for target in targets_of(statement):
            if isinstance(target, ast.Name) and target.id in METHODS:
                yield target.id, statement.lineno, last_line(target)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the removed line of each method that some code still needs; that code is its related places."""
    side = codebase.head
    lost: dict[tuple[Symbol, str], Lost] = {}
    for path, each in each_fact(facts):
        for name in _names(path, each, codebase):
            lost.setdefault((Symbol(path, each.owner), name), each)
    lost = {key: each for key, each in lost.items() if not is_set_elsewhere(side, key[1])}
    uses: dict[tuple[Symbol, str], set[Related]] = {}
    search = _Search(frozenset(lost), codebase)
    for path in _holders({owner.name for owner, _ in lost}, codebase):
        file = call_targets(side).file(path)
        for key, node, words in () if file is None else search.uses(file):
            uses.setdefault(key, set()).add(Related(path, line_in_file(path, node.lineno, side), words))
    for key in sorted(uses):
        owner, name = key
        places = sorted(uses[key])
        where, _ = places_in_words(places[:1])
        others = "" if len(places) == 1 else f", and {len(places) - 1} more do the like"
        yield Hit(
            lost[key].line,
            side="LEFT",
            path=owner.path,
            values={"name": name, "owner": owner.name, "uses": f"{where} still {places[0].note} an object of"}
            | {"others": others},
            related=tuple(places[:MOST_RELATED]),
            statement=f"{owner.name}.{name}",
        )


def _names(path: str, lost: Lost, codebase: Codebase) -> frozenset[str]:
    """Return the methods that a class had at the base and does not have now, if all that it has is known."""
    before = members(codebase.base, Symbol(lost.old_path, lost.owner))
    after = members(codebase.head, Symbol(path, lost.owner))
    if not after.shown or not _OF_LIBRARIES.isdisjoint(after.names):
        return frozenset()
    gone = (before.names & METHODS) - after.names
    return gone & {lost.name} if lost.name else gone if before.shown else frozenset()


def _holders(names: set[str], codebase: Codebase) -> list[str]:
    """Return the files that may make objects of some classes; none if these are too many."""
    side = codebase.head
    wanted = {each for name in names for each in (name, *(one.definition.name for one in subclasses(side, name)))}
    wanted |= {maker for name in wanted for maker in functions_that_make(side, name)}
    held = words_held(side, wanted).keys() - unused_copies(side) if wanted else set[str]()
    return sorted(held) if len(held & held_before(side, wanted)) <= _MOST_FILES else []


class _Search:
    """Finds the code that needs what is lost."""

    def __init__(self, lost: frozenset[tuple[Symbol, str]], codebase: Codebase) -> None:
        self._lost, self._codebase, self._side = lost, codebase, codebase.head
        self._targets: CallTargets = call_targets(codebase.head)
        self._objects = MadeObjects(codebase)

    def uses(self, file: CodeFile) -> Iterator[tuple[tuple[Symbol, str], ast.expr, str]]:
        """Yield what is lost with the object that needs it and what is done to that, in words."""
        names = {name for _, name in self._lost}
        written = {each.value for each in nodes_of(file.tree, ast.Constant) if isinstance(each.value, str)}
        made = {last_name(target) for target, value in assigned_values(file.tree) if isinstance(value, ast.Call)}
        by_value: dict[ast.expr, list[Operation]] = {}
        for each in operations(file.tree):
            is_object = isinstance(each.value, ast.Call) or last_name(each.value) in made | {"self"}
            if is_object and each.needs & names and written.isdisjoint(each.needs):
                by_value.setdefault(each.value, []).append(each)
        running = RunningCode(file.tree, constants_of(file.tree))
        for value, scopes in running.of(list(by_value), _EXPECTED):
            for each in by_value[value]:
                key = self._needed(file, each, scopes)
                if key is not None:
                    yield key, value, each.words

    def _needed(self, file: CodeFile, done: Operation, scopes: tuple[Scope, ...]) -> tuple[Symbol, str] | None:
        """Return what is lost that an operation surely needs."""

        def key_of(owner: Symbol) -> tuple[Symbol, str] | None:
            found = members(self._side, owner)
            if not found.shown or not found.names.isdisjoint(done.needs | _OF_LIBRARIES):
                return None
            classes = [owner, *(each for each in self._targets.bases(owner) if each is not None)]
            keys = ((each, name) for each in classes for name in sorted(done.needs))
            return next((key for key in keys if key in self._lost), None)

        around = owner_of(scopes)
        if isinstance(done.value, ast.Name) and done.value.id == "self":
            here = None if around is None else Symbol(file.path, around[0].name)
            is_own = here is not None and around is not None and self._targets.class_of(here) is around[0]
            return key_of(here) if here is not None and is_own and self._is_of_class(here, done) else None
        made = self._objects.class_of(file, done.value, scopes, lambda owner: key_of(owner) is not None)
        return None if made is None else key_of(made)

    def _is_of_class(self, owner: Symbol, done: Operation) -> bool:
        """Return whether ``self`` surely lacks what an operation needs, also as an object of a class below."""
        is_shown = names_above(self._side, owner.path, owner.name) is not None
        is_shown = is_shown and not has_borrowed_methods(self._codebase.base, owner) and is_made(self._side, owner.name)
        return is_shown and all(lacks(self._side, owner, name) for name in done.needs)


CHECK = change_check(gather, relate, CheckTraits(literals=("class",), reads_old=True, on_lines=False))
