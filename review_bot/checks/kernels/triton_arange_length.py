"""``tl.arange`` over a length that is not a power of two, which Triton rejects."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.analysis.python.triton_kernels import kernels, language_call
from review_bot.analysis.tensors.sizes import integer
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such call with two literal numbers. Raises CannotParse."""
    for kernel, imported in kernels(source):
        for node in own_nodes(kernel.body):
            if not isinstance(node, ast.Call) or language_call(node, imported) != "arange" or len(node.args) != 2:
                continue
            first, last = (integer(each) for each in node.args)
            if first is None or last is None:
                continue
            length = last - first
            if length <= 0 or length & (length - 1):
                yield hit_at(source, node, values={"length": str(length)})


CHECK = file_check(examine, CheckTraits(literals=("arange",)))
