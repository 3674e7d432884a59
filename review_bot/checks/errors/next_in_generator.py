"""``next`` without a default in a generator, which fails with RuntimeError where there is nothing to read.

::

    def rows(path):
        reader = csv.reader(open(path))
        header = next(reader)               StopIteration for an empty file, RuntimeError for the caller
        for row in reader:
            yield dict(zip(header, row))

The loop over the rest shows that the number of items is open. Source: https://peps.python.org/pep-0479/
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import caught_lines, last_name, withs_of
from review_bot.analysis.python.syntax import hit_at, is_generator, is_name, names_in, own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import lines_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_CAUGHT = frozenset({"BaseException", "Exception", "RuntimeError", "StopIteration"})
_ENDLESS = frozenset({"count", "cycle", "repeat"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such call. Raises CannotParse."""
    for function in source.touched_functions:
        if not is_generator(function):
            continue
        nodes = list(own_nodes(function.body))
        caught = caught_lines(nodes, _CAUGHT) | _suppressed(function)
        for call in nodes:
            name = _asked(call)
            if not name or not isinstance(call, ast.Call) or call.lineno in caught:
                continue
            if _goes_on(nodes, call, name) and not _is_tested(nodes, call, name):
                yield hit_at(source, call, values={"name": name})


def _asked(call: ast.AST) -> str:
    """Return the name that ``next`` is called with alone; an empty text for any other node."""
    if not isinstance(call, ast.Call) or not is_name(call.func, "next") or len(call.args) != 1 or call.keywords:
        return ""
    return call.args[0].id if isinstance(call.args[0], ast.Name) else ""


def _suppressed(function: ast.AST) -> frozenset[int]:
    """Return the lines where ``contextlib.suppress`` hides exceptions."""
    return frozenset(
        line
        for each in withs_of(function)
        if any(last_name(call.func) == "suppress" for item in each.items for call in nodes_of(item, ast.Call))
        for line in lines_of(each)
    )


def _goes_on(nodes: list[ast.AST], call: ast.Call, name: str) -> bool:
    """Return whether a loop behind a call reads what is left, with no new value between them."""
    loops = [
        each.lineno
        for each in nodes
        if isinstance(each, ast.For) and each.lineno > call.lineno and name in names_in(each.iter)
    ]
    named = (each for each in nodes if isinstance(each, ast.Name) and each.id == name)
    stores = [each.lineno for each in named if not isinstance(each.ctx, ast.Load)]
    return bool(loops) and not any(call.lineno < line <= min(loops) for line in stores)


def _is_tested(nodes: list[ast.AST], call: ast.Call, name: str) -> bool:
    """Return whether code before a call tests what the iterator is made of, or makes one that never ends.

    What an object yields of itself, ``iter(self)``, is known to its class.
    """
    made = [
        each for each in nodes if isinstance(each, ast.Assign) and any(is_name(target, name) for target in each.targets)
    ]
    calls = [call for each in made for call in nodes_of(each, ast.Call)]
    if any(last_name(each.func) in _ENDLESS or any(is_name(given, "self") for given in each.args) for each in calls):
        return True
    sources = {name}.union(*(names_in(each.value) for each in made)) - {"iter", "self"}
    tests = (each.test for each in nodes if isinstance(each, (ast.If, ast.IfExp, ast.Assert, ast.While)))
    return any(each.lineno < call.lineno and sources & names_in(each) for each in tests)


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("next yield",)))
