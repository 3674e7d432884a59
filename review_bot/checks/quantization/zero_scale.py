"""A quantization scale that is zero for an all-zero input: the largest magnitude over a limit, without a floor."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_LIMIT = LazyRegex(r"q_?max|max_?q|max_?val|int\d_max|fp8|finfo|iinfo", re.IGNORECASE)
_BOUNDED = LazyRegex(r"clamp|clip|maximum|where|max\(|eps|== ?0|> ?0|nan_to_num|masked_fill|\+ ?1e-|tiny")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each scale of that form which the function bounds nowhere. Raises CannotParse."""
    for function in source.functions:
        nodes = list(own_nodes(function.body))
        for node in nodes:
            if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not _is_scale(node.value):
                continue
            name = last_name(node.targets[0])
            if "scale" in name.lower() and not _is_bounded(name, node, nodes):
                yield hit_at(source, node, values={"name": name})


def _is_scale(value: ast.expr) -> bool:
    """Return whether an expression is ``x.abs().max(...) / limit``."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Div):
        return False
    if not (isinstance(value.right, ast.Constant) or _LIMIT.search(ast.unparse(value.right))):
        return False
    top = value.left
    if isinstance(top, ast.Attribute) and top.attr == "values":
        top = top.value
    if isinstance(top, ast.Subscript):
        top = top.value
    if not isinstance(top, ast.Call) or last_name(top) not in {"max", "amax"}:
        return False
    parts = [top.func.value] if isinstance(top.func, ast.Attribute) else []
    return any(isinstance(each, ast.Call) and last_name(each) == "abs" for each in [*parts, *top.args[:1]])


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
