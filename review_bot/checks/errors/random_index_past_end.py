"""A random index that can be the length of what it is an index of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, is_name, reads_same, replacing
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_INDEX = LazyRegex(r"(?i)(?:^|_)(?:idx|index|ind)\d*$")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call of ``random.randint`` whose result is an index that can be too large. Raises CannotParse."""
    names = imported_names(source.tree)
    for scope in (*source.functions, source.tree):
        nodes = list(ast.walk(scope)) if scope is not source.tree else _outside_functions(source.tree)
        kept = {id(node.value): node.targets[0] for node in nodes if isinstance(node, ast.Assign)}
        for call in nodes:
            length = _upper_length(call, names)
            if length is None or not isinstance(call, ast.Call):
                continue
            if _is_index(kept.get(id(call)), call, length.args[0], nodes):
                called, limit = ast.unparse(call.func), ast.unparse(length)
                # `randrange` by its name alone would need an import.
                is_method = isinstance(call.func, ast.Attribute)
                instead = (
                    f"{called.replace('randint', 'randrange')}({limit})" if is_method else f"{called}(0, {limit} - 1)"
                )
                suggestion = replacing(source, call, instead) if call.lineno == call.end_lineno else None
                values = {"length": ast.unparse(length), "instead": instead}
                yield hit_at(source, call, values=values, suggestion=suggestion)


def _outside_functions(tree: ast.Module) -> list[ast.AST]:
    """Return the nodes that run when the module is imported, but those of classes."""
    found: list[ast.AST] = []
    open_nodes: list[ast.AST] = list(tree.body)
    while open_nodes:
        node = open_nodes.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.append(node)
            open_nodes += ast.iter_child_nodes(node)
    return found


def _upper_length(node: ast.AST, names: dict[str, str]) -> ast.Call | None:
    """Return ``len(items)`` of ``random.randint(0, len(items))``."""
    if not isinstance(node, ast.Call) or len(node.args) != 2 or full_name(node.func, names) != "random.randint":
        return None
    first, last = node.args
    if not isinstance(first, ast.Constant) or first.value != 0:
        return None
    return last if isinstance(last, ast.Call) and is_name(last.func, "len") and len(last.args) == 1 else None


def _is_index(target: ast.expr | None, call: ast.Call, items: ast.expr, nodes: list[ast.AST]) -> bool:
    """Return whether the number is used as an index, and as nothing that may be the length as well."""
    if target is None:
        return any(isinstance(node, ast.Subscript) and node.slice is call for node in nodes)
    if any(_is_position(node, target) for node in nodes):
        return False
    return bool(_INDEX.search(last_name(target))) or any(
        isinstance(node, ast.Subscript) and reads_same(node.slice, target) and reads_same(node.value, items)
        for node in nodes
    )


def _is_position(node: ast.AST, target: ast.expr) -> bool:
    """Return whether a use suits the length too: a border of a slice, a place to insert, a count, a comparison."""
    parts: list[ast.expr | None] = []
    if isinstance(node, ast.Slice):
        parts = [node.lower, node.upper]
    elif isinstance(node, ast.Call) and last_name(node.func) in {"insert", "range", "sample", "min", "randint"}:
        parts = list(node.args)
    elif isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, ast.AugAssign):
        parts = [node.target]
    return any(part is not None and reads_same(part, target) for part in parts)


CHECK = file_check(examine, CheckTraits(literals=("randint",)))
