"""Assignments that give a local name a value which no path through the function reads.

::

    size = features.shape[0]          not read: each path replaces it, or ends, before it reads ``size``
    for chunk in chunks:
        size = chunk.shape[0]
        total += size

This is a liveness analysis: a function is followed backward from its ends, with the names that are live after each
statement, that is, still read. Wherever a path is in doubt it counts: a loop may run no iteration, and a statement in
``try`` or ``with`` may raise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from review_bot.analysis.python.bindings import reads_by_text, shared_names
from review_bot.analysis.python.completion import unreachable
from review_bot.analysis.python.node_types import Loop
from review_bot.analysis.python.statements import Function, is_definition, last_name
from review_bot.analysis.python.syntax import own_nodes
from review_bot.changes.node_index import below, nodes_of, walk
from review_bot.records import NamedTuple

_CONSUMING = frozenset({
    "all", "any", "dict", "extend", "frozenset", "join", "list", "max", "min", "set", "sorted", "sum", "tuple",
    "update",
})  # fmt: skip
"""Functions that take all items of a generator at once."""

Names = frozenset[str]
_NONE: Names = frozenset()


class UnreadValue(NamedTuple):
    """An assignment whose value nothing reads, and the lines that read other values of the name, if they run."""

    name: str
    node: ast.Assign | ast.AnnAssign
    reads: tuple[int, ...]


def unread_values(function: Function) -> Iterator[UnreadValue]:
    """Yield the assignments to one name whose value no path reads, of names that the function does read.

    Names that other scopes share are left out, and so are functions that may read names by their text.
    """
    if any(map(reads_by_text, nodes_of(function, ast.Call))):
        return
    liveness = _Liveness()
    try:
        liveness.block(function.body, _Exits())
    except RecursionError:
        return  # blocks in more blocks than can be followed
    if not liveness.unread:
        return
    hidden = _read_later(function)
    dead = {id(node) for statement in unreachable(function.body) for node in walk(statement)}
    reads: dict[str, list[ast.Name]] = {}
    for each in nodes_of(function, ast.Name):
        if isinstance(each.ctx, ast.Load) and id(each) not in dead:
            reads.setdefault(each.id, []).append(each)
    for name, node in sorted(liveness.unread, key=lambda each: (each[1].lineno, each[1].col_offset)):
        own = {id(each) for each in walk(node)}
        lines = {each.lineno for each in reads.get(name, ()) if id(each) not in own}
        if lines and name not in hidden:
            yield UnreadValue(name, node, tuple(sorted(lines)))


def _read_later(function: Function) -> frozenset[str]:
    """Return the names that code may read at another time than its place in the function says."""
    found = set(shared_names(function))
    calls = (each for each in nodes_of(function, ast.Call) if each.args and last_name(each.func) in _CONSUMING)
    consumed = {id(each.args[0]) for each in calls}
    for node in own_nodes(function.body):
        is_lazy = isinstance(node, ast.GeneratorExp) and id(node) not in consumed
        if is_lazy or is_definition(node) or isinstance(node, ast.Lambda):
            found.update(each.id for each in walk(node) if isinstance(each, ast.Name))
    return frozenset(found)


class _Exits(NamedTuple):
    """The names that are read where a block goes on, by each way out of it."""

    after: Names = _NONE
    at_break: Names = _NONE
    at_continue: Names = _NONE
    raised: Names = _NONE


class _Liveness:
    """Goes through statements backward and notes the assignments whose name nothing reads after them."""

    def __init__(self) -> None:
        self.unread: list[tuple[str, ast.Assign | ast.AnnAssign]] = []
        self._certain = True  # no iteration of a loop is still to be added
        self._read: dict[int, Names] = {}

    def block(self, block: list[ast.stmt], exits: _Exits) -> Names:
        """Return the names that are read from the beginning of a block on."""
        for statement in reversed(block):
            exits = exits._replace(after=self._statement(statement, exits) | exits.raised)
        return exits.after

    def _statement(self, node: ast.stmt, exits: _Exits) -> Names:
        """Return the names that are read from a statement on, if it does not raise."""
        match node:
            case ast.If():
                found = self._reads(node.test) | self.block(node.body, exits) | self.block(node.orelse, exits)
            case ast.For() | ast.AsyncFor() | ast.While():
                found = self._loop(node, exits)
            case ast.With() | ast.AsyncWith():
                # What it manages may swallow what is raised.
                body = self.block(node.body, exits._replace(raised=exits.raised | exits.after))
                found = self._reads(*node.items) | body | exits.after
            case ast.Try() | ast.TryStar():
                found = self._try(node, exits)
            case ast.Match():
                found = exits.after | self._reads(node.subject)
                for case in node.cases:
                    found |= self._reads(case.pattern, case.guard) | self.block(case.body, exits)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
                if self._certain and name not in exits.after:
                    self.unread.append((name, node))
                found = exits.after - {name} | self._reads(node.value)
            case _:
                found = self._plain(node, exits)
        return found

    def _plain(self, node: ast.stmt, exits: _Exits) -> Names:
        """Return the same of a statement without a block that does not set one name alone."""
        after = exits.after
        match node:
            case ast.Return() | ast.Raise():
                after = _NONE
            case ast.Break():
                after = exits.at_break
            case ast.Continue():
                after = exits.at_continue
            case ast.Assign(targets=[ast.Tuple(elts=elements) | ast.List(elts=elements)]):
                after -= {each.id for each in elements if isinstance(each, ast.Name)}
            case ast.AugAssign(target=ast.Name(id=name)):
                after |= {name}
        return after | self._reads(node)

    def _loop(self, node: Loop, exits: _Exits) -> Names:
        head = self._reads(node.test if isinstance(node, ast.While) else node.iter)
        if not isinstance(node, ast.While):
            head |= self._reads(node.target)
        again = head | exits.after | self.block(node.orelse, exits)
        certain, self._certain = self._certain, False
        while True:
            inside = exits._replace(after=again, at_break=exits.after, at_continue=again)
            found = again | self.block(node.body, inside)
            if found == again:
                break
            again = found
        self._certain = certain
        if certain:
            self.block(node.body, inside)
        return again

    def _try(self, node: ast.Try | ast.TryStar, exits: _Exits) -> Names:
        left = _NONE  # what is read when ``finally`` runs on some other way out
        if node.finalbody:
            left = self.block(node.finalbody, exits._replace(after=_NONE.union(*exits)))
            exits = exits._replace(after=left)
        exits = exits._replace(
            at_break=exits.at_break | left, at_continue=exits.at_continue | left, raised=exits.raised | left
        )
        caught = exits.raised
        for handler in node.handlers:
            caught |= self._reads(handler.type) | self.block(handler.body, exits)
        goes_on = self.block(node.orelse, exits)
        return caught | self.block(node.body, exits._replace(after=goes_on, raised=caught))

    def _reads(self, *nodes: ast.AST | None) -> Names:
        """Return the names that some code reads or deletes."""
        found = _NONE
        for node in nodes:
            if node is None:
                continue
            if id(node) not in self._read:
                self._read[id(node)] = _loaded(node)
            found |= self._read[id(node)]
        return found


def _loaded(node: ast.AST) -> Names:
    names: Iterable[ast.AST] = walk(node) if below(node) else (node,)
    return frozenset(each.id for each in names if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Store))
