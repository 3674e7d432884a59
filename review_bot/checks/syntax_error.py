"""Python that no Python 3 can parse: the module cannot be imported.

Syntax that is newer than the interpreter that runs Review Bot is no error; such a file is unreviewed. So is one that
could not be parsed before the change either.
"""

from __future__ import annotations

import symtable
from collections.abc import Iterator

from review_bot.changes.source_file import CannotParse, SourceFile, python_text
from review_bot.rules.rule import Hit, Options
from review_bot.rules.scope import is_python

LITERALS = None
READS_OLD = True

_LONGEST = 200


def examine(source: SourceFile, _options: Options) -> Iterator[Hit]:
    """Yield the line at which parsing fails. Raises CannotParse if it may be right for another Python."""
    if source.text is None:
        return
    try:
        source.tree  # noqa: B018  # parses
        _build_scopes(source.text, source.path)
    except CannotParse as error:
        if error.error is None or "{{" in source.path or _was_wrong(source):
            raise
        line = min(error.line or 1, max(1, len(source.lines) - source.text.endswith("\n")))
        yield Hit(line, values={"error": error.error[:_LONGEST].rstrip(".")})


def _build_scopes(text: str, path: str) -> None:
    """Find what only the compiler refuses, such as two parameters of one name. Raises CannotParse."""
    try:
        symtable.symtable(python_text(text), path, "exec")
    except SyntaxError as error:
        raise CannotParse(error.msg, error.lineno, error=error.msg) from error
    except (ValueError, MemoryError) as error:
        raise CannotParse(str(error) or type(error).__name__) from error


def _was_wrong(source: SourceFile) -> bool:
    """Tell whether the file could not be parsed before the change."""
    if source.old_text is None or not is_python(source.change.base_path):
        return False
    try:
        source.old_tree  # noqa: B018  # parses
        _build_scopes(source.old_text, source.change.base_path)
    except CannotParse:
        return True
    return False
