"""A method that answers a question and is tested without being called, known by its name and by that of its object.

::

    while not self.done.is_set: ...
    if weights.is_contiguous: ...         not where code of the tree has an attribute or a property of this name
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.uses import is_set
from review_bot.analysis.facts.word_search import files_with
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.checks.errors.uncalled_function import conditions
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_PREDICATE = LazyRegex(
    r"(?:event|stop|stopped|done|closed|cancelled)\.is_set$|(?:thread|process|proc)\.is_alive$"
    r"|\.(?:is_contiguous|isdigit|isnumeric|isalpha|isspace)$|(?:^|[._])(?:path|file|dir|folder)\.(?:is_file|is_dir|is_symlink)$"
)
_ARRAYS = LazyRegex(r"(?m)^(?:import|from) warp\b")
_PROCESSES = LazyRegex(r"(?m)^(?:import|from) simpy\b")
_PATHS = LazyRegex(r"(?m)^(?:import|from) pathlib\b")
_ENTRY = LazyRegex(r"(?:^|[._])(?:file|dir|folder)\.is_")
"""What may be an entry of a list of files, of which these are attributes."""


def gather(source: SourceFile) -> tuple[tuple[int, int, str], ...] | None:
    """Return the line, column and text of each such method on an added line. Raises CannotParse."""
    text = source.text or ""
    found: set[tuple[int, int, str]] = set()
    for each in conditions(source):
        if not isinstance(each, ast.Attribute) or each.end_lineno not in source.added:
            continue
        written = ast.unparse(each)
        if _PREDICATE.search(written) and not _is_attribute_of_library(each.attr, written, text):
            found.add((each.end_lineno, each.col_offset, written))
    return tuple(sorted(found)) or None


def _is_attribute_of_library(name: str, written: str, text: str) -> bool:
    """Return whether a library of a file has an attribute of this name: an array of Warp, a process of SimPy."""
    if name == "is_contiguous":
        return _ARRAYS.search(text) is not None
    if name == "is_alive":
        return _PROCESSES.search(text) is not None
    return _ENTRY.search(written) is not None and _PATHS.search(text) is None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each of them that no code of the tree makes an attribute or a property."""
    for path, (line, _, written) in each_fact(facts):
        if not _is_attribute(written.rpartition(".")[2], codebase.head):
            yield Hit(line, values={"function": written}, path=path)


def _is_attribute(name: str, side: Snapshot) -> bool:
    """Return whether code may set an attribute of a name, or a class has a field or a property of it."""
    declared = re.compile(
        rf"(?m)^[ \t]+{name}[ \t]*[:=](?!=)|property\b(?:(?!property\b)[^\n])*\n[ \t]*def[ \t]+{name}\b"
    )
    return is_set(side, name) or any(declared.search(side.text(path) or "") for path in files_with(side, [name]))


CHECK = change_check(
    gather,
    relate,
    CheckTraits(
        literals=(
            "is_set",
            "is_alive",
            "is_contiguous",
            "isdigit",
            "isnumeric",
            "isalpha",
            "isspace",
            "is_file",
            "is_dir",
            "is_symlink",
        )
    ),
)
