"""The nodes of a Python syntax tree by their kind, in the order of the text: one walk, however many checks ask.

Names and constants, more than half of all nodes, have a walk of their own, since most files are looked at without them.
The index lives on the tree and dies with it, at once: it leaves the tree itself out, so that there is no circle of
references, which only the collector could break.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Node = TypeVar("Node", bound=ast.AST)
Answer = TypeVar("Answer")

_INDEX = "_nodes_by_kind"
_LEAF_INDEX = "_leaves_by_kind"

_PLAIN = frozenset({
    "arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "level", "module", "op", "ops", "simple",
    "type_comment", "type_ignores",
})  # fmt: skip
"""Fields that hold names, numbers, operators and contexts: nothing that a check would ask for."""

_LEAF_NODES = frozenset({ast.Name, ast.Constant})
_PLAIN_VALUES = frozenset({str, bool, type(None)})
_LEAVES = _LEAF_NODES | _PLAIN_VALUES
"""Classes of what has nothing below it."""

_fields: dict[type[ast.AST], tuple[str, ...]] = {}


def nodes_of(tree: ast.AST, kind: type[Node]) -> list[Node]:
    """Return every node of exactly this kind below a tree; operators and contexts aside."""
    at, walk = (_LEAF_INDEX, _walk_leaves) if kind in _LEAF_NODES else (_INDEX, _walk)
    index: dict[type[ast.AST], list[Any]] | None = tree.__dict__.get(at)
    if index is None:
        index = tree.__dict__[at] = walk(tree)
    found = index.get(kind, [])
    return [tree, *found] if isinstance(tree, kind) else found


def below(node: ast.AST) -> list[Any]:
    """Return the nodes directly below one, last first, as a stack wants them; operators and contexts aside."""
    found: list[Any] = []
    kind = node.__class__
    if kind in _LEAF_NODES:
        return found
    fields = _fields.get(kind)
    for name in _fields_of(kind) if fields is None else fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [each for each in reversed(value) if each.__class__ not in _PLAIN_VALUES]
        elif value.__class__ not in _PLAIN_VALUES:
            found.append(value)
    return found


def kept_on_node(answer: Callable[[Node], Answer]) -> Callable[[Node], Answer]:
    """Compute an answer about a node once: it stays on the node and dies with it.

    It must depend on nothing else and refer to no node, and its callers must not change it.
    """
    key = f"_{answer.__module__}.{answer.__qualname__}"

    @wraps(answer)
    def kept(node: Node) -> Answer:
        known = node.__dict__
        if key not in known:
            known[key] = answer(node)
        found: Answer = known[key]
        return found

    return kept


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
        for name in _fields_of(kind) if fields is None else fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                waiting += [each for each in reversed(value) if each.__class__ not in _LEAVES]
            elif value is not None and value.__class__ not in _LEAVES:
                waiting.append(value)
    return index


def _walk_leaves(tree: ast.AST) -> dict[type[ast.AST], list[Any]]:
    names: list[Any] = []
    constants: list[Any] = []
    waiting: list[Any] = [] if tree.__class__ in _LEAF_NODES else [tree]
    while waiting:
        node = waiting.pop()
        kind = node.__class__
        if kind is ast.Name:
            names.append(node)
        elif kind is ast.Constant:
            constants.append(node)
        else:
            fields = _fields.get(kind)
            for name in _fields_of(kind) if fields is None else fields:
                value = getattr(node, name, None)
                if value.__class__ is list:
                    waiting += [each for each in reversed(value) if each.__class__ not in _PLAIN_VALUES]
                elif value.__class__ not in _PLAIN_VALUES:
                    waiting.append(value)
    return {ast.Name: names, ast.Constant: constants}


def _fields_of(kind: type[ast.AST]) -> tuple[str, ...]:
    """Return the fields of a class that lead on, last first."""
    fields = _fields[kind] = tuple(name for name in reversed(kind._fields) if name not in _PLAIN)
    return fields
