"""The nodes of a Python syntax tree by their kind, in the order of the text: one walk, however many checks ask.

The index lives on the tree and dies with it, at once: it leaves the tree itself out, so that there is no circle of
references, which only the collector could break.
"""

from __future__ import annotations

import ast
from typing import Any, TypeVar

Node = TypeVar("Node", bound=ast.AST)

_INDEX = "_nodes_by_kind"

_PLAIN = frozenset({
    "arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "level", "module", "op", "ops", "simple",
    "type_comment", "type_ignores",
})  # fmt: skip
"""Fields that hold names, numbers, operators and contexts: nothing that a check would ask for."""

_LEAVES = frozenset({ast.Name, ast.Constant, str, bool, type(None)})
"""Classes of what has nothing below it; more than half of all nodes, and left out of the index."""

_fields: dict[type[ast.AST], tuple[str, ...]] = {}


def nodes_of(tree: ast.AST, kind: type[Node]) -> list[Node]:
    """Return every node of exactly this kind below a tree; operators and contexts aside.

    Raises ValueError for a name or a constant: ask ``ast.walk`` for those.
    """
    if kind in _LEAVES:
        raise ValueError(f"{kind.__name__} is not in the index")
    index: dict[type[ast.AST], list[Any]] | None = tree.__dict__.get(_INDEX)
    if index is None:
        index = _walk(tree)
        tree.__dict__[_INDEX] = index
    found = index.get(kind, [])
    return [tree, *found] if isinstance(tree, kind) else found


def _walk(tree: ast.AST) -> dict[type[ast.AST], list[Any]]:
    index: dict[type[ast.AST], list[Any]] = {}
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        kind = node.__class__
        if node is tree:
            pass
        elif kind in index:
            index[kind].append(node)
        else:
            index[kind] = [node]
        fields = _fields.get(kind)
        if fields is None:
            fields = _fields[kind] = tuple(name for name in reversed(kind._fields) if name not in _PLAIN)
        for name in fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                waiting += [each for each in reversed(value) if each.__class__ not in _LEAVES]
            elif value is not None and value.__class__ not in _LEAVES:
                waiting.append(value)
    return index
