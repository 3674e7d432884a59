"""A local number that a function only adds to, and that nothing reads.

::

    aborted = 0
    for request in waiting:
        if request.aborted:
            aborted += 1                reported: the number goes nowhere
    return Batch(running)

Linters take ``+=`` for a use.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.bindings import reads_by_text, shared_names
from review_bot.analysis.python.statements import Function, parameter_names
from review_bot.analysis.python.syntax import hit_at
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first line that adds to each of them. Raises CannotParse."""
    for function in source.touched_functions:
        updates = _updates(function)
        if not updates or any(map(reads_by_text, nodes_of(function, ast.Call))):
            continue
        elsewhere = {*shared_names(function), *parameter_names(function)}
        mentions = Counter(each.id for each in nodes_of(function, ast.Name))
        set_to: dict[str, list[ast.expr | None]] = {}
        for target, value in _assigned(function):
            if isinstance(target, ast.Name):
                set_to.setdefault(target.id, []).append(value)
        for name, found in updates.items():
            values = set_to.get(name, [])
            is_only_counted = bool(values) and mentions[name] == len(values) + len(found)
            if name not in elsewhere and is_only_counted and all(map(_is_number, values)):
                first = min(found, key=lambda each: each.lineno)
                yield hit_at(source, first, values={"name": name})


def _updates(function: Function) -> dict[str, list[ast.AugAssign]]:
    """Return the statements that add to or subtract from each name."""
    found: dict[str, list[ast.AugAssign]] = {}
    for each in nodes_of(function, ast.AugAssign):
        name = each.target.id if isinstance(each.target, ast.Name) else "_"
        if isinstance(each.op, (ast.Add, ast.Sub)) and not name.startswith("_"):
            found.setdefault(name, []).append(each)
    return found


def _assigned(function: Function) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Yield the targets of a function's assignments, those of ``a, b = 0, 0`` each with its own value."""
    for each in nodes_of(function, ast.AnnAssign):
        yield each.target, each.value
    for assign in nodes_of(function, ast.Assign):
        for target in assign.targets:
            if isinstance(target, ast.Tuple) and isinstance(assign.value, ast.Tuple):
                yield from zip(target.elts, assign.value.elts, strict=False)
            else:
                yield target, assign.value


def _is_number(value: ast.expr | None) -> bool:
    bare = value.operand if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) else value
    return isinstance(bare, ast.Constant) and type(bare.value) in {int, float}


CHECK = file_check(examine, CheckTraits(literals=("+ =", "- =")))
