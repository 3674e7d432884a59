"""A string that is alone after other statements: it documents nothing, although it looks as if it did.

Only a string that someone must have meant for more is reported: the first one where a docstring is missing, one right
after a docstring, and one right after a ``return``. Others serve as long comments.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, is_definition, is_string
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such string. Raises CannotParse."""
    yield from _search(source.tree, source)


def _search(owner: ast.Module | ast.ClassDef | Function, source: SourceFile) -> Iterator[Hit]:
    could_document_owner = not is_string(owner.body[0]) if owner.body else False
    for position, statement in enumerate(owner.body):
        if is_definition(statement):
            yield from _search(statement, source)
        if position == 0 or not is_string(statement):
            continue
        before = owner.body[position - 1]
        if isinstance(before, (ast.Return, ast.Raise)) or (
            not _documents_a_name(before)
            and (could_document_owner or position == 1)
            and (not isinstance(owner, ast.Module) or _only_imports(owner.body[:position]))
        ):
            could_document_owner = False
            yield Hit(
                statement.lineno,
                last_line(statement),
                column=source.column(statement.lineno, statement.col_offset),
                values={"place": _place(owner)},
                message=_after_leaving(before),
            )


def _after_leaving(before: ast.stmt) -> str | None:
    """Return the message for a string that was meant to be part of the statement before; None for any other."""
    if isinstance(before, (ast.Return, ast.Raise)):
        word = "return" if isinstance(before, ast.Return) else "raise"
        return f"This string has no effect: it is not part of the `{word}` before it, and is never reached."
    return None


def _only_imports(before: list[ast.stmt]) -> bool:
    """Return whether a string could be the module's docstring, too late; further down it is a long comment."""
    return all(isinstance(each, (ast.Import, ast.ImportFrom)) for each in before)


def _documents_a_name(before: ast.stmt) -> bool:
    """Return whether a string after this documents a name: Sphinx and editors read it so after an assignment."""
    return isinstance(before, _ASSIGNMENTS) or type(before).__name__ == "TypeAlias"


def _place(owner: ast.Module | ast.ClassDef | Function) -> str:
    if isinstance(owner, ast.Module):
        return "the module"
    return f"class `{owner.name}`" if isinstance(owner, ast.ClassDef) else f"`{owner.name}()`"


CHECK = file_check(examine, CheckTraits(literals=('"', "'")))
