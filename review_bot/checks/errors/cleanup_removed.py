"""Clean-up that a change removes while what it cleaned up after stays: ``finally``, ``with open(...)``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from review_bot.analysis.python.function_pairs import FunctionPair, function_pairs, own_statements, plain
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import names_in
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_NOTES = frozenset({"append", "critical", "debug", "error", "exception", "info", "print", "warn", "warning", "write"})
"""Calls that note something."""
_CLOSES = frozenset({"close", "aclose", "shutdown", "release", "cleanup", "terminate", "__exit__", "__aexit__"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield a hit, on the old side, on each ``finally`` and each ``with ... as`` that is gone from around its work."""
    if not source.removed:
        return
    for pair in function_pairs(source):
        yield from _finals(pair, source)
        yield from _opened(pair, source)


def _finals(pair: FunctionPair, source: SourceFile) -> Iterator[Hit]:
    before = list(own_statements(pair.old))
    tries = [each for each in before if isinstance(each, ast.Try) and any(map(_cleans_up, each.finalbody))]
    if not tries:
        return
    after = list(own_statements(pair.new))
    if any(isinstance(each, ast.Try) and each.finalbody for each in after) or _stacks(pair.new):
        return
    if _contexts(after) > _contexts(before):
        return  # a ``with`` took its place
    left = {plain(each) for each in after}
    for block in tries:
        kept = [each for each in block.body if plain(each) in left]
        if 2 * len(kept) <= len(block.body) or not any(_acts(each) for each in kept):
            continue
        if not any(line in source.removed for line in range(block.body[-1].lineno, block.finalbody[0].lineno)):
            continue
        work = plain(block.finalbody[0]).split("\n", 1)[0]
        if plain(block.finalbody[0]) in left or _subject(block.finalbody[0]) in set().union(*map(names_in, after)):
            yield _hit(pair, block.finalbody[0].lineno, f"finally: {work}")
            return


def _opened(pair: FunctionPair, source: SourceFile) -> Iterator[Hit]:
    """Yield a hit where ``with CALL as name`` became ``name = CALL`` and nothing closes or hands over the name."""
    withs = [each for each in own_statements(pair.old) if isinstance(each, (ast.With, ast.AsyncWith))]
    if not withs:
        return
    given = {
        (plain(each.targets[0]), plain(each.value)): each
        for each in own_statements(pair.new)
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and each.lineno in source.added
    }
    if not given:
        return
    for block in withs:
        for item in block.items:
            name = item.optional_vars
            if not isinstance(name, ast.Name) or not isinstance(item.context_expr, ast.Call):
                continue
            if (name.id, plain(item.context_expr)) in given and not _is_cared_for(name.id, pair):
                yield _hit(pair, block.lineno, f"with {plain(item.context_expr)} as {name.id}")


def _hit(pair: FunctionPair, line: int, guard: str) -> Hit:
    values = {"guard": guard, "name": pair.new.name}
    return Hit(line, side="LEFT", values=values, statement=f"{pair.name} {guard}")


def _contexts(body: Iterable[ast.stmt]) -> int:
    return sum(1 for each in body if isinstance(each, (ast.With, ast.AsyncWith)))


def _stacks(function: ast.AST) -> bool:
    """Return whether a function has another way to clean up: a stack of contexts or a callback."""
    return bool(re.search(r"ExitStack|finalize|atexit|add_done_callback|\bcallback\(|addfinalizer", plain(function)))


def _cleans_up(statement: ast.stmt) -> bool:
    """Return whether a statement has an effect on an object: it is no result, value of a name or message."""
    for node in ast.walk(statement):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.Expr) and last_name(_called(node.value)) not in {"", *_NOTES}:
            return True
    return isinstance(statement, (ast.Delete, ast.With, ast.AsyncWith))


def _called(value: ast.expr) -> ast.expr:
    """Return what an expression calls, or waits for, or the expression itself."""
    value = value.value if isinstance(value, ast.Await) else value
    return value.func if isinstance(value, ast.Call) else value


def _acts(statement: ast.stmt) -> bool:
    return not isinstance(statement, (ast.Pass, ast.Continue, ast.Break))


def _subject(statement: ast.stmt) -> str | None:
    """Return the name on which a statement of clean-up works: ``handle.close()`` → ``handle``; None: unknown."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
            return call.func.value.id if call.func.attr in _CLOSES else None
    return None


def _is_cared_for(name: str, pair: FunctionPair) -> bool:
    """Return whether a function closes what a name holds, enters it later, gives it back or keeps it."""
    for node in ast.walk(pair.new):
        if isinstance(node, ast.Attribute) and node.attr in _CLOSES and plain(node.value) == name:
            return True
        if isinstance(node, (ast.Return, ast.Yield)) and node.value is not None and plain(node.value) == name:
            return True
        if isinstance(node, ast.Assign) and plain(node.value) == name:
            return True
        if isinstance(node, ast.withitem) and name in plain(node.context_expr):
            return True
        if isinstance(node, ast.Call) and name in {plain(each) for each in node.args}:
            return True  # handed to someone who may close it
    return False


CHECK = file_check(examine, CheckTraits(literals=("finally", "with"), reads_old=True, on_lines=False))
