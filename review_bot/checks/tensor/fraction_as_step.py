"""A range whose step is a quotient: how many values it has depends on the rounding of the step."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from itertools import product

from review_bot.analysis.facts.stored_values import held_value
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, keyword, reads_same
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_RANGES = frozenset({"torch.arange", "numpy.arange", "jax.numpy.arange", "range"})
_NAMES = frozenset({"arange", "range"})
_KEEPS = frozenset({"list", "tuple", "array", "asarray", "tensor", "sorted"})
"""Calls that make values of a ``range``, which otherwise may have a last part that is shorter."""
_COUNTS = range(1, 129)
"""Numbers of steps to try: frames, patches or steps of a schedule."""
_MOST = 1e9
"""The largest number that is looked at: infinity (``1e999``) is one that a text can hold."""
_LENGTHS = range(1, 513)
"""Lengths to try where the length is a variable too."""


class _Wrong(NamedTuple):
    """For which values of its variables a range is too long (as text), the number of values meant, and the real one."""

    given: str
    meant: int
    real: int


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each range that has a value too many for some number of steps, with that number. Raises CannotParse."""
    names = imported_names(source.tree)
    calls = [call for call in source.nodes(ast.Call) if len(call.args) == 3 and last_name(call.func) in _NAMES]
    kept: set[int] = set()
    if any(last_name(call.func) == "range" for call in calls):
        kept = {id(each) for call in source.nodes(ast.Call) if last_name(call.func) in _KEEPS for each in call.args}
    for call in calls:
        name = full_name(call.func, names)
        if name not in _RANGES or keyword(call, "step") or (name == "range" and id(call) not in kept):
            continue
        start, stop, step = call.args
        around = source.functions_around(call.lineno)
        division = held_value(around[0], step.id) if around and isinstance(step, ast.Name) else step
        if not isinstance(division, ast.BinOp) or _is_cut(division.right, around[0] if around else source.tree):
            continue
        wrong = _wrong(start, stop, division)
        if wrong:
            values = {"given": wrong.given, "count": str(wrong.meant), "values": str(wrong.real)}
            yield hit_at(source, call, values={**values, "step": ast.unparse(division)})


def _is_cut(count: ast.expr, scope: ast.AST) -> bool:
    """Return whether what is too long is cut: ``frames[:count]``."""
    return any(
        isinstance(node, ast.Slice) and node.upper is not None and reads_same(node.upper, count)
        for node in ast.walk(scope)
    )


def _wrong(start: ast.expr, stop: ast.expr, step: ast.BinOp) -> _Wrong | None:
    """Return for which values of its variables a range with a division as its step is too long."""
    first, last, part = _number(start), _number(stop), _number(step.left)
    is_constant = isinstance(step.right, ast.Constant)
    if first is None or not isinstance(step.right, ast.Name | ast.Attribute | ast.Constant):
        return None
    count, counts = ast.unparse(step.right), _values(step.right, _COUNTS)
    if last is not None and part and isinstance(step.op, ast.Div) and not is_constant:
        whole = (last - first) / part
        if not 1 <= whole <= _MOST or whole != int(whole):
            return None
        for number in counts:
            meant, real = int(whole) * number, math.ceil((last - first) / (part / number))
            if real != meant:
                return _Wrong(f"`{count}` = {number}", meant, real)
    elif first == 0 and isinstance(step.left, ast.Name | ast.Attribute) and reads_same(step.left, stop):
        for number, size in product(counts, _LENGTHS):
            if isinstance(step.op, ast.FloorDiv):
                real = len(range(0, size, size // number)) if size >= number else number
            else:
                real = math.ceil(size / (size / number))
            if real != number:
                variable = "" if is_constant else f" and `{count}` = {number}"
                return _Wrong(f"`{ast.unparse(step.left)}` = {size}{variable}", number, real)
    return None


def _number(node: ast.expr) -> float | None:
    """Return a number as it is written, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _number(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value) if abs(node.value) <= _MOST else None
    return None


def _values(node: ast.expr, otherwise: range) -> range:
    """Return the numbers of steps that a divisor can be."""
    value = _number(node)
    if value is None:
        return range(0) if isinstance(node, ast.Constant) else otherwise
    return range(int(value), int(value) + 1) if value == int(value) and value > 0 else range(0)


CHECK = file_check(examine, CheckTraits(literals=("arange", "range")))
