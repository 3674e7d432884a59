"""Code that never runs, as far as the tree proves it: behind false conditions, in functions that nothing names."""

from __future__ import annotations

import ast
import re

from review_bot.analysis.project.module_tree import MANIFESTS
from review_bot.analysis.python.conditions import constants_of, live_blocks
from review_bot.analysis.python.statements import is_function
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of, walk


def unreached(tree: ast.Module) -> frozenset[int]:
    """Return the ids of the nodes in branches of ``if`` that never run."""
    statements = nodes_of(tree, ast.If)
    constants = constants_of(tree) if statements else {}
    found: set[int] = set()
    for each in statements:
        live = live_blocks(each, constants)
        for block in (block for block in (each.body, each.orelse) if block not in live):
            found.update(id(node) for statement in block for node in walk(statement))
    return frozenset(found)


def functions_around(tree: ast.Module) -> dict[int, str]:
    """Return the name of the top-level function without decorators around each node in one, by the node's id."""
    plain = [each for each in tree.body if is_function(each) and not each.decorator_list]
    return {id(node): function.name for function in plain for node in walk(function)}


@query
def is_uncalled(side: Snapshot, function: str) -> bool:
    """Return whether a private function is named where it is defined and nowhere else.

    A public one may be called by code outside the tree.
    """
    if not function.startswith("_") or function.startswith("__"):
        return False
    word = re.compile(rf"\b{re.escape(function)}\b")
    paths = (path for path in side.paths if path.endswith((".py", ".ipynb", *MANIFESTS)))
    return sum(len(word.findall(side.text(path) or "")) for path in paths) <= 1
