"""The nodes of a Python syntax tree by their kind, in the order of the text: one walk, however many checks ask.

What lies below a function or class is a stretch of that order, so it is not walked again. The index lives on the tree
and dies with it, at once: it leaves the tree itself out, and what it leaves on definitions refers to it weakly, so that
there is no circle of references, which only the collector could break.
"""

from __future__ import annotations

import ast
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar
from weakref import ref

Node = TypeVar("Node", bound=ast.AST)
Answer = TypeVar("Answer")

_INDEX = "_index_of_nodes"
_STRETCH = "_stretch_of_index"
_DEFINITIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})
_NONE: tuple[list[Any], array[int]] = ([], array("I"))

_PLAIN = frozenset({
    "arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "level", "module", "op", "ops", "simple",
    "type_comment", "type_ignores",
})  # fmt: skip
"""Fields that hold names, numbers, operators and contexts: nothing that a check would ask for."""

_PLAIN_VALUES = frozenset({str, bool, type(None)})
"""Classes of what is no node."""

_OF_STATEMENTS = frozenset({"body", "cases", "finalbody", "handlers", "orelse"})
"""Lists that hold statements, handlers and cases alone."""


class _Fields(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each class of nodes that lead on, last first."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        fields = self[kind] = tuple(name for name in reversed(kind._fields) if name not in _PLAIN)
        return fields


_FIELDS = _Fields({ast.Name: (), ast.Constant: ()})


class _Index:
    """The nodes below a tree by kind, in the order of the text, and the place of each in that order."""

    __slots__ = ("__weakref__", "by_kind")

    def __init__(self, tree: ast.AST) -> None:
        by_kind: dict[type[ast.AST], tuple[list[Any], array[int]]] = {}
        self.by_kind = by_kind
        place = 0
        waiting: list[Any] = below(tree)
        while waiting:
            node = waiting.pop()
            kind = node.__class__
            if kind is _Stretch:
                node.end = place
                continue
            place += 1
            known = by_kind.get(kind)
            if known is None:
                by_kind[kind] = [node], array("I", (place,))
            else:
                known[0].append(node)
                known[1].append(place)
            if kind in _DEFINITIONS:
                stretch = node.__dict__[_STRETCH] = _Stretch(ref(self), place)
                waiting.append(stretch)
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


class _Stretch:
    """What lies below a function or class in the index of a tree around it: all behind ``start``, up to ``end``."""

    __slots__ = ("end", "index", "start")

    def __init__(self, index: ref[_Index], start: int) -> None:
        self.index, self.start, self.end = index, start, start


def nodes_of(tree: ast.AST, kind: type[Node]) -> list[Node]:
    """Return every node of exactly this kind in a tree, in the order of the text; operators and contexts aside."""
    known = tree.__dict__
    index: _Index | None = known.get(_INDEX)
    stretch: _Stretch | None = known.get(_STRETCH) if index is None else None
    if stretch is not None:
        index = stretch.index()
    if index is None:
        index, stretch = _Index(tree), None
        known[_INDEX] = index
    found, places = index.by_kind.get(kind, _NONE)
    if stretch is not None:
        found = found[bisect_right(places, stretch.start) : bisect_right(places, stretch.end)]
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
