"""A call whose result is unpacked into another number of names than the function returns values.

Each ``return`` has to write its values out, and the text has to prove which function runs (see ``call_targets``).
``partly``: other returns give as many, and one gives another number after an error or where there is no data::

    def load(path):
        try:
            return read(path), len(path)
        except OSError:
            return None
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.call_certainty import CallCertainty, is_patched
from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.placed_calls import calls_at
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.stored_values import Stored, stored_values
from review_bot.analysis.python.statements import (
    Function,
    inner_blocks,
    is_definition,
    is_function,
    is_stub,
    last_name,
    named_parameters,
    parameter_names,
)
from review_bot.analysis.python.syntax import is_literal, is_name, own_nodes
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit, Options

_AWAITED = frozenset({"to_thread", "run_in_executor"})
"""What starts a function elsewhere and gives its result when it is awaited."""

_KEEPS_RESULT = frozenset({
    "cache", "classmethod", "enable_grad", "final", "inference_mode", "lru_cache", "no_grad", "override",
    "staticmethod",
})  # fmt: skip
"""Decorators that leave the result of a function as it is."""


class Unpacked(NamedTuple):
    """A call whose result is unpacked into ``size`` names, on line ``at``. ``awaited``: its coroutine is."""

    line: int
    column: int
    name: str
    size: int
    awaited: bool
    at: int


class Returned(NamedTuple):
    """What a ``return`` gives, in words, at a line; ``size`` is that of a tuple, and None of what is none.

    ``is_aside``: it is reached after an error, or where there is no data, which callers do not choose.
    """

    line: int
    size: int | None
    words: str
    is_aside: bool = False


def gather(source: SourceFile) -> tuple[Unpacked, ...] | None:
    """Return the calls on added lines whose results are unpacked. Raises CannotParse."""
    found: list[Unpacked] = []
    held = {id(assign): value for function in source.touched_functions for assign, value in _held(function)}
    for assign in source.nodes(ast.Assign):
        for target in assign.targets:
            if not isinstance(target, (ast.Tuple, ast.List)) or any(isinstance(e, ast.Starred) for e in target.elts):
                continue
            for value in _values(held.get(id(assign), assign.value)):
                call = value.value if isinstance(value, ast.Await) else value
                if (
                    isinstance(call, ast.Call)
                    and not isinstance(call.func, ast.Call)
                    and source.touches(assign.lineno, assign.end_lineno or assign.lineno)
                ):
                    place = (call.lineno, call.col_offset, last_name(call.func))
                    is_here = assign.lineno <= call.lineno <= (assign.end_lineno or assign.lineno)
                    at = call.lineno if is_here else assign.lineno
                    found.append(Unpacked(*place, len(target.elts), isinstance(value, ast.Await), at))
    return tuple(found) or None


def _held(function: Function) -> Iterator[tuple[ast.Assign, ast.expr]]:
    """Yield what unpacks a local name, with the value that one assignment gives it, if nothing else reads the name."""
    stored = stored_values(function)
    others = {*parameter_names(function)}
    shared: list[ast.Global | ast.Nonlocal] = [*nodes_of(function, ast.Global), *nodes_of(function, ast.Nonlocal)]
    others.update(name for each in shared for name in each.names)
    reads = Counter(each.id for each in nodes_of(function, ast.Name) if isinstance(each.ctx, ast.Load))
    for assign in nodes_of(function, ast.Assign):
        name = assign.value.id if isinstance(assign.value, ast.Name) else ""
        kept = stored.get(name, Stored())
        if kept.times == len(kept.values) == 1 and reads[name] == 1 and name not in others:
            yield assign, kept.values[0]


def _values(value: ast.expr) -> Iterator[ast.expr]:
    """Yield what an expression may give: itself, or what its conditions choose from."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.IfExp):
            waiting += [each.body, each.orelse]
        else:
            yield each


