"""A range whose step is a fraction: how many values it has depends on the rounding of the step."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from itertools import product

from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, keyword
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_RANGES = frozenset({"torch.arange", "numpy.arange", "jax.numpy.arange"})
_COUNTS = range(1, 129)
"""Numbers of steps to try: frames, patches or steps of a schedule."""
_LENGTHS = range(1, 513)
"""Lengths to try where the length is a variable too."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each range that has a value too many for some number of steps, with that number. Raises CannotParse."""
    names = imported_names(source.tree)
    for call in source.nodes(ast.Call):
        if full_name(call.func, names) not in _RANGES or len(call.args) != 3 or keyword(call, "step"):
            continue
        start, stop, step = call.args
        wrong = _wrong(start, stop, step)
        if wrong:
            given, count, length = wrong
            values = {"given": given, "count": str(count), "values": str(length), "step": ast.unparse(step)}
            yield hit_at(source, call, values=values)


def _wrong(start: ast.expr, stop: ast.expr, step: ast.expr) -> tuple[str, int, int] | None:
    """Return for which values of its variables a range is too long: those as text, the count meant and the real one."""
    if not isinstance(step, ast.BinOp) or not isinstance(step.op, ast.Div):
        return None
    first, length, count = _number(start), step.left, ast.unparse(step.right)
    if first is None or not isinstance(step.right, ast.Name | ast.Attribute | ast.Constant):
        return None
    last, part = _number(stop), _number(length)
    counts = _values(step.right, _COUNTS)
    if last is not None and part:
        whole = (last - first) / part
        if isinstance(step.right, ast.Constant) or whole != int(whole) or whole < 1:
            return None
        for number in counts:
            meant, real = int(whole) * number, math.ceil((last - first) / (part / number))
            if real != meant:
                return f"`{count}` = {number}", meant, real
    elif first == 0 and isinstance(length, ast.Name | ast.Attribute) and ast.dump(length) == ast.dump(stop):
        for number, size in product(counts, _LENGTHS):
            real = math.ceil(size / (size / number))
            if real != number:
                variable = "" if isinstance(step.right, ast.Constant) else f" and `{count}` = {number}"
                return f"`{ast.unparse(length)}` = {size}{variable}", number, real
    return None


def _number(node: ast.expr) -> float | None:
    """Return a number as it is written, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _number(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)
    return None


def _values(node: ast.expr, otherwise: range) -> range:
    """Return the numbers of steps that a divisor can be."""
    value = _number(node)
    if value is None:
        return otherwise
    return range(int(value), int(value) + 1) if value == int(value) and value > 0 else range(0)


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("arange",)))
