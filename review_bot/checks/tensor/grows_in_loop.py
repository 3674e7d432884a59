"""A tensor from before a loop that every iteration repeats, so that it doubles each time."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Loop, last_line
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes
from review_bot.analysis.tensors.flow import assigned_names
from review_bot.analysis.tensors.sizes import integer
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_REPEATING = frozenset({"repeat", "repeat_interleave", "tile"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such assignment. Raises CannotParse."""
    imported = imported_names(source.tree)
    loops: list[Loop] = [*source.nodes(ast.For), *source.nodes(ast.AsyncFor), *source.nodes(ast.While)]
    for loop in loops:
        if not source.touches(loop.lineno, last_line(loop)) or not _goes_on(loop):
            continue
        for statement in loop.body:
            name = _repeated(statement, imported)
            if name and _is_carried(name, statement, loop):
                related = (Related(source.path, loop.lineno, "in this loop"),)
                yield hit_at(source, statement, values={"name": name}, related=related)


def _goes_on(loop: Loop) -> bool:
    """Return whether a loop may have a second iteration: its body does not end by leaving it."""
    return not isinstance(loop.body[-1], (ast.Return, ast.Break, ast.Raise))


def _repeated(statement: ast.stmt, imported: Mapping[str, str]) -> str:
    """Return the name of ``x = x.repeat(2, 1)``, ``x = torch.cat([x] * 2)`` or ``x = torch.cat([x, x])``."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return ""
    target, value = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Call):
        return ""
    if isinstance(value.func, ast.Attribute) and value.func.attr in _REPEATING:
        is_same = isinstance(value.func.value, ast.Name) and value.func.value.id == target.id
        grows = any(integer(each) != 1 for each in value.args)
        return target.id if is_same and grows else ""
    if full_name(value.func, imported) in {"torch.cat", "torch.concat", "numpy.concatenate"} and value.args:
        parts = value.args[0]
        if isinstance(parts, ast.BinOp) and isinstance(parts.op, ast.Mult):
            parts = parts.left
            return target.id if isinstance(parts, ast.List) and _all_are(target.id, parts.elts) else ""
        if isinstance(parts, (ast.List, ast.Tuple)) and len(parts.elts) > 1 and _all_are(target.id, parts.elts):
            return target.id
    return ""


def _all_are(name: str, parts: list[ast.expr]) -> bool:
    return bool(parts) and all(isinstance(each, ast.Name) and each.id == name for each in parts)


def _is_carried(name: str, statement: ast.stmt, loop: Loop) -> bool:
    """Return whether a tensor comes from the iteration before, and is used for something else as well."""
    others = [each for each in loop.body if each is not statement]
    if name in assigned_names(others):
        return False
    head = [loop.test] if isinstance(loop, ast.While) else [loop.target]
    in_head = any(isinstance(node, ast.Name) and node.id == name for node in own_nodes(head))
    is_used = any(isinstance(node, ast.Name) and node.id == name for node in own_nodes(others))
    return is_used and not in_head


CHECK = FileCheck(
    without_options(examine),
    CheckTraits(literals=("for repeat", "for repeat_interleave", "for cat", "for concatenate", "while cat")),
)
