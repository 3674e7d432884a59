"""Two or more comment lines in a row that are Python statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.changes.node_lines import last_line
from review_bot.changes.python_parsing import CannotParse, parse_python
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.indentation import dedented

FEWEST = 2
"""Comment lines in a row: a single one is often a formula, or a shape."""

_TELLING = ("=", "(", "return", "import", "raise", "del ", "assert")
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Constant, ast.BinOp, ast.Compare)
"""What prose, shapes and formulas parse as."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first line of each such run of added lines. Raises CannotParse."""
    runs = [run for run in _runs(source) if _is_code("\n".join(text for _, text in run))]
    inside_strings = _lines_of_strings(source) if runs else set()
    for run in runs:
        first, last = run[0][0], run[-1][0]
        if first not in inside_strings:
            yield Hit(first, last, values={"count": str(len(run))})


def _runs(source: SourceFile) -> Iterator[list[tuple[int, str]]]:
    """Yield runs of added lines that hold a comment and nothing else, each with its text behind the mark."""
    run: list[tuple[int, str]] = []
    for number, line in source.added.items():
        text = line.strip()
        is_comment = text.startswith("#") and not text.startswith(("#!", "#:", "##", "# %%"))
        if run and not (is_comment and number == run[-1][0] + 1):
            if len(run) >= FEWEST:
                yield run
            run = []
        if is_comment:
            run.append((number, text[1:]))
    if len(run) >= FEWEST:
        yield run


def _lines_of_strings(source: SourceFile) -> set[int]:
    """Return the lines inside strings of several lines. Raises CannotParse."""
    strings: list[ast.expr] = [*source.nodes(ast.JoinedStr)]
    strings += [node for node in source.nodes(ast.Constant) if isinstance(node.value, str)]
    return {line for node in strings for line in range(node.lineno + 1, last_line(node) + 1)}


def _is_code(text: str) -> bool:
    """Return whether comment lines are Python, and most of their statements do something."""
    if not any(word in text for word in _TELLING):
        return False
    try:
        shown = dedented(text)
        body = parse_python(shown).body
    except CannotParse:
        return False
    doing = sum(_does_something(statement, shown) for statement in body)
    return doing > 0 and 2 * doing >= len(body)


def _does_something(statement: ast.stmt, text: str) -> bool:
    """Return whether a statement looks like more than prose, a shape or a formula; ``STEP (1)`` is not a call."""
    if isinstance(statement, ast.Expr):
        value = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
        if not isinstance(value, ast.Call):
            return False
        called = ast.get_source_segment(text, value.func) or ""
        return f"{called}(" in text
    if isinstance(statement, ast.AnnAssign):
        return statement.value is not None
    if isinstance(statement, ast.Assign):
        return not isinstance(statement.value, _PLAIN)
    return True


CHECK = file_check(examine, CheckTraits(literals=("#",)))
