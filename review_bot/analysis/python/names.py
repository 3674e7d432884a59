"""The names that Python code mentions, and the ones that its imports bind."""

from __future__ import annotations

import ast

from review_bot.changes.node_index import walk


def names_in(node: ast.AST, context: type[ast.expr_context] = ast.expr_context) -> set[str]:
    """Return the names that code mentions; ``context``: only those that it reads (``ast.Load``) or sets."""
    return {each.id for each in walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, context)}


def is_name(node: ast.AST | None, name: str) -> bool:
    """Return whether a node is this plain name."""
    return isinstance(node, ast.Name) and node.id == name


def bound_name(alias: ast.alias) -> str:
    """Return the name that a part of an import binds: ``np`` of ``numpy as np``, ``os`` of ``os.path``."""
    return alias.asname or alias.name.partition(".")[0]
