"""An epsilon that float16 rounds to zero, added to a value that was cast to float16.

The smallest number that float16 holds is 2**-24, about 6e-8; at most half of it rounds to zero (IEEE 754 binary16).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import hit_at, imported_names, keyword, own_nodes
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_ROUNDS_TO_ZERO = 2.0**-25


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such sum or lower bound. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.functions:
        if not any(map(_bounded, own_nodes(function.body))):
            continue  # there is nothing to follow values to
        for statement, names in flow(function, imported):
            for node in expressions(statement):
                pair = _bounded(node)
                if pair is not None and value_of(pair[0], names, imported).dtype == "float16":
                    values = {"operand": ast.unparse(pair[0]), "epsilon": repr(pair[1])}
                    yield hit_at(source, node, values=values)


def _bounded(node: ast.AST) -> tuple[ast.expr, float] | None:
    """Return the operand and the epsilon of ``x + 1e-8``, ``x.clamp(min=1e-8)`` and the like."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        for operand, other in ((node.left, node.right), (node.right, node.left)):
            epsilon = _epsilon(other)
            if epsilon is not None:
                return operand, epsilon
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in {"clamp", "clamp_min"}:
        epsilon = _epsilon(keyword(node, "min") or (node.args[0] if node.args else None))
        if epsilon is not None:
            return node.func.value, epsilon
    return None


def _epsilon(node: ast.expr | None) -> float | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, float) and 0 < node.value <= _ROUNDS_TO_ZERO:
        return node.value
    return None


CHECK = file_check(examine, CheckTraits(literals=("half", "float16")))
