"""Names that a loop binds when it finds something, and that the code behind it tests as if they were always bound.

::

    for index in range(last, -1, -1):
        if stages[index].final:
            found = index
            break
    if found < 0:           UnboundLocalError where no stage is final
        found = last
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, all_parameters, blocks, is_definition
from review_bot.analysis.python.syntax import bound_name, names_in, own_nodes
from review_bot.changes.node_lines import last_line
from review_bot.records import NamedTuple


class FailedSearch(NamedTuple):
    """``use``: the test of the name. ``loop`` and ``condition``: the lines (1-based) of the loop and of its ``if``."""

    use: ast.Name
    loop: int
    condition: int


def failed_searches(function: Function) -> Iterator[FailedSearch]:
    """Yield the tests of names that only an ``if`` of a loop before them binds."""
    bound: dict[str, list[ast.Name]] | None = None
    for block in blocks(function.body, into_definitions=False):
        for number, loop in enumerate(block):
            if not isinstance(loop, (ast.For, ast.AsyncFor)) or loop.orelse:
                continue
            conditions = [each for each in loop.body if isinstance(each, ast.If)]
            for name, condition in _found(conditions):
                bound = _bound(function) if bound is None else bound
                last = last_line(condition.body[-1])
                if not all(condition.lineno <= each.lineno <= last for each in _before(bound, name, loop)):
                    continue
                use = _tested_first(block[number + 1 :], name)
                if use is not None:
                    yield FailedSearch(use, loop.lineno, condition.lineno)


def _found(conditions: list[ast.If]) -> Iterator[tuple[str, ast.If]]:
    for condition in conditions:
        for statement in condition.body:
            if isinstance(statement, ast.Assign):
                yield from ((each.id, condition) for each in statement.targets if isinstance(each, ast.Name))


def _bound(function: Function) -> dict[str, list[ast.Name]]:
    """Return where a function binds each name; those that other code may bind too are bound at its first line."""
    found: dict[str, list[ast.Name]] = {}
    elsewhere = [each.arg for each in all_parameters(function)]
    for node in own_nodes(function.body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, []).append(node)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            elsewhere += node.names
        elif is_definition(node):
            elsewhere.append(node.name)
        elif isinstance(node, ast.alias):
            elsewhere.append(bound_name(node))
        elif isinstance(node, ast.ExceptHandler) and node.name:
            elsewhere.append(node.name)
    for name in elsewhere:
        found.setdefault(name, []).append(ast.Name(name, ast.Store(), lineno=function.lineno, col_offset=0))
    return found


def _before(bound: dict[str, list[ast.Name]], name: str, loop: ast.For | ast.AsyncFor) -> list[ast.Name]:
    """Return the bindings of a name up to the end of a loop."""
    return [each for each in bound.get(name, ()) if each.lineno <= last_line(loop)]


def _tested_first(behind: list[ast.stmt], name: str) -> ast.Name | None:
    """Return the first mention of a name, if it is a test whether something was found."""
    for statement in behind:
        if name not in names_in(statement):
            continue
        test = statement.test if isinstance(statement, (ast.If, ast.Assert)) else None
        return None if test is None else _tested(test, name)
    return None


def _tested(test: ast.expr, name: str) -> ast.Name | None:
    """Return the name in ``name``, ``not name``, ``name is None`` or ``name < 0``, alone or first of several tests."""
    if isinstance(test, ast.BoolOp):
        test = test.values[0]
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and _is_nothing(test.comparators[0]):
        test = test.left
    return test if isinstance(test, ast.Name) and test.id == name else None


def _is_nothing(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    return isinstance(value, ast.Constant) and value.value in (None, 0, 1, "", False)
