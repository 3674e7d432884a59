"""A module that lets an import fail and then needs its name while it is imported itself.

::

    try:
        import nixl
    except ImportError:
        logger.warning("nixl is not installed")

    def register(agent: nixl.Agent): ...        NameError without the package, as the annotation is evaluated

Decorators, base classes, defaults, annotations and the statements of the module and of its classes run at once; what is
under a condition is left alone.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.annotations import postpones
from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.node_types import COMPREHENSIONS
from review_bot.analysis.python.optional_imports import left_unbound, running
from review_bot.analysis.python.statements import all_parameters, is_function, last_name
from review_bot.analysis.python.syntax import hit_at
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_LEAVES = frozenset({"exit", "_exit", "quit", "skip", "importorskip"})
_LATER = (ast.Lambda, *COMPREHENSIONS, ast.IfExp, ast.BoolOp)
"""Expressions that run later, bind names of their own, or need not evaluate all of their parts."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first use of each such name. Raises CannotParse."""
    optional: dict[str, ast.Try | ast.TryStar] = {}
    evaluates = not postpones(source.tree)
    statements = list(running(source.tree.body, constants_of(source.tree)))
    times = Counter(name for each in statements for name in bound_names([each]))
    for statement in statements:
        if isinstance(statement, (ast.Try, ast.TryStar)):
            lacking = left_unbound(statement)
            optional |= {name: statement for name in lacking if times[name] == 1}
        elif isinstance(statement, ast.If) and _leaves([statement]):
            return  # the module refuses to go on without it
        elif optional:
            for node in _evaluated(statement, annotations=evaluates):
                attempt = optional.pop(node.id, None)
                if attempt is not None:
                    values = {"name": node.id, "line": str(attempt.lineno)}
                    related = (Related(source.path, attempt.lineno, "lets the import fail"),)
                    yield hit_at(source, node, values=values, related=related)


def _leaves(body: list[ast.stmt]) -> bool:
    """Return whether statements may raise on purpose or end the program."""
    nodes = [node for statement in body for node in walk(statement)]
    return any(
        isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and last_name(node.func) in _LEAVES)
        for node in nodes
    )


def _evaluated(statement: ast.stmt, *, annotations: bool) -> Iterator[ast.Name]:
    """Yield the names that a statement of a module or class reads when the module is imported."""
    parts: list[ast.expr | None] = []
    if is_function(statement):
        arguments = statement.args
        parts += [*statement.decorator_list, *arguments.defaults, *arguments.kw_defaults]
        if annotations:
            parts += [*(each.annotation for each in all_parameters(statement)), statement.returns]
    elif isinstance(statement, ast.ClassDef):
        parts += [*statement.decorator_list, *statement.bases, *(each.value for each in statement.keywords)]
    elif isinstance(statement, (ast.Assign, ast.Expr, ast.AnnAssign)):
        parts.append(statement.value)
    for part in parts:
        if part is not None and not any(nodes_of(part, kind) for kind in _LATER):
            yield from (each for each in nodes_of(part, ast.Name) if isinstance(each.ctx, ast.Load))
    if isinstance(statement, ast.ClassDef):
        for each in statement.body:
            yield from _evaluated(each, annotations=annotations)


CHECK = file_check(examine, CheckTraits(literals=("try except import",)))
