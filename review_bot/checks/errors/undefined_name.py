"""Names that are read and that nothing binds: neither the module, nor the function, nor Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from review_bot.analysis.project.unbound_names import unbound_uses
from review_bot.analysis.python.syntax import hit_at
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first added use, in each function, of a name that nothing binds. Raises CannotParse."""
    if "template" in PurePosixPath(source.path).stem:
        return  # a program writes the rest of it
    seen: set[tuple[str, int]] = set()
    for node in unbound_uses(source):
        if node.lineno not in source.added:
            continue
        around = [each.lineno for each in source.functions if each.lineno <= node.lineno <= (each.end_lineno or 0)]
        place = (node.id, max(around, default=0))
        if place not in seen:
            seen.add(place)
            yield hit_at(source, node, values={"name": node.id})


CHECK = FileCheck(without_options(examine), CheckTraits(literals=None))
