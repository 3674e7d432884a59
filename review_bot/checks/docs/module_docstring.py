"""A new module that does not say what it is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield line 1 of an added module of ``min_code_lines`` or more without a docstring. Raises CannotParse."""
    if source.change.status != "added":
        return
    if (
        sum(1 for line in source.lines if line.strip() and not line.lstrip().startswith("#"))
        < options["min_code_lines"]
    ):
        return
    tree = source.tree
    is_package = source.path.rpartition("/")[2] == "__init__.py"
    if ast.get_docstring(tree, clean=False) is None and not (is_package and len(tree.body) < 5):
        yield Hit(1)


CHECK = file_check(examine, CheckTraits(literals=None))
