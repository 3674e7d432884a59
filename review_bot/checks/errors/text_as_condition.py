"""A text or number that is an operand of ``or`` or ``and`` by itself, where a comparison with it was meant.

::

    if "t2v" or "i2v" in name: ...          always true
    if name == "linear" or "lut": ...       always true
    if "audio" and "qkv" in key: ...        the same as `if "qkv" in key`

``x or "default"`` and ``x and "suffix"`` are values; they count only where a condition is asked for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import hit_at, is_literal, source_text
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_LONGEST = 60


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such operand of each operation. Raises CannotParse."""
    conditions, asserted = _operations(_tests(source)), _operations(each.test for each in source.nodes(ast.Assert))
    for both in source.nodes(ast.BoolOp):
        is_tested, is_asserted = id(both) in conditions, id(both) in asserted
        found = next((n for n, value in enumerate(both.values) if _is_true(value, both.values[:n])), None)
        if found is None or any(is_literal(each, False) for each in both.values[:found]):
            continue
        if found == len(both.values) - 1:
            compared = isinstance(both.values[found - 1], ast.Compare)
            is_meant = (is_tested or is_asserted or compared) if isinstance(both.op, ast.Or) else is_tested
            if not is_meant:
                continue
        outcome = "it adds nothing to this condition"
        if isinstance(both.op, ast.Or):
            is_condition = is_tested or is_asserted or found == len(both.values) - 1
            outcome = "this condition is always true" if is_condition else "what follows it is never evaluated"
        text = source_text(source, both.values[found])[:_LONGEST]
        yield hit_at(source, both, values={"text": text, "outcome": outcome})


def _is_true(value: ast.expr, before: list[ast.expr]) -> bool:
    """Return whether an operand is a text that is not empty, or another number than 0 after a comparison."""
    if not isinstance(value, ast.Constant) or isinstance(value.value, bool) or not value.value:
        return False
    if isinstance(value.value, (str, bytes)):
        return True
    equals = before[-1] if before else None
    return isinstance(equals, ast.Compare) and isinstance(equals.ops[-1], (ast.Eq, ast.NotEq))


def _tests(source: SourceFile) -> Iterator[ast.expr]:
    """Yield what decides something; not what is asserted, where ``and`` adds the message as in C."""
    deciding: list[ast.If | ast.While | ast.IfExp]
    deciding = [*source.nodes(ast.If), *source.nodes(ast.While), *source.nodes(ast.IfExp)]
    yield from (each.test for each in deciding)
    for comprehension in source.nodes(ast.comprehension):
        yield from comprehension.ifs
    for unary in source.nodes(ast.UnaryOp):
        if isinstance(unary.op, ast.Not):
            yield unary.operand


def _operations(tests: Iterator[ast.expr]) -> set[int]:
    """Return the ids of the operations with ``or`` and ``and`` of which conditions consist."""
    found: set[int] = set()
    waiting = list(tests)
    while waiting:
        test = waiting.pop()
        if isinstance(test, ast.BoolOp):
            found.add(id(test))
            waiting += test.values
    return found


CHECK = file_check(examine, CheckTraits(literals=("or", "and")))
