"""Calls that give two arguments to each other's parameters, as the names on both sides say.

::

    def build(question, reference, answer): ...
    build(question, answer, reference)

Only calls whose target the text proves (see ``call_targets``). Exchanging two things of one kind (``src`` and ``tgt``,
``dim`` and ``dim_out``), or where something is undone or compared both ways, is what such a call may be for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.called_names import CalledNames
from review_bot.analysis.facts.code_file import Call
from review_bot.analysis.facts.placed_calls import calls_at
from review_bot.analysis.facts.runs import Run
from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.python.statements import is_function, last_name
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_ON_PURPOSE = re.compile(
    r"(?i)swap|revers|transpos|flip|invert|inverse|backward|mirror|rotat|undo|symmetr|adjoint|exchang|switch|oppos|both"
    r"|commut|cross|grad|bwd|vjp|jvp|deriv"
)
"""Functions that exchange things, or do something the other way round."""

_DIRECTIONS = frozenset(
    frozenset(each.split())
    for each in (
        "in out", "input output", "inputs outputs", "src tgt", "src dst", "src dest", "source target",
        "source destination", "old new", "left right", "from to", "start end", "begin end", "first second", "prev next",
        "previous next", "before after", "encoder decoder", "row col", "rows cols", "row column", "lo hi", "low high",
        "min max", "lower upper", "inner outer", "head tail", "parent child", "lhs rhs", "this other", "top bottom",
        "gather scatter", "pre post", "up down", "front back", "read write", "send recv", "train test", "query key",
    )
)  # fmt: skip
"""Words for the two ends of something, which one function takes in either order."""


class Exchanged(NamedTuple):
    """A call that may exchange arguments. ``module`` and ``level``: from where its name is imported, if it is."""

    line: int
    column: int
    name: str
    module: str | None
    level: int


def gather(source: SourceFile) -> tuple[Exchanged, ...] | None:
    """Return the added or edited calls of one file that pass two different things under names. Raises CannotParse."""
    if not source.added:
        return None
    found: list[Exchanged] = []
    names: CalledNames | None = None
    for call in source.nodes(ast.Call):
        if not source.touches(*span_of(call)) or not any(_pairs(_arguments(call))):
            continue
        names = CalledNames(source) if names is None else names
        origin = names.imports.get(names.root(call))
        if origin is not None or names.may_be_own(call):
            found.append(Exchanged(call.lineno, call.col_offset, last_name(call.func), *(origin or (None, 0))))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each call that surely runs a function with the names of two arguments exchanged."""
    tree, targets = module_tree(codebase.head), call_targets(codebase.head)
    for path, noted in sorted(facts.items()):
        own = (each for each in noted if each.module is None or places_of(each.module, each.level, path, tree))
        for file, call, _ in calls_at(targets, path, {(each.line, each.column, each.name): each for each in own}):
            run = targets.run(file, call)
            pair = None if run is None else _exchanged(call, run)
            if run is None or pair is None or _is_on_purpose(call, pair):
                continue
            one, other = pair
            symbol, line = run.symbol, run.signatures[0].line
            yield Hit(
                call.node.lineno,
                values={"name": symbol.name.removesuffix(".__init__"), "one": one, "other": other},
                path=path,
                related=(Related(symbol.path, line, "the parameters"),),
                subject=f"{symbol.path}:{symbol.name}",
            )


def _arguments(call: ast.Call) -> list[tuple[int | str, str]]:
    """Return the arguments that are names or attributes, with the place or the keyword under which each is passed."""
    found: list[tuple[int | str, str]] = []
    for place, each in enumerate(call.args):
        if isinstance(each, ast.Starred):
            break
        if isinstance(each, (ast.Name, ast.Attribute)):
            found.append((place, last_name(each)))
    found += [
        (each.arg, last_name(each.value))
        for each in call.keywords
        if each.arg is not None and isinstance(each.value, (ast.Name, ast.Attribute))
    ]
    return found


def _pairs(arguments: list[tuple[int | str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of names that stand for two kinds of things."""
    for (_, one), (_, other) in combinations(arguments, 2):
        if one != other and _are_two_kinds(one, other):
            yield one, other


def _are_two_kinds(one: str, other: str) -> bool:
    left, right = (re.sub(r"\d+", "", each).strip("_").casefold().split("_") for each in (one, other))
    left, right = [each for each in left if each not in right], [each for each in right if each not in left]
    words = "".join(left), "".join(right)
    if min(map(len, words)) < 2 or (len(left) == len(right) == 1 and frozenset(words) in _DIRECTIONS):
        return False
    # `attn_mask` and `key_padding_mask` are two things, `scale_a` and `scale_b` two of one kind.
    return not (len(left) == len(right) == 1 and len(one.split("_")) > 1 and len(other.split("_")) > 1)


def _exchanged(call: Call, run: Run) -> tuple[str, str] | None:
    """Return the names of two arguments that are each passed to the parameter with the name of the other."""
    if run.by_class or len(run.signatures) != 1 or run.misfit is not None:
        return None
    places = [each.name for each in run.signatures[0].parameters if each.kind in {"positional", "either"}]
    known = {each.name for each in run.signatures[0].parameters}
    if run.form.positional != len(call.node.args):  # some of them were bound before
        return None
    given: dict[str, str] = {}
    for place, name in _arguments(call.node):
        if isinstance(place, str):
            given[place] = name
        elif place < len(places):
            given[places[place]] = name
    for parameter, name in given.items():
        if name != parameter and name in known and given.get(name) == parameter and _are_two_kinds(name, parameter):
            return parameter, name
    return None


def _is_on_purpose(call: Call, pair: tuple[str, str]) -> bool:
    """Return whether something says that a call exchanges two names because it means to."""
    called = last_name(call.node.func)
    functions = [each for each in call.scopes if is_function(each)]
    if _ON_PURPOSE.search(called) or any(_ON_PURPOSE.search(each.name) or each.name == called for each in functions):
        return True
    for function in functions:
        for each in nodes_of(function, ast.Call):
            if each is not call.node and last_name(each.func) == called and _is_mirror(each, call.node, pair):
                return True
        # The names were exchanged before.
        for assignment in nodes_of(function, ast.Assign):
            bound = {last_name(each) for target in assignment.targets for each in getattr(target, "elts", [target])}
            read = {last_name(each) for each in nodes_of(assignment.value, ast.Name)}
            if bound & {*pair} and read & {*pair}:
                return True
    return False


def _is_mirror(call: ast.Call, other: ast.Call, pair: tuple[str, str]) -> bool:
    """Return whether a call passes the two names the other way round than another call."""
    one, two = dict(_arguments(call)), dict(_arguments(other))
    places = [place for place, name in two.items() if name in pair]
    return len(places) == len(pair) and all({one.get(place), two[place]} == {*pair} for place in places)


CHECK = change_check(gather, relate, CheckTraits(literals=("(",)))
