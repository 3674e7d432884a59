"""A tensor from before a loop that every iteration repeats, so that it doubles each time."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.node_types import Loop
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names
from review_bot.analysis.tensors.sizes import integer
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_REPEATING = frozenset({"repeat", "repeat_interleave", "tile"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such assignment. Raises CannotParse."""
    imported = imported_names(source.tree)
    loops: list[Loop] = [*source.nodes(ast.For), *source.nodes(ast.AsyncFor), *source.nodes(ast.While)]
    for loop in loops:
        if not source.touches(*span_of(loop)) or not _goes_on(loop):
            continue
        bound = bound_names([loop])
        for statement, never in _each_time(loop.body, bound, frozenset()):
            name = _repeated(statement, imported)
            if name and _is_carried(name, statement, loop, never):
                related = (Related(source.path, loop.lineno, "in this loop"),)
                yield hit_at(source, statement, values={"name": name}, related=related)


def _each_time(
    body: list[ast.stmt], bound: frozenset[str], never: frozenset[int]
) -> Iterator[tuple[ast.stmt, frozenset[int]]]:
    """Yield the statements that every iteration runs, or none, and the nodes that do not run in the same loop.

    They are those below ``with``, and below a flag that the loop does not change.
    """
    for statement in body:
        yield statement, never
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            yield from _each_time(statement.body, bound, never)
        elif isinstance(statement, ast.If) and _is_constant(statement.test, bound):
            for taken, other in ((statement.body, statement.orelse), (statement.orelse, statement.body)):
                left_out = frozenset(id(node) for each in other for node in walk(each))
                yield from _each_time(taken, bound, never | left_out)


def _is_constant(test: ast.expr, bound: frozenset[str]) -> bool:
    """Return whether a condition is a flag: names and attributes that the loop does not bind."""
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    written = dotted(test)
    return written is not None and written.partition(".")[0] not in bound


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


def _is_carried(name: str, statement: ast.stmt, loop: Loop, never: frozenset[int]) -> bool:
    """Return whether a tensor comes from the iteration before, and is used for something else as well."""
    own = {id(node) for node in nodes_of(statement, ast.Name)} | never
    others = [node for node in nodes_of(loop, ast.Name) if node.id == name and id(node) not in own]
    if any(not isinstance(node.ctx, ast.Load) for node in others):
        return False
    return bool(others) and not (isinstance(loop, ast.While) and name in ast.unparse(loop.test))


CHECK = file_check(
    examine, CheckTraits(literals=("for repeat", "for tile", "for cat", "while repeat", "while tile", "while cat"))
)
