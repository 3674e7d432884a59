"""The files that may call functions whose parameters a change alters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from review_bot.analysis.facts.calls_in_text import calls_in_text, names_called
from review_bot.analysis.facts.changed_signatures import ChangedSignature
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.runs import IMPLICIT, Symbol
from review_bot.analysis.facts.signatures import CallForm, form_of, misfit
from review_bot.analysis.facts.word_search import (
    files_with,
    held_before,
    looked_at,
    rarest_of,
    unused_copies,
    words_held,
)
from review_bot.analysis.project.import_clauses import import_clauses, names_given
from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.project.notebooks import code_of
from review_bot.analysis.python.assigned_names import partials_in
from review_bot.analysis.python.statements import last_name, targets_of
from review_bot.changes.codebase import Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple

_MOST_FILES = 400
_MOST_FOR_EACH = 4
"""Files of the base that are parsed for one change, and more for each function that it changes; with them, all that it
touches.

Those come first with a call that seems to fail now, and of them those with the rarest name, as the change may also edit
a function whose name is everywhere.
"""

_MOST_ALIASES = 3
"""Modules in a row that give another name to what changed."""


class CandidateCallers(NamedTuple):
    """The files that may call what changed, other names under which they may, and the classes that run it unnamed."""

    paths: list[str]
    aliases: frozenset[str]
    classes: frozenset[str]


def candidate_callers(changed: Mapping[Symbol, ChangedSignature], side: Snapshot) -> CandidateCallers:
    """Return the files that may call what changed, and by which names.

    They have its name or such a name; for a class, that of a class below it.
    """
    functions = {symbol.name.rpartition(".")[2] for symbol in changed}.difference(IMPLICIT)
    owners = {symbol: symbol.name.rpartition(".")[0] for symbol in changed}
    heirs = {owner: {each.definition.name for each in subclasses(side, owner)} for owner in {*owners.values()} - {""}}
    names = {symbol: {owner} | heirs[owner] if owner else {symbol.name} for symbol, owner in owners.items()}
    files_with(side, functions.union(*names.values()))  # so that all are looked for at once
    aliases = functions
    for _ in range(_MOST_ALIASES if functions else 0):
        aliases = _with_aliases(aliases, side)
    aliases = aliases - functions
    wanted = set(files_with(side, aliases))
    for symbol, owner in owners.items():
        method = symbol.name.rpartition(".")[2]
        found = set(files_with(side, names[symbol]))
        wanted |= found if method in IMPLICIT or not owner else found.intersection(files_with(side, {method}))
    unnamed = (names[each] for each in changed if each.name.rpartition(".")[2] in IMPLICIT)
    paths = sorted(wanted - unused_copies(side))
    most = _MOST_FILES + _MOST_FOR_EACH * len(changed)
    if len(paths) > most:
        rarest = _rarest_names({owners[each] or each.name: bool(owners[each]) for each in changed}, side)
        forms: dict[str, list[ChangedSignature]] = {}
        for symbol, each in changed.items():
            method = symbol.name.rpartition(".")[2]
            called = {f".{method}"} if owners[symbol] and method not in IMPLICIT else names[symbol]
            for name in called if owners[symbol] else called | aliases:
                forms.setdefault(name, []).append(each)
        failing = {*_seem_to_fail(paths, forms, side)}
        paths = looked_at(side, paths, most, lambda path: (path not in failing, rarest.get(path, len(side.paths))))
    return CandidateCallers(paths, frozenset(aliases), frozenset[str]().union(*unnamed))


def _rarest_names(changed: Mapping[str, bool], side: Snapshot) -> dict[str, int]:
    """Return how many files of the base have the rarest name that each of them has: of what changed, or a class below.

    ``changed``: the names of functions and classes, and whether each is a class.
    """
    base = side.earlier or side
    below = (each.definition.name for name, is_class in changed.items() if is_class for each in subclasses(base, name))
    return rarest_of(words_held(base, {*changed, *below}))


def _seem_to_fail(paths: list[str], forms: Mapping[str, list[ChangedSignature]], side: Snapshot) -> Iterator[str]:
    """Yield the files with a call, as their text reads, that fitted before and no longer does.

    It is of what they import, or of a method. ``forms``: by the name of a function or class, or of a ``.method``.
    """
    tree, names = module_tree(side), names_called(each.removeprefix(".") for each in forms)
    for path in paths:
        text = code_of(path, side) or ""
        imported: set[str] = set()
        for module, level, words in import_clauses(text):
            if module is None or places_of(module, level, path, tree):
                imported.update(word.rpartition(".")[2] for word in words)
        for called in calls_in_text(text, names):
            known = (called.name if called.owner is None else called.owner) in imported
            may_run = forms.get(called.name, []) if known else []
            may_run = may_run if called.owner is None else may_run + forms.get(f".{called.name}", [])
            if any(called.call is None or _fails_now(form_of(called.call), each) for each in may_run):
                yield path
                break


def _fails_now(form: CallForm, changed: ChangedSignature) -> bool:
    return None not in (misfit(form, each) for each in changed.after) and any(
        misfit(form, each) is None for each in changed.before
    )


def _with_aliases(names: set[str], side: Snapshot) -> set[str]:
    """Return names, and those that a module gives to what has one: ``a = name``, ``import name as a``.

    Few files are parsed, as they are candidates in any case; many are read as text, where a form may be missed. How
    many they are is not up to the change.
    """
    files = [path for path in files_with(side, names) if path not in unused_copies(side)]
    if len(held_before(side, names).intersection(files)) <= _MOST_FILES:
        return names.union(*(_aliases_in(tree, names) for path in files if (tree := side.tree(path)) is not None))
    each = "|".join(map(re.escape, sorted(names)))
    # Both expressions begin with what is quickly found; a line end behind one alias is also the one before the next.
    assigned = re.compile(
        rf"\n(\w+)[ \t]*(?::[^=\n]*)?=[\s(]*(?:(?:\w{{1,60}}\.)?partial\(\s*)?"
        rf"(?:\w{{1,60}}\.){{0,4}}(?:{each})[ \t\r]*(?=[,)\n#])"
    )
    found = set(names)
    for path in files:
        text = f"\n{side.text(path) or ''}"
        found.update(assigned.findall(text))
        found.update(given for name, given in names_given(text) if name in names)
    return found


def _aliases_in(tree: ast.Module, names: AbstractSet[str]) -> Iterator[str]:
    for source in nodes_of(tree, ast.ImportFrom):
        yield from (each.asname for each in source.names if each.asname is not None and each.name in names)
    partials = partials_in(tree)
    assigns: list[ast.Assign | ast.AnnAssign] = [*nodes_of(tree, ast.Assign), *nodes_of(tree, ast.AnnAssign)]
    for node in assigns:
        value = node.value
        if isinstance(value, ast.Call) and last_name(value.func) in partials and value.args:
            value = value.args[0]
        if isinstance(value, (ast.Name, ast.Attribute)) and last_name(value) in names:
            yield from (target.id for target in targets_of(node) if isinstance(target, ast.Name))
