"""What a block surely evaluates once it is reached: no branches, no loops, and nothing behind what may leave it.

::

    a = first()
    if a and second(): third()       first and a, not second or third
    return fourth()                  fourth
    fifth()                          not fifth
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from review_bot.analysis.python.node_types import COMPREHENSIONS
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import own_nodes
from review_bot.changes.node_index import below
from review_bot.text.lazy_regex import LazyRegex

_LEAVES = frozenset({"_exit", "abort", "error", "exit", "fail", "importorskip", "quit", "skip"})
_LEAVE = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_CATCHES = LazyRegex(r"\b(?:BaseException|Exception|NameError|TypeError)\b")
_EXPECTS = LazyRegex(r"(?i)raises|suppress|ignor|expect|skip|fail|catch")


def surely_evaluated(body: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the parts that surely run once a block is reached, up to what may leave it."""
    for statement in body:
        if isinstance(statement, (ast.If, ast.While)):
            yield from _parts(statement.test)
        elif isinstance(statement, (ast.For, ast.AsyncFor)):
            yield from _parts(statement.iter)
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            for item in statement.items:
                yield from _parts(item.context_expr)
            if any(_EXPECTS.search(ast.unparse(item.context_expr)) for item in statement.items):
                return
            yield from surely_evaluated(statement.body)
        elif isinstance(statement, ast.Try):
            if any(each.type is None or _CATCHES.search(ast.unparse(each.type)) for each in statement.handlers):
                return
            yield from surely_evaluated(statement.body)
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for part in reversed(below(statement)):
                yield from _parts(part)
        if may_leave(statement):
            return


def may_leave(statement: ast.stmt) -> bool:
    """Return whether a statement may keep the next one from running."""
    nodes = list(own_nodes([statement]))
    return any(
        isinstance(each, _LEAVE) or (isinstance(each, ast.Call) and last_name(each.func) in _LEAVES) for each in nodes
    )


def _parts(part: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of an expression that are surely evaluated."""
    waiting = [part]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.IfExp):
            waiting.append(node.test)
        elif isinstance(node, ast.BoolOp):
            waiting.append(node.values[0])
        elif isinstance(node, ast.Compare):
            waiting += [node.comparators[0], node.left]
        elif isinstance(node, COMPREHENSIONS):
            waiting.append(node.generators[0].iter)
        elif not isinstance(node, ast.Lambda):
            yield node
            waiting += below(node)
