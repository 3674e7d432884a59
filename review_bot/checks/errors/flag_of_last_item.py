"""A flag that every round of a loop sets again, so that after the loop it is about the last item alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.statements import blocks
from review_bot.analysis.python.syntax import dotted, hit_at, is_literal, names_in, own_nodes
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_STATE = re.compile(r"(?:^|_)(?:current|ends?|ending|final|in|inside|last|open|prev|previous|trailing)(?:_|$)")
"""Words of a name that say that it is about the item last seen."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each assignment of a flag that begins as False, is set by a test of the item, and is read later."""
    for function in source.functions:
        for block in blocks(function.body, into_definitions=False):
            for number, loop in enumerate(block):
                if isinstance(loop, (ast.For, ast.AsyncFor)) and not _leaves(loop):
                    yield from _in_loop(source, function.body, block[:number], loop)


def _leaves(loop: ast.For | ast.AsyncFor) -> bool:
    return any(isinstance(each, (ast.Break, ast.Return, ast.Yield, ast.YieldFrom)) for each in own_nodes(loop.body))


def _in_loop(
    source: SourceFile, body: list[ast.stmt], before: list[ast.stmt], loop: ast.For | ast.AsyncFor
) -> Iterator[Hit]:
    begun = {
        dotted(each.targets[0]) for each in before if isinstance(each, ast.Assign) and is_literal(each.value, False)
    }
    items = names_in(loop.target)
    for statement in loop.body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, (ast.Compare, ast.Call)):
            continue
        flag = dotted(statement.targets[0])
        asked = names_in(statement.value)
        is_test = isinstance(statement.value, ast.Compare) or dotted(statement.value.func) in {"isinstance", "hasattr"}
        if flag is None or flag not in begun or _STATE.search(flag) or not is_test or not asked & items:
            continue
        mentions = [
            each for each in own_nodes(body) if isinstance(each, (ast.Name, ast.Attribute)) and dotted(each) == flag
        ]
        inside = [each for each in mentions if loop.lineno <= each.lineno <= last_line(loop)]
        later = [each for each in mentions if each.lineno > last_line(loop)]
        if len(inside) == 1 and any(isinstance(each.ctx, ast.Load) for each in later[:1]):
            yield hit_at(source, statement, values={"name": flag})


CHECK = file_check(examine, CheckTraits(literals=("for False",)))
