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
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield one use of each name: the first added one, or the first of a name that the base binds for the program.

    Raises CannotParse.
    """
    uses = sorted(uses_bound_for_types_alone(source), key=lambda use: (use.lineno not in source.added, use.lineno))
    first = {node.id: node for node in reversed(uses)}
    left = {name for name, node in first.items() if node.lineno not in source.added}
    before = source.at_base() if left else None
    left -= set() if before is None else {node.id for node in uses_bound_for_types_alone(before)}
    for name, node in first.items():
        if node.lineno in source.added or (before is not None and name in left):
            yield hit_at(source, node, values={"name": name})


CHECK = file_check(examine, CheckTraits(literals=("TYPE_CHECKING",)))