def relate(
    facts: Mapping[str, tuple[Unpacked, ...]], _change: PullRequest, codebase: Codebase, options: Options
) -> Iterator[Hit]:
    """Yield a hit on each call that never returns as many values or, ``partly``, not always."""
    targets, certainty = call_targets(codebase.head), CallCertainty(codebase)
    for path, found in sorted(facts.items()):
        noted = {(each.line, each.column, each.name): each for each in found}
        for file, call, each in calls_at(targets, path, noted, hidden=not options["partly"]):
            ran = targets.run_or_start(file, call)
            function = None if ran is None else _function(targets, ran[1].symbol)
            if ran is None or function is None:
                continue
            call, run = ran  # noqa: PLW2901  # the call that it starts
            if call.written is not None and not (each.awaited and each.name in _AWAITED):
                continue
            returned = _returned(function, is_awaited=each.awaited and call.written is None)
            others = [one for one in returned if one.size != each.size]
            if (len(others) < len(returned)) != options["partly"]:
                continue
            others = [one for one in others if one.is_aside or not options["partly"]]
            if not others:
                continue
            if not is_patched(file, call, run) and certainty.of(file, call, run):
                words = " or ".join(dict.fromkeys(one.words for one in others))
                related = tuple(Related(run.symbol.path, one.line, f"returns {one.words}") for one in others[:3])
                values = {"name": run.symbol.name, "size": str(each.size), "returned": words}
                yield Hit(each.at, values=values, path=path, related=related)


def _function(targets: CallTargets, symbol: Symbol) -> Function | None:
    """Return the function or method of a name, if there is but one; a call of a class returns its object."""
    owner, _, name = symbol.name.rpartition(".")
    if name == "__init__":
        return None
    if not owner:
        file = targets.file(symbol.path)
        return None if file is None else file.functions.get(name)
    node = targets.class_of(Symbol(symbol.path, owner))
    found = [each for each in node.body if is_function(each) and each.name == name] if node is not None else []
    return found[0] if len(found) == 1 else None


def _returned(function: Function, *, is_awaited: bool) -> list[Returned]:
    """Return what each ``return`` of a function gives; nothing if one of them does not show it."""
    yields = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in own_nodes(function.body))
    if (
        yields
        or is_stub(function)
        or not all(last_name(each) in _KEEPS_RESULT for each in function.decorator_list)
        or is_awaited != isinstance(function, ast.AsyncFunctionDef)
    ):
        return []
    found = [_read(each, is_aside=is_aside) for each, is_aside in _returns(function)]
    if not found and not isinstance(function.body[-1], ast.Raise):
        found = [Returned(function.lineno, None, "nothing")]
    shown = [each for each in found if each is not None]
    return shown if len(shown) == len(found) else []


def _returns(function: Function) -> Iterator[tuple[ast.Return, bool]]:
    """Yield each ``return`` of a function, and whether it is reached after an error or where there is no data."""
    own = {each.arg for each in named_parameters(function)}
    waiting: list[tuple[ast.stmt, bool]] = [(each, False) for each in function.body]
    while waiting:
        statement, is_aside = waiting.pop()
        if isinstance(statement, ast.Return):
            yield statement, is_aside
        if is_definition(statement):
            continue
        aside = {id(handler.body) for handler in getattr(statement, "handlers", ())}
        if isinstance(statement, ast.If) and _is_of_no_data(statement.test, own):
            aside.add(id(statement.body))
        for block in inner_blocks(statement):
            waiting += [(each, is_aside or id(block) in aside) for each in block]


def _is_of_no_data(test: ast.expr, own: set[str]) -> bool:
    """Return whether a test is true where a name that is no parameter is None, or where something has no length."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _is_length(test.operand)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    left, right = test.left, test.comparators[0]
    if isinstance(test.ops[0], ast.Is):
        return isinstance(left, ast.Name) and left.id not in own and is_literal(right, None)
    return isinstance(test.ops[0], (ast.Eq, ast.Lt, ast.LtE)) and _is_length(left)


def _is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and is_name(node.func, "len")


def _read(statement: ast.Return, *, is_aside: bool) -> Returned | None:
    value = statement.value
    if isinstance(value, (ast.Tuple, ast.List)):
        starred = any(isinstance(each, ast.Starred) for each in value.elts)
        size = len(value.elts)
        return None if starred else Returned(statement.lineno, size, f"{size} value{'s' * (size != 1)}", is_aside)
    if value is None or is_literal(value, None):
        return Returned(statement.lineno, None, "nothing", is_aside)
    is_one = isinstance(value, ast.Constant) and not isinstance(value.value, (str, bytes))
    return Returned(statement.lineno, None, f"`{ast.unparse(value)}`", is_aside) if is_one else None


CHECK = ChangeCheck(without_options(gather), relate, CheckTraits(literals=("=",)))
