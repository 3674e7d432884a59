"""Python that no Python 3 can parse: the module cannot be imported.

Syntax that is newer than the interpreter that runs Review Bot is not an error; such a file is unreviewed. So is one
that could not be parsed before the change either.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library, is_python, is_test
from review_bot.text.globs import matches_any
from review_bot.text.lazy_regex import LazyRegex

_LONGEST = 200
_CELL = LazyRegex(r"(?m)^# %%")
"""What begins a cell of a script that editors run in IPython."""
_PRINTS = LazyRegex(r"(?m)^[ \t]*print[ \t]+[\w\"'%]")
_RUN_BY_NAME = frozenset({"__init__.py", "__main__.py", "conf.py", "noxfile.py", "setup.py"})
"""Files that Python or a tool runs, whatever an editor makes of their cells."""
_MATERIAL = tuple(f"**/{folder}/**" for folder in ("templates", "testdata", "test_data", "data", "fixtures"))
"""Where a file may be one that no one runs, and where packages lie too."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the line at which parsing fails. Raises CannotParse if it may be right for another Python."""
    if source.text is None:
        return
    try:
        _compile(source.tree, cells=_has_cells(source.path, source.text))
    except CannotParse as error:
        if error.error is None or "{{" in source.path or matches_any(_MATERIAL, source.path) or _was_wrong(source):
            raise
        if len(_PRINTS.findall(source.text)) > 1 and "print(" not in source.text:
            raise CannotParse("Python 2: its text prints by statements") from error
        line = min(error.line or 1, max(1, len(source.lines) - source.text.endswith("\n")))
        yield Hit(line, values={"error": error.error[:_LONGEST].rstrip(".?")})


def _has_cells(path: str, text: str) -> bool:
    """Return whether a file is a script that IPython may run cell by cell: no module, no test, and with cells."""
    by_name = is_library(path) or is_test(path) or path.rpartition("/")[2] in _RUN_BY_NAME
    return not by_name and _CELL.search(text) is not None


def _compile(tree: ast.Module, *, cells: bool = False) -> None:
    """Find what only the compiler refuses, such as ``return`` outside a function; runs nothing. Raises CannotParse.

    ``cells``: IPython runs the file, which may wait outside functions.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if cells else 0
            compile(tree, "", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        raise CannotParse(error.msg, error.lineno, error=error.msg) from error
    except (ValueError, MemoryError) as error:
        raise CannotParse(str(error) or type(error).__name__) from error


def _was_wrong(source: SourceFile) -> bool:
    """Return whether the file could not be parsed before the change."""
    if source.old_text is None or not is_python(source.change.base_path):
        return False
    try:
        _compile(source.old_tree)
    except CannotParse:
        return True
    return False


CHECK = file_check(examine, CheckTraits(literals=None, reads_old=True))
