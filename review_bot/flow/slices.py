"""The parts of a function that decide what one name holds, where the whole has more paths than are kept apart.

::

    if a: x = None; y = 1       the paths to the use differ in ``y`` as well: to follow ``x`` alone, ``a`` is enough,
    else: x = y = 2             and ``b``, since the path on which it holds does not come to the use
    if c: z = y
    if b: return
    x.use()
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Container, Iterator

from review_bot.analysis.python.bindings import shared_names
from review_bot.analysis.python.statements import Function, parameter_names
from review_bot.analysis.python.syntax import is_literal, own_nodes
from review_bot.changes.node_index import kept_on_node
from review_bot.flow.effects import asked_on_the_way, called_name, may_end
from review_bot.flow.state import places_in
from review_bot.records import NamedTuple

MOST_SLICES = 12
"""Names of a function that are followed by themselves."""

_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_BLOCKS = (ast.If, ast.While, ast.Match, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try, ast.TryStar)


def slices(
    function: Function, lines: Container[int], ending: Collection[str], names: Collection[str] | None = None
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield names that may hold None or nothing and are read on some lines, each with the places that decide on it.

    What a condition asks decides on a name if the statements below it bind it, read it, or may leave.
    ``ending``: names of functions that never return. ``names``: those that are asked for, or all.
    """
    found = _Names(function, ending)
    suspects = found.suspects(lines) if names is None else found.suspects(lines).intersection(names)
    for name in sorted(suspects)[:MOST_SLICES]:
        yield name, found.deciding_on(name)


class _Asking(NamedTuple):
    """What a statement asks, the names in it, what it calls as a statement, and whether its blocks may be left."""

    asked: frozenset[str]
    below: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    leaves: bool = False


class _Names:
    def __init__(self, function: Function, ending: Collection[str]) -> None:
        self._function, self._ending = function, ending
        self._nodes = [*own_nodes(function.body)]
        self._statements = [each for each in self._nodes if isinstance(each, ast.stmt)]
        self._bindings = [(name, value) for node in self._statements for name, value in _assigned(node)]

    def suspects(self, lines: Container[int]) -> set[str]:
        """Return the names that are read on some lines, and set to None, tested for None, or not always bound."""
        reads: dict[str, int] = {}
        wanted: set[str] = set()
        stored: set[str] = set()
        for node in self._nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                reads[node.id] = min(node.lineno, reads.get(node.id, node.lineno))
                wanted |= {node.id} if node.lineno in lines else set()
            elif isinstance(node, ast.Name):
                stored.add(node.id)
        surely = {
            name
            for statement in self._function.body
            for name, _ in _assigned(statement)
            if statement.lineno < reads.get(name, 0)
        }
        unbound = stored - surely - parameter_names(self._function)
        none = {name for name, value in self._bindings if _may_be_none(value)}
        tested = {
            each.left.id
            for each in self._nodes
            if isinstance(each, ast.Compare)
            and isinstance(each.left, ast.Name)
            and is_literal(each.comparators[0], None)
        }
        return wanted & (none | tested | unbound) - shared_names(self._function)

    def deciding_on(self, name: str) -> frozenset[str]:
        """Return the places that decide what a name holds where it is read."""
        found = {name}
        for bound, value in self._bindings:
            if bound == name:
                found |= _origins(value)
        for statement in self._statements:
            each = _asking(statement)
            if each.leaves or name in each.below or not each.called.isdisjoint(self._ending):
                found |= each.asked
        return frozenset(found)


def _assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that an assignment binds, each with what is assigned."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for each in ast.walk(target):
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                    yield each.id, node.value


def _origins(value: ast.expr) -> frozenset[str]:
    """Return the places that an expression may be, or that decide which one it is."""
    if isinstance(value, ast.IfExp):
        return places_in(value.test) | _origins(value.body) | _origins(value.orelse)
    return places_in(value) if isinstance(value, (ast.BoolOp, ast.Name, ast.Attribute)) else frozenset()


def _may_be_none(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return _may_be_none(value.body) or _may_be_none(value.orelse)
    return _may_be_none(value.values[-1]) if isinstance(value, ast.BoolOp) else is_literal(value, None)


@kept_on_node
def _asking(statement: ast.stmt) -> _Asking:
    inner = [*own_nodes([statement])]
    names = frozenset(each.id for each in inner if isinstance(each, ast.Name))
    if isinstance(statement, ast.Assert):
        return _Asking(places_in(statement.test), leaves=True)
    if not isinstance(statement, _BLOCKS):
        return _Asking(asked_on_the_way(statement), names)
    asked = places_in(statement.test) if isinstance(statement, (ast.If, ast.While)) else frozenset[str]()
    if isinstance(statement, ast.Match):
        asked = places_in(statement.subject).union(*(places_in(case.guard) for case in statement.cases if case.guard))
    calls = [each.value for each in inner if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call)]
    leaves = any(isinstance(each, _LEAVING) for each in inner) or any(map(may_end, calls))
    return _Asking(asked, names, frozenset(map(called_name, calls)), leaves)
