"""Slow work that an async function reaches, itself or through synchronous functions of the tree.

A file is looked at by itself first: which calls are in async functions whose loop has other work, and which slow calls
the change adds to its synchronous functions. What linters for asyncio report, a wait directly in the async function, is
left to ``errors/blocking-in-async``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import Call
from review_bot.analysis.facts.slow_calls import SlowCalls
from review_bot.analysis.facts.slow_work import SlowWork, functions_within, repeated_calls, slow_works
from review_bot.analysis.python.event_loop import EventLoop
from review_bot.analysis.python.syntax import imported_names, own_nodes
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit


class Suspects(NamedTuple):
    """Calls in async functions, and the lines of the slow calls that the change adds to synchronous functions.

    ``added`` and ``kept`` are places (line and byte column) of calls that the change adds or edits, and of others.
    """

    added: frozenset[tuple[int, int]]
    kept: frozenset[tuple[int, int]]
    slow: frozenset[int]


def gather(source: SourceFile) -> Suspects | None:
    """Return the calls of one file in async functions whose loop has other work meanwhile. Raises CannotParse."""
    if not source.change.hunks or not (functions := source.nodes(ast.AsyncFunctionDef)):
        return None
    slow = frozenset(_added_slow_calls(source))
    loop: EventLoop | None = None
    added: set[tuple[int, int]] = set()
    kept: set[tuple[int, int]] = set()
    for function in functions:
        awaited = {id(node.value) for node in own_nodes(function.body) if isinstance(node, ast.Await)}
        calls = [call for call in repeated_calls(function) if id(call) not in awaited]
        new = {(call.lineno, call.col_offset) for call in calls if source.touches(call.lineno, call.lineno)}
        if not (new or (slow and calls)):
            continue
        loop = loop or EventLoop(source, imported_names(source.tree))
        if loop.has_other_work(function) and not loop.is_setup(function):
            added |= new
            kept |= {(call.lineno, call.col_offset) for call in calls} - new if slow else set()
    return Suspects(frozenset(added), frozenset(kept), slow) if added or kept else None


def _added_slow_calls(source: SourceFile) -> Iterator[int]:
    slow: SlowCalls | None = None
    for function in source.nodes(ast.FunctionDef):
        for call in repeated_calls(function):
            if source.touches(call.lineno, call.lineno):
                slow = slow or SlowCalls(source.tree, source.path)
                if slow.kind(call) is not None:
                    yield call.lineno


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield each added call that leads to slow work, and each added slow call that an async function leads to."""
    targets, works = call_targets(codebase.head), slow_works(codebase.head)
    for path, suspects in sorted(facts.items()):
        file = targets.file(path)
        reported: set[int] = set()
        for scopes in () if file is None else functions_within(file.tree):
            function = scopes[-1]
            if file is None or not isinstance(function, ast.AsyncFunctionDef):
                continue
            for node in repeated_calls(function):
                place = (node.lineno, node.col_offset)
                work = works.of_call(file, Call(node, scopes)) if place in suspects.added | suspects.kept else None
                if work is None or (work.call.kind == "blocking" and not work.through):
                    continue
                line = node.lineno if place in suspects.added else work.line
                is_new = place in suspects.added or (work.path == path and line in suspects.slow)
                if is_new and line not in reported:
                    reported.add(line)
                    yield _hit(path, line, node, function.name, work)


def _hit(path: str, line: int, call: ast.Call, function: str, work: SlowWork) -> Hit:
    through, related = "", []
    if work.through and line == call.lineno:
        place = f"line {work.line}" if work.path == path else f"`{work.path}:{work.line}`"
        through = f" ({place}) in `{work.through[-1].name}`"
        related.append(Related(work.path, work.line, f"`{work.call.name}`"))
    elif work.through:
        related.append(Related(path, call.lineno, f"`{function}` calls it here"))
    values = {"work": work.call.name, "through": through, "async": function}
    return Hit(line, path=path, values=values, related=tuple(related))


CHECK = change_check(gather, relate, CheckTraits(literals=("async def",)))
