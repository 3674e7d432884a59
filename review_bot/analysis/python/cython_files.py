"""Files that Cython compiles, although they are valid Python.

Source: https://cython.readthedocs.io/en/latest/src/tutorial/pure.html
"""

from __future__ import annotations

import ast

from review_bot.analysis.python.syntax import imported_names
from review_bot.changes.node_index import kept_on_node, nodes_of


@kept_on_node
def is_cython(tree: ast.Module) -> bool:
    """Return whether a module is written for Cython: it imports ``cython`` and uses it, as in ``@cython.cfunc``.

    A file ``name.pxd`` next to it may declare names for it, and a local name with the annotation of a type of C has a
    value from the start.
    """
    own = {name for name, full in imported_names(tree).items() if full == "cython"}
    used = (each.value for each in nodes_of(tree, ast.Attribute)) if own else ()
    return any(isinstance(each, ast.Name) and each.id in own for each in used)
