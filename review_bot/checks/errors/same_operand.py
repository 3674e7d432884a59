"""One value in both places of an operation that is about two: ``w % p == 0 and w % p == 0``, ``max(a.x, a.x)``.

``x == x`` and ``x != x`` ask whether a number is not NaN, so the equality of a plain name with itself is left alone,
unless a loop counts with that name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations, pairwise

from review_bot.analysis.python.function_pairs import plain
from review_bot.analysis.python.syntax import dotted, hit_at, reads_same
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_COMPARED = (ast.Eq, ast.Is, ast.IsNot, ast.Lt, ast.Gt, ast.LtE, ast.GtE)
_EXTREMES = frozenset(
    f"{home}{name}"
    for home, names in (("", "min max"), ("np.", "minimum maximum"), ("torch.", "minimum maximum min max"))
    for name in names.split()
)
_TESTS = frozenset({"isinstance", "issubclass", "hasattr", "len", "callable", "str.startswith", "all", "any"})
"""Calls that give the same answer twice in one condition."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such operation. Raises CannotParse."""
    for test in source.nodes(ast.Compare):
        for (left, right), operator in zip(pairwise([test.left, *test.comparators]), test.ops, strict=True):
            if not isinstance(operator, _COMPARED) or not _are_same(left, right):
                continue
            if not isinstance(left, ast.Name) or left.id in _counters(source):
                yield _hit(source, test, left, "compares", "with itself")
    for both in source.nodes(ast.BoolOp):
        same = next(
            (
                both.values[first]
                for first, other in combinations(range(len(both.values)), 2)
                if _are_same(both.values[first], both.values[other])
                and all(map(_changes_nothing, both.values[first + 1 : other]))
            ),
            None,
        )
        if same is not None:
            yield _hit(source, both, same, "tests", "twice")
    stated = _stated_in_tables(source)
    for pair in source.nodes(ast.BinOp):
        of_names = isinstance(pair.left, ast.Name)
        kinds = (ast.FloorDiv, ast.Mod) if of_names else (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod)
        if isinstance(pair.left, ast.Name) and pair.left.id.isupper():
            continue  # `WINDOW // WINDOW` of a constant is one, written so that a reader sees of what
        if isinstance(pair.op, kinds) and pair not in stated and _are_same(pair.left, pair.right):
            subtracts = isinstance(pair.op, ast.Sub)
            verb, how = ("subtracts", "from itself") if subtracts else ("divides", "by itself")
            yield _hit(source, pair, pair.left, verb, how)
    for call in source.nodes(ast.Call):
        if len(call.args) == 2 and not call.keywords and dotted(call.func) in _EXTREMES and _are_same(*call.args):
            yield _hit(source, call, call.args[0], "passes", f"to `{plain(call.func)}` twice")


def _stated_in_tables(source: SourceFile) -> set[ast.expr]:
    """Return what the rows of tables state, as the pairs of a simplifier do: ``[(x // x, one), (x % x, zero)]``."""
    rows = [row for table in source.nodes(ast.List) for row in table.elts if isinstance(row, ast.Tuple)]
    return {cell for row in rows for cell in row.elts}


def _counters(source: SourceFile) -> set[str]:
    """Return the names with which loops over ``range`` or ``enumerate`` count, and which are therefore not NaN."""
    found: set[str] = set()
    for loop in source.nodes(ast.For):
        called = loop.iter.func if isinstance(loop.iter, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in {"range", "enumerate"}:
            target = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else loop.target
            found |= {target.id} if isinstance(target, ast.Name) else set()
    return found


def _hit(source: SourceFile, node: ast.expr, same: ast.expr, verb: str, how: str) -> Hit:
    return hit_at(source, node, values={"same": plain(same), "verb": verb, "how": how})


def _are_same(left: ast.expr, right: ast.expr) -> bool:
    """Return whether two expressions read the same and give the same value."""
    if isinstance(left, ast.Constant) or not reads_same(left, right):
        return False
    return _changes_nothing(left)


def _changes_nothing(node: ast.expr) -> bool:
    """Return whether an expression surely has no effect on the value of another: ``ready or load() or ready``."""
    return all(
        dotted(each.func) in _TESTS if isinstance(each, ast.Call) else not isinstance(each, ast.Await | ast.NamedExpr)
        for each in ast.walk(node)
    )


CHECK = file_check(examine, CheckTraits(literals=None))
