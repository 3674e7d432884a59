"""Tasks that run at the same time and append to one list: the results are in the order of completion."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.node_types import COMPREHENSIONS, LOOPS
from review_bot.analysis.python.statements import last_name, parameter_names
from review_bot.analysis.python.syntax import argument_values, dotted, hit_at, own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each ``append`` of a coroutine that its surrounding function gathers. Raises CannotParse."""
    for function in source.functions:
        body = list(own_nodes(function.body))
        workers = {each.name: each for each in body if isinstance(each, ast.AsyncFunctionDef)}
        if not workers or not any(isinstance(each, ast.Call) and last_name(each.func) == "gather" for each in body):
            continue
        lists = {
            each.targets[0].id
            for each in body
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and _is_empty_list(each.value)
        }
        lists &= {name for each in body for name in _read_in_order(each)}
        lists -= {name for each in body for name in _sorted_by(each)}
        for name in sorted(workers.keys() & _run_at_once(body)):
            yield from _appends(source, workers[name], lists)


def _run_at_once(body: list[ast.AST]) -> set[str]:
    """Return the functions that a loop or comprehension calls, and does not await one by one."""
    awaited = {id(each.value) for each in body if isinstance(each, ast.Await)}
    loops = [each for each in body if isinstance(each, (*LOOPS, *COMPREHENSIONS))]
    calls = [call for loop in loops for call in nodes_of(loop, ast.Call) if id(call) not in awaited]
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)}


def _appends(source: SourceFile, worker: ast.AsyncFunctionDef, lists: set[str]) -> Iterator[Hit]:
    """Yield each ``append`` that every call reaches once, after a wait, of a value that does not name its input."""
    waits = (each for each in own_nodes(worker.body) if isinstance(each, (ast.Await, ast.AsyncFor, ast.AsyncWith)))
    first = min((each.lineno for each in waits), default=None)
    if first is None:
        return
    inputs = parameter_names(worker)
    for statement in _always(worker.body):
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "append":
            continue
        held = call.func.value
        if not isinstance(held, ast.Name) or held.id not in lists or call.lineno < first:
            continue
        if not any(_names_input(each, inputs) for each in call.args):
            yield hit_at(source, call, values={"name": held.id, "worker": worker.name})


def _always(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that a call runs once, unless it fails."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.With, ast.AsyncWith, ast.Try)):
            yield from _always(statement.body)


def _names_input(value: ast.expr, inputs: frozenset[str]) -> bool:
    """Return whether a value holds an argument, or a part of one, by which its input can be found again."""
    parts: list[ast.expr | None] = [value]
    if isinstance(value, (ast.Tuple, ast.List)):
        parts = [*value.elts]
    elif isinstance(value, ast.Dict):
        parts = [*value.keys, *value.values]
    elif isinstance(value, ast.Call):
        parts = [*argument_values(value)]
    return any((dotted(each) or "").partition(".")[0] in inputs for each in parts if each is not None)


def _read_in_order(node: ast.AST) -> set[str]:
    """Return the names of lists whose order a node hands on: it returns them, pairs them or takes an element."""
    read: list[ast.expr] = []
    if isinstance(node, ast.Return) and node.value is not None:
        read = [node.value]
        if isinstance(node.value, (ast.Tuple, ast.List)):
            read = node.value.elts
        elif isinstance(node.value, ast.Dict):
            read = node.value.values
    elif isinstance(node, ast.Call) and last_name(node.func) in {"zip", "enumerate"}:
        read = node.args
    elif isinstance(node, ast.Subscript):
        read = [node.value]
    return {each.id for each in read if isinstance(each, ast.Name)}


def _is_empty_list(value: ast.expr) -> bool:
    return isinstance(value, ast.List) and not value.elts


def _sorted_by(node: ast.AST) -> set[str]:
    """Return the last names of the lists that a call sorts."""
    if not isinstance(node, ast.Call):
        return set()
    if isinstance(node.func, ast.Attribute) and node.func.attr == "sort":
        return {last_name(node.func.value)}
    return {last_name(each) for each in node.args} if last_name(node.func) == "sorted" else set()


CHECK = file_check(examine, CheckTraits(literals=("gather append",)))
