"""A default that a change gives another value, while another definition of the same parameter keeps the old one.

Parameters of functions, fields of classes and options of argparse count. Only a name whose definitions all had one
default at the base is reported: a group that has always differed is one on purpose. The owners must have to do with
each other: one is an option, a file names both, they share a base class, or their names say so, as ``Engine`` and
``AsyncEngine`` do.

A default that changes together with all that the file makes of the value is left alone, as its meaning changes::

    def ask(server="localhost:80"): return get(f"http://{server}/")            before
    def ask(server="http://localhost:80"): return get(f"{server}/")            after
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.name_words import words_in
from review_bot.analysis.python.option_destination import destination, used_default
from review_bot.analysis.python.stated_defaults import literal
from review_bot.analysis.python.statements import defaults_of, functions_of, last_name
from review_bot.analysis.python.syntax import keyword
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library, release_of

_MOST_FILES = 40
_MOST_OTHERS = 4
"""Other definitions; a name that more of them have is a common word."""
_SHORTEST_NAME = 8
_SMALLEST = 10
"""Whole numbers below it are the default of many things."""
_SHORTEST_TEXT = 3

_MANY_WORDS = 2
"""Words that the names of two classes or functions share, from which on they belong together."""
_OF_ANYTHING = frozenset(
    {"ABC", "BaseModel", "Enum", "Exception", "Generic", "Module", "NamedTuple", "Protocol", "object"}
)
"""Base classes that say nothing of what a class is for."""

_Value = int | float | str


class _Default(NamedTuple):
    """A default: of which parameter, field or option, in which function or class, and where."""

    name: str
    owner: str
    value: _Value
    line: int
    bases: tuple[str, ...] = ()

    @property
    def known_as(self) -> str:
        """The name of the class, or of the function outside classes; empty for an option."""
        owner, _, function = self.owner.partition(".")
        return owner or function


class Changed(NamedTuple):
    """A default with another value than at the base. ``of``: what it is a default of, and the base classes of that."""

    name: str
    before: _Value
    after: _Value
    line: int
    of: str = ""
    bases: tuple[str, ...] = ()


def gather(source: SourceFile) -> tuple[Changed, ...] | None:
    """Return the defaults that added lines change. Raises CannotParse."""
    if not source.added or not source.removed or source.known_old_tree is None or not is_library(source.path):
        return None
    before = {(each.owner, each.name): each for each in _defaults(source.known_old_tree)}
    found: list[Changed] = []
    for each in _defaults(source.tree):
        old = before.get((each.owner, each.name))
        if old is None or each.line not in source.added or old.value == each.value or len(each.name) < _SHORTEST_NAME:
            continue
        if _says_something(old.value) and isinstance(each.value, str) is isinstance(old.value, str):
            found.append(Changed(each.name, old.value, each.value, each.line, each.known_as, each.bases))
    return tuple(each for each in found if not _is_used_otherwise(each.name, source)) or None


def _is_used_otherwise(name: str, source: SourceFile) -> bool:
    """Return whether added lines hold all that a file makes of a value, besides storing it: its meaning may change."""
    stored = {
        id(each.value)
        for each in source.nodes(ast.Assign)
        if isinstance(each.value, ast.Name) and len(each.targets) == 1 and last_name(each.targets[0]) == name
    }
    reads: list[ast.Name | ast.Attribute] = [each for each in source.nodes(ast.Name) if each.id == name]
    reads += [each for each in source.nodes(ast.Attribute) if each.attr == name]
    used = [each.lineno for each in reads if isinstance(each.ctx, ast.Load) and id(each) not in stored]
    return bool(used) and all(line in source.added for line in used)


def _says_something(value: _Value) -> bool:
    """Return whether two equal defaults are hardly so by chance."""
    if isinstance(value, str):
        return len(value) >= _SHORTEST_TEXT
    return isinstance(value, float) or abs(value) >= _SMALLEST


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each such change."""
    changed: dict[tuple[str, _Value], list[tuple[str, Changed]]] = {}
    for path, each in each_fact(facts):
        changed.setdefault((each.name, each.before), []).append((path, each))
    for (name, before), places in sorted(changed.items(), key=str):
        earlier, now = _of_tree(name, codebase.base), _of_tree(name, codebase.head)
        if earlier is None or now is None or {each.value for _, each in earlier} != {before}:
            continue
        had = {path for path, _ in earlier}
        changed_in = {release_of(path) for path, _ in places}
        of_change = [each for _, each in places]
        others = [
            Related(path, each.line, f"still has {before!r}")
            for path, each in now
            if each.value == before and path in had and release_of(path) in changed_in
            if any(_belongs_to(each, one, codebase.head) for one in of_change)
        ]
        if not 0 < len(others) <= _MOST_OTHERS:
            continue
        where, alone = places_in_words(others)
        path, first = places[0]
        values = {"name": name, "before": repr(before), "after": repr(first.after), "where": where}
        values["verb"] = "has" if alone else "have"
        yield Hit(
            first.line, values=values, path=path, related=tuple(others[:MOST_RELATED]), statement=f"default {name}"
        )


