"""A string that stands alone after other statements: it documents nothing, although it looks as if it did."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.checks.statements import Function, is_function, is_string, last_line
from review_bot.rules.rule import Hit, Options

LITERALS = ('"', "'")
READS_OLD = False

_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each such string. Raises CannotParse."""
    del options
    yield from _search(source.tree, source)


def _search(owner: ast.Module | ast.ClassDef | Function, source: SourceFile) -> Iterator[Hit]:
    for position, statement in enumerate(owner.body):
        if position and is_string(statement) and not _documents_a_name(owner.body[position - 1]):
            yield Hit(
                statement.lineno,
                last_line(statement),
                column=source.column(statement.lineno, statement.col_offset),
                values={"place": _place(owner)},
            )
        if is_function(statement) or isinstance(statement, ast.ClassDef):
            yield from _search(statement, source)


def _documents_a_name(before: ast.stmt) -> bool:
    """Tell whether a string after this documents a name: Sphinx and editors read it so after an assignment."""
    return isinstance(before, _ASSIGNMENTS) or type(before).__name__ == "TypeAlias"


def _place(owner: ast.Module | ast.ClassDef | Function) -> str:
    if isinstance(owner, ast.Module):
        return "the module"
    return f"class {owner.name}" if isinstance(owner, ast.ClassDef) else f"{owner.name}()"
