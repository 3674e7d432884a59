"""A value cast to half precision that reaches a function which needs more range or more digits than it has."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import last_name, withs_of
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, keyword
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.analysis.tensors.values import HALF, Names
from review_bot.changes.node_lines import last_line, span_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_SENSITIVE = frozenset({
    "cosine_similarity", "cross_entropy", "cumprod", "cumsum", "exp", "expm1", "kl_div", "layer_norm", "log", "log10",
    "log1p", "log2", "log_softmax", "logsumexp", "norm", "prod", "softmax",
})  # fmt: skip
"""Functions that autocast runs in float32 (https://docs.pytorch.org/docs/stable/amp.html), as far as a large value
overflows or small ones are lost in them."""

_ACCUMULATES_IN_FLOAT32 = frozenset({"layer_norm", "norm"})
"""Those of them whose kernels accumulate in float32 in any case, so that only the range of float16 is too small."""

_FUNCTIONS = {f"{place}.{name}" for place in ("torch", "torch.nn.functional", "torch.linalg") for name in _SENSITIVE}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such call for each value in a function. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.functions:
        if not _casts(source, function):
            continue
        autocast = _autocast(source, function)
        reported: set[str] = set()
        for statement, names in flow(function, imported):
            if any(first <= statement.lineno <= last for first, last in autocast):
                continue
            for node in expressions(statement):
                operand = _operand(node, imported)
                if operand is None or operand.id in reported:
                    continue
                dtype = _half(operand, names, imported)
                if dtype == "float16" or (dtype and last_name(node) not in _ACCUMULATES_IN_FLOAT32):
                    reported.add(operand.id)
                    values = {"name": operand.id, "dtype": dtype, "function": last_name(node)}
                    yield hit_at(source, node, values=values)


def _casts(source: SourceFile, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether half precision is named on the lines of a function: values are followed inside of it alone."""
    lines = source.lines[function.lineno - 1 : function.end_lineno]
    return any("half" in line or "float16" in line for line in lines)


def _autocast(source: SourceFile, function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[tuple[int, int]]:
    """Return the lines of each ``with`` that sets autocast: it runs these functions in float32."""
    return [
        span_of(node)
        for node in withs_of(source.tree)
        if function.lineno <= node.lineno <= last_line(function)
        and any("autocast" in ast.unparse(item.context_expr) for item in node.items)
    ]


def _operand(node: ast.AST, imported: Mapping[str, str]) -> ast.Name | None:
    """Return the name that a sensitive call without ``dtype`` works on."""
    if not isinstance(node, ast.Call) or keyword(node, "dtype") is not None:
        return None
    operand: ast.expr | None = None
    if full_name(node.func, imported) in _FUNCTIONS:
        operand = node.args[0] if node.args else keyword(node, "input")
    elif isinstance(node.func, ast.Attribute) and node.func.attr in _SENSITIVE:
        operand = node.func.value
    return operand if isinstance(operand, ast.Name) else None


def _half(operand: ast.Name, names: Names, imported: Mapping[str, str]) -> str:
    dtype = value_of(operand, names, imported).dtype
    return dtype if dtype in HALF else ""


CHECK = file_check(examine, CheckTraits(literals=("half", "float16")))
