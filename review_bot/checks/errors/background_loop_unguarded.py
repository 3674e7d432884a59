"""Endless loops of background threads and tasks that the first exception of one iteration ends for good."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, is_function, last_name
from review_bot.analysis.python.syntax import classes, full_name, hit_at, imported_names, keyword, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_PAUSES = frozenset({"sleep", "wait"})
_MAY_FAIL = LazyRegex(
    r"^_?(push|post|send|request|fetch|report|upload|register|heart_?beat|publish|sync|pull|check|refresh|remove_stale"
    r"|update|collect|poll|scrape|ping|renew)(_|$)"
)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such loop. Raises CannotParse."""
    started = dict(_started(source))
    for function in source.functions:
        how = started.get(function.name)
        if how is None:
            continue
        loop = _endless_loop(function)
        if loop is None or any(_handles(each) for each in own_nodes(loop.body)) or not _works(loop):
            continue
        start, kind = how
        related = (Related(source.path, start, f"starts the {kind}"),)
        yield hit_at(source, loop, values={"function": function.name, "kind": kind}, related=related)


def _started(source: SourceFile) -> Iterator[tuple[str, tuple[int, str]]]:
    """Yield the name of each function that a file runs in the background, with the line that starts it and how."""
    imported = imported_names(source.tree)
    for call in source.nodes(ast.Call):
        name = full_name(call.func, imported) or ""
        target = keyword(call, "target") if name in {"threading.Thread", "threading.Timer"} else None
        if target is not None and last_name(target):
            yield last_name(target), (call.lineno, "thread")
        is_task = name in {"asyncio.create_task", "asyncio.ensure_future"} or name.endswith("loop.create_task")
        if is_task and call.args and isinstance(call.args[0], ast.Call):
            yield last_name(call.args[0]), (call.lineno, "task")
    for owner in classes(source.tree):
        if any(full_name(base, imported) == "threading.Thread" for base in owner.bases):
            yield "run", (owner.lineno, "thread")


def _endless_loop(function: Function) -> ast.While | None:
    """Return the endless loop at the end of a function, which no ``try`` with a handler surrounds."""
    last = function.body[-1]
    if isinstance(last, (ast.With, ast.AsyncWith)):
        last = last.body[-1]
    if not isinstance(last, ast.While):
        return None
    is_true = isinstance(last.test, ast.Constant) and bool(last.test.value)
    leaves = any(isinstance(each, (ast.Break, ast.Return)) for each in own_nodes(last.body))
    return last if is_true and not leaves else None


def _handles(node: ast.AST) -> bool:
    return isinstance(node, (ast.Try, ast.TryStar)) and bool(node.handlers)


def _works(loop: ast.While) -> bool:
    """Return whether a loop sleeps in each of its rounds and asks something that may fail: a process, or a host."""
    steps = [
        inner
        for each in loop.body
        for inner in ([*each.body, *each.finalbody] if isinstance(each, ast.Try) else [each])
    ]
    pauses = any(isinstance(each, ast.Expr) and last_name(_call(each.value)) in _PAUSES for each in steps)
    guarded = {each.name for each in loop.body if is_function(each) and any(map(_handles, own_nodes(each.body)))}
    calls = (each for each in own_nodes(loop.body) if isinstance(each, ast.Call))
    return pauses and any(_MAY_FAIL.search(last_name(each)) and last_name(each) not in guarded for each in calls)


def _call(value: ast.expr) -> ast.expr:
    return value.value if isinstance(value, ast.Await) else value


CHECK = file_check(examine, CheckTraits(literals=("while Thread", "while create_task", "while ensure_future")))
