"""Whether a use is behind a test of another place for None: then a test of its own place says little of it there.

::

    if boxes is None: log("no boxes")
    names = [each.name for each in boxes] if classes is not None else []      there may be classes only with boxes
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from itertools import pairwise

from review_bot.changes.node_index import below
from review_bot.flow.narrowing import asks_for_none


def is_behind_other_test(function: ast.AST, node: ast.AST, places: Collection[str], after: int) -> bool:
    """Return whether a node of a function is evaluated as a later test than line ``after`` finds another place.

    ``places``: what the test of the line was about.
    """
    path = _path_to(node, function)
    for parent, child in pairwise(path):
        for test in _tests_before(parent, child):
            asked = asks_for_none(test) if test.lineno > after else None
            if asked is not None and asked[0] not in places:
                return True
    return False


def _path_to(node: ast.AST, root: ast.AST) -> list[ast.AST]:
    """Return the nodes from one down to another that it holds; only that one if it does not."""
    above: dict[int, ast.AST] = {}
    waiting = [root]
    while waiting:
        each = waiting.pop()
        for child in below(each):
            above[id(child)] = each
            waiting.append(child)
    path = [node]
    while id(path[-1]) in above:
        path.append(above[id(path[-1])])
    return path[::-1]


def _tests_before(parent: ast.AST, child: ast.AST) -> Iterator[ast.expr]:
    """Yield the parts of conditions of which it depends whether a part of a node is evaluated."""
    if isinstance(parent, (ast.If, ast.IfExp, ast.While)) and child is not parent.test:
        yield from parent.test.values if isinstance(parent.test, ast.BoolOp) else [parent.test]
    elif isinstance(parent, ast.BoolOp):
        for value in parent.values:
            if value is child:
                return
            yield value
