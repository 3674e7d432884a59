"""What the names of a file stand for where contracts are looked up: its imports, and its own package's functions.

::

    from .ops import gather_rows     in engine/model.py: engine.ops.gather_rows
    def pick(rows): ...              in engine/model.py: engine.model.pick

The repository's own functions have contracts only if it has written some, so they are named only then.
"""

from __future__ import annotations

import ast

from review_bot.analysis.python.statements import is_function
from review_bot.analysis.python.syntax import imported_names
from review_bot.changes.node_index import nodes_of
from review_bot.contracts import contract_store


def contract_names(tree: ast.Module, path: str) -> dict[str, str]:
    """Return the full name of each name that the file imports; with contracts of the repository, of its own too."""
    names = imported_names(tree)
    if not contract_store.has_own():
        return names
    names = dict(names)
    package = path.removeprefix("src/").removesuffix(".py").split("/")
    module = ".".join(package[:-1] if package[-1] == "__init__" else package)
    for node in nodes_of(tree, ast.ImportFrom):
        if 0 < node.level < len(package):
            above = ".".join([*package[: -node.level], *([node.module] if node.module else [])])
            names |= {alias.asname or alias.name: f"{above}.{alias.name}" for alias in node.names}
    own = {node.name: f"{module}.{node.name}" for node in tree.body if is_function(node)}
    return own | names
