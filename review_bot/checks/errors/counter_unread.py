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
from collections.abc import Iterator

from review_bot.analysis.python.bindings import reads_by_text, shared_names
from review_bot.analysis.python.statements import Function, parameter_names
from review_bot.analysis.python.syntax import hit_at, is_name
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first line that adds to each of them. Raises CannotParse."""
    for function in source.touched_functions:
        updates = _updates(function)
        if not updates or any(map(reads_by_text, nodes_of(function, ast.Call))):
            continue
        elsewhere = {*shared_names(function), *parameter_names(function)}
        for name, found in updates.items():
            if name not in elsewhere and _is_only_counted(function, name, found):
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


def _is_only_counted(function: Function, name: str, updates: list[ast.AugAssign]) -> bool:
    """Return whether a function does nothing else with a name than to set it to numbers and to add to it."""
    set_to = [value for target, value in _assigned(function) if is_name(target, name)]
    mentions = sum(each.id == name for each in nodes_of(function, ast.Name))
    return bool(set_to) and all(map(_is_number, set_to)) and mentions == len(set_to) + len(updates)


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


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("+ =", "- =")))
