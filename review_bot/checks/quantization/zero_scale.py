"""A quantization scale that is zero for an all-zero input: the largest magnitude over a limit, without a floor."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.largest_magnitude import is_asked_for, is_bounded, measured
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_LIMIT = LazyRegex(r"q_?max|max_?q|max_?val|int\d_max|fp8|finfo|iinfo", re.IGNORECASE)
_LONGEST = 60
"""Characters of the text of a tensor that a message shows."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each scale of that form which the function bounds nowhere. Raises CannotParse."""
    for function in source.functions:
        nodes = list(own_nodes(function.body))
        for node in nodes:
            if not isinstance(node, ast.Assign) or len(node.targets) != 1:
                continue
            name, scaled = last_name(node.targets[0]), _scaled(node.value)
            if scaled is None or "scale" not in name.lower() or is_bounded(name, node, nodes):
                continue
            text = ast.unparse(scaled)
            if not is_asked_for(scaled, nodes):
                shown = f"`{text}`" if len(text) <= _LONGEST and "`" not in text else "the tensor"
                yield hit_at(source, node, values={"name": name, "tensor": shown})


def _scaled(value: ast.expr) -> ast.expr | None:
    """Return the tensor of a scale, ``x`` of ``x.abs().max(...) / limit``; None for any other expression."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Div):
        return None
    is_limited = isinstance(value.right, ast.Constant) or _LIMIT.search(ast.unparse(value.right))
    return measured(value.left) if is_limited else None


CHECK = file_check(examine, CheckTraits(literals=("abs", "amax")))
