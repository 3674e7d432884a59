"""A class that the change leaves with an abstract method, although code makes objects of it, or a table holds it.

Either the class is new and lacks the method, or the change removes the method from it or from a class above, or
declares the method in a base or in the class itself. What a table of classes
holds, or a function returns, may be used without an object, so that is a lesser finding about new classes alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.abstract_methods import abstract_methods, declares, left_abstract
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.made_objects import MadeObjects
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.uses import is_set_elsewhere
from review_bot.analysis.facts.word_search import held_before, words_held
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, listed
from review_bot.analysis.python.statements import assigned_values, decorator_names, is_function, last_name
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.pull_request import Side
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_set_aside, is_test

_NAMES = "__abstractmethods__"
"""What Python looks at: https://docs.python.org/3/library/abc.html#abc.abstractmethod. Tests may empty it."""
_MOST_CLASSES = 200
_MOST_FILES = 200


class Touched(NamedTuple):
    """A class with a line that matters. ``declares``: it adds this abstract method. ``lost``: it defined this method.

    Without either the class is new. The line is one of the base if something is lost.
    """

    owner: str
    line: int
    declares: str = ""
    lost: str = ""


class _Place(NamedTuple):
    path: str
    line: int
    side: Side


def gather(source: SourceFile) -> tuple[Touched, ...] | None:
    """Return the new classes with bases, and the abstract methods that are new, of one file. Raises CannotParse."""
    found: list[Touched] = []
    for owner in source.tree.body:
        if not isinstance(owner, ast.ClassDef):
            continue
        if owner.bases and owner.lineno in source.added and not declares(owner):
            found.append(Touched(owner.name, owner.lineno))
        found += [
            Touched(owner.name, line, each.name)
            for each in owner.body
            if is_function(each)
            and _is_abstract(each)
            and (line := next((at for at in (*_header(each), owner.lineno) if at in source.added), None)) is not None
        ]
    return (*found, *_lost(source)) or None


def _lost(source: SourceFile) -> Iterator[Touched]:
    """Yield the methods that are gone from the classes which both sides have, and which are not new here."""
    old = source.known_old_tree if source.removed and source.text else None
    kept = {each.name: each for each in source.tree.body if isinstance(each, ast.ClassDef)} if old is not None else {}
    for before in () if old is None else old.body:
        owner = kept.get(before.name) if isinstance(before, ast.ClassDef) else None
        if owner is None or not isinstance(before, ast.ClassDef) or not owner.bases or owner.lineno in source.added:
            continue
        names = {each.name for each in owner.body if is_function(each)}
        for method in before.body:
            is_gone = is_function(method) and method.lineno in source.removed and method.name not in names
            if is_function(method) and is_gone and not _is_abstract(method):
                yield Touched(owner.name, method.lineno, lost=method.name)


