"""A parameter whose default is None and that every call uses as an object (see ``flow``).

Where callers and base classes decide the parameters, as for ``forward`` of a model, a default may be there for the sake
of the signature alone, and so may that of a parameter that is passed by keyword alone, or that every call in the tree
passes. These are reported only if the function tests the parameter for None further down.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import (
    Definition,
    Function,
    decorator_names,
    definitions,
    is_function,
    last_name,
    positional_parameters,
    replaces_method,
)
from review_bot.analysis.python.syntax import dotted, hit_on, own_nodes
from review_bot.analysis.python.unread_parameters import is_registered
from review_bot.changes.codebase import Codebase
from review_bot.changes.line_map import LineMap
from review_bot.changes.node_index import nodes_of
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.flow.absent_values import AbsentValue, absent_values
from review_bot.flow.binders import left_out
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit

_PLAIN_BASES = frozenset({"ABC", "Dataset", "Module", "object"})
"""Last names of base classes that say nothing about the parameters of a method."""

_MOST_CALLERS = 40
"""Files that mention a function in which its calls are looked at."""

_PLAIN_DECORATORS = frozenset({
    "cache", "classmethod", "compile", "contextmanager", "inference_mode", "lru_cache", "no_grad", "staticmethod",
})  # fmt: skip


class Used(NamedTuple):
    """A parameter that is used so. ``called``: the name of the function in a call; empty if no call is an excuse."""

    hit: Hit
    called: str
    name: str
    place: int


def gather(source: SourceFile) -> tuple[Used, ...] | None:
    """Return the first such use of each parameter of a file. Raises CannotParse."""
    values = [each for each in absent_values(source) if each.presence == "optional"]
    known = _known(values, source)
    values = [each for each in values if each.node.lineno not in known]
    if not values:
        return None
    owners = {id(each.node): each for each in definitions(source.tree.body) if is_function(each.node)}
    found: list[Used] = []
    for each in values:
        definition = owners.get(id(each.function))
        name = next(name for name, step in left_out(each.function).items() if step.note == each.steps[0].note)
        tested = _first_test(each.function, name)
        by_keyword = any(argument.arg == name for argument in each.function.args.kwonlyargs)
        free = definition is not None and not by_keyword and _chooses_parameters(definition)
        called, place = _called(definition, name) if definition is not None and not by_keyword else ("", 0)
        if tested is None and (not free or _is_always_passed(called, name, place, [source.tree])):
            continue
        later = f", and line {tested} tests it" if tested is not None else ""
        words = {"place": each.place, "name": name, "function": each.function.name, "how": each.how, "later": later}
        hit = hit_on(source, each.node, values=words, related=each.places(source.path))
        found.append(Used(hit, called if tested is None else "", name, place))
    return tuple(found) or None


def _known(values: Iterable[AbsentValue], source: SourceFile) -> frozenset[int]:
    """Return the unchanged lines of some uses that have one at the base too."""
    lines = LineMap(source.change)
    old_lines = {line: lines.old_line(line) for line in {each.node.lineno for each in values} - source.added.keys()}
    base = source.at_base() if old_lines else None
    try:
        found = () if base is None else absent_values(base)
    except CannotParse:
        return frozenset()
    before = {each.node.lineno for each in found if each.presence == "optional"}
    return frozenset(line for line, old_line in old_lines.items() if old_line in before)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield the uses, but for those of parameters that every call in the tree passes."""
    for path, each in each_fact(facts):
        callers = files_with(codebase.head, [each.called])[:_MOST_CALLERS] if each.called else []
        trees = [tree for tree in map(codebase.head.tree, callers) if tree is not None]
        if not _is_always_passed(each.called, each.name, each.place, trees):
            yield each.hit._replace(path=path)


def _chooses_parameters(definition: Definition) -> bool:
    """Return whether nothing but the function itself decides which parameters it has."""
    node, owner = definition.node, definition.owner
    if owner is not None and is_registered(owner):
        return False
    if not is_function(node) or "forward" in node.name or node.name == "__call__":
        return False
    if not all(last_name(each) in _PLAIN_DECORATORS for each in node.decorator_list):
        return False
    if owner is None:
        return not replaces_method(node)
    if node.name == "__init__":
        return True
    return all((dotted(base) or "").rpartition(".")[2] in _PLAIN_BASES for base in owner.bases)


def _called(definition: Definition, name: str) -> tuple[str, int]:
    """Return under which name a function is called, and the position of the argument for a parameter."""
    function, owner = definition.node, definition.owner
    if not is_function(function):
        return "", 0
    called = owner.name if owner is not None and function.name == "__init__" else function.name
    is_bound = owner is not None and "staticmethod" not in decorator_names(function)
    return called, [each.arg for each in positional_parameters(function)][is_bound:].index(name)


def _is_always_passed(called: str, name: str, place: int, trees: Iterable[ast.Module]) -> bool:
    """Return whether some files call a function, and every such call passes a parameter or may do so."""
    calls = [each for tree in trees for each in nodes_of(tree, ast.Call) if last_name(each.func) == called]
    return bool(calls) and all(
        len(each.args) > place
        or any(isinstance(one, ast.Starred) for one in each.args)
        or any(one.arg in {name, None} for one in each.keywords)
        for each in calls
    )


def _first_test(function: Function, name: str) -> int | None:
    """Return the line of the first test of a parameter for None, if nothing binds its name again."""
    nodes = list(own_nodes(function.body))
    if any(isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load) for each in nodes):
        return None
    tests = [
        each.lineno
        for each in nodes
        if isinstance(each, ast.Compare)
        and isinstance(each.ops[0], (ast.Is, ast.IsNot))
        and isinstance(each.left, ast.Name)
        and each.left.id == name
        and isinstance(each.comparators[0], ast.Constant)
        and each.comparators[0].value is None
    ]
    return min(tests, default=None)


CHECK = change_check(gather, relate, CheckTraits(literals=("None",), works_without_tree=True, tree_excuses=True))
