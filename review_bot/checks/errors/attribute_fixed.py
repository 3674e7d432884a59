"""A parameter of ``__init__`` that is never read, while the attribute of that name gets a constant."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.bindings import READS_BY_TEXT
from review_bot.analysis.python.fixed_attributes import fixed_attributes
from review_bot.analysis.python.statements import named_parameters
from review_bot.analysis.python.syntax import dotted, hit_at
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the assignment of such an attribute. Raises CannotParse."""
    for function in source.functions:
        if function.name != "__init__":
            continue
        parameters = {each.arg: each for each in named_parameters(function)[1:]}
        fixed = [each for each in fixed_attributes(function) if each.name in parameters]
        times = Counter(dotted(each) for each in nodes_of(function, ast.Attribute) if isinstance(each.ctx, ast.Store))
        fixed = [each for each in fixed if times[dotted(each.target)] == 1]
        if not fixed:
            continue
        read = {each.id for each in nodes_of(function, ast.Name)}
        if read & READS_BY_TEXT:
            continue
        for each in fixed:
            if each.name not in read:
                related = (Related(source.path, parameters[each.name].lineno, f"the parameter `{each.name}`"),)
                values = {
                    "name": each.name, "attribute": ast.unparse(each.target), "value": ast.unparse(each.value),
                }  # fmt: skip
                yield hit_at(source, each.statement, values=values, related=related)


CHECK = file_check(examine, CheckTraits(literals=("__init__",)))
