"""Tasks that run at the same time and append to one list: the results are in the order of completion."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each ``append`` of a coroutine that its surrounding function gathers. Raises CannotParse."""
    for function in source.functions:
        body = list(own_nodes(function.body))
        workers = {each.name: each for each in body if isinstance(each, ast.AsyncFunctionDef)}
        gathers = [each for each in body if isinstance(each, ast.Call) and last_name(each.func) == "gather"]
        if not workers or not gathers:
            continue
        lists = {
            each.targets[0].id
            for each in body
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and _is_empty_list(each.value)
        }
        ordered = {
            last_name(each.func.value)
            for each in body
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr == "sort"
        } | {last_name(argument) for each in body if isinstance(each, ast.Call) for argument in _sorted_by(each)}
        called = {each.id for each in body if isinstance(each, ast.Name)}
        for name in sorted(workers.keys() & called):
            yield from _appends(source, workers[name], lists - ordered)


def _appends(source: SourceFile, worker: ast.AsyncFunctionDef, lists: set[str]) -> Iterator[Hit]:
    nodes = list(own_nodes(worker.body))
    waits = min((each.lineno for each in nodes if isinstance(each, (ast.Await, ast.AsyncFor))), default=None)
    for node in nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "append":
            continue
        held = node.func.value
        if isinstance(held, ast.Name) and held.id in lists and waits is not None and node.lineno >= waits:
            yield hit_at(source, node, values={"name": held.id, "worker": worker.name})


def _is_empty_list(value: ast.expr) -> bool:
    return isinstance(value, ast.List) and not value.elts


def _sorted_by(call: ast.Call) -> list[ast.expr]:
    return call.args if last_name(call.func) == "sorted" else []


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("gather append",)))
