"""A queue from which code still takes items although the change removes the last place that puts one in.

::

    self._done.put(item)             removed, and no other line of the tree puts anything in
    item = await self._done.get()    waits for ever

A queue is known by the name of the attribute that holds it. Each use of that name in the tree must be of a kind that is
known to put nothing in: one that hands the queue on, to a function, a process or a variable, may.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.statements import assigned_values, functions_of, targets_of
from review_bot.analysis.python.syntax import full_name, imported_names
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library, is_test
from review_bot.text.lazy_regex import LazyRegex

_QUEUE = LazyRegex(r"^(queue|asyncio|(torch\.)?multiprocessing)\.((Lifo|Priority|Simple|Joinable)?Queue)$")
_PUTS = frozenset({"put", "put_nowait"})
_GETS = frozenset({"get", "get_nowait"})
_OTHERS = frozenset({"empty", "qsize", "full", "task_done", "join", "close", "join_thread", "cancel_join_thread"})
"""Methods of queues that neither put an item in nor take one."""
_MOST_FILES = 60


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the attributes whose ``put`` removed lines call, with the lines; none that the file still calls."""
    if not source.text or not source.removed or not is_library(source.path) or is_test(source.path):
        return None
    if (old := source.known_old_tree) is None:
        return None
    lost: dict[str, int] = {}
    for name, call in _puts(old):
        line = source.first_removed(*span_of(call))
        if line is not None:
            lost.setdefault(name, line)
    kept = {name for name, _ in _puts(source.tree)} if lost else set()
    return tuple((name, line) for name, line in lost.items() if name not in kept) or None


def _puts(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call of ``put`` of an attribute: its name and the call."""
    for call in nodes_of(tree, ast.Call):
        method = call.func
        if isinstance(method, ast.Attribute) and method.attr in _PUTS and isinstance(method.value, ast.Attribute):
            yield method.value.attr, call


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the removed line of each queue from which the library still takes items."""
    first: dict[str, tuple[str, int]] = {}
    for path, (name, line) in each_fact(facts):
        first.setdefault(name, (path, line))
    for name, (path, line) in sorted(first.items()):
        if takers := _takers(name, codebase):
            where, alone = places_in_words(takers)
            values = {"queue": name, "takers": where, "verb": "takes" if alone else "take"}
            related = tuple(takers[:MOST_RELATED])
            yield Hit(line, side="LEFT", path=path, values=values, related=related, statement=f"queue {name}")


def _takers(name: str, codebase: Codebase) -> list[Related]:
    """Return the places of the library that take from a queue; none if any use of its name may put something in."""
    paths = files_with(codebase.head, [name])
    if len(paths) > _MOST_FILES or any(not path.endswith(".py") for path in paths):
        return []
    takers: list[Related] = []
    is_made = False
    for path in paths:
        tree = codebase.head.tree(path)
        if tree is None or _is_named_otherwise(name, tree):
            return []
        uses = [each for each in nodes_of(tree, ast.Attribute) if each.attr == name]
        made = _made(name, tree) if uses else set[int]()
        known = {
            id(each.value): (each.attr, each.lineno)
            for each in nodes_of(tree, ast.Attribute)
            if each.attr in _GETS | _OTHERS
        }
        called = {id(each.func.value) for each in nodes_of(tree, ast.Call) if isinstance(each.func, ast.Attribute)}
        for use in uses:
            method, line = known.get(id(use), ("", 0))
            if id(use) not in made and not (method and id(use) in called):
                return []
            if method in _GETS and not is_test(path) and is_library(path):
                takers.append(Related(path, line, "takes from it"))
        is_made = is_made or bool(made)
    return sorted(takers) if is_made else []


def _made(name: str, tree: ast.Module) -> set[int]:
    """Return the ids of the attributes of a name to which a module gives a new queue."""
    imported = imported_names(tree)
    return {
        id(target)
        for target, value in assigned_values(tree)
        if isinstance(target, ast.Attribute)
        and target.attr == name
        and isinstance(value, ast.Call)
        and _QUEUE.match(full_name(value.func, imported) or "")
    }


def _is_named_otherwise(name: str, tree: ast.Module) -> bool:
    """Return whether a module has a field, an argument or a text of the name: another way to reach the queue."""
    fields = (target for owner in nodes_of(tree, ast.ClassDef) for each in owner.body for target in _targets(each))
    return (
        any(isinstance(each, ast.Name) and each.id == name for each in fields)
        or any(each.arg == name for each in nodes_of(tree, ast.keyword))
        or any(each.value == name for each in nodes_of(tree, ast.Constant))
        or any(name in (alias.name, alias.asname) for each in nodes_of(tree, ast.ImportFrom) for alias in each.names)
        or any(each.name == name for each in functions_of(tree))
    )


def _targets(statement: ast.stmt) -> list[ast.expr]:
    return targets_of(statement) if isinstance(statement, (ast.Assign, ast.AnnAssign)) else []


CHECK = change_check(gather, relate, CheckTraits(literals=("put",), reads_old=True, on_lines=False))
