"""The nodes of a Python syntax tree by their kind, in the order of the text: one walk, however many checks ask.

Names and constants, more than half of all nodes, have a walk of their own, since most files are looked at without them.
The index lives on the tree and dies with it, at once: it leaves the tree itself out, so that there is no circle of
references, which only the collector could break.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
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

_OF_STATEMENTS = frozenset({"body", "cases", "finalbody", "handlers", "orelse"})
"""Lists that hold statements, handlers and cases alone."""


class _Fields(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each class of nodes that lead on, last first."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        fields = self[kind] = tuple(name for name in reversed(kind._fields) if name not in _PLAIN)
        return fields


_FIELDS = _Fields({ast.Name: (), ast.Constant: ()})


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
    for name in _FIELDS[node.__class__]:
        value: Any = getattr(node, name, None)
        kind = value.__class__
        if kind is list:
            if name in _OF_STATEMENTS:
                found += value[::-1]
            elif value:
                found += [each for each in reversed(value) if each.__class__ not in _PLAIN_VALUES]
        elif kind not in _PLAIN_VALUES:
            found.append(value)
    return found


def walk(node: ast.AST) -> Iterator[Any]:
    """Yield a node and all below it, level by level as ``ast.walk`` does; operators and contexts aside."""
    waiting: list[Any] = [node]
    for each in waiting:
        for name in reversed(_FIELDS[each.__class__]):
            value: Any = getattr(each, name, None)
            kind = value.__class__
            if kind is list:
                if name in _OF_STATEMENTS:
                    waiting += value
                elif value:
                    waiting += [part for part in value if part.__class__ not in _PLAIN_VALUES]
            elif kind not in _PLAIN_VALUES:
                waiting.append(value)
        yield each


def kept_on_node(answer: Callable[[Node], Answer]) -> Callable[[Node], Answer]:
    """Compute an answer about a node once: it stays on the node and dies with it.

    It must depend on nothing else and refer to no node but those below, and its callers must not change it.
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
        known = index.get(kind)
        if known is None:
            index[kind] = [node]
        else:
            known.append(node)
        for name in _FIELDS[kind]:
            value: Any = getattr(node, name, None)
            kind_of_value = value.__class__
            if kind_of_value is list:
                if name in _OF_STATEMENTS:
                    waiting += value[::-1]
                elif value:
                    waiting += [each for each in reversed(value) if each.__class__ not in _LEAVES]
            elif kind_of_value not in _LEAVES:
                waiting.append(value)
    del index[tree.__class__][0]
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
            for name in _FIELDS[kind]:
                value: Any = getattr(node, name, None)
                kind_of_value = value.__class__
                if kind_of_value is list:
                    if name in _OF_STATEMENTS:
                        waiting += value[::-1]
                    elif value:
                        waiting += [each for each in reversed(value) if each.__class__ not in _PLAIN_VALUES]
                elif kind_of_value not in _PLAIN_VALUES:
                    waiting.append(value)
    return {ast.Name: names, ast.Constant: constants}
