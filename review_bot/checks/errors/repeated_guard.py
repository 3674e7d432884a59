"""The same condition again, after a branch that always leaves: the second one can never be true."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from review_bot.analysis.python.statements import blocks, leaves
from review_bot.analysis.python.syntax import bound_name, hit_on, structure
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_PURE = LazyRegex(
    r"^(is_\w+|has_\w+|get_\w+_group|(?:get|calc|compute)_(?:\w+_)?(?:size|num|number|count|len|length|rank|dtype|device)|isinstance|issubclass|hasattr|getattr|callable|len|int|float|str|bool|repr|abs|min"
    r"|max|sum|tuple|list|dict|set|frozenset|sorted|range|type|id|format|round|startswith|endswith|join)$"
)
_BRANCH = "This branch"
_TEST_NODES = (
    ast.Name, ast.Attribute, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Call, ast.Load, ast.boolop,
    ast.unaryop, ast.cmpop, ast.Tuple,
)  # fmt: skip


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each second condition. Raises CannotParse."""
    for block in blocks(source.tree.body):
        guards = [n for n, each in enumerate(block) if isinstance(each, ast.If)]
        if len(guards) < 2 or not any(leaves(block[n].body) for n in guards[:-1]):  # type: ignore[attr-defined]  # an If
            continue
        texts = {n: structure(block[n].test) for n in guards}  # type: ignore[attr-defined]  # an If
        for position, first in enumerate(guards):
            again = next((n for n in guards[position + 1 :] if texts[n] == texts[first]), None)
            if again is None:
                continue
            before, after = block[first], block[again]
            assert isinstance(before, ast.If)  # noqa: S101  # by its position
            if not leaves(before.body) or not _is_stable(before.test, [*before.orelse, *block[first + 1 : again]]):
                continue
            where: ast.stmt = after
            other: ast.stmt = before
            note = "the same condition, in a branch that always exits"
            if after.lineno not in source.added and before.lineno in source.added:
                where, other, note = before, after, "the same condition, in a branch that can never run now"
            values = {
                "first": str(before.lineno),
                "branch": _BRANCH if where is after else f"The branch on line {after.lineno}",
            }
            yield hit_on(source, where, values=values, related=(Related(source.path, other.lineno, note),))


def _is_stable(test: ast.expr, between: Iterable[ast.stmt]) -> bool:
    """Return whether nothing between can change the outcome of a test, as far as the text shows."""
    names: set[str] = set()
    for node in walk(test):
        if not isinstance(node, _TEST_NODES) or (isinstance(node, ast.Call) and not _is_pure(node)):
            return False
        if isinstance(node, ast.Name):
            names.add(node.id)
    only_names = _asks_a_plain_value(test)
    for statement in between:
        for node in walk(statement):
            if isinstance(node, (ast.Global, ast.Nonlocal, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                return False
            if isinstance(node, ast.Name) and node.id in names and not isinstance(node.ctx, ast.Load):
                return False
            if isinstance(node, (ast.alias, ast.ExceptHandler)) and _bound(node) in names:
                return False
            if not only_names and _may_change_objects(node):
                return False
    return True


def _asks_a_plain_value(test: ast.expr) -> bool:
    """Return whether it is ``x is None`` or ``x == "text"`` on a plain name: only a new binding changes its outcome."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.left, ast.Name):
        return False
    (operator,), (other,) = test.ops, test.comparators
    if not isinstance(other, ast.Constant):
        return False
    return isinstance(operator, (ast.Is, ast.IsNot)) or (
        isinstance(operator, (ast.Eq, ast.NotEq)) and isinstance(other.value, str)
    )


def _may_change_objects(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return not _is_pure(node)
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return not isinstance(node.ctx, ast.Load)
    return isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.With, ast.AsyncWith, ast.AugAssign, ast.For))


def _is_pure(call: ast.Call) -> bool:
    function = call.func
    name = (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )
    return _PURE.match(name) is not None


def _bound(node: ast.alias | ast.ExceptHandler) -> str | None:
    return node.name if isinstance(node, ast.ExceptHandler) else bound_name(node)


CHECK = file_check(examine, CheckTraits(literals=("if",)))
