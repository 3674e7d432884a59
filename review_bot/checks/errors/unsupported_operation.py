"""What added code does to an object that its class, by everything the tree shows, does not support.

::

    class Pool: ...                  without `__enter__`
    with Pool() as pool: ...         TypeError

Only objects count that the code itself makes; ``api/operation_lost`` looks at methods that the change removes. So it is
with what calls of coroutine functions and generators give::

    async def load(path): ...
    load(path)["size"]               TypeError: nothing awaits it

and with what is written out::

    PAIRS = [("a", 1) ("b", 2)]      TypeError: a comma is missing
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_certainty import CallCertainty, is_patched
from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.made_objects import MadeObjects
from review_bot.analysis.facts.members import members
from review_bot.analysis.facts.operations import Operation, operations
from review_bot.analysis.facts.result_kinds import ResultUse, result_kind, result_uses
from review_bot.analysis.facts.running_code import RunningCode, Scope
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.uses import is_set_elsewhere
from review_bot.analysis.project.certain_uses import certain_errors
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.statements import assigned_values, last_name
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit

_EXPECTED = frozenset({"AttributeError", "TypeError", "Exception", "BaseException"})
_OF_LIBRARIES = frozenset({"_modules", "model_fields", "trainable_parameters"})
"""Names that only bases in libraries have, which define such methods too."""

_LITERAL_WORDS: Mapping[type[ast.expr], str] = {
    ast.Constant: "a constant",
    ast.Dict: "a dictionary",
    ast.DictComp: "a dictionary",
    ast.JoinedStr: "a string",
    ast.List: "a list",
    ast.ListComp: "a list",
    ast.Set: "a set",
    ast.SetComp: "a set",
    ast.Tuple: "a tuple",
}
_LITERALS = tuple(_LITERAL_WORDS)

Place = tuple[int, int]
"""Of an object: its line (1-based) and column (bytes from 0, as in ``ast``)."""


class Touched(NamedTuple):
    """The places of objects with which added lines of a file do something, and of such results of calls.

    Of a result, the line that makes it may be the added one. ``hits``: what is wrong in any case.
    """

    objects: tuple[Place, ...]
    results: tuple[Place, ...]
    hits: tuple[Hit, ...]


def gather(source: SourceFile) -> Touched | None:
    """Return what added lines of a file do something with. Raises CannotParse."""
    if not source.path.endswith(".py"):
        return None
    objects = {_place(each.value) for each in _on_objects(source.tree) if each.value.lineno in source.added}
    results = {
        _place(each.value)
        for each in result_uses(source.tree)
        if not source.added.keys().isdisjoint({each.value.lineno, each.call.lineno})
    }
    found = Touched(tuple(sorted(objects)), tuple(sorted(results)), tuple(_called_literals(source)))
    return found if any(found) else None


def _called_literals(source: SourceFile) -> Iterator[Hit]:
    """Yield a hit on each call of what is written out, mostly for want of a comma in front of the bracket."""
    calls = [each for each in source.nodes(ast.Call) if isinstance(each.func, _LITERALS)]
    certain = certain_errors(source, calls, "TypeError") if calls else frozenset[int]()
    for each in calls:
        line = source.first_added(*span_of(each))
        if line is not None and id(each) in certain:
            words = _LITERAL_WORDS[type(each.func)]
            message = f"This calls {words}, which raises TypeError: a comma may be missing in front of the bracket."
            values = {"done": "calls", "owner": words, "needed": "`__call__`"}
            yield Hit(line, values=values, message=message, instead="Add the comma, or remove the call.")


def _place(value: ast.expr) -> Place:
    return value.lineno, value.col_offset


def _on_objects(tree: ast.Module) -> Iterator[Operation]:
    """Yield what is done to the results of calls, and to names and attributes that may hold one."""
    made = {last_name(target) for target, value in assigned_values(tree) if isinstance(value, ast.Call)}
    for each in operations(tree):
        is_name = isinstance(each.value, (ast.Name, ast.Attribute)) and last_name(each.value) in made
        if is_name or isinstance(each.value, ast.Call):
            yield each


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each such object whose class lacks what the operation needs."""
    objects, targets, certainty = MadeObjects(codebase), call_targets(codebase.head), CallCertainty(codebase)
    for path, touched in sorted(facts.items()):
        yield from (hit._replace(path=path) for hit in touched.hits)
        file = targets.file(path)
        if file is not None and touched.results:
            yield from _of_results(file, frozenset(touched.results), targets, certainty)
        places = frozenset(touched.objects)
        for place, done, owner in () if file is None else _unsupported(file, places, objects, codebase):
            needed = " or ".join(f"`{name}`" for name in sorted(done.needs))
            values = {"done": done.words, "owner": owner.name, "needed": needed}
            subject = f"{owner.path}:{owner.name}"
            yield Hit(place[0], path=path, values=values, subject=subject, statement=f"{done.words} {owner.name}")


