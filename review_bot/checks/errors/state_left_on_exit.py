"""State that a method sets and takes back at its end, and that an early way out leaves set."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from review_bot.analysis.python.bindings import bound_places
from review_bot.analysis.python.node_types import LOOPS, Loop
from review_bot.analysis.python.own_state import EMPTYING, StateChange, attributes_emptied, set_by, taken_back_by
from review_bot.analysis.python.statements import (
    Function,
    block_with,
    functions_of,
    is_definition,
    is_function,
    statements,
)
from review_bot.analysis.python.syntax import argument_values, classes, dotted, hit_on, is_name, names_in, own_nodes
from review_bot.changes.node_index import below, nodes_of, walk
from review_bot.changes.node_lines import span_of, start_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.flow.effects import may_raise
from review_bot.flow.state import places_in
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_MOST_CHANGES = 20
"""Changes of state that are followed in one function."""
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_TRIES = (ast.Try, ast.TryStar)
_OWN_STEPS = (ast.stmt, ast.ExceptHandler, ast.match_case)


class _Step(NamedTuple):
    """A block on the way from the function down to a statement, and the compound statement that holds the block."""

    block: list[ast.stmt]
    number: int
    owner: ast.stmt | None


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each way out that leaves an entry or a count behind which the method takes back at its end.

    Flags are left alone: many methods set one first, and take it back only if all went well. Raises CannotParse.
    """
    touched = {id(each) for each in source.touched_functions}
    for owner in classes(source.tree):
        methods = [each for each in owner.body if is_function(each)]
        known = frozenset(each.name for each in methods) if owner.bases else None
        for method in methods:
            if id(method) in touched:
                yield from _left_by(method, known, source)


def _left_by(method: Function, known: frozenset[str] | None, source: SourceFile) -> Iterator[Hit]:
    own = [each for each in own_nodes(method.body) if isinstance(each, ast.stmt)]
    undone = {each[:2] for node in own for each in taken_back_by(node) if each.kind != "flag"}
    if not undone:
        return
    changes = [each for node in own for each in set_by(node) if each[:2] in undone]
    everywhere, here = attributes_emptied(source.tree), attributes_emptied(method)
    tables = ((each, each.table.rpartition(".")[2]) for each in changes)
    for change in [each for each, name in tables if everywhere[name] == here[name]][:_MOST_CHANGES]:
        run = _Run(change, known)
        try:
            run.follow(method)
        except RecursionError:
            return  # blocks in more blocks than can be followed
        is_old = not any(source.any_added(*span_of(each)) for each in run.ways)
        at_set = is_old and _is_new(change, method, source)
        for way in run.ways[:1] if at_set else run.ways:
            yield from _hits(source, change, way, run.undo, at_set=at_set)


def _is_new(change: StateChange, method: Function, source: SourceFile) -> bool:
    """Return whether added lines make a change of state that the method did not make at the base."""
    if not source.any_added(*span_of(change.node)):
        return False
    old = source.known_old_tree
    before = functions_of(old) if old is not None else []
    nodes = (node for each in before if each.name == method.name for node in own_nodes(each.body))
    return all(each.table != change.table for node in nodes if isinstance(node, ast.stmt) for each in set_by(node))


def _hits(
    source: SourceFile, change: StateChange, way: ast.stmt, undo: ast.stmt | None, *, at_set: bool = False
) -> Iterator[Hit]:
    """Yield a hit on a way out, or on what sets the state if that alone is new."""
    if undo is None:
        return
    first, leaves, last = change.node.lineno, way.lineno, undo.lineno
    values = {"place": change.place, "effect": change.effect, "set": str(first), "undo": str(last)}
    undone = Related(source.path, last, "undone here")
    if at_set:
        message = (
            f"`{change.place}` {change.effect} when the method leaves at line {leaves}: this sets it, and line {last}, "
            "which undoes it, is not reached."
        )
        related = (Related(source.path, leaves, "leaves here"), undone)
        yield hit_on(source, change.node, values=values, related=related, message=message)
    else:
        yield hit_on(source, way, values=values, related=(Related(source.path, first, "set here"), undone))


