"""A call that was a statement, and that a change removes from code that stays: ``eval()``, ``synchronize()``.

Silent where the file has such a call as often as before: it moved.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from review_bot.analysis.python.function_pairs import FunctionPair, function_pairs, own_statements, plain
from review_bot.analysis.python.statements import Function, blocks
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield a hit, on the old side, on each such call that is gone. ``calls``: what the call matches, as written.

    ``unless``: what replaces the call if the new function contains it.
    """
    calls, unless = re.compile(options["calls"]), re.compile(options["unless"])
    pairs = [each for each in function_pairs(source) if _may_lack(each, source, calls)]
    if not pairs or _count(plain(source.tree).split("\n"), calls) >= _count(plain(source.old_tree).split("\n"), calls):
        return
    for pair in pairs:
        after = plain(pair.new)
        if _count(plain(pair.old).split("\n"), calls) <= _count(after.split("\n"), calls) or unless.search(after):
            continue
        for call in _lost(pair, calls):
            line = source.first_removed(*span_of(call))
            if line is not None:
                text = plain(call)
                values = {"call": text, "name": pair.new.name}
                yield Hit(line, side="LEFT", values=values, statement=f"{pair.name} {text}")
                break


def _may_lack(pair: FunctionPair, source: SourceFile, calls: re.Pattern[str]) -> bool:
    """Return whether a statement of a function with such a call loses a line."""
    return any(
        isinstance(each, (ast.Expr, ast.Assign))
        and source.first_removed(*span_of(each)) is not None
        and calls.search(plain(each)) is not None
        for each in own_statements(pair.old)
    )


def _count(lines: Iterable[str], calls: re.Pattern[str]) -> int:
    return sum(1 for line in lines if calls.search(line.partition("#")[0]))


def _lost(pair: FunctionPair, calls: re.Pattern[str]) -> Iterator[ast.Call]:
    """Yield the calls that went while both neighbours stay, or that went from the end of a chain which stays."""
    left = [plain(each) for each in own_statements(pair.new)]
    known = set(left)
    for call, before, behind in _calls(pair.old):
        around = [plain(each) for each in (before, behind) if each is not None]
        if calls.search(plain(call)) and plain(call) not in known and around and known.issuperset(around):
            yield call
    for statement in own_statements(pair.old):
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            call = statement.value
            if calls.search(plain(call)) and isinstance(call.func, ast.Attribute):
                kept = ast.Assign(statement.targets, call.func.value, lineno=statement.lineno)
                if plain(kept) in known:
                    yield call


def _calls(function: Function) -> Iterator[tuple[ast.Call, ast.stmt | None, ast.stmt | None]]:
    """Yield each call that is a statement, and the statements before and behind it in its block."""
    for block in blocks(function.body, into_definitions=False):
        for before, statement, behind in zip([None, *block], block, [*block[1:], None], strict=False):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                yield statement.value, before, behind


CHECK = file_check(
    examine,
    CheckTraits(
        literals=("eval", "synchronize", "barrier", "wait_stream", "wait_event"), reads_old=True, on_lines=False
    ),
)
