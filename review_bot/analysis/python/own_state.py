"""State that a method sets on its own object and takes back: entries of tables, counters and flags.

::

    self.table[key] = x      del self.table[key];  self.table.pop(key)
    self.keys.add(key)       self.keys.discard(key);  self.keys.remove(key)
    self.count += 1          self.count -= 1
    self.busy = True         self.busy = False
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, last_name, targets_of
from review_bot.analysis.python.syntax import dotted, is_literal, own_nodes
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.records import NamedTuple

_REMOVING = frozenset({"discard", "pop", "remove"})
EMPTYING = _REMOVING | {"clear", "popitem"}
"""Methods of tables that remove entries."""


class StateChange(NamedTuple):
    """A statement that changes state: ``place`` is an entry of a table, a counter or a flag."""

    place: str
    kind: str
    node: ast.stmt

    @property
    def table(self) -> str:
        """The table of an entry; any other place itself."""
        return self.place.partition("[")[0] if self.kind == "entry" else self.place

    @property
    def effect(self) -> str:
        """What the place does where nothing takes the change back."""
        return {"entry": "keeps its entry", "counter": "stays too high", "flag": "stays set"}[self.kind]


def set_by(node: ast.stmt) -> Iterator[StateChange]:
    """Yield what a statement sets."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and _is_own(node.target):
        yield StateChange(ast.unparse(node.target), "counter", node)
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        targets = targets_of(node)
        target = targets[0]
        if len(targets) == 1 and isinstance(target, ast.Subscript) and _is_own(target.value):
            yield StateChange(_entry(target.value, target.slice), "entry", node)
        elif len(targets) == 1 and is_literal(node.value, True) and _is_own(target):
            yield StateChange(ast.unparse(target), "flag", node)
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=table, attr="add"), args=[key], keywords=[])):
            if _is_own(table):
                yield StateChange(_entry(table, key), "entry", node)


def taken_back_by(node: ast.stmt) -> Iterator[StateChange]:
    """Yield what a statement takes back."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Sub) and _is_own(node.target):
        yield StateChange(ast.unparse(node.target), "counter", node)
    if isinstance(node, ast.Assign) and is_literal(node.value, False):
        yield from (StateChange(ast.unparse(each), "flag", node) for each in node.targets if _is_own(each))
    if isinstance(node, ast.Delete):
        entries = (each for each in node.targets if isinstance(each, ast.Subscript))
        yield from (StateChange(_entry(each.value, each.slice), "entry", node) for each in entries)
    match node.value if isinstance(node, (ast.Expr, ast.Assign, ast.Return)) else None:
        case ast.Call(func=ast.Attribute(value=table, attr=name), args=[key, *_]) if name in _REMOVING:
            yield StateChange(_entry(table, key), "entry", node)


@kept_on_node
def places_taken_back(method: Function) -> frozenset[str]:
    """Return the tables, counters and flags of which a method takes something back, in no function inside it."""
    nodes = own_nodes(method.body)
    return frozenset(each.table for node in nodes if isinstance(node, ast.stmt) for each in taken_back_by(node))


@kept_on_node
def attributes_emptied(tree: ast.AST) -> Counter[str]:
    """Return how many places of a file or function take something from an attribute of this name, on any object."""
    held = (each for each in nodes_of(tree, ast.Assign) if isinstance(each.value, ast.Attribute))
    aliases = {
        target.id: last_name(each.value) for each in held for target in each.targets if isinstance(target, ast.Name)
    }
    emptied = [each.value for each in nodes_of(tree, ast.Attribute) if each.attr in EMPTYING]
    emptied += [each.value for each in nodes_of(tree, ast.Subscript) if isinstance(each.ctx, ast.Del)]
    emptied += [each.target for each in nodes_of(tree, ast.AugAssign) if isinstance(each.op, ast.Sub)]
    return Counter(aliases.get(each.id, "") if isinstance(each, ast.Name) else last_name(each) for each in emptied)


def _entry(table: ast.expr, key: ast.expr) -> str:
    return f"{ast.unparse(table)}[{ast.unparse(key)}]"


def _is_own(node: ast.expr) -> bool:
    return (dotted(node) or "").startswith("self.")
