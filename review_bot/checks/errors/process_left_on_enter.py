"""A context manager whose ``__enter__`` starts a process and may then raise, so that ``__exit__`` does not end it.

::

    def __enter__(self):
        self.server = subprocess.Popen(command)
        if not self.wait_until_ready():
            raise TimeoutError("the server did not start")      it runs on: __exit__ is not called
        return self
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.started_processes import started_processes
from review_bot.analysis.python.statements import Function, is_function, last_name
from review_bot.analysis.python.syntax import attribute_of_self, classes, hit_on, own_nodes
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_ENDS = LazyRegex(r"(?i)terminate|kill|clos|clean|stop|shutdown|shut_down|teardown|tear_down|__a?exit__|release|end_")
_ENTER = {"__enter__": "__exit__", "__aenter__": "__aexit__"}


class _Step(NamedTuple):
    """What ``__enter__`` runs, in order: a start of the process in ``place``, or a ``raise``."""

    node: ast.stmt
    place: str


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such ``raise`` of each class. Raises CannotParse."""
    for owner in classes(source.tree):
        methods = {each.name: each for each in owner.body if is_function(each)}
        for enter, leave in _ENTER.items():
            if enter not in methods or leave not in methods or "__del__" in methods:
                continue
            run = [methods[enter], *(methods[name] for name in _called(methods[enter]) if name in methods)]
            if any(_ENDS.search(_word(node)) for each in run for node in own_nodes(each.body)):
                continue
            steps = list(_steps(methods[enter], methods))
            first = next((number for number, each in enumerate(steps) if each.place), len(steps))
            raises = [each.node for each in steps[first:] if isinstance(each.node, ast.Raise)]
            failing = next((each for each in raises if not _excluded(steps[first].node, each, run)), None)
            if failing is not None and _is_ended(methods[leave], methods):
                start = steps[first]
                values = {"enter": enter, "leave": leave, "process": start.place, "line": str(start.node.lineno)}
                related = (Related(source.path, start.node.lineno, "starts it"),)
                yield hit_on(source, failing, values=values, related=related)


def _excluded(start: ast.stmt, failing: ast.stmt, run: list[Function]) -> bool:
    """Return whether a ``raise`` is in the other branch of a condition around the start, or runs if that fails."""
    choices: list[ast.If | ast.Try] = []
    for function in run:
        choices += [*nodes_of(function, ast.If), *nodes_of(function, ast.Try)]
    return any(
        any(node is start for part in each.body for node in walk(part))
        and any(node is failing for part in _others(each) for node in walk(part))
        for each in choices
    )


def _others(choice: ast.If | ast.Try) -> list[ast.stmt] | list[ast.ExceptHandler]:
    return choice.orelse if isinstance(choice, ast.If) else choice.handlers


def _called(function: Function) -> list[str]:
    calls = (each for each in own_nodes(function.body) if isinstance(each, ast.Call))
    return [name for each in calls if (name := attribute_of_self(each.func))]


def _word(node: ast.AST) -> str:
    return last_name(node.func) if isinstance(node, ast.Call) else ""


def _steps(function: Function, methods: dict[str, Function], depth: int = 1) -> Iterator[_Step]:
    """Yield the starts and ``raise`` statements of a method in the order of the text, those of methods it calls too."""
    starts = {id(each.statement): each.place for each in started_processes(function)}
    for node in own_nodes(function.body):
        if id(node) in starts and starts[id(node)].startswith("self.") and isinstance(node, ast.stmt):
            yield _Step(node, starts[id(node)])
        elif isinstance(node, ast.Raise) and node.exc is not None:
            yield _Step(node, "")
        elif isinstance(node, ast.Call) and depth and attribute_of_self(node.func) in methods:
            yield from _steps(methods[attribute_of_self(node.func)], methods, depth - 1)


def _is_ended(leave: Function, methods: dict[str, Function]) -> bool:
    """Return whether the method for the end of the block ends something, or calls a method that may."""
    return any(
        _ENDS.search(last_name(each.func)) or attribute_of_self(each.func) in methods
        for each in nodes_of(leave, ast.Call)
    )


CHECK = file_check(examine, CheckTraits(literals=("__enter__ Popen", "__enter__ Process", "__aenter__ Popen")))
