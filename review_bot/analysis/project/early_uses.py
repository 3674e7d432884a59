"""The names that a module reads while it is imported, above everything that binds them.

::

    RATE = rate_of(3)                       NameError: the function is defined below
    def rate_of(size): ...
    class Node:
        def add(self, other: Node): ...     NameError before Python 3.14: the class has no name before it is complete

Silent in a module whose names its text does not show, and where NameError is expected or the line never runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.project.module_names import is_open
from review_bot.analysis.project.unbound_names import has_star, is_given, on_trial, quiet_nodes
from review_bot.analysis.python.bindings import name_bound_by
from review_bot.analysis.python.cython_files import is_cython
from review_bot.analysis.python.node_types import EAGER_COMPREHENSIONS
from review_bot.analysis.python.syntax import own_nodes
from review_bot.changes.codebase import query
from review_bot.changes.node_index import below, nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple

_NAMED_LAST = (ast.AnnAssign, ast.Assign, ast.AsyncFunctionDef, ast.ClassDef, ast.FunctionDef)
"""Statements that bind their names once all that they evaluate at once is evaluated."""


class EarlyUse(NamedTuple):
    """A use, and the line of the first binding. ``in_annotation``: Python 3.14 no longer evaluates it."""

    node: ast.Name
    bound_at: int
    in_annotation: bool


class _Read(NamedTuple):
    """A part that runs while the module is imported. ``hidden``: names of the classes and comprehensions around it."""

    node: ast.AST
    hidden: frozenset[str] = frozenset()
    in_annotation: bool = False


@query
def early_uses(source: SourceFile) -> tuple[EarlyUse, ...]:
    """Return each such use in the new text, in the order of the text. Raises CannotParse."""
    first = bound_first(source)
    found: list[EarlyUse] = []
    for number, statement in enumerate(source.tree.body):
        for read in _reads(statement):
            node = read.node
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or node.id not in first:
                continue
            at, line = first[node.id]
            if is_too_early(node.id, number, statement, at) and node.id not in read.hidden:
                found.append(EarlyUse(node, line, read.in_annotation))
    quiet = quiet_nodes(source) | on_trial(source) if found else frozenset[int]()
    kept = (each for each in found if id(each.node) not in quiet)
    return tuple(sorted(kept, key=lambda each: (each.node.lineno, each.node.col_offset)))


def is_too_early(name: str, number: int, statement: ast.stmt, bound_at: int) -> bool:
    """Return whether a statement of a body reads a name before another, or it itself, binds it; both are numbers."""
    if bound_at == number and isinstance(statement, _NAMED_LAST):
        return all(each.target.id != name for each in nodes_of(statement, ast.NamedExpr))
    return bound_at > number


@query
def bound_first(source: SourceFile) -> dict[str, tuple[int, int]]:
    """Return the names that a module binds at its top level alone, each with what binds it first.

    That is the number of the statement, from 0, and the line. Empty if the text does not show all that binds names.
    Raises CannotParse.
    """
    if source.path.endswith(".pyi") or has_star(source) or is_open(source.tree, source.path) or is_cython(source.tree):
        return {}
    first: dict[str, tuple[int, int]] = {}
    for number, statement in enumerate(source.tree.body):
        for node in own_nodes([statement]):
            if name := name_bound_by(node):
                first.setdefault(name, (number, getattr(node, "lineno", statement.lineno)))
    shared = {name for node in source.nodes(ast.Global) for name in node.names}
    return {name: each for name, each in first.items() if name not in shared and not is_given(name, source)}


def _reads(statement: ast.stmt) -> Iterator[_Read]:
    """Yield every part of a statement that runs while the module is imported."""
    waiting = [_Read(statement)]
    while waiting:
        each = waiting.pop()
        yield each
        node, hidden = each.node, each.hidden
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            waiting += [_Read(part, hidden, each.in_annotation) for part in evaluated_at_definition(node)]
            waiting += [_Read(part, hidden, in_annotation=True) for part in _annotations(node)]
        elif isinstance(node, ast.Lambda):
            parts = [*node.args.defaults, *node.args.kw_defaults]
            waiting += [_Read(part, hidden, each.in_annotation) for part in parts if part is not None]
        elif isinstance(node, ast.GeneratorExp):
            waiting.append(_Read(node.generators[0].iter, hidden, each.in_annotation))
        elif isinstance(node, ast.ClassDef):
            own = {name for one in own_nodes(node.body) if (name := name_bound_by(one))}
            waiting += [_Read(part, hidden) for part in (*node.decorator_list, *node.bases, *node.keywords)]
            waiting += [_Read(part, hidden | own) for part in node.body]
        elif isinstance(node, ast.AnnAssign):
            waiting.append(_Read(node.annotation, hidden, in_annotation=True))
            waiting += [_Read(part, hidden) for part in (node.target, node.value) if part is not None]
        elif isinstance(node, EAGER_COMPREHENSIONS):
            bound = {one.id for made in node.generators for one in walk(made.target) if isinstance(one, ast.Name)}
            waiting += [_Read(part, hidden | bound, each.in_annotation) for part in below(node)]
        elif node.__class__.__name__ != "TypeAlias":  # Python 3.12; evaluated when something asks for it
            waiting += [_Read(part, hidden, each.in_annotation) for part in below(node)]


def evaluated_at_definition(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """Return what a definition evaluates, annotations aside."""
    defaults = [*function.args.defaults, *function.args.kw_defaults]
    return [*function.decorator_list, *(each for each in defaults if each is not None)]


def _annotations(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    if getattr(function, "type_params", ()):
        return []
    written = [each.annotation for each in walk(function.args) if isinstance(each, ast.arg)]
    return [each for each in (*written, function.returns) if each is not None]
