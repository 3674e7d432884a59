"""A mask value that float16 cannot hold, written into a tensor that was cast to float16.

The least number of float16 is -65504 (IEEE 754 binary16). ``masked_fill`` raises for a value below it.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes, source_text
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_OVERFLOWS = 65520.0
"""From here on a number rounds to infinity in float16."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such write. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.functions:
        if not any(_is_beyond(value) for node in own_nodes(function.body) for _, value in _filled(node, imported)):
            continue  # there is nothing to follow values to
        for statement, names in flow(function, imported):
            for node in [statement, *expressions(statement)]:
                for tensor, value in _filled(node, imported):
                    if value_of(tensor, names, imported).dtype == "float16" and _is_beyond(value):
                        written = source_text(source, value) or ast.unparse(value)
                        yield hit_at(source, node, values={"tensor": ast.unparse(tensor), "value": written})


def _filled(node: ast.AST, imported: Mapping[str, str]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield each tensor with the value that a node writes into it under a mask."""
    if isinstance(node, ast.Call):
        function = node.func
        is_method = isinstance(function, ast.Attribute) and function.attr in {"masked_fill", "masked_fill_"}
        if isinstance(function, ast.Attribute) and is_method and len(node.args) == 2:
            yield function.value, node.args[1]
        elif full_name(function, imported) == "torch.where" and len(node.args) == 3:
            yield node.args[1], node.args[2]
            yield node.args[2], node.args[1]
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        yield node.targets[0].value, node.value


def _is_beyond(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, (int, float)) and _OVERFLOWS <= value < math.inf


CHECK = file_check(examine, CheckTraits(literals=("half", "float16")))
