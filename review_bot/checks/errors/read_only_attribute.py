"""An assignment to an attribute that the class of the object does not let anyone set.

Of the assignments that the change adds, each counts. Of the others, those count that the class took at the base: the
change froze it, removed a setter, or gave it ``__slots__``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.code_file import AttributeUse, CodeFile
from review_bot.analysis.facts.declared_class import declared_class, is_typed
from review_bot.analysis.facts.made_objects import MadeObjects, functions_that_make
from review_bot.analysis.facts.members import is_of_family_alone
from review_bot.analysis.facts.read_only import ReadOnly, read_only, read_only_below
from review_bot.analysis.facts.receivers import is_the_class, owner_of, receiver
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.signatures import bound_once
from review_bot.analysis.facts.word_search import files_with, looked_at, rarest_of, unused_copies, words_held
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.bindings import binding_counts, bound_names
from review_bot.analysis.python.statements import (
    decorator_names,
    is_function,
    last_name,
    targets_of,
)
from review_bot.analysis.python.syntax import class_at, is_name, structure
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test

_TAKING_BASES = frozenset({"object", "Module", "ABC", "Generic", "Protocol"})
"""Bases whose objects take any attribute."""
_WANTED = frozenset({"AttributeError", "FrozenInstanceError"})
_MOST_FILES = 200
"""Files of the base that are parsed for the classes that one change edits; with them, all that it touches."""


class Facts(NamedTuple):
    """The attributes that added lines set, with their lines, and the edited classes, each with a line at the head."""

    stores: tuple[tuple[str, int], ...]
    classes: tuple[tuple[str, int], ...]
    old_path: str


class _Refused(NamedTuple):
    """An assignment that fails: its line, the attribute, the class of the object, and why. ``sure``: whatever runs."""

    line: int
    target: str
    name: str
    owner: Symbol
    why: ReadOnly
    sure: bool


def gather(source: SourceFile) -> Facts | None:
    """Return what one file sets on added lines, and the classes that take attributes otherwise. Raises CannotParse."""
    if source.text is None:
        return None
    added = [each for each in source.nodes(ast.Attribute) if each.lineno in source.added]
    stores = [each for each in added if isinstance(each.ctx, ast.Store)]
    owners = {each.name: each for each in source.nodes(ast.ClassDef)} if stores else {}
    found = tuple((each.attr, each.lineno) for each in stores if _may_be_read_only(each, source, owners))
    edited = tuple(_edited(source))
    return Facts(found, edited, source.change.base_path) if found or edited else None


def _may_be_read_only(store: ast.Attribute, source: SourceFile, owners: Mapping[str, ast.ClassDef]) -> bool:
    """Return whether the class of an object may be known, and may not be one that takes any attribute."""
    if not is_name(store.value, "self"):
        made = isinstance(store.value, ast.Call) or last_name(store.value) in _results(source)
        return made or is_typed(store.value, source)
    owner = owners.get(class_at(store.lineno, source.tree))
    if owner is None:
        return False
    return (
        bool(owner.decorator_list)
        or not {last_name(base) for base in owner.bases} <= _TAKING_BASES
        or not {store.attr, "__slots__"}.isdisjoint(bound_names(_limiting(owner)))
    )


@query
def _results(source: SourceFile) -> frozenset[str]:
    """Return the names and attributes to which a file assigns what a call returns, which may make an object."""
    assigns = (each for each in source.nodes(ast.Assign) if isinstance(each.value, ast.Call))
    return frozenset(last_name(target) for each in assigns for target in each.targets)


def _limiting(owner: ast.ClassDef) -> Iterator[ast.stmt]:
    """Yield the statements of a class body that may forbid to set an attribute, or allow it again."""
    for each in owner.body:
        is_accessor = is_function(each) and not {"property", "setter"}.isdisjoint(decorator_names(each))
        if is_accessor or any(is_name(one, "__slots__") for one in targets_of(each)):
            yield each


def _edited(source: SourceFile) -> Iterator[tuple[str, int]]:
    old = source.known_old_tree if source.old_text else None
    before = {} if old is None else {each.name: each for each in bound_once(old.body)}
    for each in bound_once(source.tree.body) if before else ():
        was = before.get(each.name)
        if isinstance(each, ast.ClassDef) and isinstance(was, ast.ClassDef) and _taking(each) != _taking(was):
            yield each.name, source.first_added(*span_of(each)) or each.lineno


def _taking(node: ast.ClassDef) -> list[str]:
    """Return what decides on the attributes that objects take; that of data classes depends on their fields."""
    fields = [each for each in node.body if isinstance(each, ast.AnnAssign)] if node.decorator_list else []
    parts: list[ast.AST] = [*node.decorator_list, *node.bases, *node.keywords, *(each.target for each in fields)]
    for each in _limiting(node):
        parts += [ast.Name(each.name), *each.decorator_list] if is_function(each) else [each]
    return [structure(each) for each in parts]


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each such assignment that the change adds, and on each class that refuses unchanged ones now."""
    targets, objects = call_targets(codebase.head), MadeObjects(codebase)
    for path, found in sorted(facts.items()):
        file = targets.file(path) if found.stores else None
        for each in () if file is None else _refused(file, found.stores, objects, codebase):
            yield _hit(each, path)
    edited = {Symbol(path, name): line for path, found in facts.items() for name, line in found.classes}
    if not edited:
        return
    old_paths = {each.path: each.base_path for each in codebase.change.files}
    added = codebase.change.added_numbers()
    families = {owner: _family(owner, codebase.head) for owner in edited}
    left: dict[Symbol, dict[Related, _Refused]] = {}
    for path in _users(families, codebase.head):
        if (file := targets.file(path)) is None:
            continue
        here = added.get(path, frozenset())
        stores = [each for each in nodes_of(file.tree, ast.Attribute) if isinstance(each.ctx, ast.Store)]
        old = tuple((each.attr, each.lineno) for each in stores if each.lineno not in here)
        for each in _refused(file, old, objects, codebase):
            owner = next((one for one, family in families.items() if each.owner in family), None)
            before = each.owner._replace(path=old_paths.get(each.owner.path, each.owner.path))
            took = call_targets(codebase.base).class_of(before) is not None
            if owner is not None and took and read_only(codebase.base, before, each.name) is None:
                left.setdefault(owner, {})[Related(path, each.line, f"sets `{each.target}`")] = each
    for owner, places in sorted(left.items()):
        yield _hit_on_class(owner, edited[owner], places)


