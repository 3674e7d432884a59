"""A comparison in a test whose tolerance the change makes larger."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.function_pairs import FunctionPair, function_pairs, plain
from review_bot.analysis.python.statements import last_name
from review_bot.changes.node_lines import lines_of, span_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_TOLERANCES = frozenset({"atol", "rtol", "rel", "abs", "delta", "rel_tol", "abs_tol", "tol", "tolerance"})

_OF_COMPARISONS = frozenset({"rel", "abs", "delta"})
"""Those of them that are tolerances in a comparison, and something else in other calls."""
_COMPARES = LazyRegex(r"(?i)approx|assert|check|clos|compar|equal|verif")

_EXPLAINS = LazyRegex(r"(?i)toleran|precision|rounding|numeric|noise|drift|flak|determinis|\b[ar]tol\b")
_NOTABLE = 2
"""Factor up to which a larger tolerance is a matter of noise."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield a hit on each comparison that is what it was, but for a larger number as its tolerance.

    None where the change says in a comment or a docstring of the file why tolerances are as they are.
    """
    if any(_EXPLAINS.search(text) for text in _prose(source)):
        return
    for pair in function_pairs(source):
        yield from _looser(pair, source)


def _prose(source: SourceFile) -> Iterator[str]:
    """Yield the comments and lines of docstrings that the change adds."""
    in_docstrings: set[int] = set()
    for node in (source.tree, *source.nodes(ast.ClassDef), *source.functions):
        if ast.get_docstring(node, clean=False) is not None:
            in_docstrings.update(lines_of(node.body[0]))
    for line in source.added:
        text = source.lines_of_authors[line - 1]
        yield text if line in in_docstrings else text.partition("#")[2]


def _looser(pair: FunctionPair, source: SourceFile) -> Iterator[Hit]:
    before: dict[str, list[dict[str, float]]] = {}
    for call in _comparisons(pair.old):
        before.setdefault(_form(call), []).append(_tolerances(call))
    denied = {
        id(node.operand)
        for node in ast.walk(pair.new)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    }
    for call in _comparisons(pair.new):
        olds = before.get(_form(call), [])
        now = _tolerances(call)
        line = source.first_added(*span_of(call))
        if len(olds) != 1 or line is None:
            continue
        grown = [name for name, number in now.items() if number > _NOTABLE * olds[0].get(name, number)]
        if grown and id(call) not in denied:
            name = grown[0]
            values = {"name": name, "before": f"{olds[0][name]:g}", "after": f"{now[name]:g}"}
            yield Hit(line, call.end_lineno, values=values)


def _comparisons(function: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(function) if isinstance(node, ast.Call) and _tolerances(node))


def _tolerances(call: ast.Call) -> dict[str, float]:
    return {
        each.arg: float(each.value.value)
        for each in call.keywords
        if each.arg in _TOLERANCES
        and (each.arg not in _OF_COMPARISONS or _COMPARES.search(last_name(call.func)))
        and isinstance(each.value, ast.Constant)
        and isinstance(each.value.value, (int, float))
        and not isinstance(each.value.value, bool)
    }


def _form(call: ast.Call) -> str:
    """Return a call without its tolerances."""
    kept = [each for each in call.keywords if each.arg not in _TOLERANCES]
    return plain(ast.Call(call.func, call.args, kept))


CHECK = file_check(examine, CheckTraits(literals=("tol", "rel", "abs", "delta"), reads_old=True))
