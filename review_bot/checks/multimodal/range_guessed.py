"""Media that is rescaled only where its own smallest or largest value says so, which differs from input to input."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.node_types import ORDERS
from review_bot.analysis.python.statements import choices_of, last_name
from review_bot.analysis.python.syntax import dotted, hit_at, own_nodes
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_EXTREMES = {"min": "smallest", "amin": "smallest", "max": "largest", "amax": "largest"}
_LIBRARIES = frozenset({"np", "numpy", "torch", "jnp"})
# The ends of the ranges in use: 0 to 1, -1 to 1, and whole numbers of 8 bits.
_ENDS = {0, 1, 255}
_FACTORS = {127.5, 128, 255, 256, 32767, 32768, 65535}
# From -1 to 1 and back: they count only behind a test for negative values.
_HALVES = {0.5, 2}
_SCALES = (ast.Mult, ast.Div)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first test of a chain for the extreme of something that is rescaled behind it. Raises CannotParse."""
    # An `elif` is a branch of its own, and comes later.
    handled: set[ast.AST] = set()
    for branch in choices_of(source.tree):
        test = next((each for each in walk(branch.test) if _guesses(each, branch)), None)
        if test is not None and branch not in handled:
            media, extreme = _tested(test)
            yield hit_at(source, test, values={"media": media, "extreme": extreme, "test": ast.unparse(test)})
        if test is not None or branch in handled:
            handled.update(branch.orelse if isinstance(branch, ast.If) else [branch.orelse])


def _guesses(test: ast.AST, branch: ast.If | ast.IfExp) -> bool:
    media, extreme = _tested(test)
    factors = _FACTORS | _HALVES if extreme == "smallest" else _FACTORS
    body = branch.body if isinstance(branch, ast.If) else [branch.body]
    return media != "" and any(_rescales(node, media, factors) for node in own_nodes(body))


def _tested(test: ast.AST) -> tuple[str, str]:
    """Return ``x`` and the extreme of it that is compared with the end of a range (``x.max() > 1``), or empty texts."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ORDERS):
        return "", ""
    call = _without(test.left, "item", "float")
    extreme = _EXTREMES.get(last_name(call.func) or "", "") if isinstance(call, ast.Call) else ""
    if not extreme or _number(test.comparators[0]) not in _ENDS or not isinstance(call, ast.Call):
        return "", ""
    media = _without(_operand(call), "abs") if isinstance(call.func, ast.Attribute) else None
    return (ast.unparse(media), extreme) if isinstance(media, ast.Name | ast.Attribute | ast.Subscript) else ("", "")


def _operand(call: ast.Call) -> ast.expr | None:
    """Return ``x`` of ``x.max()``, ``np.max(x)`` and ``abs(x)``; None where there is an axis or another value."""
    is_method = isinstance(call.func, ast.Attribute) and dotted(call.func.value) not in _LIBRARIES
    values = [call.func.value, *call.args] if is_method and isinstance(call.func, ast.Attribute) else call.args
    return values[0] if len(values) == 1 and not call.keywords else None


def _without(node: ast.expr | None, *names: str) -> ast.expr | None:
    """Return what a call of one of these functions or methods is made on, else the node itself."""
    return _operand(node) if isinstance(node, ast.Call) and last_name(node.func) in names else node


def _rescales(node: ast.AST, media: str, factors: set[float]) -> bool:
    """Whether a node is ``x /= 255``, ``x * 255`` or ``(x.clip(-1, 1) + 1) / 2`` of this ``x``."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, _SCALES) and _number(node.value) in factors and ast.unparse(node.target) == media
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, _SCALES):
        return False
    scaled = [value for value, by in ((node.left, node.right), (node.right, node.left)) if _number(by) in factors]
    return any(ast.unparse(_innermost(value)) == media for value in scaled)


def _innermost(value: ast.expr) -> ast.expr:
    """Return ``x`` of ``x.clip(-1, 1) + 1``: what methods are called on, and numbers added to."""
    while True:
        if isinstance(value, ast.BinOp):
            value = value.left
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            is_function = dotted(value.func.value) in _LIBRARIES and value.args
            value = value.args[0] if is_function else value.func.value
        else:
            return value


def _number(node: ast.expr) -> float | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


_LITERALS = ("max 255", "max 256", "max 12", "max 3276", "max 6553", "min 0")
CHECK = file_check(examine, CheckTraits(_LITERALS))
