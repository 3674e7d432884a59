"""Calls whose result is unpacked into names, and the functions that they run.

::

    a, b = load(x)                      (a, b), c = await asyncio.gather(load(x), g())
    a, b = load(x) if x else load(y)    a, b = await asyncio.wait_for(load(x), 3)
    pair = load(x);  a, b = pair        a, b = await asyncio.to_thread(load, x)
                                        a, b = asyncio.run(load(x))
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.call_targets import CallTargets
from review_bot.analysis.facts.code_file import Call, CodeFile
from review_bot.analysis.facts.placed_calls import Place, calls_at
from review_bot.analysis.facts.runs import Run
from review_bot.analysis.facts.stored_values import held_value
from review_bot.analysis.python.statements import Function, functions_of, last_name
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.changes.node_lines import last_line, span_of
from review_bot.records import NamedTuple

_STARTERS = frozenset({"to_thread", "run_in_executor"})
"""What starts a function elsewhere and gives its result when it is awaited."""

_WAIT_FOR = frozenset({"asyncio.create_task", "asyncio.ensure_future", "asyncio.shield", "asyncio.wait_for"})
"""What gives the result of its first argument when it is awaited."""


class Unpacked(NamedTuple):
    """A call whose result is unpacked into ``size`` names, on line ``at``. ``awaited``: its coroutine is.

    ``first`` and ``last`` are the lines of the statement that unpacks it. ``shared``: something else reads it too.
    """

    line: int
    column: int
    name: str
    size: int
    awaited: bool
    at: int
    first: int
    last: int
    shared: bool

    @property
    def place(self) -> Place:
        """The place of the call."""
        return self.line, self.column, self.name


class Ran(NamedTuple):
    """What runs of a call whose result is unpacked: the call that another one may start, and the function."""

    file: CodeFile
    call: Call
    run: Run
    function: Function
    unpacked: Unpacked


@kept_on_node
def unpacked_results(tree: ast.AST) -> tuple[Unpacked, ...]:
    """Return the calls of a file whose results are unpacked into names."""
    found: list[Unpacked] = []
    assigned = [(target, each) for each in nodes_of(tree, ast.Assign) for target in each.targets]
    assigned = [(target, each) for target, each in assigned if isinstance(target, (ast.Tuple, ast.List))]
    held = _held(tree, [each for _, each in assigned if isinstance(each.value, ast.Name)])
    for target, assign in assigned:
        first, last = span_of(assign)
        given, shared = held.get(assign, (assign.value, False))
        for names, value in _pairs(target, given):
            call = value.value if isinstance(value, ast.Await) else value
            if isinstance(call, ast.Call) and not isinstance(call.func, ast.Call):
                at = call.lineno if first <= call.lineno <= last else first
                place = (call.lineno, call.col_offset, last_name(call.func))
                found.append(Unpacked(*place, len(names), isinstance(value, ast.Await), at, first, last, shared))
    return tuple(found)


def runs_unpacked(
    targets: CallTargets, path: str, unpacked: Mapping[Place, Unpacked], *, hidden: bool
) -> Iterator[Ran]:
    """Yield what runs of the calls of a file whose results are unpacked. ``hidden``: see ``CodeFile.calls``."""
    for file, call, each in calls_at(targets, path, unpacked, hidden=hidden):
        ran = targets.run_or_start(file, call)
        is_made = ran is not None and ran[1].symbol.name.rpartition(".")[2] == "__init__"  # the call returns its object
        function = None if ran is None or is_made else targets.function_of(ran[1].symbol)
        if ran is None or function is None:
            continue
        is_started = ran[0].written is not None
        if each.shared and any(isinstance(one.value, ast.List) for one in nodes_of(function, ast.Return)):
            continue  # it may grow until it is unpacked
        if not is_started or (each.awaited and each.name in _STARTERS):
            unpacked_call = each._replace(awaited=each.awaited and not is_started)
            yield Ran(file, *ran, function, unpacked_call)


def _held(tree: ast.AST, assigns: list[ast.Assign]) -> dict[ast.Assign, tuple[ast.expr, bool]]:
    """Return what those of some assignments unpack whose local name one assignment binds, and no condition asks.

    With it: whether anything else reads that name.
    """
    found: dict[ast.Assign, tuple[ast.expr, bool]] = {}
    for function in functions_of(tree) if assigns else ():
        inside = [each for each in assigns if function.lineno <= each.lineno <= last_line(function)]
        own = set(nodes_of(function, ast.Assign)) if inside else set()
        reads = Counter(each.id for each in nodes_of(function, ast.Name) if isinstance(each.ctx, ast.Load))
        for assign in inside:
            name = assign.value.id if isinstance(assign.value, ast.Name) else ""
            value = held_value(function, name) if assign in own else None
            if value is not None and (reads[name] == 1 or name not in _asked(function)):
                found[assign] = value, reads[name] > 1
    return found


@kept_on_node
def _asked(function: Function) -> frozenset[str]:
    """Return the names that conditions of a function ask about, or of which it reads an attribute."""
    asking: list[ast.expr] = [each.value for each in nodes_of(function, ast.Attribute)]
    tests: list[ast.If | ast.IfExp | ast.While | ast.Assert] = [*nodes_of(function, ast.If)]
    tests += [*nodes_of(function, ast.IfExp), *nodes_of(function, ast.While), *nodes_of(function, ast.Assert)]
    asking += [each.test for each in tests]
    asking += [each.subject for each in nodes_of(function, ast.Match)]
    asking += [each for one in nodes_of(function, ast.comprehension) for each in one.ifs]
    asking += [*nodes_of(function, ast.BoolOp), *nodes_of(function, ast.Compare)]
    asking += [each for each in nodes_of(function, ast.Call) if last_name(each.func) in {"len", "isinstance"}]
    return frozenset(each.id for one in asking for each in nodes_of(one, ast.Name))


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[list[ast.expr], ast.expr]]:
    """Yield the targets that a value is unpacked into, with the value, and with what its conditions choose from."""
    if not isinstance(target, (ast.Tuple, ast.List)) or any(isinstance(each, ast.Starred) for each in target.elts):
        return
    items = _items(value)
    if isinstance(value, ast.IfExp):
        yield from _pairs(target, value.body)
        yield from _pairs(target, value.orelse)
    elif items is not None:
        for one, item in zip(target.elts, items, strict=False):
            yield from _pairs(one, item)
    elif (awaited := _awaited(value)) is not None:
        yield from _pairs(target, ast.copy_location(ast.Await(awaited), value))
    else:
        yield target.elts, value


def _items(value: ast.expr) -> list[ast.expr] | None:
    """Return the values that an expression puts side by side; None if it does not."""
    if isinstance(value, (ast.Tuple, ast.List)):
        return None if any(isinstance(each, ast.Starred) for each in value.elts) else value.elts
    call = value.value if isinstance(value, ast.Await) else None
    if not isinstance(call, ast.Call) or dotted(call.func) != "asyncio.gather" or call.keywords:
        return None
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    return [ast.copy_location(ast.Await(each), each) for each in call.args]


def _awaited(value: ast.expr) -> ast.expr | None:
    """Return the coroutine of which a value is the result by another name: ``asyncio.run(load(x))``."""
    call = value.value if isinstance(value, ast.Await) else value
    if not isinstance(call, ast.Call) or not call.args or isinstance(call.args[0], ast.Starred):
        return None
    name = dotted(call.func)
    return call.args[0] if (name in _WAIT_FOR if call is not value else name == "asyncio.run") else None
