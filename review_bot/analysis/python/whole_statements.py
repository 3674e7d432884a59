"""Which of some lines are whole statements, where code is compared line by line."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import blocks, inner_blocks, is_function, is_string
from review_bot.changes.node_lines import last_line

PARTS = "the statements that are whole among them, or the code around both places,"
"""What can be moved of lines that begin or end within a block."""


def cut_to_statements(tree: ast.Module, first: int, last: int) -> tuple[int, int]:
    """Return a range of lines without parts of statements at its ends; ``first > last`` if nothing is left.

    Such a part is a line within a call or a signature, a first line such as ``else:``, and a last one that is the head
    of a block.
    """
    for start, end, kind in _pieces(tree):
        if start < first <= end or (kind == "clause" and start == first):
            first = end + 1
    for start, end, kind in _pieces(tree):
        if start <= last < end or (kind != "statement" and last == end):
            last = start - 1
            break
    return first, last


def _pieces(tree: ast.Module) -> Iterator[tuple[int, int, str]]:
    """Yield the first and last line of each simple statement, of each head of a compound one, and of its clauses."""
    for block in blocks(tree.body):
        for statement in block:
            inner = sorted((each for each in inner_blocks(statement) if each), key=lambda each: each[0].lineno)
            start, kind = statement.lineno, "head"
            for each in inner:
                inside = each[0]
                if isinstance(inside, ast.If) and inside.col_offset == statement.col_offset:
                    yield inside.lineno, inside.body[0].lineno - 1, "clause"  # an ``elif``
                elif inside.lineno > start:
                    yield start, inside.lineno - 1, kind
                start, kind = last_line(each[-1]) + 1, "clause"
            if not inner:
                yield statement.lineno, last_line(statement), "statement"


def are_of_one_block(tree: ast.Module, first: int, last: int, until: int) -> bool:
    """Return whether lines are statements of one block from beginning to end, which a function can take.

    ``until``: the last line after ``last`` before other code begins; what closes a bracket may be there.
    """
    for block in blocks(tree.body):
        held = [each for each in block if first <= each.lineno and last_line(each) <= until]
        if held and held[0].lineno == first and last_line(held[-1]) >= last:
            return True
    return False


def function_with_body(tree: ast.Module, first: int, last: int, until: int) -> str | None:
    """Return the function of a module whose body some lines are, docstring and imports aside, or None.

    ``until`` is that of ``are_of_one_block``.
    """
    for function in tree.body:
        if is_function(function) and function.lineno <= first and last <= last_line(function):
            body = [each for each in function.body if not isinstance(each, (ast.Import, ast.ImportFrom))]
            code = body[1:] if body and is_string(body[0]) else body
            if code and first <= code[0].lineno and last_line(code[-1]) <= until:
                return function.name
    return None
