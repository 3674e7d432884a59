"""Names that a file imports for type checkers alone and uses where it runs.

::

    if TYPE_CHECKING:
        from engine.cache import Cache

    def is_cached(x):
        return isinstance(x, Cache)         NameError
"""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.project.unbound_names import uses_bound_for_types_alone
from review_bot.analysis.python.syntax import hit_at
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first added use of each name. Raises CannotParse."""
    seen: set[str] = set()
    for node in uses_bound_for_types_alone(source):
        if node.lineno in source.added and node.id not in seen:
            seen.add(node.id)
            yield hit_at(source, node, values={"name": node.id})


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("TYPE_CHECKING",)))
