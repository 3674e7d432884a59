"""The largest magnitude of a tensor or an array, which is 0 where all its values are, and what keeps it above 0.

::

    x.abs().max()      x.abs().amax(-1, keepdim=True)      torch.max(torch.abs(x))
    np.abs(x).max()    np.max(np.abs(x))                   max(abs(x))
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted
from review_bot.text.lazy_regex import LazyRegex

_VALUES = LazyRegex(r"\b(?:a?max|any|all|count_nonzero|nonzero|norm|sum)\(")
"""What a condition on the values of a tensor asks for."""
_BOUNDED = LazyRegex(r"clamp|clip|maximum|where|max\(|eps|== ?0|> ?0|nan_to_num|masked_fill|\+ ?1e-|tiny")


def measured(value: ast.expr) -> ast.expr | None:
    """Return the tensor whose largest magnitude an expression is; None for any other expression."""
    if isinstance(value, ast.Attribute) and value.attr == "values":
        value = value.value
    if isinstance(value, ast.Subscript):
        value = value.value
    if not isinstance(value, ast.Call) or last_name(value) not in {"max", "amax"}:
        return None
    parts = [value.func.value] if isinstance(value.func, ast.Attribute) else []
    for each in [*parts, *value.args[:1]]:
        if isinstance(each, ast.Call) and last_name(each) == "abs":
            if each.args:
                return each.args[0]
            return each.func.value if isinstance(each.func, ast.Attribute) else None
    return None


def is_asked_for(tensor: ast.expr, nodes: Sequence[ast.AST]) -> bool:
    """Return whether a condition among some nodes asks for the values of a tensor: ``if layer.weight.sum() != 0``."""
    place = _place(tensor)
    if place is None:
        return False
    tests = [ast.unparse(node.test) for node in nodes if isinstance(node, (ast.If, ast.IfExp, ast.Assert, ast.While))]
    named = re.compile(rf"(?<![\w.]){re.escape(place)}(?!\w)")
    return any(named.search(test) and _VALUES.search(test) for test in tests)


def _place(tensor: ast.expr) -> str | None:
    """Return the place whose values a tensor has: ``layer.weight`` of ``layer.weight.flatten()``."""
    while isinstance(tensor, ast.Call) and isinstance(tensor.func, ast.Attribute):
        tensor = tensor.func.value
    return dotted(tensor)


def is_bounded(name: str, made: ast.stmt, nodes: Sequence[ast.AST]) -> bool:
    """Return whether another statement than ``made`` names a value together with something that keeps it from 0."""
    for node in nodes:
        if node is made or not isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.Return, ast.Assert)):
            continue
        text = ast.unparse(node.test) if isinstance(node, ast.If) else ast.unparse(node)
        if re.search(rf"\b{re.escape(name)}\b", text) and (isinstance(node, ast.If) or _BOUNDED.search(text)):
            return True
    return False
