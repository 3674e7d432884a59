"""Where a value in a function comes from, as far as its own text shows: names are followed to what they were given.

::

    def answer(socket):
        frames = socket.recv_multipart()
        return pickle.loads(frames[0])      of(call.args[0]) yields frames[0] and then socket.recv_multipart()

It asks what a name was ever given, in any order and on any branch.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, own_parameters
from review_bot.analysis.python.syntax import own_nodes

_FILLING = frozenset({"append", "extend", "add", "appendleft"})
"""Methods that give what they get to the name before the dot."""


class ValueOrigins:
    """What the names of one function were given, and which of them are its parameters."""

    def __init__(self, function: Function) -> None:
        self.parameters = own_parameters(function)
        self._given: dict[str, list[ast.expr]] = {}
        for node in own_nodes(function.body):
            for target, value in _givings(node):
                for part in ast.walk(target):
                    if isinstance(part, ast.Name) and not (part.id == "self" and isinstance(target, ast.Attribute)):
                        self._given.setdefault(part.id, []).append(value)

    def given(self, name: str) -> list[ast.expr]:
        """Return what a name was ever given: of the variable of a loop, what it runs over."""
        return self._given.get(name, [])

    def of(self, value: ast.expr) -> Iterator[ast.AST]:
        """Yield every node of an expression, and of all that the names in it were given."""
        followed: set[str] = set()
        waiting: list[ast.expr] = [value]
        while waiting:
            for node in ast.walk(waiting.pop()):
                yield node
                if isinstance(node, ast.Name) and node.id not in followed:
                    followed.add(node.id)
                    waiting += self._given.get(node.id, [])


def _givings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield (target, value) for what a node gives to names."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield target, node.value
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr, ast.AugAssign)):
        if node.value is not None:
            yield node.target, node.value
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield node.target, node.iter
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FILLING:
        for value in node.args:
            yield node.func.value, value
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr
