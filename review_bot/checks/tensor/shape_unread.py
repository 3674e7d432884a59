"""A shape that is unpacked into names of which none is read: it only fails for a tensor of another rank."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.bindings import READS_BY_TEXT
from review_bot.analysis.python.statements import Function
from review_bot.analysis.python.syntax import hit_at, names_in, own_nodes
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such assignment. Raises CannotParse."""
    for function in source.touched_functions:
        unpacked = [node for node in own_nodes(function.body) if isinstance(node, ast.Assign) and _shape(node)]
        if not unpacked or _is_dynamic(function):
            continue
        read = _read(function)
        for node in unpacked:
            names = _names(node.targets[0])
            if len(names) > 1 and not any(name in read or name.startswith("_") for name in names):
                values = {"shape": ast.unparse(node.value), "names": ", ".join(names), "rank": str(len(names))}
                yield hit_at(source, node, values=values)


def _read(function: Function) -> set[str]:
    """Return the names that a function reads, except where a loop around the place binds the name again."""
    rebound: set[int] = set()
    for loop in nodes_of(function, ast.For):
        names = names_in(loop.target)
        inner = [node for statement in loop.body for node in walk(statement)]
        rebound |= {id(node) for node in inner if isinstance(node, ast.Name) and node.id in names}
    return {
        each.id
        for each in nodes_of(function, ast.Name)
        if not isinstance(each.ctx, ast.Store) and id(each) not in rebound
    }


def _shape(node: ast.Assign) -> bool:
    value = node.value.func if isinstance(node.value, ast.Call) and not node.value.args else node.value
    is_shape = isinstance(value, ast.Attribute) and value.attr == ("size" if value is not node.value else "shape")
    return is_shape and len(node.targets) == 1


def _names(target: ast.expr) -> list[str]:
    if not isinstance(target, ast.Tuple):
        return []
    names = [each.id for each in target.elts if isinstance(each, ast.Name)]
    return names if len(names) == len(target.elts) else []


def _is_dynamic(function: Function) -> bool:
    """Return whether a function may read its names otherwise: by ``locals()``, or in code that it runs."""
    return any(
        isinstance(node.func, ast.Name) and node.func.id in READS_BY_TEXT for node in nodes_of(function, ast.Call)
    ) or bool(nodes_of(function, ast.Nonlocal) or nodes_of(function, ast.Global))


CHECK = file_check(examine, CheckTraits(literals=("shape", "size")))
