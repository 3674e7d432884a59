"""A key that a function newly needs of a dictionary, and that a dictionary with all its other keys lacks.

::

    def load(options):
        path, size, way = options["path"], options["size"], options["way"]
        graph = options["graph"]                                 new
    ...
    load({"path": p, "size": 4, "way": "HF"})                    KeyError
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.uses import uses_named
from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, names_in_words, places_in_words
from review_bot.analysis.python.node_types import COMPREHENSIONS
from review_bot.analysis.python.statements import Function, last_name, named_parameters
from review_bot.analysis.python.syntax import own_nodes, owners_of, text_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_set_aside

_FEWEST = 3
"""Other keys that the function needs, so that a dictionary which holds them all is meant for it."""
_MOST_FILES = 60
_MOST_LACKING = 3
"""Dictionaries without the key, from more than which on its other keys are those of a common format."""
_PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.Assert)


class Needed(NamedTuple):
    """The keys that every call of a function needs of a parameter: new ones, with the line of the first, and others."""

    function: str
    line: int
    new: tuple[str, ...]
    kept: tuple[str, ...]


def gather(source: SourceFile) -> tuple[Needed, ...] | None:
    """Return the functions of one file that need new keys. Raises CannotParse."""
    functions = [each for each in source.functions if source.any_added(*span_of(each))]
    before = _before(source) if functions else {}
    found: list[Needed] = []
    for function in functions:
        for name in _subscripted(function):
            needed, old = _needed(function, name), before.get((function.name, name))
            if old is None or len(needed) <= _FEWEST:
                continue
            kept = tuple(sorted(needed.keys() & old))
            new = {key: line for key, line in needed.items() if key not in old and line in source.added}
            if len(kept) >= _FEWEST and new:
                owner = owners_of(source.tree).get(function)
                shown = function.name if owner is None else f"{owner.name}.{function.name}"
                found.append(Needed(shown, min(new.values()), tuple(sorted(new)), kept))
    return tuple(found) or None


def _before(source: SourceFile) -> dict[tuple[str, str], frozenset[str]]:
    """Return the keys that the functions of the base need, by function and parameter; of two alike, none."""
    old = source.known_old_tree
    functions = [] if old is None else nodes_of(old, ast.FunctionDef)
    names = Counter(each.name for each in functions)
    return {
        (function.name, parameter): frozenset(_needed(function, parameter))
        for function in functions
        if names[function.name] == 1
        for parameter in _subscripted(function)
    }


def _subscripted(function: Function) -> list[str]:
    """Return the parameters from which a function reads enough string keys, in the order of its signature."""
    parameters = [each.arg for each in named_parameters(function)]
    keys = Counter(
        each.value.id
        for each in own_nodes(function.body)
        if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name) and text_of(each.slice)
    )
    return [each for each in parameters if keys[each] >= _FEWEST]


def _needed(function: Function, name: str) -> dict[str, int]:
    """Return the keys that a function reads from a parameter by subscript, whatever happens, with the lines."""
    nodes = list(own_nodes(function.body))
    if any(isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load) for each in nodes):
        return {}
    found: dict[str, int] = {}
    for statement in function.body:
        for each in nodes_of(statement, ast.Subscript) if isinstance(statement, _PLAIN) else ():
            key = text_of(each.slice)
            if key and isinstance(each.ctx, ast.Load) and _is_name(each.value, name) and not _may_skip(statement, each):
                found.setdefault(key, each.lineno)
    if not found:
        return {}
    asked = {text_of(each.left) for each in nodes if isinstance(each, ast.Compare)}
    calls = [each for each in nodes if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)]
    asked |= {text_of(each.args[0]) for each in calls if each.args and _is_name(each.func, name)}
    stored = (each for each in nodes if isinstance(each, ast.Subscript) and not isinstance(each.ctx, ast.Load))
    asked |= {text_of(each.slice) for each in stored}
    return {key: line for key, line in found.items() if key not in asked}


def _is_name(node: ast.expr, name: str) -> bool:
    """Return whether an expression is a name, or an attribute of it."""
    node = node.value if isinstance(node, ast.Attribute) else node
    return isinstance(node, ast.Name) and node.id == name


def _may_skip(statement: ast.stmt, node: ast.expr) -> bool:
    """Return whether a statement may run without a part of it: that of a condition, or of a nested function."""
    kinds = (ast.IfExp, ast.BoolOp, ast.Lambda, *COMPREHENSIONS)
    return any(node in nodes_of(each, ast.Subscript) for kind in kinds for each in nodes_of(statement, kind))


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first new key of each function; the dictionaries that lack it are its related places."""
    side = codebase.head
    for path, each in each_fact(facts):
        held = words_held(side, {*each.kept})
        paths = [file for file, words in held.items() if words.issuperset(each.kept) and not is_set_aside(file)]
        places: list[Related] = []
        lacking: set[str] = set()
        for file in sorted(paths) if len(paths) <= _MOST_FILES else ():
            tree = side.tree(file)
            written = (
                set() if tree is None else {use.name for use in uses_named(tree, each.new) if use.access == "write"}
            )
            absent = set(each.new) - written
            for line, keys in _dictionaries(tree) if tree is not None and absent else ():
                if keys.issuperset(each.kept) and not keys.issuperset(absent):
                    lacking |= absent - keys
                    places.append(Related(file, line_in_file(file, line, side), "lacks it"))
        if 0 < len(places) <= _MOST_LACKING:
            where, alone = places_in_words(places)
            values = {
                "function": each.function,
                "names": names_in_words(lacking),
                "places": where,
                "verb": "lacks" if alone else "lack",
                "them": "it" if len(lacking) == 1 else "them",
                "count": str(len(each.kept)),
            }
            yield Hit(
                each.line, path=path, values=values, related=tuple(places[:MOST_RELATED]), statement=each.function
            )


def _dictionaries(tree: ast.Module) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the line and the keys of each dictionary that is written out in full, and is no part of another."""
    added = {id(each) for call in nodes_of(tree, ast.Call) if last_name(call.func) == "update" for each in call.args}
    added |= {id(side) for each in nodes_of(tree, ast.BinOp) for side in (each.left, each.right)}
    unpacked = {
        each.id
        for node in nodes_of(tree, ast.Dict)
        for key, each in zip(node.keys, node.values, strict=True)
        if key is None and isinstance(each, ast.Name)
    }
    parts = (each for each in nodes_of(tree, ast.Assign) if isinstance(each.targets[0], ast.Name))
    added |= {id(each.value) for each in parts if each.targets[0].id in unpacked}  # type: ignore[attr-defined]
    for node in nodes_of(tree, ast.Dict):
        keys = [text_of(key) for key in node.keys]
        if None not in keys and id(node) not in added:
            yield node.lineno, frozenset(filter(None, keys))
    for call in nodes_of(tree, ast.Call):
        if (
            last_name(call.func) == "dict"
            and not call.args
            and id(call) not in added
            and all(each.arg for each in call.keywords)
        ):
            yield call.lineno, frozenset(each.arg for each in call.keywords if each.arg)


CHECK = change_check(gather, relate, CheckTraits(literals=("def",), reads_old=True, on_lines=True))
