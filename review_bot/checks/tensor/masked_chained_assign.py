"""A write that is lost: ``x[mask][0] = 1`` and ``x[mask].fill_(0)`` change the copy that ``x[mask]`` makes.

Assigning to ``x[mask]`` itself is fine, and so is ``x[mask] += 1``: both call ``__setitem__`` on ``x``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import targets_of
from review_bot.analysis.python.syntax import hit_at, imported_names, own_nodes
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import flow
from review_bot.analysis.tensors.values import Names
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_IN_PLACE = frozenset({
    "add_", "addcmul_", "clamp_", "copy_", "div_", "exp_", "fill_", "masked_fill_", "mul_", "neg_", "normal_", "pow_",
    "round_", "sigmoid_", "sqrt_", "sub_", "uniform_", "zero_",
})  # fmt: skip


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each statement that writes to such a copy and keeps nothing of it. Raises CannotParse."""
    chains: list[ast.Subscript | ast.Attribute] = [*source.nodes(ast.Subscript), *source.nodes(ast.Attribute)]
    if not any(isinstance(each.value, ast.Subscript) for each in chains):
        return
    imported = imported_names(source.tree)
    for function in source.functions:
        inside = own_nodes(function.body)
        if not any(any(_written(node)) for node in inside if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr))):
            continue  # there is nothing to follow values to
        for statement, names in flow(function, imported):
            for copied in _written(statement):
                if _selects(copied, names, imported):
                    values = {"copy": ast.unparse(copied), "tensor": ast.unparse(copied.value)}
                    yield hit_at(source, statement, values=values)


def _written(statement: ast.AST) -> Iterator[ast.Subscript]:
    """Yield each ``x[i]`` of which a statement writes a part, or which it changes in place."""
    if isinstance(statement, (ast.Assign, ast.AugAssign)):
        for target in targets_of(statement):
            if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript):
                yield target.value
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        method = statement.value.func
        if (
            isinstance(method, ast.Attribute)
            and method.attr in _IN_PLACE
            and isinstance(method.value, ast.Subscript)
            and not any(each.arg == "out" for each in statement.value.keywords)
        ):
            yield method.value


def _selects(part: ast.Subscript, names: Names, imported: Mapping[str, str]) -> bool:
    """Return whether ``x[i]`` is a copy: ``i`` is a mask, a list of positions, or a comparison of ``x`` itself."""
    indices = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
    whole = ast.unparse(part.value)
    for index in indices:
        if isinstance(index, ast.List) or value_of(index, names, imported).selects:
            return True
        if isinstance(index, ast.Compare) and any(
            isinstance(each, (ast.Name, ast.Attribute)) and ast.unparse(each) == whole
            for each in (index.left, *index.comparators)
        ):
            return True
    return False


CHECK = file_check(examine, CheckTraits(literals=("[",)))
