"""Which annotations Python evaluates: not those of local variables, and none after the future import (PEP 563)."""

from __future__ import annotations

import ast

from review_bot.analysis.python.statements import functions_of
from review_bot.changes.node_index import nodes_of


def postpones(tree: ast.Module) -> bool:
    """Return whether a module has ``from __future__ import annotations``."""
    return any(
        each.module == "__future__" and any(alias.name == "annotations" for alias in each.names)
        for each in nodes_of(tree, ast.ImportFrom)
    )


def not_evaluated(tree: ast.Module, path: str) -> set[int]:
    """Return the ids of the names in annotations that Python does not evaluate: in a stub, all of them."""
    functions = functions_of(tree)
    written: list[ast.expr | None] = [
        each.annotation for function in functions for each in nodes_of(function, ast.AnnAssign)
    ]
    if path.endswith(".pyi") or postpones(tree):
        written += [each.annotation for each in nodes_of(tree, ast.arg)]
        written += [each.annotation for each in nodes_of(tree, ast.AnnAssign)]
        written += [each.returns for each in functions]
    return {id(name) for each in written if each is not None for name in nodes_of(each, ast.Name)}
