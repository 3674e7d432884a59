"""An assertion of equality whose place one takes that more values pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from review_bot.analysis.python.assertions import Assertion, assertions
from review_bot.analysis.python.function_pairs import FunctionPair, function_pairs, plain
from review_bot.analysis.python.statements import last_name
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_LONGEST = 80
"""Characters of an assertion that a message shows."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield a hit on each assertion that took the place of one which asked for more."""
    for pair in function_pairs(source):
        if pair.new.name.startswith("test"):
            yield from _weaker(pair, source)


def _weaker(pair: FunctionPair, source: SourceFile) -> Iterator[Hit]:
    after = list(assertions(pair.new))
    equal_now = {plain(side) for each in after if each.equal for side in each.equal}
    reported: set[int] = set()
    for old in assertions(pair.old):
        if old.equal is None or not source.any_removed(*span_of(old.statement)):
            continue
        for new in after:
            line = source.first_added(*span_of(new.statement))
            if line is None or line in reported:
                continue
            if any(
                not any(map(partial(_is_of, plain(subject)), equal_now))
                and not isinstance(subject, ast.Constant)
                and _passes(new, subject, wanted)
                for subject, wanted in (old.equal, old.equal[::-1])
            ):
                reported.add(line)
                yield Hit(line, values={"before": _shown(old), "after": _shown(new)})
                break


def _is_of(subject: str, asked: str) -> bool:
    """Return whether an expression is a subject or a part of it, whose shape is not what it holds."""
    return asked == subject or (asked.startswith((f"{subject}[", f"{subject}.")) and asked != f"{subject}.shape")


def _passes(new: Assertion, subject: ast.expr, wanted: ast.expr) -> bool:
    """Return whether an assertion asks only for a part of ``subject == wanted``."""
    asked, name = new.asked, plain(subject)
    if isinstance(asked, ast.Compare) and len(asked.ops) == 1:
        return _compares(asked.left, asked.ops[0], asked.comparators[0], name, wanted)
    if isinstance(asked, ast.Call) and asked.args:
        first, called = asked.args[0], last_name(asked.func)
        if called == "assertIn" and len(asked.args) >= 2:
            return _is_in(first, asked.args[1], name, wanted)
        if called == "assertIsNotNone" and plain(first) == name:
            return _is_something(wanted)
        if called in {"isinstance", "assertIsInstance"} and plain(first) == name:
            return _may_be_of(asked.args[-1], wanted)
    return plain(asked) == name and _is_something(wanted) and not _is_negated(new)


def _may_be_of(classes: ast.expr, wanted: ast.expr) -> bool:
    """Return whether what was wanted may be an object of one of some classes: a written value is of its own."""
    named = {last_name(each) for each in (classes.elts if isinstance(classes, ast.Tuple) else [classes])}
    if isinstance(wanted, ast.Constant):
        return type(wanted.value).__name__ in named
    kind = type(wanted).__name__.lower()
    return kind in named or kind not in {"dict", "list", "set", "tuple"}


def _compares(left: ast.expr, operator: ast.cmpop, right: ast.expr, name: str, wanted: ast.expr) -> bool:
    if isinstance(operator, ast.In):
        return _is_in(left, right, name, wanted)
    if isinstance(operator, ast.IsNot):
        return plain(left) == name and plain(right) == "None" and _is_something(wanted)
    if isinstance(operator, (ast.GtE, ast.LtE)):
        return plain(left) == name and plain(right) == plain(wanted)
    if isinstance(operator, ast.Eq):  # the shape of what was compared as a whole
        return plain(left) == f"{name}.shape" and plain(right) == f"{plain(wanted)}.shape"
    return False


def _is_in(item: ast.expr, holder: ast.expr, name: str, wanted: ast.expr) -> bool:
    """Return whether ``item in holder`` holds for every subject that equals what was wanted."""
    if plain(item) == name and isinstance(holder, (ast.Tuple, ast.List, ast.Set)):
        return plain(wanted) in {plain(each) for each in holder.elts}
    if plain(holder) != name:
        return False
    if (
        isinstance(wanted, ast.Constant)
        and isinstance(wanted.value, str)
        and isinstance(item, ast.Constant)
        and isinstance(item.value, str)
    ):
        return item.value in wanted.value
    return isinstance(wanted, (ast.Tuple, ast.List, ast.Set)) and plain(item) in {plain(each) for each in wanted.elts}


def _is_something(wanted: ast.expr) -> bool:
    """Return whether a value is a true one by its text, so that asking for truth asks for less."""
    if isinstance(wanted, ast.Constant):
        return bool(wanted.value) and wanted.value is not True
    return isinstance(wanted, (ast.Tuple, ast.List, ast.Set)) and bool(wanted.elts)


def _is_negated(new: Assertion) -> bool:
    return isinstance(new.statement, ast.Expr) and "assertFalse" in plain(new.statement)


def _shown(assertion: Assertion) -> str:
    text = plain(assertion.statement).split("\n", 1)[0]
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


CHECK = file_check(examine, CheckTraits(literals=("assert",), reads_old=True))
