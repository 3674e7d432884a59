"""The functions that a change touches, as they were and as they are.

::

    class A:                    A.step at the base and A.step at the head are one pair;
        def step(self): ...     a function that came, went, moved or has a namesake is in none
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import suppress

from review_bot.analysis.python.statements import (
    Function,
    definitions,
    first_line,
    is_function,
    statements,
)
from review_bot.changes.node_index import kept_on_node
from review_bot.changes.node_lines import last_line
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple


class FunctionPair(NamedTuple):
    """One function on both sides. ``name`` is dotted (``Class.method``)."""

    name: str
    old: Function
    new: Function


def function_pairs(source: SourceFile, *, grown: bool = False) -> Iterator[FunctionPair]:
    """Yield the functions that both sides of a file have and from which the change removes a line.

    ``grown``: those too to which it only adds some. A file that is parsed on one side only has none. Where the change
    deletes one and leaves one that had another name (its class was renamed), the two are no pair.
    """
    if not source.text or not source.old_text or not (source.removed or (grown and source.added)):
        return
    new = _functions(source.tree)
    old = source.known_old_tree
    for name, before in ({} if old is None else _functions(old)).items():
        after = new.get(name)
        if before is None or after is None:
            continue
        is_touched = source.any_removed(first_line(before), last_line(before))
        if not is_touched and not (grown and source.touches(first_line(after), last_line(after))):
            continue
        if (before.lineno in source.removed) == (after.lineno in source.added):
            yield FunctionPair(name, before, after)


def names_at_base(source: SourceFile, holds: Callable[[Function, ast.Module], object]) -> frozenset[str]:
    """Return the names of the functions for which something held before the change; none if that cannot be parsed."""
    base = source.at_base()
    with suppress(CannotParse):
        return frozenset() if base is None else frozenset(e.name for e in base.functions if holds(e, base.tree))
    return frozenset()


def own_statements(function: Function) -> Iterator[ast.stmt]:
    """Yield every statement of a function, at any depth; those of functions inside it aside."""
    return statements(function.body, into_definitions=False)


@kept_on_node
def plain(node: ast.AST) -> str:
    """Return code as text, formatting and comments aside."""
    return ast.unparse(node)


def _functions(tree: ast.Module) -> dict[str, Function | None]:
    found: dict[str, Function | None] = {}
    for each in definitions(tree.body):
        if is_function(each.node):
            found[each.name] = None if each.name in found else each.node
    return found
