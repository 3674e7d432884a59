"""Functions that stand in for one another, and that no call fits any more since the change.

::

    if SYSTEM == "cuda":                             one name, imported from one of several modules
        from .cuda import attention
    elif SYSTEM == "rocm":
        from .rocm import attention

    @register("flash")                               functions of a file under one registering decorator
    BACKENDS = {"flash": flash, "plain": plain}      or in one table
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import chain
from math import inf
from typing import Any

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.changed_signatures import ChangedSignature, changed_signatures
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.interface import Parameter, parameters_of
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.python.statements import named_parameters
from review_bot.analysis.python.syntax import dotted, text_of
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_FEWEST = 3
"""Functions of a registry or table from which a parameter of most of them is the rule."""

_MOST_IMPORTERS = 40
_ROUTES = frozenset({
    "custom_op", "impl", "register_fake", "register_kernel", "get", "post", "put", "delete", "patch", "head", "options",
    "route", "websocket", "command", "fixture",
})  # fmt: skip
"""Decorators under which each function is called with arguments of its own."""

Parameters = tuple[Parameter, ...]


def gather(source: SourceFile) -> tuple[ChangedSignature, ...] | None:
    """Return the top-level functions of a file whose parameters changed."""
    return tuple(each for each in changed_signatures(source) if "." not in each.name and not each.freed) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each changed header that an alternative no longer matches."""
    symbols = {Symbol(path, each.name) for path, changed in facts.items() for each in changed}
    for path, changed in sorted(facts.items()):
        yield from _of_imports(path, changed, symbols, codebase)
        yield from _of_registries(path, changed, codebase)


def _of_imports(
    path: str, changed: tuple[ChangedSignature, ...], symbols: set[Symbol], codebase: Codebase
) -> Iterator[Hit]:
    """Yield a hit for each changed function that another module's no longer matches; of two, for the first."""
    now, before = call_targets(codebase.head), call_targets(codebase.base)
    for each in changed:
        mine = Symbol(path, each.name)
        for importer, line, symbol in _alternatives(mine, codebase.head, now):
            other, was = now.signature(symbol), before.signature(symbol)
            if (
                other is None
                or (symbol in symbols and symbol < mine)
                or _one_call_fits(each.after[0], other.parameters)
            ):
                continue
            if was is not None and not _one_call_fits(each.before[0], was.parameters):
                continue
            values = {
                "name": each.name,
                "other": f"{symbol.path}:{other.line}",
                "why": _why(each.after[0], other.parameters),
            }
            place = _line_of_difference(now, symbol, each.after[0]) or other.line
            related = (Related(symbol.path, place, "the other one"), Related(importer, line, "imports either"))
            yield Hit(each.line, path=path, values=values, related=related, statement=f"def {each.name}")
            break


def _line_of_difference(targets: CallTargets, symbol: Symbol, other: Parameters) -> int | None:
    """Return the line of the first parameter of a function that another one has not."""
    file = targets.file(symbol.path)
    function = None if file is None else file.functions.get(symbol.name)
    arguments = [] if function is None else named_parameters(function)
    known = {each.name for each in other}
    return next((each.lineno for each in arguments if each.arg not in known), None)


def _alternatives(mine: Symbol, side: Snapshot, targets: CallTargets) -> Iterator[tuple[str, int, Symbol]]:
    """Yield what is imported under the same name in place of a function: importer, line, the other function."""
    for importer in files_with(side, [mine.name])[:_MOST_IMPORTERS]:
        file = targets.file(importer)
        found = [] if file is None or importer == mine.path else list(_imports_of(mine.name, file, side))
        if any(symbol == mine for _, symbol in found):
            yield from ((importer, line, symbol) for line, symbol in found if symbol != mine)


def _imports_of(name: str, file: CodeFile, side: Snapshot) -> Iterator[tuple[int, Symbol]]:
    """Yield the functions of the tree that the conditional blocks at the top level of a file import under a name."""
    tree = module_tree(side)
    blocks = (each for each in file.tree.body if isinstance(each, (ast.If, ast.Try)))
    for node in chain.from_iterable(nodes_of(block, ast.ImportFrom) for block in blocks):
        for alias in node.names:
            if (alias.asname or alias.name) == name:
                for place in places_of(node.module or "", node.level, file.path, tree):
                    yield from (
                        (alias.lineno, Symbol(path, alias.name))
                        for path in (f"{place}.py", f"{place}/__init__.py")
                        if path in side.paths
                    )


