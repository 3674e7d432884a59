"""Logits that are divided by a temperature which may be 0, in code that samples tokens."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import hit_at
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_DIVIDED = LazyRegex(r"(?i)logit|score|prob")
_SAMPLES = frozenset({"multinomial", "categorical"})
"""Functions that draw a token from probabilities or logits: PyTorch's and JAX's."""
_LIMITS = frozenset({
    "max", "clamp", "clamp_min", "clip", "maximum", "where", "isclose", "Field", "Query", "add_argument",
})  # fmt: skip
"""Functions that keep a value above 0, or may: the option of a parser and the field of a model can have limits."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each division by a temperature that nothing in the file limits. Raises CannotParse."""
    divisions = [
        (node, divisor)
        for function in source.functions
        if _samples(function)
        for node in ast.walk(function)
        if isinstance(node, ast.BinOp | ast.AugAssign) and (divisor := _divisor(node)) is not None
    ]
    if divisions and not any(_limits(node) for node in ast.walk(source.tree)):
        for node, divisor in divisions:
            yield hit_at(source, node, values={"temperature": ast.unparse(divisor)})


def _samples(function: Function) -> bool:
    return any(isinstance(node, ast.Call) and last_name(node.func) in _SAMPLES for node in ast.walk(function))


def _divisor(node: ast.BinOp | ast.AugAssign) -> ast.expr | None:
    """Return the temperature by which logits are divided."""
    divided, divisor = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
    if not isinstance(node.op, ast.Div) or not _is_temperature(divisor) or not _DIVIDED.search(ast.unparse(divided)):
        return None
    return divisor


def _is_temperature(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and last_name(node) in {"temperature", "temp"}


def _limits(node: ast.AST) -> bool:
    """Return whether a node tests a temperature, or gives it a limit."""
    if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
        return _mentions(node.test)
    if isinstance(node, ast.BoolOp | ast.Compare):
        return _mentions(node)
    return isinstance(node, ast.Call) and last_name(node.func) in _LIMITS and _mentions(node)


def _mentions(node: ast.AST) -> bool:
    return any(
        _is_temperature(part) or (isinstance(part, ast.Constant) and "temperature" in str(part.value))
        for part in ast.walk(node)
    )


CHECK = file_check(examine, CheckTraits(literals=("temperature", "temp")))
