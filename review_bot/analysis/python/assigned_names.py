"""The names that single assignments of a module give to functions, and to the results of calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import assignments_of, last_name
from review_bot.changes.node_index import kept_on_node, nodes_of


def local_names(tree: ast.Module, names: frozenset[str]) -> frozenset[str]:
    """Return some names, and those that imports give to them in a file: ``from functools import partial as p``."""
    return names | {
        alias.asname
        for node in nodes_of(tree, ast.ImportFrom)
        for alias in node.names
        if alias.asname is not None and alias.name in names
    }


@kept_on_node
def partials_in(tree: ast.Module) -> frozenset[str]:
    """Return the last names by which a file may call ``functools.partial``."""
    return local_names(tree, frozenset({"partial"}))


def alias_of(statement: ast.stmt, partials: frozenset[str]) -> tuple[str, ast.expr] | None:
    """Return the name that an assignment binds to a function, if its form allows one, and the expression for it."""
    name, value = _assigned(statement)
    fits = isinstance(value, (ast.Name, ast.Attribute, ast.Lambda)) or last_name(value) in partials
    return (name, value) if value is not None and fits else None


def aliases_in(tree: ast.Module) -> Iterator[str]:
    """Yield the names of a file that assignments bind to what may be a function."""
    partials = partials_in(tree)
    yield from (name for name, _ in filter(None, (alias_of(each, partials) for each in assignments_of(tree))))


def object_of(statement: ast.stmt) -> tuple[str, ast.Call] | None:
    """Return the name that an assignment binds to the result of a call, and the call."""
    name, value = _assigned(statement)
    return (name, value) if isinstance(value, ast.Call) else None


def _assigned(statement: ast.stmt) -> tuple[str, ast.expr | None]:
    """Return the name that an assignment to one name alone binds, and its value; None if it is another statement."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target, value = statement.target, statement.value
    else:
        return "", None
    return (target.id, value) if isinstance(target, ast.Name) else ("", None)
