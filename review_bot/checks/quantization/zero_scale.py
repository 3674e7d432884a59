"""A quantization scale that is zero for an all-zero input: the largest magnitude over a limit, without a floor."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted, hit_at, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_LIMIT = LazyRegex(r"q_?max|max_?q|max_?val|int\d_max|fp8|finfo|iinfo", re.IGNORECASE)
_VALUES = LazyRegex(r"\b(?:a?max|any|all|count_nonzero|nonzero|norm|sum)\(")
"""What a condition on the values of a tensor asks for."""
_LONGEST = 60
"""Characters of the text of a tensor that a message shows."""
_BOUNDED = LazyRegex(r"clamp|clip|maximum|where|max\(|eps|== ?0|> ?0|nan_to_num|masked_fill|\+ ?1e-|tiny")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each scale of that form which the function bounds nowhere. Raises CannotParse."""
    for function in source.functions:
        nodes = list(own_nodes(function.body))
        for node in nodes:
            if not isinstance(node, ast.Assign) or len(node.targets) != 1:
                continue
            name, scaled = last_name(node.targets[0]), _scaled(node.value)
            if scaled is None or "scale" not in name.lower() or _is_bounded(name, node, nodes):
                continue
            text = ast.unparse(scaled)
            if not _is_asked_for(_place(scaled), nodes):
                shown = f"`{text}`" if len(text) <= _LONGEST and "`" not in text else "the tensor"
                yield hit_at(source, node, values={"name": name, "tensor": shown})


def _scaled(value: ast.expr) -> ast.expr | None:
    """Return the tensor of a scale, ``x`` of ``x.abs().max(...) / limit``; None for any other expression."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Div):
        return None
    if not (isinstance(value.right, ast.Constant) or _LIMIT.search(ast.unparse(value.right))):
        return None
    top = value.left
    if isinstance(top, ast.Attribute) and top.attr == "values":
        top = top.value
    if isinstance(top, ast.Subscript):
        top = top.value
    if not isinstance(top, ast.Call) or last_name(top) not in {"max", "amax"}:
        return None
    parts = [top.func.value] if isinstance(top.func, ast.Attribute) else []
    for each in [*parts, *top.args[:1]]:
        if isinstance(each, ast.Call) and last_name(each) == "abs":
            if each.args:
                return each.args[0]
            return each.func.value if isinstance(each.func, ast.Attribute) else None
    return None


def _place(tensor: ast.expr) -> str | None:
    """Return the place whose values a tensor has: ``layer.weight`` of ``layer.weight.flatten()``."""
    while isinstance(tensor, ast.Call) and isinstance(tensor.func, ast.Attribute):
        tensor = tensor.func.value
    return dotted(tensor)


def _is_asked_for(place: str | None, nodes: list[ast.AST]) -> bool:
    """Return whether a condition of the function asks for the values of a tensor: ``if layer.weight.sum() != 0``."""
    if place is None:
        return False
    tests = [ast.unparse(node.test) for node in nodes if isinstance(node, (ast.If, ast.IfExp, ast.Assert, ast.While))]
    named = re.compile(rf"(?<![\w.]){re.escape(place)}(?!\w)")
    return any(named.search(test) and _VALUES.search(test) for test in tests)


def _is_bounded(name: str, made: ast.stmt, nodes: list[ast.AST]) -> bool:
    """Return whether another statement names the scale together with something that keeps it from zero."""
    for node in nodes:
        if node is made or not isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.Return, ast.Assert)):
            continue
        text = ast.unparse(node.test) if isinstance(node, ast.If) else ast.unparse(node)
        if re.search(rf"\b{re.escape(name)}\b", text) and (isinstance(node, ast.If) or _BOUNDED.search(text)):
            return True
    return False


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("abs", "amax")))
