"""Every import of a file of the tree that may run, whether the change touched it or not."""

from __future__ import annotations

from review_bot.analysis.project.added_imports import AddedImport, all_added_imports
from review_bot.changes.pull_request import ChangedFile, Hunk
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile


def file_imports(path: str, text: str) -> tuple[AddedImport, ...]:
    """Return the imports of a file, read as if all its lines were added; none if it cannot be parsed."""
    lines = text.split("\n")
    hunk = Hunk(0, 0, 1, len(lines), tuple(f"+{line}" for line in lines))
    try:
        return all_added_imports(SourceFile(ChangedFile(path, None, "added", "text", (hunk,)), text, None))
    except CannotParse:
        return ()
