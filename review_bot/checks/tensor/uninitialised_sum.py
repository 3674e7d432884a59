"""A sum that begins with ``torch.empty``, whose memory holds whatever was there before."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import blocks
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, keyword, names_in, own_nodes, text_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_EMPTY = frozenset({"torch.empty", "torch.empty_like", "torch.empty_strided"})
_ADDING = frozenset({"add_", "addmm_", "baddbmm_", "index_add_", "mul_", "scatter_add_", "sub_"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each addition to a tensor that nothing was written to. Raises CannotParse."""
    names = imported_names(source.tree)
    for block in blocks(source.tree.body):
        for position, statement in enumerate(block):
            if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
                continue
            target, made = statement.targets[0], statement.value.func
            is_empty = full_name(made, names) in _EMPTY or (
                isinstance(made, ast.Attribute) and made.attr == "new_empty"
            )
            is_empty = is_empty and _has_values(statement.value)
            if isinstance(target, ast.Name) and len(statement.targets) == 1 and is_empty:
                use = _first_use(target.id, block[position + 1 :])
                if use is not None and _adds(use, target.id):
                    values = {"name": target.id, "line": str(statement.lineno)}
                    yield hit_at(source, use, values=values)


def _has_values(made: ast.Call) -> bool:
    """Return whether a new tensor holds any values: it has elements, and is not on the device ``meta``."""
    device, size = keyword(made, "device"), made.args[0] if made.args else None
    return text_of(device) != "meta" and not (isinstance(size, ast.Constant) and size.value == 0)


def _first_use(name: str, statements: list[ast.stmt]) -> ast.AST | None:
    """Return the first statement, or call of a method, that mentions a name; None if that is hard to say."""
    for statement in statements:
        for node in own_nodes([statement]):
            if isinstance(node, ast.stmt) and not hasattr(node, "body"):
                if name in names_in(node):
                    return node
            elif isinstance(node, ast.Name) and node.id == name:
                return None  # in the head of a block
    return None


def _adds(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.AugAssign):
        target = node.target.value if isinstance(node.target, ast.Subscript) else node.target
        return isinstance(target, ast.Name) and target.id == name
    call = node.value if isinstance(node, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in _ADDING
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == name
        and keyword(call, "beta") is None
    )


CHECK = file_check(examine, CheckTraits(literals=("empty", "empty_like", "new_empty", "empty_strided")))
