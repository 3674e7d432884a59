"""What every call of a function evaluates: the expressions that no condition, no early exit and no handler decides on.

::

    def f(x, y=None):
        size = x.shape                      evaluated by every call
        if size.numel() == 0:               the test is, what is below it is not
            raise ValueError(size)          and what follows still is: the call was refused
        for each in y: ...                  is
        return y and y.z                    ``y`` is, ``y.z`` is not

A loop over ``for`` counts as run: a call for which it has nothing to do is the exception.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from review_bot.analysis.python.node_types import COMPREHENSIONS
from review_bot.analysis.python.statements import Function, is_definition
from review_bot.analysis.python.syntax import names_in
from review_bot.changes.node_index import below

_EXITS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def evaluated_by_every_call(function: Function, doubtful: Collection[str]) -> frozenset[int]:
    """Return the ``id`` of each expression that every call evaluates, one that is refused on the way aside.

    A condition that mentions a ``doubtful`` name and leaves the function ends what is certain.
    """
    walk = _Walk(frozenset(doubtful))
    walk.block(function.body)
    return frozenset(walk.found)


class _Walk:
    def __init__(self, doubtful: frozenset[str]) -> None:
        self.found: set[int] = set()
        self._doubtful = doubtful

    def block(self, body: list[ast.stmt]) -> bool:
        """Collect what a block evaluates, and return whether its end is reached."""
        return all(map(self._statement, body))

    def _statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                goes_on = True
            case ast.If() | ast.While():
                self._expression(node.test)
                goes_on = self._goes_on(node.test, [*node.body, *node.orelse])
            case ast.For() | ast.AsyncFor():
                self._expression(node.iter)
                self.block(node.body)
                goes_on = not any(isinstance(each, ast.Return) for each in _exits(node.body))
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self._expression(item.context_expr)
                goes_on = self.block(node.body)
            case ast.Try() | ast.TryStar():
                handling = [*node.orelse, *(each for handler in node.handlers for each in handler.body)]
                goes_on = self.block(node.body) and self.block(node.finalbody) and not any(_exits(handling))
            case ast.Match():
                self._expression(node.subject)
                goes_on = not any(_exits([each for case in node.cases for each in case.body]))
            case ast.Assert():
                self._expression(node.test)
                goes_on = not self._is_doubtful(node.test)
            case _:
                for child in below(node):
                    if isinstance(child, ast.expr):
                        self._expression(child)
                goes_on = not isinstance(node, _EXITS)
        return goes_on

    def _goes_on(self, test: ast.expr, body: list[ast.stmt]) -> bool:
        """Return whether every call goes on after a condition that may leave the function."""
        exits = list(_exits(body))
        return not exits or (all(isinstance(each, ast.Raise) for each in exits) and not self._is_doubtful(test))

    def _is_doubtful(self, test: ast.expr) -> bool:
        return not self._doubtful.isdisjoint(names_in(test))

    def _expression(self, node: ast.expr) -> None:
        self.found.add(id(node))
        if isinstance(node, ast.BoolOp):
            self._expression(node.values[0])
        elif isinstance(node, ast.IfExp):
            self._expression(node.test)
        elif isinstance(node, COMPREHENSIONS):
            self._expression(node.generators[0].iter)
            if not any(each.ifs for each in node.generators):
                for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
                    self._expression(part)
        elif not isinstance(node, ast.Lambda):
            for child in below(node):
                if isinstance(child, ast.keyword):
                    self._expression(child.value)
                elif isinstance(child, ast.expr):
                    self._expression(child)


def _exits(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a block that leave it, or the function."""
    waiting: list[ast.AST] = [*body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _EXITS):
            yield node
        elif isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case)) and not is_definition(node):
            waiting += [each for each in below(node) if not isinstance(each, ast.expr)]
