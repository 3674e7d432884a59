"""A tensor that grows by ``torch.cat`` in each turn of a loop, and that the loop does not read otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.node_types import Loop
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes
from review_bot.analysis.tensors.sizes import integer
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_JOINS = {"torch.cat", "torch.concat", "torch.concatenate", "torch.hstack", "torch.vstack"}

_FEW = 4
"""Turns of a loop, written as a number, up to which the copies do not matter."""


_ITSELF = 2
"""How often ``x = torch.cat([x, y])`` names ``x``."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such statement. Raises CannotParse."""
    imported: dict[str, str] = {}
    loops: list[Loop] = [*source.nodes(ast.For), *source.nodes(ast.While)]
    for loop in loops:
        if _is_short(loop):
            continue
        for statement in loop.body:
            if not isinstance(statement, ast.Assign):
                continue
            imported = imported or imported_names(source.tree)
            name = _grown(statement, imported)
            if name and _is_only_grown(name, loop):
                yield hit_at(source, statement, values={"name": name})


def _is_short(loop: Loop) -> bool:
    if isinstance(loop, ast.While):
        return False
    over = loop.iter
    if isinstance(over, (ast.Tuple, ast.List)):
        return len(over.elts) <= _FEW
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range" and over.args:
        turns = integer(over.args[-1] if len(over.args) < 3 else over.args[1])
        return turns is not None and turns <= _FEW
    return False


def _grown(statement: ast.Assign, imported: dict[str, str]) -> str:
    """Return ``x`` for ``x = torch.cat([x, y])``."""
    call, target = statement.value, statement.targets[0]
    if not isinstance(call, ast.Call) or full_name(call.func, imported) not in _JOINS or not call.args:
        return ""
    parts = call.args[0]
    if not isinstance(target, ast.Name) or not isinstance(parts, (ast.List, ast.Tuple)):
        return ""
    return target.id if any(isinstance(each, ast.Name) and each.id == target.id for each in parts.elts) else ""


def _is_only_grown(name: str, loop: Loop) -> bool:
    """Return whether nothing else in the loop reads or binds the name: then its parts could be gathered in a list."""
    head = [loop.test] if isinstance(loop, ast.While) else [loop.iter, loop.target]
    uses = [node for node in own_nodes([*head, *loop.body]) if isinstance(node, ast.Name) and node.id == name]
    return len(uses) == _ITSELF


CHECK = file_check(examine, CheckTraits(literals=("cat",)))
