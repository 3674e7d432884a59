"""Every import of a file of the tree that may run, whether the change touched it or not."""

from __future__ import annotations

from review_bot.analysis.project.added_imports import AddedImport, all_added_imports, caught_imports
from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile


def file_imports(path: str, text: str) -> tuple[AddedImport, ...]:
    """Return the imports of a file, read as if all its lines were added; none if it cannot be parsed."""
    file = SourceFile(ChangedFile(path, None, "added", "text"), text, None)
    try:
        return all_added_imports(file.all_added())
    except CannotParse:
        return ()


def guarded_imports(path: str, text: str) -> tuple[AddedImport, ...]:
    """Return the import statements of a file whose failure is caught; none if it cannot be parsed."""
    file = SourceFile(ChangedFile(path, None, "added", "text"), text, None)
    try:
        return tuple(caught_imports(file.all_added()))
    except CannotParse:
        return ()
