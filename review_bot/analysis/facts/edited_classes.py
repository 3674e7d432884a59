"""The classes of a Python file that a change edits and leaves in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import structure
from review_bot.changes.source_file import SourceFile


def edited_module(source: SourceFile) -> ast.Module | None:
    """Return the tree at the base of a Python file that loses lines and is still there; None for any other file."""
    return source.known_old_tree if source.removed and source.text and source.path.endswith(".py") else None


def lost_bases(source: SourceFile, old: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the top-level classes of both sides that lost one of their bases, with the removed line of the header."""
    new = {each.name: each for each in source.tree.body if isinstance(each, ast.ClassDef)}
    for owner in old.body:
        if isinstance(owner, ast.ClassDef) and owner.name in new:
            kept = set(map(structure, new[owner.name].bases))
            line = source.first_removed(owner.lineno, max(owner.lineno, owner.body[0].lineno - 1))
            if line is not None and not kept.issuperset(map(structure, owner.bases)):
                yield owner.name, line
