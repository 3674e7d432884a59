"""State that a coroutine sets before it waits and takes back after, which an exception or a cancellation leaves set."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import blocks, inner_blocks, is_function
from review_bot.analysis.python.syntax import classes, dotted, hit_on, is_literal, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_WAITS = (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Yield)
_STATES = {"entry": "stays in the table", "counter": "stays too high", "flag": "stays set"}


class _Change(NamedTuple):
    """A statement that changes state: ``place`` is an entry of a table, a counter or a flag."""

    place: str
    kind: str
    node: ast.stmt


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each statement that sets such state. Raises CannotParse."""
    owners = {id(each): owner for owner in classes(source.tree) for each in owner.body if is_function(each)}
    for function in source.nodes(ast.AsyncFunctionDef):
        nodes = list(own_nodes(function.body))
        waits = sorted(_place(each) for each in nodes if isinstance(each, _WAITS))
        changes = [each for node in nodes if isinstance(node, ast.stmt) for each in _changes(node)] if waits else []
        if not changes:
            continue
        guarded = {id(inner) for each in nodes if isinstance(each, ast.Try) for inner in _on_the_way_out(each)}
        undone = [each for node in nodes if isinstance(node, ast.stmt) for each in _undone(node)]
        around = _around(function)
        leaves, repeated = _leaves(function), _repeated(nodes)
        safe = {each.place for each in undone if id(each.node) in guarded}
        for change in changes:
            later = [
                each
                for each in undone
                if each[:2] == change[:2]
                and _place(each.node) > _place(change.node)
                and around[id(each.node)][-1] in around[id(change.node)]
            ]
            first = min((_place(each.node) for each in later), default=(0, 0))
            wait = next((each for each in waits if _place(change.node) < each < first), None)
            if wait is None or id(change.node) in guarded or change.place in safe:
                continue
            if _place(change.node) < leaves.get(id(change.node), wait) < wait or id(change.node) in repeated:
                continue
            owner = owners.get(id(function))
            if owner is not None and _is_undone_elsewhere(change, owner, function):
                continue
            yield _hit(source, change, wait[0], first[0])


def _place(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _around(function: ast.AsyncFunctionDef) -> dict[int, tuple[int, ...]]:
    """Return the statement lists around each statement of a function, by their places in memory, outermost first.

    The body of a ``with`` or a ``try`` runs as a part of the list around it.
    """
    found: dict[int, tuple[int, ...]] = {}
    waiting: list[tuple[list[ast.stmt], tuple[int, ...]]] = [(function.body, (id(function.body),))]
    while waiting:
        block, here = waiting.pop()
        for statement in block:
            found[id(statement)] = here
            for inner in inner_blocks(statement):
                is_part = isinstance(statement, (ast.With, ast.AsyncWith, ast.Try)) and inner is statement.body
                waiting.append((inner, here if is_part else (*here, id(inner))))
    return found


def _leaves(function: ast.AsyncFunctionDef) -> dict[int, tuple[int, int]]:
    """Return where the statement list around each statement leaves the function or a loop, if it does."""
    found: dict[int, tuple[int, int]] = {}
    for block in blocks(function.body):
        if isinstance(block[-1], (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            found.update({id(each): _place(block[-1]) for each in block})
    return found


def _repeated(nodes: list[ast.AST]) -> set[int]:
    """Return the statements of what a loop tries again after an error: it sets them again."""
    loops = [each for each in nodes if isinstance(each, (ast.While, ast.For, ast.AsyncFor))]
    tries = [each for loop in loops for each in loop.body if isinstance(each, ast.Try) and each.handlers]
    return {id(inner) for each in tries for inner in own_nodes(each.body)}


def _hit(source: SourceFile, change: _Change, wait: int, undo: int) -> Hit:
    related = (Related(source.path, wait, "waits here"), Related(source.path, undo, "undone here"))
    values = {"place": change.place, "state": _STATES[change.kind], "wait": str(wait), "undo": str(undo)}
    return hit_on(source, change.node, values=values, related=related)


def _on_the_way_out(node: ast.Try) -> Iterator[ast.AST]:
    yield from own_nodes(node.finalbody)
    for handler in node.handlers:
        yield from own_nodes(handler.body)


def _is_undone_elsewhere(change: _Change, owner: ast.ClassDef, function: ast.AsyncFunctionDef) -> bool:
    """Return whether another method of the class takes back such state too, such as one that aborts requests."""
    place = _table(change)
    return any(
        _table(each) == place
        for method in owner.body
        if is_function(method) and method is not function
        for node in own_nodes(method.body)
        if isinstance(node, ast.stmt)
        for each in _undone(node)
    )


def _table(change: _Change) -> str:
    return change.place.partition("[")[0] if change.kind == "entry" else change.place


def _changes(node: ast.stmt) -> Iterator[_Change]:
    """Yield what a statement sets: ``self.table[key] = x``, ``self.count += 1``, ``self.busy = True``."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and _is_own(node.target):
        yield _Change(ast.unparse(node.target), "counter", node)
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and _is_own(target.value):
            yield _Change(ast.unparse(target), "entry", node)
        elif is_literal(node.value, True) and _is_own(target):
            yield _Change(ast.unparse(target), "flag", node)


def _undone(node: ast.stmt) -> Iterator[_Change]:
    """Yield what a statement takes back: ``del self.table[key]``, ``self.count -= 1``, ``self.busy = False``."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Sub) and _is_own(node.target):
        yield _Change(ast.unparse(node.target), "counter", node)
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is False:
        yield from (_Change(ast.unparse(each), "flag", node) for each in node.targets if _is_own(each))
    if isinstance(node, ast.Delete):
        entries = (each for each in node.targets if isinstance(each, ast.Subscript))
        yield from (_Change(ast.unparse(each), "entry", node) for each in entries)
    call = node.value if isinstance(node, (ast.Expr, ast.Assign, ast.Return)) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "pop" and call.args:
        yield _Change(f"{ast.unparse(call.func.value)}[{ast.unparse(call.args[0])}]", "entry", node)


def _is_own(node: ast.expr) -> bool:
    return (dotted(node) or "").startswith("self.")


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("async self",)))
