"""A ``nonlocal`` for a name that the function never sets, for which none is needed.

::

    def measure(items):
        limit = 4

        def is_large(item):
            nonlocal limit              the function sees it without
            return item.size > limit

ruff's PLW0602 looks at ``global``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.project.wording import listed
from review_bot.analysis.python.bindings import name_bound_by
from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such statement, with the names that it need not have. Raises CannotParse."""
    for function in source.touched_functions:
        declared = [each for each in own_nodes(function.body) if isinstance(each, ast.Nonlocal)]
        if not declared:
            continue
        bound = {name_bound_by(each) for statement in function.body for each in walk(statement)}
        for each in declared:
            unneeded = [name for name in each.names if name not in bound]
            if unneeded:
                yield hit_at(source, each, values={"names": listed(unneeded)})


CHECK = file_check(examine, CheckTraits(literals=("nonlocal",)))
