"""Statements behind a return, raise, continue, break or endless loop of the same block."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.node_types import LOOPS
from review_bot.analysis.python.statements import blocks, inner_blocks, is_definition, is_string, last_name
from review_bot.analysis.python.syntax import hit_on, text_of
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_WORDS: dict[type[ast.stmt], str] = {
    ast.Return: "return",
    ast.Raise: "raise",
    ast.Continue: "continue",
    ast.Break: "break",
}

_ON_PURPOSE = LazyRegex(
    r"(?i)\b(?:block(?:s|ed|ing)?|disabl\w*|until|temporar\w*|for now|(?:switch|turn)ed off|skip\w*|re-?enabl\w*)\b"
)
"""What a comment says of code that is kept from running."""
_ENDING = LazyRegex(r"(?i)^(?:print|info|debug)$|close|destroy|shutdown|clean_?up|finish|stop|join|release|terminate")
_NOT_YET = LazyRegex(r"(?i)\b(?:un)?test(?:ed)?\b|\bsupport(?:ed)?\b|\bblocked\b|\buntil\b")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the statement that ends a block early, or what follows it if only that was added. Raises CannotParse."""
    for block in blocks(source.tree.body):
        for position, statement in enumerate(block[:-1]):
            word = _WORDS.get(type(statement), "while True" if _is_endless(statement) else None)
            if word is None:
                continue
            rest = block[position + 1 :]
            if word == "while True" and (_only_fails(rest) or (all(map(_ends, rest)) and not _breaks(statement))):
                break  # it shows a type checker that nothing gets here, or would tidy up if the loop ever ended
            if _is_explained(statement, source) or _is_draft(block, position, source):
                break
            if not _makes_a_generator(rest) and not all(map(_does_nothing, rest)):
                first, last = rest[0].lineno, last_line(rest[-1])
                where = statement if statement.lineno in source.added else rest[0]
                yield hit_on(
                    source,
                    where,
                    values={
                        "word": f"while {ast.unparse(statement.test)}" if isinstance(statement, ast.While) else word,
                        "line": str(statement.lineno),
                        "lines": f"line {first}" if first == last else f"lines {first} to {last}",
                    },
                )
            break


def _is_explained(statement: ast.stmt, source: SourceFile) -> bool:
    """Return whether a statement keeps code from running on purpose.

    A comment on its line or above it says so, or the exception that it raises: the case is not tested or supported yet.
    """
    if isinstance(statement, ast.Raise) and any(map(_NOT_YET.search, filter(None, map(text_of, walk(statement))))):
        return True
    above, line = source.lines[max(0, statement.lineno - 2)], source.lines[statement.lineno - 1]
    comment = above if above.lstrip().startswith("#") else line.partition("#")[2]
    return _ON_PURPOSE.search(comment) is not None


def _is_draft(block: list[ast.stmt], position: int, source: SourceFile) -> bool:
    """Return whether a function begins with a NotImplementedError that has a text, before what it is to do one day."""
    statement = block[position]
    raised = statement.exc if isinstance(statement, ast.Raise) else None
    if not isinstance(raised, ast.Call) or last_name(raised.func) != "NotImplementedError" or not raised.args:
        return False
    begins = all(map(is_string, block[:position]))
    return begins and any(each.body is block for each in source.functions)


def _is_endless(statement: ast.stmt) -> bool:
    """Return whether a statement is a loop that only a return or an exception ends."""
    if not isinstance(statement, ast.While) or not isinstance(statement.test, ast.Constant) or not statement.test.value:
        return False
    waiting: list[ast.stmt] = [*statement.body]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, ast.Break):
            return False
        if isinstance(inner, LOOPS):
            waiting += inner.orelse  # its own breaks end it alone
        elif not is_definition(inner):
            waiting += (each for block in inner_blocks(inner) for each in block)
    return True


def _only_fails(rest: list[ast.stmt]) -> bool:
    return len(rest) == 1 and isinstance(rest[0], (ast.Raise, ast.Assert))


def _breaks(loop: ast.stmt) -> bool:
    """Return whether a loop has a ``break`` at all, which may have been meant for it."""
    return next((True for each in walk(loop) if isinstance(each, ast.Break)), False)


def _ends(statement: ast.stmt) -> bool:
    """Return whether a statement only says that all is done, or releases something."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    call = call.value if isinstance(call, ast.Await) else call
    return isinstance(call, ast.Call) and _ENDING.search(last_name(call.func)) is not None


def _does_nothing(statement: ast.stmt) -> bool:
    """Return whether a statement has no effect: a text, a bare ``return``, ``pass``, ``break``, ``continue``."""
    if isinstance(statement, ast.Return):
        return statement.value is None
    return is_string(statement) or isinstance(statement, (ast.Pass, ast.Break, ast.Continue))


def _makes_a_generator(rest: list[ast.stmt]) -> bool:
    """Return whether what follows is a lone ``yield``, which makes the function a generator."""
    (first, *more) = rest
    return not more and isinstance(first, ast.Expr) and isinstance(first.value, (ast.Yield, ast.YieldFrom))


CHECK = file_check(examine, CheckTraits(literals=("return", "raise", "continue", "break", "while")))
