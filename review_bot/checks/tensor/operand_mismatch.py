"""An operand whose dtype, device or memory is certainly not what the function needs, by its contract."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.contract_names import contract_names
from review_bot.analysis.python.syntax import hit_at
from review_bot.analysis.tensors.requirements import mismatches
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such call. Raises CannotParse."""
    imported = contract_names(source.tree, source.path)
    for function in source.touched_functions:
        for each in mismatches(function, imported):
            values = {
                "operand": ast.unparse(each.operand),
                "found": each.found,
                "reason": each.requirement.reason,
                "raises": each.requirement.raises,
                "function": each.function.replace("torch.nn.functional.", "F."),
            }
            made = each.value.line
            related = (Related(source.path, made, "its value comes from here"),) if made else ()
            yield hit_at(source, each.node, values=values, related=related if made != each.node.lineno else ())


CHECK = file_check(examine, CheckTraits(literals=("torch", "numpy")))
