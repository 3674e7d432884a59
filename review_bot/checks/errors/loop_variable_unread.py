"""A loop over words that are written out, whose body never reads the variable: each round does the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.bindings import reads_by_text
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_on, text_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_CLOCKS = frozenset({"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "time", "time_ns"})
_ADDING = frozenset({"add", "append", "appendleft", "extend", "put"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such loop. Raises CannotParse."""
    for loop in source.nodes(ast.For):
        words = loop.iter
        if not isinstance(loop.target, ast.Name) or loop.target.id.startswith("_"):
            continue
        if not isinstance(words, (ast.List, ast.Tuple, ast.Set)) or len(words.elts) <= 1:
            continue
        if None in map(text_of, words.elts):
            continue
        name = loop.target.id
        inside = [node for statement in loop.body for node in ast.walk(statement)]
        if any(isinstance(each, ast.Name) and each.id == name for each in inside):
            continue
        if any(isinstance(each, ast.Call) and reads_by_text(each) for each in inside):
            continue
        if all(map(_adds, loop.body)):
            continue  # as many times as there are words
        if any(isinstance(each, ast.Call) and last_name(each.func) in _CLOCKS for each in inside):
            continue  # the same work is measured again
        if any(isinstance(each, ast.Try) or _takes_next(each) for each in inside):
            continue  # the rounds differ: another attempt, or the next item of a stream
        yield hit_on(source, loop, values={"name": name})


def _takes_next(node: ast.AST) -> bool:
    """Return whether a call gives something else each time: the next item, line or message."""
    if not isinstance(node, ast.Call):
        return False
    name = last_name(node.func)
    return name in {"input", "next", "read", "readline", "recv"} or (name == "get" and not node.args)


def _adds(statement: ast.stmt) -> bool:
    """Return whether a statement adds an element to a collection, or changes a number."""
    if isinstance(statement, ast.AugAssign):
        return True
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _ADDING


CHECK = file_check(examine, CheckTraits(literals=("for in",)))