def _family(owner: Symbol, side: Snapshot) -> set[Symbol]:
    below = subclasses(side, owner.name)
    return {owner, *(Symbol(each.path, each.definition.name) for each in below)}


def _users(families: Mapping[Symbol, AbstractSet[Symbol]], side: Snapshot) -> list[str]:
    """Return the files that may set something on objects of some classes: of too many, those with the rarest names.

    A class that the change adds below an edited one may have a name that is everywhere, and so makes no file likely.
    """
    names = {each.name for family in families.values() for each in family}
    names = names.union(*(functions_that_make(side, each) for each in names))
    paths = [path for path in files_with(side, names, ".py") if path not in unused_copies(side)]
    base = side.earlier or side
    rarest = rarest_of(words_held(base, {each.name for owner in families for each in _family(owner, base)}))
    return looked_at(side, paths, _MOST_FILES, lambda path: (rarest.get(path, len(side.paths)),))


def _refused(
    file: CodeFile, stores: tuple[tuple[str, int], ...], objects: MadeObjects, codebase: Codebase
) -> Iterator[_Refused]:
    """Yield those of some assignments in a file that fail."""
    wanted = set(stores)
    names = frozenset(name for name, _ in wanted)
    bare = {each.target for each in nodes_of(file.tree, ast.AnnAssign) if each.value is None}  # sets nothing
    for use in file.attributes(names, ast.Store):
        is_wanted = (use.node.attr, use.node.lineno) in wanted and use.node not in bare
        found = _refusal(file, use, objects, codebase) if is_wanted else None
        if found is not None and not _may_want_error(file):
            yield found


def _may_want_error(file: CodeFile) -> bool:
    """Return whether a file is a test that names the error, which it may want of a function that it defines."""
    return is_test(file.path) and any(last_name(each) in _WANTED for each in walk(file.tree))


def _refusal(file: CodeFile, use: AttributeUse, objects: MadeObjects, codebase: Codebase) -> _Refused | None:
    name, value, side = use.node.attr, use.node.value, codebase.head
    declared = declared_class(call_targets(side), file, value, use.scopes)
    around = owner_of(use.scopes)
    if around is not None and is_name(value, receiver(around[1]) or ""):
        sure = is_name(value, "self") and not is_the_class(value, around[1])
        owner = declared if sure and binding_counts(around[1])["self"] == 1 else None
        why = None if owner is None else read_only_below(side, owner, name)
    elif declared is not None and read_only(side, declared, name) is None:
        return None
    else:
        owner = objects.class_of(file, value, use.scopes, lambda made: read_only(side, made, name) is not None)
        sure = owner is not None
        why = None if owner is None else read_only(side, owner, name)
        if owner is None and declared is not None and (why := read_only_below(side, declared, name)) is not None:
            owner, sure = declared, is_of_family_alone(side, declared, name)
    if owner is None or why is None:
        return None
    return _Refused(use.node.lineno, ast.unparse(use.node), name, owner, why, sure)


def _hit(each: _Refused, path: str) -> Hit:
    return Hit(
        each.line,
        values={"target": each.target, "why": each.why.why},
        path=path,
        related=(Related(each.why.path, each.why.line, f"`{each.owner.name}`"),),
        severity=None if each.sure else "warning",
        subject=f"{each.owner.path}:{each.owner.name}",
    )


def _hit_on_class(owner: Symbol, line: int, places: Mapping[Related, _Refused]) -> Hit:
    ordered = sorted(places, key=lambda place: (not places[place].sure, place))
    first = places[ordered[0]]
    where, _ = places_in_words(ordered[:1])
    others = len(ordered) - 1
    more = f", and {others} more {'place does' if others == 1 else 'places do'} the like" if others else ""
    return Hit(
        line,
        path=owner.path,
        message=f"{where} still sets `{first.target}`{more}, which fails after this change: {first.why.why}.",
        related=tuple(ordered[:MOST_RELATED]),
        statement=f"class {owner.name}",
        severity=None if first.sure else "warning",
    )


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True))
