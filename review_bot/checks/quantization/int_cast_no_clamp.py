"""A quotient cast to a narrow type with nothing to keep it in range: no clamp, and no scale from its maximum."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes
from review_bot.analysis.tensors.evaluation import dtype_named
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_NARROW = frozenset({"int8", "uint8", "float8_e4m3fn", "float8_e5m2"})

_IN_RANGE = LazyRegex(r"clamp|clip|minimum|maximum|amax|\.max\(|torch\.max|absmax|abs_max|&|<<|>>|%|//|mask|bool|== ")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such cast. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.functions:
        made: dict[str, ast.expr] = {}
        for node in own_nodes(function.body):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                made[node.targets[0].id] = node.value
            narrow = _narrowed(node, imported)
            if narrow is None:
                continue
            operand, dtype = narrow
            if isinstance(operand, ast.Name):
                operand = made.get(operand.id, operand)
            if not _is_quotient(operand, imported):
                continue
            if _IN_RANGE.search("\n".join(source.lines_of_authors[function.lineno - 1 : function.end_lineno])):
                break
            yield hit_at(source, node, values={"dtype": dtype})


def _narrowed(node: ast.AST, imported: Mapping[str, str]) -> tuple[ast.expr, str] | None:
    """Return what a node casts, and to which narrow type."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr == "char":
        return node.func.value, "int8"
    given = [*node.args, *(each.value for each in node.keywords if each.arg == "dtype")]
    for each in given if node.func.attr == "to" else ():
        if (dtype := dtype_named(each, imported)) in _NARROW:
            return node.func.value, dtype
    return None


def _is_quotient(node: ast.expr, imported: Mapping[str, str]) -> bool:
    """Return whether an expression is ``x / scale``, rounded or not."""
    if isinstance(node, ast.Call):
        method = node.func
        if isinstance(method, ast.Attribute) and method.attr in {"round", "round_", "floor", "trunc"}:
            inner = node.args[0] if node.args and isinstance(method.value, ast.Name) else method.value
            return _is_quotient(inner, imported)
        rounds = full_name(method, imported) in {"torch.round", "torch.floor", "torch.trunc"}
        return rounds and bool(node.args) and _is_quotient(node.args[0], imported)
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Div, ast.Mult)):
        return False
    divisor = node.right
    return "scale" in ast.unparse(divisor).lower() or (isinstance(node.op, ast.Div) and isinstance(divisor, ast.Name))


CHECK = file_check(examine, CheckTraits(literals=("int8", "float8", "char")))
