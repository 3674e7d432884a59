"""An expression as a statement that computes a value and drops it: ``total ++ rows``, ``a == b``, ``f"..."``."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from review_bot.analysis.python.statements import blocks, last_name, withs_of
from review_bot.analysis.python.syntax import hit_at, source_text
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_ACTS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_MEANT = (ast.RShift, ast.LShift, ast.BitOr, ast.MatMult)
"""``extract >> load``: where these are a statement, a library has given them a meaning; a product may be timed."""
_EXCEPTIONS = frozenset(
    name for name, each in vars(builtins).items() if isinstance(each, type) and issubclass(each, BaseException)
)
_LONGEST = 60


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such statement. Raises CannotParse."""
    if source.path.endswith(".ipynb") or "bench" in source.path:
        return  # the last expression of a cell is shown; what is timed need not be kept
    if all(isinstance(each, ast.Expr) for each in source.tree.body):
        return  # no code, but a list, such as one of requirements
    tried = _tried(source)
    for block in blocks(source.tree.body):
        for statement in block:
            if isinstance(statement, ast.Expr) and statement.lineno not in tried and _drops(statement.value):
                shown = " ".join(source_text(source, statement).split())
                if len(shown) > _LONGEST:
                    shown = f"{shown[:_LONGEST]}…"
                yield hit_at(source, statement, values={"what": shown.replace("`", "'")})


def _drops(value: ast.expr) -> bool:
    """Return whether a statement of this expression does nothing, as far as operators do what they usually do."""
    if isinstance(value, ast.Compare):
        return not _names_an_operation(value)
    if isinstance(value, ast.BinOp):
        return not isinstance(value.op, _MEANT)
    if isinstance(value, ast.UnaryOp):
        return not any(isinstance(each, _ACTS) for each in ast.walk(value))
    if isinstance(value, (ast.BoolOp, ast.Tuple)):
        return not any(isinstance(each, _ACTS) for each in ast.walk(value)) and not _is_of_names(value)
    if isinstance(value, ast.Name):
        return value.id in _EXCEPTIONS
    return isinstance(value, ast.JoinedStr)


def _names_an_operation(value: ast.Compare) -> bool:
    """Return whether a comparison is there for its effect, as in ``key in lazy_mapping`` of a test."""
    return isinstance(value.ops[0], (ast.In, ast.NotIn))


def _is_of_names(value: ast.BoolOp | ast.Tuple) -> bool:
    """Return whether it only mentions names, as code does to keep a linter from calling them unused."""
    parts = value.values if isinstance(value, ast.BoolOp) else value.elts
    return all(isinstance(each, (ast.Name, ast.Attribute)) for each in parts)


def _tried(source: SourceFile) -> set[int]:
    """Return the lines where an expression is evaluated to see whether it raises."""
    found: set[int] = set()
    for attempt in source.nodes(ast.Try):
        if attempt.handlers:
            found.update(line for each in attempt.body for line in range(each.lineno, (each.end_lineno or 0) + 1))
    for block in withs_of(source.tree):
        called = {last_name(item.context_expr) for item in block.items}
        if any(
            word in name.lower()
            for name in called
            for word in ("raises", "warns", "suppress", "assert", "catch", "deprecated", "timer", "profile")
        ):
            found.update(range(block.lineno, (block.end_lineno or 0) + 1))
    return found


CHECK = FileCheck(without_options(examine), CheckTraits(literals=None))
