"""A local name that is set to a constant once, and a condition on it: one side of it can never run."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.bindings import binding_counts, reads_by_text, shared_names
from review_bot.analysis.python.statements import (
    Function,
    assignments_of,
    blocks,
    statements,
    targets_of,
)
from review_bot.analysis.python.syntax import hit_on, is_literal
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_SWITCH = LazyRegex(r"(?i)debug|verbose|profil|trace")
"""Names of what a developer turns on by hand for a while."""
_BY_HAND = LazyRegex(
    r"(?i)\b(?:option(?:s|al|ally)?|switch|toggle|as desired|(?:en|dis)able|set (?:this|it|to)|if you want)\b"
)
"""Comments that say that who reads the code may edit the value."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the assignment, or the condition if only that was added. Raises CannotParse."""
    conditions: list[ast.If | ast.While] = [*source.nodes(ast.If), *source.nodes(ast.While)]
    everywhere = {_tested_name(each.test) for each in conditions} - {None}
    places = [
        each.lineno
        for each in assignments_of(source.tree)
        if isinstance(each.value, ast.Constant) and _assigned_name(each) in everywhere
    ]
    for function in source.functions if places else ():
        if not any(function.lineno < line <= last_line(function) for line in places):
            continue
        tested = {_tested_name(test.test) for test in _conditions(function.body)}
        candidates = [candidate for candidate in _constants(function) if candidate[2] in tested]
        if not candidates:
            continue
        stores = _stores(function)
        if stores is None:
            continue
        for block, position, name, value in candidates:
            if stores[name] != 1 or _SWITCH.search(name):
                continue
            tests = [each for each in _conditions(block[position + 1 :]) if _tested_name(each.test) == name]
            for test in tests:
                if _is_for_readers(block[position], source) or _is_for_readers(test, source) or _chooses(test, value):
                    break
                dead = _dead_lines(test, _truth(test.test, value))
                if dead is not None and not _serves_elsewhere(function, name, [each.test for each in tests], dead):
                    yield _hit(source, block[position], test, name, value, dead)
                    break


def _chooses(test: ast.If | ast.While, value: object) -> bool:
    """Return whether a condition on a switch that is on or off decides between two ways to do the same."""
    return isinstance(test, ast.If) and isinstance(value, bool) and bool(test.orelse)


def _is_for_readers(statement: ast.stmt, source: SourceFile) -> bool:
    """Return whether a comment on the first lines of a statement, or above it, makes it a switch."""
    first, last = statement.lineno, statement.lineno
    if isinstance(statement, (ast.If, ast.While)):
        last = max(first, statement.body[0].lineno - 1)
    above = source.lines_of_authors[first - 2].strip() if first > 1 else ""
    lines = [above if above.startswith("#") else "", *source.lines_of_authors[first - 1 : last]]
    return any(_BY_HAND.search(line.partition("#")[2]) for line in lines)


def _constants(function: Function) -> Iterator[tuple[list[ast.stmt], int, str, object]]:
    for block in blocks(function.body, into_definitions=False):
        for position, statement in enumerate(block):
            if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or not isinstance(statement.value, ast.Constant):
                continue
            name, value = _assigned_name(statement), statement.value.value
            if name is not None and (value is None or isinstance(value, (bool, int))):
                yield block, position, name, value


def _assigned_name(statement: ast.Assign | ast.AnnAssign) -> str | None:
    targets = targets_of(statement)
    target = targets[0]
    if len(targets) != 1 or not isinstance(target, ast.Name) or target.id.isupper():
        return None  # in capitals it says itself that it is a switch, edited by hand
    return target.id


def _stores(function: Function) -> Counter[str] | None:
    """Count how often each name is bound anywhere in a function; None if that cannot be known."""
    if any(map(reads_by_text, nodes_of(function, ast.Call))):
        return None
    return binding_counts(function) + Counter(dict.fromkeys(shared_names(function), 2))


def _serves_elsewhere(function: Function, name: str, tests: list[ast.expr], dead: tuple[int, int]) -> bool:
    """Return whether more than conditions and dead code read a name: then it is a switch, set by hand on purpose."""
    in_tests = {id(node) for test in tests for node in walk(test)}
    return any(
        isinstance(node, ast.Name)
        and node.id == name
        and isinstance(node.ctx, ast.Load)
        and id(node) not in in_tests
        and not dead[0] <= node.lineno <= dead[1]
        for node in walk(function)
    )


def _conditions(body: list[ast.stmt]) -> Iterator[ast.If | ast.While]:
    for statement in statements(body, into_definitions=False):
        if isinstance(statement, (ast.If, ast.While)):
            yield statement


def _tested_name(test: ast.expr) -> str | None:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    elif (
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], (ast.Is, ast.IsNot))
        and len(test.ops) == 1
        and is_literal(test.comparators[0], None)
    ):
        test = test.left
    return test.id if isinstance(test, ast.Name) else None


def _truth(test: ast.expr, value: object) -> bool:
    if isinstance(test, ast.Compare):
        return (value is None) == isinstance(test.ops[0], ast.Is)
    return bool(value) != isinstance(test, ast.UnaryOp)


def _dead_lines(test: ast.If | ast.While, truth: bool) -> tuple[int, int] | None:  # noqa: FBT001  # the truth of the test
    """Return first and last line that never run; None if all of them do."""
    dead = test.orelse if truth else test.body
    if not dead or (isinstance(test, ast.While) and truth):
        return None
    return dead[0].lineno, last_line(dead[-1])


def _hit(
    source: SourceFile, assignment: ast.stmt, test: ast.If | ast.While, name: str, value: object, dead: tuple[int, int]
) -> Hit:
    where = assignment if assignment.lineno in source.added else test
    lines = f"line {dead[0]}" if dead[0] == dead[1] else f"lines {dead[0]} to {dead[1]}"
    return hit_on(
        source,
        where,
        values={"name": name, "value": repr(value), "set": str(assignment.lineno), "lines": lines},
        related=(Related(source.path, test.lineno, "the condition"),) if where is assignment else (),
    )


CHECK = file_check(examine, CheckTraits(literals=("True", "False", "None", "if", "while", "=")))
