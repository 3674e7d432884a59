"""A ``__del__`` that is to end a thread which keeps the object alive, so that it never runs while the thread does.

::

    def __init__(self):
        self.thread = Thread(target=self._work)     the bound method holds ``self``
    def _work(self):
        while self.running: ...
    def __del__(self):
        self.running = False                        runs only after the thread has ended
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, is_function, last_name
from review_bot.analysis.python.syntax import attribute_of_self, classes, hit_on, keyword, own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_DEEPEST = 3
_STOPS = frozenset({"set", "put", "put_nowait", "join", "close", "cancel", "notify", "notify_all"})
"""Methods of events, queues, conditions and threads with which a thread is ended."""


class _Thread(NamedTuple):
    """``call``: what makes the thread. ``method``: what it runs."""

    call: ast.Call
    method: Function


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield ``__del__`` of each such class. Raises CannotParse."""
    for owner in classes(source.tree):
        methods = {each.name: each for each in owner.body if is_function(each)}
        final = methods.get("__del__")
        if final is None:
            continue
        stopped = _stopped(final, methods)
        for thread in _threads(owner, methods):
            waits_for = _conditions(thread.method)
            if waits_for is not None and stopped & (waits_for | {_attribute_of(thread.call, owner)}):
                values = {"class": owner.name, "method": thread.method.name, "line": str(thread.call.lineno)}
                related = (
                    Related(source.path, thread.call.lineno, "the thread holds the object"),
                    Related(source.path, thread.method.lineno, "what the thread runs"),
                )
                yield hit_on(source, final, values=values, related=related)
                break


def _threads(owner: ast.ClassDef, methods: Mapping[str, Function]) -> Iterator[_Thread]:
    for call in nodes_of(owner, ast.Call):
        target = keyword(call, "target") if last_name(call.func) == "Thread" else None
        if (name := attribute_of_self(target)) in methods:
            yield _Thread(call, methods[name])


def _attribute_of(call: ast.Call, owner: ast.ClassDef) -> str:
    """Return the attribute of the object that holds a thread; nothing if none does."""
    for each in nodes_of(owner, ast.Assign):
        if each.value is call and isinstance(each.targets[0], ast.Attribute):
            return each.targets[0].attr
    return ""


def _conditions(method: Function) -> set[str] | None:
    """Return the attributes on which an endless loop of a method depends; None if it has no such loop."""
    for loop in own_nodes(method.body):
        if not isinstance(loop, ast.While):
            continue
        own = [each for each in nodes_of(loop.test, ast.Attribute) if attribute_of_self(each)]
        if own or isinstance(loop.test, ast.Constant):
            inside = [each for one in loop.body for each in nodes_of(one, ast.Attribute) if attribute_of_self(each)]
            return {each.attr for each in [*own, *inside]}
    return None


def _stopped(final: Function, methods: Mapping[str, Function]) -> set[str]:
    """Return the attributes that ``__del__`` sets, or calls a stopping method of, itself or through other methods."""
    found: set[str] = set()
    seen = {final.name}
    pending = [(final, 0)]
    while pending:
        method, depth = pending.pop()
        for each in nodes_of(method, ast.Attribute):
            if attribute_of_self(each) and isinstance(each.ctx, ast.Store):
                found.add(each.attr)
        for call in nodes_of(method, ast.Call):
            called = call.func
            if not isinstance(called, ast.Attribute):
                continue
            if (name := attribute_of_self(called.value)) and called.attr in _STOPS:
                found.add(name)
            elif attribute_of_self(called) and called.attr in methods and called.attr not in seen and depth < _DEEPEST:
                seen.add(called.attr)
                pending.append((methods[called.attr], depth + 1))
    return found


CHECK = file_check(examine, CheckTraits(literals=("__del__ Thread target",)))