def _of_registries(path: str, changed: tuple[ChangedSignature, ...], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each parameter that the change gives to most functions of a registry and not to all.

    Left out are functions whose parameters were others before.
    """
    file = call_targets(codebase.head).file(path)
    if file is None:
        return
    added = {
        each.name: [new for new in each.after[0] if new.name not in {old.name for old in each.before[0]}]
        for each in changed
    }
    before = {each.name: each.before[0] for each in changed}
    for group, registry in _registries(file):
        names = {parameter.name for name in group for parameter in added.get(name, ()) if parameter.kind != "*"}
        for parameter in sorted(names):
            kinds = {name: {each.kind for each in found if _takes(each, parameter)} for name, found in group.items()}
            have, lack = [name for name in group if kinds[name]], [name for name in group if not kinds[name]]
            lack = [
                name
                for name in lack
                if _names(group[name]) in {_names(before[each]) for each in have if each in before}
                and not any(_take_the_same_by_place(group[name], group[each]) for each in have)
            ]
            new = [each for each in changed if each.name in group and parameter in {p.name for p in added[each.name]}]
            if lack and len(new) > 1 and len(have) > len(lack):
                places = tuple(Related(path, file.functions[name].lineno, f"`{name}` lacks it") for name in lack)
                why = f"`{lack[0]}` does not accept `{parameter}`"
                values = {"name": new[0].name, "other": f"{path}:{places[0].line}", "why": f"in {registry} {why}"}
                yield Hit(new[0].line, path=path, values=values, related=places, statement=f"def {new[0].name}")


def _names(parameters: Parameters) -> tuple[str, ...]:
    return tuple(each.name for each in parameters)


def _take_the_same_by_place(one: Parameters, other: Parameters) -> bool:
    """Return whether two functions differ in the names of parameters alone, that a call by place does not use."""
    by_place = {"either", "positional"}
    return [(each.kind in by_place, each.required) for each in one] == [
        (each.kind in by_place, each.required) for each in other
    ] and all(each.kind in by_place for each in one)


def _takes(parameter: Parameter, name: str) -> bool:
    return parameter.kind == "**" or parameter.name == name


def _registries(file: CodeFile) -> Iterator[tuple[dict[str, Parameters], str]]:
    """Yield the functions of a file that one decorator with arguments or one table holds, with what holds them."""
    by_decorator: dict[str, list[str]] = {}
    for name, function in file.functions.items():
        for decorator in function.decorator_list:
            registers = isinstance(decorator, ast.Call) and (decorator.args or decorator.keywords)
            called = dotted(decorator.func) if isinstance(decorator, ast.Call) and registers else None
            if called is not None and called.rpartition(".")[2] not in _ROUTES and not _names_a_place(decorator):
                by_decorator.setdefault(called, []).append(name)
    used = {each.id for each in nodes_of(file.tree, ast.Name)}  # by name, and not through a registry
    groups = [(names, f"`@{decorator}`") for decorator, names in by_decorator.items() if used.isdisjoint(names)]
    for table in nodes_of(file.tree, ast.Dict):
        names = [each.id for each in table.values if isinstance(each, ast.Name) and each.id in file.functions]
        if len(names) == len(table.values):
            groups.append((names, f"the table on line {table.lineno}"))
    for names, registry in groups:
        found = {name: parameters_of(file.functions[name], skip_first=False) for name in names}
        if len(found) >= _FEWEST:
            yield found, registry


def _names_a_place(decorator: ast.expr) -> bool:
    """Return whether a decorator is given what the function replaces, as ``@override("Decoder.forward")``."""
    given = decorator.args[0] if isinstance(decorator, ast.Call) and decorator.args else None
    return "." in (text_of(given) or "")


def _one_call_fits(one: Parameters, other: Parameters) -> bool:
    """Return whether some call fits both functions: by place, or by name."""
    sides = (one, other)
    keywords = [{each.name for each in side if each.kind == "keyword" and each.required} for side in sides]
    named = [{each.name for each in side if each.kind in {"either", "keyword"}} for side in sides]
    is_open = [any(each.kind == "**" for each in side) for side in sides]
    if all(keywords[a] <= named[b] or is_open[b] for a, b in ((0, 1), (1, 0))):
        least = [sum(each.required and each.kind in {"either", "positional"} for each in side) for side in sides]
        most = [
            inf
            if any(each.kind == "*" for each in side)
            else sum(each.kind in {"either", "positional"} for each in side)
            for side in sides
        ]
        if max(least) <= min(most):
            return True
    needed = [{each.name for each in side if each.required} for side in sides]
    return all(needed[a] <= named[b] or is_open[b] for a, b in ((0, 1), (1, 0)))


def _why(mine: Parameters, other: Parameters) -> str:
    """Return in words what only one of two functions requires."""
    for one, that, subject in ((mine, other, "this one"), (other, mine, "the other")):
        known = {each.name for each in that}
        if needed := [each.name for each in one if each.required and each.name not in known]:
            return f"only {subject} requires `{needed[0]}`"
    return "one takes more arguments than the other"


CHECK = change_check(gather, relate, CheckTraits(literals=("def",), reads_old=True))
