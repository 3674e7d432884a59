"""Locks that an exception leaves locked: taken and given back in one function, and not given back on the way out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_LOCK = LazyRegex(r"lock|mutex|sem(?:aphore|pare)?\b|sem$|cond(?:ition)?$", re.IGNORECASE)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such ``lock.acquire()`` that the change adds to a file, with the others listed.

    Its ``release()`` is in the same function, in no ``finally`` and in no handler. Raises CannotParse.
    """
    found = [each for each in _taken(source) if each[0].lineno in source.added]
    if not found:
        return
    (first, lock), *others = found
    yield hit_at(
        source,
        first,
        values={"lock": lock, "more": f" (and {len(others)} more in this file)" if others else ""},
        related=tuple(Related(source.path, statement.lineno, f"`{name}`") for statement, name in others),
    )


def _taken(source: SourceFile) -> Iterator[tuple[ast.stmt, str]]:
    """Yield (statement, lock) for each lock that an exception leaves locked."""
    for function in source.functions:
        nodes = list(own_nodes(function.body))
        taken = [node for node in nodes if isinstance(node, ast.Expr) and _receiver(node.value, "acquire")]
        if not taken:
            continue
        released = {_receiver(node, "release") for node in nodes}
        safely = {_receiver(node, "release") for node in _on_the_way_out(nodes)}
        for statement in taken:
            lock = _receiver(statement.value, "acquire")
            if lock in released - safely and _LOCK.search(lock.rpartition(".")[2]):
                yield statement, lock


def _receiver(node: ast.AST, method: str) -> str:
    """Return what a method is called on, as text, or nothing; an ``await`` aside."""
    call = node.value if isinstance(node, ast.Await) else node
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == method:
        return ast.unparse(call.func.value)
    return ""


def _on_the_way_out(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        if isinstance(node, ast.Try):
            yield from own_nodes(node.finalbody)
            for handler in node.handlers:
                yield from own_nodes(handler.body)


CHECK = file_check(examine, CheckTraits(literals=("acquire",)))
