"""Where an expression needs an object: what it takes an attribute of, calls, iterates over or calculates with.

``expression(node, states)`` goes through an expression in the order in which Python evaluates it, and reports each use
with the paths that reach it: ``x and x.size`` uses ``x`` only on those on which it is true.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

from review_bot.analysis.python.bindings import bound_places
from review_bot.analysis.python.node_types import COMPREHENSIONS, ORDERS, Comprehension
from review_bot.analysis.python.syntax import dotted, full_name
from review_bot.changes.node_index import below, walk
from review_bot.flow.narrowing import branch
from review_bot.flow.state import State, place_of

_NEEDING = frozenset({
    "abs", "all", "any", "dict", "enumerate", "float", "frozenset", "int", "iter", "len", "list", "max", "min", "next",
    "range", "reversed", "round", "set", "sorted", "sum", "tuple", "zip",
})  # fmt: skip
"""Built-in functions that raise TypeError if an argument by position is None."""

_PATHS = {
    **dict.fromkeys(("abspath", "basename", "dirname", "expanduser", "getsize", "normpath", "realpath", "splitext"), 1),
    "join": 99,
}
NEEDING_FIRST: Mapping[str, int] = {
    **{f"os.path.{name}": count for name, count in _PATHS.items()},
    **dict.fromkeys(("json.load", "json.loads", "os.makedirs", "os.mkdir", "os.remove", "os.unlink", "open"), 1),
    **dict.fromkeys(("base64.b64decode", "base64.b64encode", "importlib.import_module", "pathlib.Path"), 1),
    **dict.fromkeys(("os.rename", "os.replace", "re.findall", "re.match", "re.search", "shutil.copy"), 2),
}
"""Functions of the standard library that raise if one of so many arguments by position is None."""


class Uses(ABC):
    """Reports the uses in expressions.

    ``constants``: see ``conditions.constants_of``. ``imported``: see ``syntax.imported_names``.
    """

    def __init__(self, constants: Mapping[str, object], imported: Mapping[str, str]) -> None:
        self._constants, self._imported = constants, imported

    @abstractmethod
    def used(self, place: str, node: ast.expr, how: str, states: list[State]) -> None:
        """Take a place that is used, its node, how (a clause in Markdown), and the paths that reach it."""

    @abstractmethod
    def shown(self, place: str, states: list[State]) -> None:
        """Take a place that holds an object on the paths that go on."""

    def expression(self, node: ast.expr, states: list[State]) -> None:
        """Report the uses in an expression that is evaluated on these paths."""
        if not states:
            return
        if isinstance(node, ast.BoolOp):
            self._in_turn(node, states)
        elif isinstance(node, ast.IfExp):
            self.expression(node.test, states)
            true, false = branch(node.test, states, self._constants)
            self.expression(node.body, true)
            self.expression(node.orelse, false)
        elif isinstance(node, COMPREHENSIONS):
            self._comprehension(node, states)
        elif not isinstance(node, ast.Lambda):
            for child in reversed(below(node)):
                if isinstance(child, ast.keyword):
                    self.expression(child.value, states)
                elif isinstance(child, ast.expr):
                    self.expression(child, states)
            self._used_by(node, states)

    def target(self, node: ast.expr, states: list[State]) -> None:
        """Report the uses in what is assigned to: ``x.a = ...`` and ``x[i] = ...`` need an object in ``x``.

        Of several targets the first is bound first: in ``i, x[i] = ...`` the index is the new one.
        """
        if isinstance(node, (ast.Tuple, ast.List)):
            self.targets(node.elts, states)
        elif isinstance(node, ast.Starred):
            self.target(node.value, states)
        elif isinstance(node, (ast.Attribute, ast.Subscript)):
            self.expression(node.value, states)
            if isinstance(node, ast.Subscript):
                self.expression(node.slice, states)
            self.needed(node.value, "it is assigned into", states)

    def targets(self, nodes: Iterable[ast.expr], states: list[State]) -> None:
        """Report the uses in what is assigned to, from left to right."""
        for node in nodes:
            self.target(node, states)
            states = [state.forgetting(bound_places([node])) for state in states]

    def needed(self, node: ast.expr, how: str, states: list[State]) -> None:
        """Report that an expression must be an object here, if it is a place."""
        place = place_of(node)
        if place is not None and states:
            self.used(place, node, how, states)

    def _in_turn(self, node: ast.BoolOp, states: list[State]) -> None:
        for value in node.values:
            self.expression(value, states)
            true, false = branch(value, states, self._constants)
            states = true if isinstance(node.op, ast.And) else false

    def _comprehension(self, node: Comprehension, states: list[State]) -> None:
        for generator in node.generators:
            self.expression(generator.iter, states)
            self.needed(generator.iter, "it is iterated over", states)
            bound = [each.id for each in walk(generator.target) if isinstance(each, ast.Name)]
            states = [state.forgetting(bound) for state in states]
            for test in generator.ifs:
                self.expression(test, states)
                states = branch(test, states, self._constants).true
        parts = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        for part in parts:
            self.expression(part, states)

    def _used_by(self, node: ast.expr, states: list[State]) -> None:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self.used(node.id, node, "", states)
        elif isinstance(node, ast.Attribute) and not node.attr.startswith("__"):
            self.needed(node.value, f"its attribute `{node.attr}` is taken", states)
            if not hasattr(bool, node.attr):
                self._shown_by_comparison(node.value, states)
        elif isinstance(node, ast.Subscript):
            self.needed(node.value, "it is indexed", states)
            self._shown_by_comparison(node.value, states)
        elif isinstance(node, ast.Call):
            self._called(node, states)
        elif isinstance(node, ast.BinOp) and not isinstance(node.op, ast.BitOr):
            formats = isinstance(node.op, ast.Mod) and isinstance(node.left, (ast.Constant, ast.JoinedStr))
            for side in (node.left,) if formats else (node.left, node.right):
                self.needed(side, "it is calculated with", states)
        elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            self.needed(node.operand, "it is calculated with", states)
        elif isinstance(node, ast.Compare):
            self._compared(node, states)
        elif isinstance(node, (ast.Await, ast.YieldFrom)):
            self.needed(node.value, "it is awaited" if isinstance(node, ast.Await) else "it is iterated over", states)
        elif isinstance(node, ast.Starred) and isinstance(node.ctx, ast.Load):
            self.needed(node.value, "it is unpacked", states)

    def _shown_by_comparison(self, node: ast.expr, states: list[State]) -> None:
        """Note what ``(x == 1).to(device)`` shows of ``x``: of None, the comparison is a bool, which has no such thing.

        An array on the other side compares itself with None, so that None in ``x`` is no failure to report.
        """
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Eq, ast.NotEq)) and len(node.ops) == 1:
            for place in filter(None, map(place_of, (node.left, node.comparators[0]))):
                self.shown(place, states)

    def _called(self, node: ast.Call, states: list[State]) -> None:
        self.needed(node.func, "it is called", states)
        name = full_name(node.func, self._imported) or ""
        count = len(node.args) if name in _NEEDING else NEEDING_FIRST.get(name, 0)
        for argument in node.args[:count]:
            self.needed(argument, f"`{dotted(node.func)}` is called with it", states)
        for each in node.keywords:
            if each.arg is None:
                self.needed(each.value, "it is unpacked", states)

    def _compared(self, node: ast.Compare, states: list[State]) -> None:
        left = node.left
        for operation, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(operation, ORDERS):
                self.needed(left, "it is compared", states)
                self.needed(right, "it is compared", states)
            elif isinstance(operation, (ast.In, ast.NotIn)):
                self.needed(right, "it is searched", states)
            left = right