def _of_results(
    file: CodeFile, places: Collection[Place], targets: CallTargets, certainty: CallCertainty
) -> Iterator[Hit]:
    """Yield a hit on the first thing that is done to each result and that what the call gives does not support."""
    by_call: dict[ast.Call, list[ResultUse]] = {}
    for each in result_uses(file.tree):
        if _place(each.value) in places:
            by_call.setdefault(each.call, []).append(each)
    uses = [each.value for found in by_call.values() for each in found]
    running = {each for each, _ in RunningCode(file.tree, constants_of(file.tree)).of(uses, _EXPECTED)}
    for call in file.calls(frozenset(last_name(each.func) for each in by_call)):
        found = [each for each in by_call.get(call.node, ()) if each.value in running]
        run = targets.run(file, call) if found else None
        is_made = run is not None and run.symbol.name.rpartition(".")[2] in {"__init__", "__new__"}
        function = None if run is None or is_made else targets.function_of(run.symbol)
        kind = None if function is None else result_kind(function)
        if run is None or kind is None:
            continue
        failing = [each for each in found if kind.lacks(each.needs)]
        if failing and not is_patched(file, call, run, targets) and certainty.of(file, call, run):
            first = min(failing, key=lambda each: _place(each.value))
            name = run.symbol.name
            message = f"This code {first.words} what `{name}` gives, which is {kind.words}."
            yield Hit(
                first.value.lineno,
                path=file.path,
                values={"done": first.words, "owner": name, "needed": ""},
                message=message,
                instead=kind.advice,
                statement=f"{first.words} {name}",
            )


def _unsupported(
    file: CodeFile, places: Collection[Place], objects: MadeObjects, codebase: Codebase
) -> Iterator[tuple[Place, Operation, Symbol]]:
    """Yield the place of each object, the first operation that its class does not support, and the class."""
    by_value: dict[ast.expr, list[Operation]] = {}
    written = {each.value for each in nodes_of(file.tree, ast.Constant) if isinstance(each.value, str)}
    for each in _on_objects(file.tree):
        if _place(each.value) in places and written.isdisjoint(each.needs):
            by_value.setdefault(each.value, []).append(each)
    running = RunningCode(file.tree, constants_of(file.tree))
    for value, scopes in running.of(list(by_value), _EXPECTED):
        found = _first(file, by_value[value], scopes, objects, codebase)
        if found is not None:
            yield (value.lineno, value.col_offset), *found


def _first(
    file: CodeFile, done: list[Operation], scopes: tuple[Scope, ...], objects: MadeObjects, codebase: Codebase
) -> tuple[Operation, Symbol] | None:
    side = codebase.head
    for each in done:

        def lacks(owner: Symbol, needs: frozenset[str] = each.needs) -> bool:
            known = members(side, owner)
            return known.closed and known.names.isdisjoint(needs | _OF_LIBRARIES)

        owner = objects.class_of(file, each.value, scopes, lacks)
        if owner is not None and lacks(owner) and not any(is_set_elsewhere(side, name) for name in each.needs):
            return each, owner
    return None


CHECK = change_check(gather, relate, CheckTraits(literals=("class", "("), doubted=True))
