"""A mean square taken in the dtype of the input, in a normalisation that nowhere goes to float32."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.analysis.tensors.sizes import integer
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_WIDER = LazyRegex(r"float32|float64|float\(\)|\.double\(|autocast|upcast|compute_dtype|type_as|_dtype")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such mean. Raises CannotParse."""
    cast: set[str] | None = None
    for function in source.functions:
        squares = [squared for node in own_nodes(function.body) if (squared := _mean_square_of(node)) is not None]
        if not squares:
            continue
        if cast is None:
            cast = _called_with_cast(source)
        text = "\n".join(source.lines_of_authors[function.lineno - 1 : function.end_lineno])
        if function.name in cast or "rsqrt" not in text or _WIDER.search(text):
            continue
        for mean, name in squares:
            if _is_given(name, function):
                yield hit_at(source, mean, values={"name": name.id})


def _called_with_cast(source: SourceFile) -> set[str]:
    """Return the functions that get something cast somewhere in the file: ``self._norm(x.float())``."""
    return {
        last_name(call.func)
        for call in source.nodes(ast.Call)
        if any(_WIDER.search(ast.unparse(each)) for each in call.args)
    }


def _mean_square_of(node: ast.AST) -> tuple[ast.Call, ast.Name] | None:
    """Return the call and ``x`` for ``x.pow(2).mean(...)``, ``(x ** 2).mean(...)``, ``x.square().mean(...)``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "mean":
        return None
    square = node.func.value
    operand: ast.expr | None = None
    if isinstance(square, ast.BinOp) and isinstance(square.op, ast.Pow) and integer(square.right) == 2:
        operand = square.left
    elif isinstance(square, ast.Call) and isinstance(square.func, ast.Attribute):
        is_power = square.func.attr == "pow" and len(square.args) == 1 and integer(square.args[0]) == 2
        operand = square.func.value if is_power or square.func.attr == "square" else None
    return (node, operand) if isinstance(operand, ast.Name) else None


def _is_given(name: ast.Name, function: Function) -> bool:
    """Return whether a name is a parameter that the function does not rebind."""
    return name.id in {each.arg for each in function.args.args} and not any(
        isinstance(node, ast.Name) and node.id == name.id and isinstance(node.ctx, ast.Store)
        for node in own_nodes(function.body)
        if getattr(node, "lineno", 0) <= name.lineno
    )


CHECK = file_check(examine, CheckTraits(literals=("mean rsqrt",)))
