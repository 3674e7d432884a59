"""Code that still sends, or expects, the None that a change replaces as the last item of a queue.

::

    self._tasks.put_nowait(SHUTDOWN)              was put_nowait(None)
    assert stage._tasks.get_nowait() is None      in a test that the change does not touch

A queue is the same by the name of the attribute that holds it, a leading underscore aside.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import assignments_of, functions_of, last_name
from review_bot.analysis.python.syntax import is_literal
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library, is_test

_PUTS = frozenset({"put", "put_nowait"})
_GETS = frozenset({"get", "get_nowait"})
_MOST_FILES = 60


class Replaced(NamedTuple):
    """A call that puts something else than None into a queue now: the queue, what it puts, and its line.

    ``written``: the name of the queue with its underscore.
    """

    queue: str
    item: str
    line: int
    written: str


class Traffic(NamedTuple):
    """What a file does with queues, by name: where it puts None, and where it tests what it got for None or reads it.

    ``tests`` are comparisons with None, ``asserts`` those that must hold, ``reads`` attributes and keys of an item.
    """

    puts: tuple[tuple[str, int], ...]
    tests: tuple[tuple[str, int], ...]
    asserts: tuple[tuple[str, int], ...]
    reads: tuple[tuple[str, int], ...]


def gather(source: SourceFile) -> tuple[Replaced, ...] | None:
    """Return the queues into which removed lines put None and added lines of the file something by name."""
    if source.change.status != "modified" or not is_library(source.path):
        return None
    if not any("None" in line for line in source.removed.values()) or (old := source.known_old_tree) is None:
        return None
    lost = {queue for queue, item, call in _put(old) if is_literal(item, None) and source.any_removed(*span_of(call))}
    new = [
        Replaced(queue, ast.unparse(item), item.lineno, _name(call.func))
        for queue, item, call in _put(source.tree)
        if queue in lost and isinstance(item, ast.Name | ast.Attribute)
        if source.any_added(*span_of(call))
    ]
    kept = {queue for queue, item, _ in _put(source.tree) if is_literal(item, None)}
    return tuple(each for each in new if each.queue not in kept) or None


def _put(tree: ast.Module) -> Iterator[tuple[str, ast.expr, ast.Call]]:
    """Yield each call that puts one item into a queue: the queue, the item and the call."""
    for call in nodes_of(tree, ast.Call):
        puts = isinstance(call.func, ast.Attribute) and call.func.attr in _PUTS and call.args
        if puts and (queue := _queue(call.func)):
            yield queue, call.args[0], call


def _queue(method: ast.expr) -> str:
    """Return the name of the object whose method is called; empty for one that has none."""
    return _name(method).lstrip("_")


def _name(method: ast.expr) -> str:
    owner = method.value if isinstance(method, ast.Attribute) else None
    return last_name(owner) if isinstance(owner, ast.Name | ast.Attribute) else ""


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the new item of each queue whose other end, or another sender, still has None."""
    replaced: dict[str, tuple[str, Replaced]] = {}
    for path, each in each_fact(facts):
        replaced.setdefault(each.queue, (path, each))
    for queue, (path, each) in sorted(replaced.items()):
        paths = files_with(codebase.head, [queue, f"_{queue}"], ".py")
        if len(paths) > _MOST_FILES:
            continue
        trees = [(other, codebase.head.tree(other)) for other in paths]
        traffic = [(other, _traffic(tree)) for other, tree in trees if tree is not None]
        library = [here for other, here in traffic if not is_test(other)]
        if any(name == queue for here in library for name, _ in (*here.tests, *here.asserts)):
            continue  # None still ends it somewhere
        expected = [
            Related(other, line, "expects None")
            for other, here in traffic
            if is_test(other)
            for name, line in here.asserts
            if name == queue
        ]
        read = any(name == queue for here in library for name, _ in here.reads)
        sent = [
            Related(other, line, "still puts None")
            for other, here in traffic
            if read
            for name, line in here.puts
            if name == queue
        ]
        if not expected and not any(is_library(each.path or "") for each in sent):
            continue
        places = (*sorted(expected), *sorted(sent))
        first = places[0]
        values = {
            "queue": each.written, "item": each.item, "place": f"`{first.path}:{first.line}`", "does": first.note,
        }  # fmt: skip
        yield Hit(each.line, path=path, values=values, related=places[:8], statement=f"{queue} {each.item}")


@kept_on_node
def _traffic(tree: ast.Module) -> Traffic:
    puts = [(queue, call.lineno) for queue, item, call in _put(tree) if is_literal(item, None)]
    tests: list[tuple[str, int]] = []
    asserts: list[tuple[str, int]] = []
    reads: list[tuple[str, int]] = []
    for function in functions_of(tree):
        got = {
            target.id: queue
            for each in assignments_of(function)
            for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
            if isinstance(target, ast.Name) and (queue := _got(each.value))
        }
        if not got:
            continue
        must = {id(each.test) for each in nodes_of(function, ast.Assert)}
        for compare in nodes_of(function, ast.Compare):
            if (
                isinstance(compare.left, ast.Name)
                and compare.left.id in got
                and is_literal(compare.comparators[0], None)
            ):
                holds = id(compare) in must and isinstance(compare.ops[0], ast.Is | ast.Eq)
                (asserts if holds else tests).append((got[compare.left.id], compare.lineno))
        read = [(each.value, each.lineno) for each in nodes_of(function, ast.Attribute)]
        read += [(each.value, each.lineno) for each in nodes_of(function, ast.Subscript)]
        reads += [(got[item.id], line) for item, line in read if isinstance(item, ast.Name) and item.id in got]
    return Traffic(tuple(puts), tuple(tests), tuple(asserts), tuple(reads))


def _got(value: ast.expr | None) -> str:
    """Return the queue from which an expression takes an item; empty for any other."""
    call = value.value if isinstance(value, ast.Await) else value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in _GETS:
        return ""
    is_queue = all(isinstance(each, ast.Constant) and isinstance(each.value, bool) for each in call.args[:1])
    return _queue(call.func) if is_queue else ""  # a key: ``get`` of a dictionary


CHECK = change_check(gather, relate, CheckTraits(literals=("put",), reads_old=True))
