"""A name that only the rounds of an ``async for`` assign, read after it: a stream may end before its first item.

::

    async for each in engine.generate(prompt):
        output = each
    send(output)                        the stream of a request that was cancelled, or that failed, may be empty

With ``output = None`` before the loop, or an ``else`` that assigns it, the code handles that.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from review_bot.analysis.python.bindings import reads_by_text, shared_names
from review_bot.analysis.python.node_types import COMPREHENSIONS
from review_bot.analysis.python.statements import Function, blocks, parameter_names
from review_bot.analysis.python.syntax import hit_on, own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import lines_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.flow.narrowing import shortened
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_NOT_ALWAYS = (ast.IfExp, ast.BoolOp, ast.Lambda, *COMPREHENSIONS)
_PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first read of each such name after a loop. Raises CannotParse."""
    for function in source.touched_functions:
        for block in blocks(function.body, into_definitions=False):
            for place, statement in enumerate(block):
                if isinstance(statement, ast.AsyncFor) and isinstance(statement.iter, ast.Call):
                    yield from _reads(source, function, statement, block[place + 1 :])


def _reads(source: SourceFile, function: Function, loop: ast.AsyncFor, after: list[ast.stmt]) -> Iterator[Hit]:
    if loop.orelse or any(map(reads_by_text, nodes_of(function, ast.Call))):
        return
    names = _bound_in(loop) - _bound_outside(function, loop) - parameter_names(function) - shared_names(function)
    counted = _bound_in(loop)
    for statement in after:
        if not names or not isinstance(statement, _PLAIN):
            return  # what is asked may exclude an empty stream
        nodes = [*own_nodes([statement])]
        if any(isinstance(each, ast.BinOp) and _divides_by(each, counted) for each in nodes):
            return  # with nothing counted, this fails before
        for node in () if any(isinstance(each, _NOT_ALWAYS) for each in nodes) else nodes:
            if isinstance(node, ast.Name) and node.id in names:
                names = names - {node.id}
                values = {"name": node.id, "stream": shortened(loop.iter), "line": str(loop.lineno)}
                related = (Related(source.path, loop.lineno, "the only loop that assigns it"),)
                yield hit_on(source, node, values=values, related=related)


def _divides_by(node: ast.BinOp, names: Container[str]) -> bool:
    divides = isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod))
    return divides and isinstance(node.right, ast.Name) and node.right.id in names


def _bound_in(loop: ast.AsyncFor) -> frozenset[str]:
    nodes = own_nodes([loop.target, *loop.body])
    return frozenset(each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))


def _bound_outside(function: Function, loop: ast.AsyncFor) -> set[str]:
    """Return the names that the rest of a function binds, in whatever way."""
    inside = lines_of(loop)
    found: set[str] = set()
    for node in own_nodes(function.body):
        if getattr(node, "lineno", 0) in inside:
            continue
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (ast.alias, ast.ExceptHandler, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found |= {node.name or "", getattr(node, "asname", None) or ""}
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)):
            found.add(node.name or "")
    return found


CHECK = file_check(examine, CheckTraits(literals=("async for",)))
