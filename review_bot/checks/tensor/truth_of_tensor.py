"""A tensor as a condition: with more than one element it has no truth value, and PyTorch raises."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, defaults_of, named_parameters
from review_bot.analysis.python.syntax import hit_at, imported_names, is_literal
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.analysis.tensors.values import Names, Value
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.listing import count


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such condition for each tensor of a function. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.touched_functions:
        if not _may_test(function):
            continue
        optional = _optional(function)
        reported: set[str] = set()
        for statement, names in flow(function, imported):
            for condition in _conditions(statement):
                held = value_of(condition, names, imported)
                name = ast.unparse(condition)
                if name not in reported and (reason := _reason(condition, held, names, optional)):
                    reported.add(name)
                    yield hit_at(source, condition, values={"name": name, "reason": reason})


def _may_test(function: Function) -> bool:
    """Return whether a condition in a function is a name or an operation on one; most are neither."""
    tests = [each.test for each in nodes_of(function, ast.If)] + [each.test for each in nodes_of(function, ast.IfExp)]
    tests += [each.test for each in nodes_of(function, ast.While)]
    tests += [each.test for each in nodes_of(function, ast.Assert)]
    tests += [each.operand for each in nodes_of(function, ast.UnaryOp) if isinstance(each.op, ast.Not)]
    tests += [value for each in nodes_of(function, ast.BoolOp) for value in each.values]
    return any(
        isinstance(each, (ast.Name, ast.BinOp))
        or (isinstance(each, ast.Compare) and isinstance(each.ops[0], (ast.Eq, ast.Gt, ast.GtE, ast.Lt, ast.LtE)))
        for each in tests
    )


def _conditions(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield what is tested for truth in a statement's own expressions, the parts of ``and``, ``or`` and ``not``."""
    tested: list[ast.expr] = []
    if isinstance(statement, (ast.If, ast.While, ast.Assert)):
        tested.append(statement.test)
    for node in expressions(statement):
        if isinstance(node, ast.IfExp):
            tested.append(node.test)
        elif isinstance(node, ast.BoolOp):
            tested += node.values[:-1]  # the last is the result, and may not be tested
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            tested.append(node.operand)
    seen: set[int] = set()
    while tested:
        node = tested.pop(0)
        if isinstance(node, ast.BoolOp):
            tested += node.values
        elif id(node) not in seen:
            seen.add(id(node))
            yield node


def _reason(condition: ast.expr, held: Value, names: Names, optional: frozenset[str]) -> str:
    """Return why a condition is a tensor of several elements, or whose presence is meant; nothing if it may not be."""
    if held.kind != "tensor" or (held.dtype == "bool" and not held.rank):
        return ""
    if (
        isinstance(condition, ast.Name)
        and condition.id in optional
        and names[condition.id].device == f"@{condition.id}"
    ):
        return "it is a tensor or None"
    if held.rank and not all(size == "1" for size in held.sizes or ()):
        return f"it has {count(held.rank, 'dimension')}"
    return ""


def _optional(function: Function) -> frozenset[str]:
    """Return the parameters that may be None: by default, or by their annotation.

    One of which a comprehension takes items, to join them, is a list whatever its annotation says.
    """
    defaults = {each.arg: default for each, default in defaults_of(function)}
    items = [each.elt.value for each in nodes_of(function, ast.ListComp) if isinstance(each.elt, ast.Subscript)]
    lists = {each.id for each in items if isinstance(each, ast.Name)}
    return frozenset(
        each.arg
        for each in named_parameters(function)
        if each.arg not in lists
        if (each.arg not in defaults or is_literal(defaults[each.arg], None)) and "dtype" not in each.arg
        if is_literal(defaults.get(each.arg), None)
        or (each.annotation is not None and "None" in (written := ast.unparse(each.annotation)))
        or (each.annotation is not None and "Optional" in written)
    )


CHECK = file_check(examine, CheckTraits(literals=("torch",)))
"""Every function of a file with torch: annotations alone make a parameter a tensor."""
