"""A write in place to a view of ``expand``, in which several elements share one place in memory."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import hit_at, imported_names, own_nodes
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_IN_PLACE = frozenset({
    "add_", "clamp_", "copy_", "div_", "index_copy_", "index_fill_", "masked_fill_", "mul_", "scatter_",
    "sub_",
})  # fmt: skip
"""Not ``fill_`` and ``zero_``: to write the same number twice does no harm."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such write. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.functions:
        if not any(map(_written, own_nodes(function.body))):
            continue  # there is nothing to follow values to
        for statement, names in flow(function, imported):
            for node in [statement, *expressions(statement)]:
                written = _written(node)
                if written is not None and value_of(written, names, imported).expanded:
                    yield hit_at(source, node, values={"view": ast.unparse(written)})


def _written(node: ast.AST) -> ast.expr | None:
    """Return the tensor that a node changes in place."""
    if isinstance(node, ast.AugAssign):
        return node.target if isinstance(node.target, ast.Name) else None
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript):
        return node.targets[0].value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _IN_PLACE:
        return node.func.value
    return None


CHECK = file_check(examine, CheckTraits(literals=("expand", "broadcast_to")))
