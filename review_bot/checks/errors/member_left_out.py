"""A new member of an enumeration that a table or a chain of conditions elsewhere, complete until now, leaves out.

::

    SUFFIX = {Kind.TEXT: "txt", Kind.IMAGE: "png"}         Kind.AUDIO is new: SUFFIX[kind] raises KeyError
    if kind == Kind.TEXT: ...
    elif kind == Kind.IMAGE: ...                           no branch handles Kind.AUDIO, and there is no else
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, names_in_words, places_in_words
from review_bot.analysis.python.statements import leaves
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_set_aside, is_test

_ENUMS = frozenset(f"{prefix}{name}" for prefix in ("", "enum.") for name in ("Enum", "IntEnum", "StrEnum"))
_MOST_FILES = 100
_FEWEST = 2


class Grown(NamedTuple):
    """An enumeration with new members, the line of the first, and the members that it had."""

    owner: str
    new: tuple[str, ...]
    line: int
    before: tuple[str, ...]


def gather(source: SourceFile) -> tuple[Grown, ...] | None:
    """Return the enumerations of one file that have old and new members. Raises CannotParse."""
    old = source.known_old_tree
    were = {owner.name: set(_members(owner)) for owner in _enumerations(old)} if old is not None else {}
    found: list[Grown] = []
    for owner in _enumerations(source.tree) if were else ():
        members, before = _members(owner), were.get(owner.name, set[str]())
        new = [name for name in members if name not in before]
        line = next((n for n in (members[name] for name in new) if n in source.added), None)
        kept = tuple(name for name in members if name in before)
        if line is not None and len(kept) >= _FEWEST:
            found.append(Grown(owner.name, tuple(new), line, kept))
    return tuple(found) or None


def _enumerations(tree: ast.Module) -> list[ast.ClassDef]:
    return [
        each for each in tree.body if isinstance(each, ast.ClassDef) and not _ENUMS.isdisjoint(map(dotted, each.bases))
    ]


def _members(owner: ast.ClassDef) -> dict[str, int]:
    """Return the members of an enumeration with their lines; another name of a member is none."""
    found: dict[str, int] = {}
    for each in owner.body:
        if isinstance(each, ast.Assign) and not (isinstance(each.value, ast.Name) and each.value.id in found):
            names = (target.id for target in each.targets if isinstance(target, ast.Name))
            found.update((name, each.lineno) for name in names if not name.startswith("_"))
    return found


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the new member of each enumeration, with the places that handle all the others."""
    grown = {Symbol(path, each.owner): each for path, found in facts.items() for each in found}
    held = words_held(codebase.head, {symbol.name for symbol in grown})
    paths = [path for path in held if not is_set_aside(path) and not is_test(path)]
    targets = call_targets(codebase.head)
    left: dict[Symbol, list[tuple[Related, tuple[str, ...]]]] = {}
    for path in paths if len(paths) <= _MOST_FILES else ():
        file = targets.file(path)
        for symbol, each in grown.items():
            if file is None:
                continue
            names = {local for local, one in file.imports.items() if one.name == symbol.name} | {symbol.name}
            if not any(targets.named_by(file, ast.Name(name, ast.Load()), ()) == symbol for name in names):
                continue
            for line, note, handled in _handling(file, names):
                lacking = tuple(name for name in each.new if name not in handled)
                if lacking and handled.issuperset(each.before):
                    place = Related(path, line_in_file(path, line, codebase.head), note)
                    left.setdefault(symbol, []).append((place, lacking))
    for symbol, places in sorted(left.items()):
        each = grown[symbol]
        related = sorted(place for place, _ in places)
        where, alone = places_in_words(related)
        values = {
            "names": names_in_words(f"{symbol.name}.{name}" for name in {n for _, lacking in places for n in lacking}),
            "places": where,
            "verb": "handles" if alone else "handle",
        }
        yield Hit(
            each.line,
            path=symbol.path,
            values=values,
            related=tuple(related[:MOST_RELATED]),
            statement=symbol.name,
        )


def _handling(file: CodeFile, names: set[str]) -> Iterator[tuple[int, str, frozenset[str]]]:
    """Yield the tables, chains and matches of a file without a case for the rest, with the members that each names."""
    open_ended = _open_ended(file.tree)
    for table in nodes_of(file.tree, ast.Dict):
        keys = [_member(key, names) for key in table.keys]
        if keys and all(keys) and id(table) not in open_ended:
            yield table.lineno, "has no entry for it", frozenset(keys)
    inner = {id(each.orelse[0]) for each in nodes_of(file.tree, ast.If) if len(each.orelse) == 1}
    for chain in nodes_of(file.tree, ast.If):
        if id(chain) not in inner:
            handled, subject = _chain(chain, names)
            if handled and subject:
                yield chain.lineno, "has no branch for it", handled
    for match in nodes_of(file.tree, ast.Match):
        patterns = [case.pattern for case in match.cases]
        values = [_member(each.value, names) if isinstance(each, ast.MatchValue) else "" for each in patterns]
        if all(values):
            yield match.lineno, "has no case for it", frozenset(values)


def _open_ended(tree: ast.Module) -> set[int]:
    """Return the tables of which all reads have a default: ``table.get(key, default)``."""
    asked: Counter[str | None] = Counter()
    for call in nodes_of(tree, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "get" and len(call.args) == 2:
            asked[dotted(call.func.value)] += 1
    reads = Counter(each.id for each in nodes_of(tree, ast.Name) if isinstance(each.ctx, ast.Load))
    made = {id(each.value): dotted(each.targets[0]) or "" for each in nodes_of(tree, ast.Assign)}
    return {table for table, name in made.items() if 0 < reads[name] == asked[name]}


def _chain(chain: ast.If, names: set[str]) -> tuple[frozenset[str], str]:
    """Return the members that a chain of ``if`` and ``elif`` compares one thing with; none if it has an ``else``."""
    handled: set[str] = set()
    subjects: set[str] = set()
    all_leave = True
    while True:
        test = chain.test
        all_leave = all_leave and leaves(chain.body)
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Eq, ast.Is)):
            return frozenset(), ""
        handled.add(_member(test.comparators[0], names))
        subjects.add(ast.unparse(test.left))
        if not chain.orelse:
            break
        following = chain.orelse[0]
        if len(chain.orelse) > 1 or not isinstance(following, ast.If):
            return frozenset(), ""
        chain = following
    if all_leave or "" in handled or len(subjects) > 1:
        return frozenset(), ""  # where every branch leaves, what follows is the last one
    return frozenset(handled), subjects.pop()


def _member(node: ast.expr | None, names: set[str]) -> str:
    """Return the member that an expression names: ``Kind.TEXT`` or ``Kind.TEXT.value``."""
    if isinstance(node, ast.Attribute) and node.attr == "value":
        node = node.value
    is_member = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names
    return node.attr if is_member and isinstance(node, ast.Attribute) else ""


CHECK = change_check(gather, relate, CheckTraits(literals=("Enum",), reads_old=True))