def _belongs_to(other: _Default, changed: Changed, side: Snapshot) -> bool:
    """Return whether what two defaults are of has to do with each other, so that one value may be meant for both."""
    first, second = changed.of, other.known_as
    if not first or not second or first == second:
        return True
    words, more = set(words_in(first)), set(words_in(second))
    if words <= more or more <= words or len(words & more) >= _MANY_WORDS:
        return True
    if not _OF_ANYTHING.issuperset(set(changed.bases).intersection(other.bases)):
        return True
    naming = set(files_with(side, [first], ".py")).intersection(files_with(side, [second], ".py"))
    return any(map(is_library, naming))


def _of_tree(name: str, side: Snapshot) -> list[tuple[str, _Default]] | None:
    """Return the defaults that the library of one side has under a name; None: too many files hold the name."""
    paths = [path for path in files_with(side, [name], ".py") if is_library(path)]
    if len(paths) > _MOST_FILES:
        return None
    trees = ((path, side.tree(path)) for path in paths)
    return [(path, each) for path, tree in trees if tree is not None for each in _defaults(tree) if each.name == name]


@kept_on_node
def _defaults(tree: ast.Module) -> tuple[_Default, ...]:
    return tuple(_found(tree))


def _found(tree: ast.Module) -> Iterator[_Default]:
    classes = nodes_of(tree, ast.ClassDef)
    owners = {id(each): owner for owner in classes for each in owner.body}
    for function in functions_of(tree):
        around = owners.get(id(function))
        if around is not None and "Protocol" in _bases(around):
            continue  # nothing calls what only declares it
        owner = f"{'' if around is None else around.name}.{function.name}"
        for argument, default in defaults_of(function):
            if (value := _literal(default)) is not None:
                yield _Default(argument.arg, owner, value, default.lineno, _bases(around))
    for node in classes:
        for each in node.body:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.value is not None:
                default = each.value
                if isinstance(default, ast.Call) and last_name(default.func) in {"field", "Field"}:
                    default = keyword(default, "default") or (default.args[0] if default.args else default)
                if (value := _literal(default)) is not None:
                    yield _Default(each.target.id, node.name, value, default.lineno, _bases(node))
    calls = [each for each in nodes_of(tree, ast.Call) if last_name(each.func) == "add_argument"]
    stored = [destination(each) for each in calls]
    for call, name in zip(calls, stored, strict=True):
        given = used_default(call)
        # Of two options that are stored in one place the first one's default holds, whatever the second one's is.
        if given is not None and name and stored.count(name) == 1 and (value := _literal(given)) is not None:
            yield _Default(name, "", value, given.lineno)


def _bases(node: ast.ClassDef | None) -> tuple[str, ...]:
    return () if node is None else tuple(filter(None, map(last_name, node.bases)))


def _literal(node: ast.expr) -> _Value | None:
    """Return a number or a text that is written out; no truth value."""
    known = literal(node)
    return None if known is None or isinstance(known.value, bool) else known.value


CHECK = change_check(gather, relate, CheckTraits(literals=("=",), reads_old=True))
