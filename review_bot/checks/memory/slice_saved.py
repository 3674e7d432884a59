"""``torch.save(x[a:b], file)``: a part of a tensor is a view, and its whole storage is saved."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call that saves a slice of what is known to be a tensor. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.functions:
        saves = {id(node): part for node in own_nodes(function.body) if (part := _slice_saved(node, imported))}
        for statement, names in flow(function, imported) if saves else ():
            for node in expressions(statement):
                part = saves.get(id(node))
                if part is not None and value_of(part.value, names, imported).kind == "tensor":
                    yield hit_at(source, node)


def _slice_saved(node: ast.AST, imported: dict[str, str]) -> ast.Subscript | None:
    if not isinstance(node, ast.Call) or full_name(node.func, imported) != "torch.save" or not node.args:
        return None
    part = node.args[0]
    return part if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice) else None


CHECK = file_check(examine, CheckTraits(literals=("save",)))
