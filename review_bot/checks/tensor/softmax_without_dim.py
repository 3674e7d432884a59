"""A softmax of PyTorch without ``dim``, which then depends on how many dimensions the tensor has.

``torch.nn.functional`` takes dimension 0 of a tensor with none, one or three dimensions, else dimension 1
(``_get_softmax_dim``), and warns that this is deprecated: of (batch, sequence, classes) it normalises the batch.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, is_literal, keyword, unpacks
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_FUNCTIONS = frozenset(f"torch.nn.functional.{each}" for each in ("softmax", "log_softmax", "softmin"))
_MODULES = frozenset(f"torch.nn.{each}" for each in ("Softmax", "LogSoftmax", "Softmin"))


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call of such a function, and each such module that is made. Raises CannotParse."""
    imported = imported_names(source.tree)
    for call in source.nodes(ast.Call):
        called = full_name(call.func, imported)
        if called not in _FUNCTIONS | _MODULES or unpacks(call):
            continue
        before = 1 if called in _FUNCTIONS else 0
        given = call.args[before] if len(call.args) > before else keyword(call, "dim")
        if given is None or is_literal(given, None):
            yield hit_at(source, call, values={"call": ast.unparse(call.func)})


CHECK = file_check(examine, CheckTraits(literals=("softmax", "Softmax", "softmin", "Softmin")))
