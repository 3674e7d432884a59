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
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_CAUGHT = frozenset({"BaseException", "Exception", "RuntimeError", "StopIteration"})
_ENDLESS = frozenset({"count", "cycle", "repeat"})
_MOST_VALUES = 10
"""Values of one name that are looked at."""


class _Uses(NamedTuple):
    """What a function does with each name: the lines of loops over it, of stores and tests, and what it is set to."""

    loops: dict[str, list[int]]
    stores: dict[str, list[int]]
    tests: dict[str, list[int]]
    values: dict[str, list[ast.expr]]


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such call. Raises CannotParse."""
    for function in source.touched_functions:
        if not is_generator(function):
            continue
        nodes = list(own_nodes(function.body))
        calls = [(call, name) for call in nodes if isinstance(call, ast.Call) and (name := _asked(call))]
        if not calls:
            continue
        caught = caught_lines(nodes, _CAUGHT) | _suppressed(function)
        uses = _uses(nodes)
        for call, name in calls:
            if call.lineno not in caught and _goes_on(uses, call, name) and not _is_tested(uses, call, name):
                yield hit_at(source, call, values={"name": name})


def _uses(nodes: list[ast.AST]) -> _Uses:
    uses = _Uses({}, {}, {}, {})
    for node in nodes:
        if isinstance(node, ast.For):
            for name in names_in(node.iter):
                uses.loops.setdefault(name, []).append(node.lineno)
        elif isinstance(node, (ast.If, ast.IfExp, ast.Assert, ast.While)):
            for name in names_in(node.test):
                uses.tests.setdefault(name, []).append(node.test.lineno)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            uses.stores.setdefault(node.id, []).append(node.lineno)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    uses.values.setdefault(target.id, []).append(node.value)
    return uses


def _asked(call: ast.Call) -> str:
    """Return the name that ``next`` is called with alone; an empty text for any other call."""
    if not is_name(call.func, "next") or len(call.args) != 1 or call.keywords:
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


def _goes_on(uses: _Uses, call: ast.Call, name: str) -> bool:
    """Return whether a loop behind a call reads what is left, with no new value between them."""
    loop = min((line for line in uses.loops.get(name, ()) if line > call.lineno), default=None)
    return loop is not None and not any(call.lineno < line <= loop for line in uses.stores.get(name, ()))


def _is_tested(uses: _Uses, call: ast.Call, name: str) -> bool:
    """Return whether code before a call tests what the iterator is made of, or makes one that never ends.

    What an object yields of itself, ``iter(self)``, is known to its class.
    """
    values = uses.values.get(name, [])[:_MOST_VALUES]
    calls = [made_by for value in values for made_by in nodes_of(value, ast.Call)]
    if any(last_name(each.func) in _ENDLESS or any(is_name(given, "self") for given in each.args) for each in calls):
        return True
    sources = {name}.union(*map(names_in, values)) - {"iter", "self"}
    return any(line < call.lineno for each in sources for line in uses.tests.get(each, ()))


CHECK = file_check(examine, CheckTraits(literals=("next yield",)))
