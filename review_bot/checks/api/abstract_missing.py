"""A class that the change leaves with an abstract method, although code makes objects of it.

Either the class is new and lacks the method, or the change declares the method in a base.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.abstract_methods import declares, left_abstract
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, listed
from review_bot.analysis.python.statements import decorator_names, is_function
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_set_aside

_MOST_CLASSES = 200
_MOST_FILES = 200


class Touched(NamedTuple):
    """A class with an added line that matters. ``declares``: it is an abstract method; else the class is new."""

    owner: str
    line: int
    declares: str


def gather(source: SourceFile) -> tuple[Touched, ...] | None:
    """Return the new classes with bases, and the abstract methods that are new, of one file. Raises CannotParse."""
    found: list[Touched] = []
    for owner in source.tree.body:
        if not isinstance(owner, ast.ClassDef):
            continue
        if owner.bases and owner.lineno in source.added and not declares(owner):
            found.append(Touched(owner.name, owner.lineno, ""))
        found += [
            Touched(owner.name, each.lineno, each.name)
            for each in owner.body
            if is_function(each) and each.lineno in source.added and _is_abstract(each)
        ]
    return tuple(found) or None


def _is_abstract(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return "abstractmethod" in decorator_names(function)


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the class or the declaration; where objects are made is among its related places."""
    side = codebase.head
    lines: dict[Symbol, dict[str, tuple[str, int]]] = {}
    for path, found in sorted(facts.items()):
        for each in found:
            here = Symbol(path, each.owner)
            heirs = [here]
            if each.declares:
                heirs = [Symbol(below.path, below.definition.name) for below in subclasses(side, each.owner)]
            for heir in heirs:
                lacking = [(name, at) for name, at in left_abstract(side, heir) if each.declares in {"", name}]
                for name, at in lacking if len(lines) < _MOST_CLASSES else ():
                    if not each.declares or at == here:
                        lines.setdefault(heir, {}).setdefault(name, (path, each.line))
    made = _made(set(lines), codebase)
    for symbol in sorted(lines):
        if symbol in made:
            yield _hit(symbol, lines[symbol], made[symbol], codebase)


def _hit(symbol: Symbol, names: Mapping[str, tuple[str, int]], places: list[Related], codebase: Codebase) -> Hit:
    node = call_targets(codebase.head).class_of(symbol)
    path, line = min(names.values())
    related = [Related(symbol.path, 1 if node is None else node.lineno, "lacks it"), *places]
    values = {"names": listed(sorted(names)), "owner": symbol.name, "place": f"`{places[0].path}:{places[0].line}`"}
    statement = f"{symbol.name} {' '.join(sorted(names))}"
    return Hit(line, path=path, values=values, related=tuple(related[:MOST_RELATED]), statement=statement)


def _made(symbols: set[Symbol], codebase: Codebase) -> dict[Symbol, list[Related]]:
    """Return where the tree makes objects of some classes."""
    found: dict[Symbol, list[Related]] = {}
    names = frozenset(symbol.name for symbol in symbols)
    held = {path: here for path, here in words_held(codebase.head, names).items() if not is_set_aside(path)}
    targets = call_targets(codebase.head)
    for path, here in held.items() if names and len(held) <= _MOST_FILES else ():
        file = targets.file(path)
        for call in () if file is None else file.calls(here):
            symbol = None if file is None else targets.named_by(file, call.node.func, call.scopes)
            if symbol in symbols and symbol is not None:
                place = line_in_file(path, call.node.lineno, codebase.head)
                found.setdefault(symbol, []).append(Related(path, place, "makes an object of it"))
    return found


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("class",)))
