"""Audio or an image that is divided by its own largest magnitude, which is 0 for silence and for black."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.largest_magnitude import is_asked_for, is_bounded, measured
from review_bot.analysis.python.syntax import hit_at, own_nodes, reads_same
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each division of values by their largest magnitude that nothing keeps above 0. Raises CannotParse."""
    for function in source.functions:
        nodes = list(own_nodes(function.body))
        peaks = {
            node.targets[0].id: node
            for node in nodes
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _values(node.value)
        }
        for node in nodes:
            if not isinstance(node, ast.BinOp | ast.AugAssign) or not isinstance(node.op, ast.Div):
                continue
            divided, divisor = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
            made = peaks.get(divisor.id) if isinstance(divisor, ast.Name) else None
            values = _values(made.value if made else divisor)
            if values is None or not any(reads_same(part, values) for part in _factors(divided)):
                continue
            if made and isinstance(divisor, ast.Name) and is_bounded(divisor.id, made, nodes):
                continue
            if not is_asked_for(values, nodes):
                yield hit_at(source, node, values={"values": ast.unparse(values)})


def _values(peak: ast.expr) -> ast.expr | None:
    """Return the values of which a number is the one largest magnitude."""
    if not isinstance(peak, ast.Call) or peak.keywords or len(peak.args) > 1:
        return None
    if peak.args and isinstance(peak.func, ast.Attribute) and isinstance(peak.func.value, ast.Call):
        return None  # `x.abs().max(-1)`: one for each row
    return measured(peak)


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what is multiplied, or the expression itself."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from _factors(node.left)
        yield from _factors(node.right)
    else:
        yield node


CHECK = file_check(examine, CheckTraits(literals=("abs",)))