class _Run:
    """Follows one change of state from where it is made along the ways on which nothing takes it back.

    ``ways``: the statements that leave with it. ``undo``: what takes it back on the normal way. ``known``: the methods
    of the class; None: no class above it has more.
    """

    def __init__(self, change: StateChange, known: frozenset[str] | None) -> None:
        self.ways: list[ast.stmt] = []
        self.undo: ast.stmt | None = None
        self._change = change
        self._known = known
        target = ast.parse(change.place, mode="eval").body
        self._key = names_in(target) - {"self"}
        self._rebinds = {*places_in(target), change.table}
        self._catching = 0  # handlers of this many ``try`` may take what is raised
        self._inside = 0  # conditions, loops and handlers around what is followed, beyond those around the change
        self._loop: Loop | None = None  # the innermost loop around the change, while its body is followed
        self._given: set[str] = set()  # places that decided whether the change is made at all
        self._guards: list[ast.expr] = []

    def follow(self, method: Function) -> None:
        """Follow the change to the ends of its method."""
        path = _path_to(method.body, self._change.node)
        if any(isinstance(each.owner, _TRIES) and self._is_about(each.owner.finalbody) for each in path):
            return
        self._catching = sum(bool(each.owner.handlers) for each in path if isinstance(each.owner, _TRIES))
        loops = [each.owner for each in path if isinstance(each.owner, LOOPS)]
        goes_on = True
        for block, number, owner in reversed(path):
            self._loop = loops[-1] if loops else None
            rest = block[number + 1 :]
            if isinstance(owner, _TRIES):
                goes_on = self._rest_of_try(owner, block, rest, goes_on=goes_on)
            elif goes_on:
                goes_on = self._block(rest)
            if not goes_on:
                return
            if isinstance(owner, LOOPS):
                return  # the next round
            if isinstance(owner, ast.If):
                self._given |= places_in(owner.test)
            if isinstance(owner, ast.Match):
                return

    def _rest_of_try(
        self, owner: ast.Try | ast.TryStar, block: list[ast.stmt], rest: list[ast.stmt], *, goes_on: bool
    ) -> bool:
        in_body = block is owner.body
        self._catching -= bool(owner.handlers) and not in_body
        raises = in_body and self._raises(rest)
        goes_on = goes_on and self._block(rest)
        self._catching -= bool(owner.handlers) and in_body
        goes_on = goes_on and (not in_body or self._block(owner.orelse))
        return self._ways(each.body for each in owner.handlers if raises) or goes_on

    def _raises(self, block: list[ast.stmt]) -> bool:
        """Return whether a statement of a block may raise before one takes the change back."""
        for each in sorted(statements(block, into_definitions=False), key=start_of):
            if self._takes_back(each):
                return False
            if may_raise(each) and not isinstance(each, (ast.With, ast.AsyncWith)):
                return True
        return False

    def _block(self, block: list[ast.stmt]) -> bool:
        """Return whether the end of a block is reached with the change."""
        return all(map(self._statement, block))

    def _statement(self, node: ast.stmt) -> bool:
        """Return whether what follows a statement is reached with the change."""
        if self._takes_back(node):
            self.undo = node if self.undo is None and not self._inside else self.undo
            return False
        if self._may_hand_over(node):
            return False
        goes_on = not isinstance(node, _LEAVING)
        match node:
            case ast.Return(value=value):
                self._leave(node, gives=value)
            case ast.Raise() if not self._catching:
                self._leave(node)
            case ast.Continue() if self._loop is not None and self._key & bound_places([self._loop]):
                self._leave(node)
            case ast.If():
                self._guards.append(node.test)
                goes_on = self._ways([node.body, node.orelse])
                self._guards.pop()
            case ast.For() | ast.AsyncFor() | ast.While():
                loop, self._loop = self._loop, None  # a ``continue`` in here stays in the method
                self._ways([node.body])
                self._loop = loop
            case ast.With() | ast.AsyncWith():
                goes_on = self._block(node.body)
            case ast.Try() | ast.TryStar():
                goes_on = self._try(node)
            case ast.Match():
                goes_on = self._ways([[], *(each.body for each in node.cases)])
        return goes_on

    def _ways(self, parted: Iterable[list[ast.stmt]]) -> bool:
        """Follow blocks of which one runs, and return whether one of them goes on with the change."""
        self._inside += 1
        ends = list(map(self._block, parted))
        self._inside -= 1
        return any(ends)

    def _leave(self, node: ast.stmt, gives: ast.expr | None = None) -> None:
        """Note a way out."""
        if any(not self._given.isdisjoint(places_in(each)) or self._asks_for_key(each) for each in self._guards):
            return  # where this is reached the change may not have been made, or is gone already
        if gives is None or not self._is_given_back(gives):
            self.ways.append(node)

    def _try(self, node: ast.Try | ast.TryStar) -> bool:
        if self._is_about(node.finalbody):
            known = len(self.ways)
            self._block(node.finalbody)
            del self.ways[known:]  # what takes it back knows when not to
            return False
        raises = self._raises(node.body)
        self._catching += bool(node.handlers)
        goes_on = self._block(node.body)
        self._catching -= bool(node.handlers)
        goes_on = goes_on and self._block(node.orelse)
        return self._ways(each.body for each in node.handlers if raises) or goes_on

    def _takes_back(self, node: ast.stmt) -> bool:
        return any(each[:2] == self._change[:2] for each in taken_back_by(node))

    def _is_about(self, block: Iterable[ast.AST]) -> bool:
        return any(self._touches(each) for statement in block for each in walk(statement))

    def _touches(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and dotted(node) == self._change.table

    def _may_hand_over(self, node: ast.stmt) -> bool:
        """Return whether other code may take the change back, now or later, or a name of its key gets another value."""
        if is_definition(node):
            return self._is_about([node])
        parts = [each for part in below(node) if not isinstance(part, _OWN_STEPS) for each in [part, *walk(part)]]
        return any(map(self._gives, parts))

    def _gives(self, node: ast.AST) -> bool:
        match node:
            case ast.Name(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                return dotted(node) in self._rebinds
            case ast.Attribute(value=table, attr=name):  # of a method that may remove, also where it is not called
                return name in EMPTYING and self._touches(table)
            case ast.Lambda():
                return self._is_about([node])
            case ast.Call():
                given = argument_values(node)
                return any(is_name(each, "self") or self._touches(each) for each in given) or (
                    self._is_inherited(node.func)
                    and (not self._key or any(self._key & names_in(each) for each in given))
                )
        return False

    def _is_inherited(self, function: ast.expr) -> bool:
        """Return whether a call may run a method of a class above; what the class itself has takes nothing back."""
        if self._known is None or not isinstance(function, ast.Attribute) or function.attr in self._known:
            return False
        owner = function.value
        return is_name(owner, "self") or (isinstance(owner, ast.Call) and is_name(owner.func, "super"))

    def _asks_for_key(self, test: ast.expr) -> bool:
        compares = (each for each in nodes_of(test, ast.Compare) if isinstance(each.ops[0], (ast.In, ast.NotIn)))
        return any(self._touches(each.comparators[0]) for each in compares)

    def _is_given_back(self, value: ast.expr) -> bool:
        """Return whether the caller gets the key, so that it may take the change back itself."""
        waiting: list[ast.AST] = [value]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name) and node.id in self._key:
                return True
            waiting += [] if isinstance(node, ast.JoinedStr) else below(node)
        return False


def _path_to(body: list[ast.stmt], node: ast.stmt) -> list[_Step]:
    """Return the steps from the statements of a function down to one of them."""
    path: list[_Step] = []
    block, owner = body, None
    while True:
        index = max(number for number, each in enumerate(block) if start_of(each) <= start_of(node))
        path.append(_Step(block, index, owner))
        owner = block[index]
        if owner is node:
            return path
        block = block_with(owner, node)


CHECK = file_check(examine, CheckTraits(literals=("self",)))