def _header(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[int]:
    """Return the line of ``def``, and those of the decorators."""
    return [function.lineno, *(each.lineno for each in function.decorator_list)]


def _is_abstract(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return "abstractmethod" in decorator_names(function)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the class or the declaration; where objects are made is among its related places."""
    side = codebase.head
    lines: dict[Symbol, dict[str, _Place]] = {}
    for path, each in each_fact(facts):
        here = Symbol(path, each.owner)
        below = [Symbol(one.path, one.definition.name) for one in subclasses(side, each.owner)]
        name_of = each.declares or each.lost
        touched = _Place(path, each.line, "LEFT" if each.lost else "RIGHT")
        for heir in [here, *below] if name_of else [here]:
            abstract = (abstract_methods if each.declares and heir == here else left_abstract)(side, heir)
            lacking = [(name, at) for name, at in abstract if name_of in {"", name}]
            for name, at in lacking if len(lines) < _MOST_CLASSES else ():
                if not name_of:
                    lines.setdefault(heir, {})[name] = touched
                elif each.lost or at == here:
                    lines.setdefault(heir, {}).setdefault(name, touched)
    made = _made(set(lines), codebase)
    new = {
        Symbol(path, each.owner) for path, found in facts.items() for each in found if not (each.declares or each.lost)
    }
    handed = _handed(lines.keys() & new - made.keys(), side)
    for symbol in sorted(lines):
        if symbol in made:
            places = sorted(made[symbol], key=lambda place: not made[symbol][place])
            fails = f"making an object of it at `{places[0].path}:{places[0].line}` fails"
            hit = _hit(symbol, lines[symbol], places, fails, codebase)
            yield hit if any(made[symbol].values()) else hit._replace(severity="warning")
        elif symbol in handed and not subclasses(side, symbol.name):
            place = handed[symbol][0]
            fails = f"no object can be made of the class that `{place.path}:{place.line}` offers"
            yield _hit(symbol, lines[symbol], handed[symbol], fails, codebase)._replace(severity="info")


def _hit(symbol: Symbol, names: Mapping[str, _Place], places: list[Related], fails: str, codebase: Codebase) -> Hit:
    node = call_targets(codebase.head).class_of(symbol)
    path, line, on = min(names.values())
    own = {name for name, at in abstract_methods(codebase.head, symbol) if at == symbol}
    note = "declares it abstract" if own.issuperset(names) else "lacks it"
    related = [Related(symbol.path, 1 if node is None else node.lineno, note), *places]
    values = {"names": listed(sorted(names)), "owner": symbol.name, "fails": fails}
    return Hit(
        line,
        side=on,
        path=path,
        values=values,
        related=tuple(related[:MOST_RELATED]),
        statement=f"{symbol.name} {' '.join(sorted(names))}",
        message=f"`{symbol.name}` itself declares {values['names']} abstract, so {fails}."
        if own.issuperset(names)
        else None,
    )


def _made(symbols: set[Symbol], codebase: Codebase) -> dict[Symbol, dict[Related, bool]]:
    """Return where the tree makes objects of some classes, and whether surely of these."""
    found: dict[Symbol, dict[Related, bool]] = {}
    names = frozenset(symbol.name for symbol in symbols)
    held = {path: here for path, here in words_held(codebase.head, names).items() if not is_set_aside(path)}
    targets, objects = call_targets(codebase.head), MadeObjects(codebase)
    is_emptied = bool(symbols) and is_set_elsewhere(codebase.head, _NAMES)
    for path, here in held.items() if len(held.keys() & held_before(codebase.head, names)) <= _MOST_FILES else ():
        file = targets.file(path)
        if file is None:
            continue
        for call in file.calls(here):
            symbol = targets.named_by(file, call.node.func, call.scopes)
            if symbol is not None and symbol in symbols:
                place = line_in_file(path, call.node.lineno, codebase.head)
                made = objects.class_of(file, call.node, call.scopes, symbol.__eq__)
                sure = made == symbol and not is_emptied
                found.setdefault(symbol, {})[Related(path, place, "makes an object of it")] = sure
    return found


def _handed(symbols: set[Symbol], side: Snapshot) -> dict[Symbol, list[Related]]:
    """Return where tables of code outside of tests hold some classes, or functions return them."""
    found: dict[Symbol, list[Related]] = {}
    names = {symbol.name for symbol in symbols}
    targets = call_targets(side)
    for path in words_held(side, names) if names else ():
        file = None if is_test(path) or is_set_aside(path) else targets.file(path)
        for value in () if file is None else _offered(file.tree):
            symbol = targets.named_by(file, value, ()) if file is not None and last_name(value) in names else None
            if symbol in symbols and symbol is not None:
                line = line_in_file(path, value.lineno, side)
                found.setdefault(symbol, []).append(Related(path, line, "offers the class"))
    return found


def _offered(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the values of dictionaries, of entries that are set in one, and what functions return."""
    for table in nodes_of(tree, ast.Dict):
        yield from table.values
    for target, value in assigned_values(tree):
        if isinstance(target, ast.Subscript) and value is not None:
            yield value
    for statement in nodes_of(tree, ast.Return):
        if statement.value is not None:
            yield statement.value


CHECK = change_check(gather, relate, CheckTraits(literals=("class", "abstract"), reads_old=True))
