"""A device compared with a module of PyTorch, such as ``torch.cpu``, which no device equals."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_MODULES = frozenset(f"torch.{name}" for name in ("cpu", "cuda", "mps", "xpu", "npu", "backends.cuda", "backends.mps"))


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such comparison. Raises CannotParse."""
    names = imported_names(source.tree)
    made = {
        dotted(target)
        for each in source.nodes(ast.Assign)
        for target in each.targets
        if isinstance(each.value, ast.Call) and full_name(each.value.func, names) != "torch.device"
    }  # a function may give the module
    for compared in source.nodes(ast.Compare):
        if len(compared.ops) != 1 or not isinstance(compared.ops[0], (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
            continue
        for one, other in (
            (compared.left, compared.comparators[0]),
            (compared.comparators[0], compared.left),
        ):
            if full_name(one, names) in _MODULES and last_name(other) == "device" and not isinstance(other, ast.Call):
                if dotted(other) in made:
                    continue
                outcome = "never" if isinstance(compared.ops[0], (ast.Eq, ast.Is)) else "always"
                yield hit_at(source, compared, values={"module": ast.unparse(one), "outcome": outcome})


CHECK = file_check(examine, CheckTraits(literals=("device torch",)))
