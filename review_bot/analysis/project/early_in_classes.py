"""The names that the body of a class reads above everything that binds them, there and in the module.

::

    class Engine:
        limit = size + 1            NameError: the body binds the name below
        size = 1

        @width.setter               NameError: this is what binds the name first
        def width(self, value): ...

Silent where the text does not show all that binds names, and where NameError is expected or the line never runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.project.certain_uses import certain_errors
from review_bot.analysis.project.early_uses import EarlyUse, evaluated_at_definition, is_too_early
from review_bot.analysis.project.module_names import is_open
from review_bot.analysis.project.unbound_names import has_star, is_given, on_trial, quiet_nodes
from review_bot.analysis.python.bindings import name_bound_by
from review_bot.analysis.python.cython_files import is_cython
from review_bot.analysis.python.node_types import EAGER_COMPREHENSIONS
from review_bot.analysis.python.syntax import own_nodes
from review_bot.changes.codebase import query
from review_bot.changes.node_index import below
from review_bot.changes.source_file import SourceFile

_ASKS = frozenset({"locals", "vars"})
"""What gives a body names that its text does not show."""


@query
def early_in_classes(source: SourceFile) -> tuple[EarlyUse, ...]:
    """Return each such use in the new text, in the order of the text, annotations aside. Raises CannotParse."""
    if source.path.endswith(".pyi") or has_star(source) or is_open(source.tree, source.path) or is_cython(source.tree):
        return ()
    outside = {name for node in own_nodes(source.tree.body) if (name := name_bound_by(node))}
    outside |= {name for node in source.nodes(ast.Global) for name in node.names}
    found = [
        use
        for owner in source.nodes(ast.ClassDef)
        for use in _in_body(owner)
        if use.node.id not in outside and not is_given(use.node.id, source)
    ]
    quiet = quiet_nodes(source) | on_trial(source) if found else frozenset[int]()
    kept = (each for each in found if id(each.node) not in quiet)
    return tuple(sorted(kept, key=lambda each: (each.node.lineno, each.node.col_offset)))


def certain_in_classes(source: SourceFile) -> list[EarlyUse]:
    """Return the names that bodies of classes surely read before anything binds them. Raises CannotParse."""
    uses = early_in_classes(source)
    certain = certain_errors(source, [each.node for each in uses]) if uses else frozenset[int]()
    return [each for each in uses if id(each.node) in certain]


def _in_body(owner: ast.ClassDef) -> Iterator[EarlyUse]:
    first: dict[str, tuple[int, int]] = {}
    for number, statement in enumerate(owner.body):
        for node in own_nodes([statement]):
            if name := name_bound_by(node):
                first.setdefault(name, (number, getattr(node, "lineno", statement.lineno)))
    for number, statement in enumerate(owner.body):
        for node in _evaluated(statement):
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
                continue
            if node.id in _ASKS:
                return
            if node.id in first and is_too_early(node.id, number, statement, first[node.id][0]):
                yield EarlyUse(node, first[node.id][1], in_annotation=False)


def _evaluated(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield what Python evaluates in the scope of the body while it defines the class."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            waiting += evaluated_at_definition(node)
        elif isinstance(node, ast.Lambda):
            waiting += [each for each in (*node.args.defaults, *node.args.kw_defaults) if each is not None]
        elif isinstance(node, (*EAGER_COMPREHENSIONS, ast.GeneratorExp)):
            waiting.append(node.generators[0].iter)
        elif isinstance(node, ast.ClassDef):
            waiting += (*node.decorator_list, *node.bases, *node.keywords)
        elif isinstance(node, ast.AnnAssign):
            waiting += [each for each in (node.target, node.value) if each is not None]
        elif node.__class__.__name__ != "TypeAlias":  # Python 3.12; evaluated when something asks for it
            waiting += below(node)
