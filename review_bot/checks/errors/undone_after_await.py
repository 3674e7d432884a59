"""State that a coroutine sets before it waits and takes back after, which an exception or a cancellation leaves set."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.own_state import StateChange, places_taken_back, set_by, taken_back_by
from review_bot.analysis.python.statements import blocks, inner_blocks, is_function
from review_bot.analysis.python.syntax import hit_on, own_nodes, owners_of
from review_bot.changes.node_lines import start_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_WAITS = (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Yield)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each statement that sets such state. Raises CannotParse."""
    owners = owners_of(source.tree)
    for function in source.nodes(ast.AsyncFunctionDef):
        nodes = list(own_nodes(function.body))
        waits = sorted(start_of(each) for each in nodes if isinstance(each, _WAITS))
        changes = [each for node in nodes if isinstance(node, ast.stmt) for each in set_by(node)] if waits else []
        if not changes:
            continue
        guarded = {id(inner) for each in nodes if isinstance(each, ast.Try) for inner in _on_the_way_out(each)}
        undone = [each for node in nodes if isinstance(node, ast.stmt) for each in taken_back_by(node)]
        around = _around(function)
        leaves, repeated = _leaves(function), _repeated(nodes)
        safe = {each.place for each in undone if id(each.node) in guarded}
        for change in changes:
            later = [
                each
                for each in undone
                if each[:2] == change[:2]
                and start_of(each.node) > start_of(change.node)
                and around[id(each.node)][-1] in around[id(change.node)]
            ]
            first = min((start_of(each.node) for each in later), default=(0, 0))
            wait = next((each for each in waits if start_of(change.node) < each < first), None)
            if wait is None or id(change.node) in guarded or change.place in safe:
                continue
            if start_of(change.node) < leaves.get(id(change.node), wait) < wait or id(change.node) in repeated:
                continue
            owner = owners.get(function)
            if owner is not None and _is_undone_elsewhere(change, owner, function):
                continue
            yield _hit(source, change, wait[0], first[0])


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
            found.update({id(each): start_of(block[-1]) for each in block})
    return found


def _repeated(nodes: list[ast.AST]) -> set[int]:
    """Return the statements of what a loop tries again after an error: it sets them again."""
    loops = [each for each in nodes if isinstance(each, (ast.While, ast.For, ast.AsyncFor))]
    tries = [each for loop in loops for each in loop.body if isinstance(each, ast.Try) and each.handlers]
    return {id(inner) for each in tries for inner in own_nodes(each.body)}


def _hit(source: SourceFile, change: StateChange, wait: int, undo: int) -> Hit:
    related = (Related(source.path, wait, "waits here"), Related(source.path, undo, "undone here"))
    values = {"place": change.place, "state": change.effect, "wait": str(wait), "undo": str(undo)}
    return hit_on(source, change.node, values=values, related=related)


def _on_the_way_out(node: ast.Try) -> Iterator[ast.AST]:
    yield from own_nodes(node.finalbody)
    for handler in node.handlers:
        yield from own_nodes(handler.body)


def _is_undone_elsewhere(change: StateChange, owner: ast.ClassDef, function: ast.AsyncFunctionDef) -> bool:
    """Return whether another method of the class takes back such state too, such as one that aborts requests."""
    methods = (each for each in owner.body if is_function(each) and each is not function)
    return any(change.table in places_taken_back(each) for each in methods)


CHECK = file_check(examine, CheckTraits(literals=("async self",)))
