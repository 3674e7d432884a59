"""A new function that is too long, or nested too deeply, to take in at once."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator

from review_bot.analysis.python.node_types import LOOPS
from review_bot.analysis.python.statements import Function, is_definition
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options
from review_bot.text.globs import matches_any

_NESTING = (ast.If, *LOOPS, ast.Try, ast.TryStar, ast.With, ast.AsyncWith, ast.Match)


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each function over ``max_lines`` (in models: ``max_model_lines``) or ``max_depth``. Raises CannotParse."""
    most_lines = options["max_lines"]
    if matches_any(("**/models/**", "**/modeling*.py"), source.path):
        most_lines = options["max_model_lines"]
    compound = sorted((node.lineno, node.col_offset) for kind in _NESTING for node in source.nodes(kind))
    for function in source.functions:
        lines = last_line(function) - function.lineno + 1
        if lines > most_lines:
            shape = f"is {lines} lines long"
        elif _reaches(function, compound, options["max_depth"]) and (depth := _depth(function)) > options["max_depth"]:
            shape = f"is nested {depth} levels deep"
        else:
            continue
        yield Hit(
            function.lineno,
            last_line(function),
            column=source.column(function.lineno, function.col_offset),
            values={"name": function.name, "shape": shape},
        )


def _reaches(function: Function, compound: list[tuple[int, int]], depth: int) -> bool:
    """Return, by indentation alone, whether a compound statement of the function could be below ``depth`` others."""
    first, last = bisect_left(compound, (function.lineno, -1)), bisect_left(compound, (last_line(function) + 1, -1))
    indent = function.body[0].col_offset - function.col_offset
    return any(column >= function.col_offset + (depth + 1) * indent for _, column in compound[first:last])


def _depth(function: Function) -> int:
    """Return the most compound statements around one statement; ``elif`` and ``else`` add none."""
    deepest = 0
    pending: list[tuple[ast.stmt | ast.ExceptHandler | ast.match_case, int]] = [(each, 0) for each in function.body]
    while pending:
        node, depth = pending.pop()
        if isinstance(node, ast.stmt) and is_definition(node):
            continue
        inside = depth + isinstance(node, _NESTING)
        deepest = max(deepest, inside)
        chained = isinstance(node, ast.If) and len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            level = depth if chained and name == "orelse" else inside
            pending += [(each, level) for each in getattr(node, name, ())]
    return deepest


CHECK = file_check(examine, CheckTraits(literals=("def",)))
