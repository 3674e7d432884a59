"""Whether a file imports a module that a rule requires.

::

    import torch                     torch
    from torch.nn import Module      torch, Module
    from halcyon import triton       halcyon, triton
    import numpy as torch            numpy, torch

Words come first, which is cheap. The imports themselves are those of the syntax tree, wherever they are: behind a
semicolon, in a function, over several lines. A file that cannot be parsed, or that imports by name
(``importlib.import_module(...)``), counts as one that imports each module which it mentions.
"""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.rules.scope import is_python

_BY_NAME = ("import_module", "__import__", "importorskip")


def imports_any(source: SourceFile, modules: tuple[str, ...]) -> bool:
    """Return whether a file may import one of some modules, given by the first part of their names."""
    mentioned = source.vocabulary.words.intersection(modules)
    if not mentioned or "import" not in source.vocabulary.text:
        return False
    if source.text is None or not is_python(source.path) or not source.vocabulary.words.isdisjoint(_BY_NAME):
        return True
    try:
        return not mentioned.isdisjoint(imported_words(source))
    except CannotParse:
        return True


def imported_words(source: SourceFile) -> Iterator[str]:
    """Yield what imports of a file name: the first part of each module, and each name. Raises CannotParse."""
    import ast  # a change without Python needs none

    for plain in source.nodes(ast.Import):
        for alias in plain.names:
            yield alias.name.partition(".")[0]
            yield alias.asname or ""
    for chosen in source.nodes(ast.ImportFrom):
        if chosen.module is not None and chosen.level == 0:
            yield chosen.module.partition(".")[0]
        for alias in chosen.names:
            yield alias.name
            yield alias.asname or ""
