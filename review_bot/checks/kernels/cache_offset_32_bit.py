"""The offset of a block of the KV cache that a kernel computes with as few bits as the table of blocks has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function
from review_bot.analysis.python.syntax import hit_at
from review_bot.analysis.python.triton_kernels import assignments, kernels, language_call
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import start_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_TABLE = LazyRegex(r"(?i)block_?(?:table|id|ind|num)|page|kv_?(?:ind|loc)|state_?(?:id|ind)")
"""A table of the places that belong to a request. Slot mappings are left out: they are int64 as a rule."""
_STRIDE = LazyRegex(r"(?i)stride")
_CACHE = LazyRegex(r"(?i)kv|cache|buf|k_|v_|page|block|state")
_WIDE = LazyRegex(r"int64")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such product of each kernel and index. Raises CannotParse."""
    for kernel, imported in kernels(source):
        loaded = {
            name: values[0]
            for name, values in assignments(kernel).items()
            if len(values) == 1
            and language_call(values[0], imported) == "load"
            and _TABLE.search(ast.unparse(values[0]))
        }
        if loaded and not _WIDE.search(ast.unparse(kernel)):
            reported: set[str] = set()
            for product, index, stride in _products(kernel):
                if index.id in loaded and index.id not in reported:
                    reported.add(index.id)
                    values = {"product": ast.unparse(product), "index": index.id, "stride": stride.id}
                    yield hit_at(source, product, values=values)


def _products(kernel: Function) -> Iterator[tuple[ast.BinOp, ast.Name, ast.Name]]:
    """Yield the products of a name, or of one with more dimensions (``name[:, None]``), and a stride of the cache."""
    for node in sorted(nodes_of(kernel, ast.BinOp), key=start_of):
        if not isinstance(node.op, ast.Mult):
            continue
        for factor, stride in ((node.left, node.right), (node.right, node.left)):
            index = factor.value if isinstance(factor, ast.Subscript) else factor
            if not isinstance(index, ast.Name) or not isinstance(stride, ast.Name) or not _STRIDE.search(stride.id):
                continue
            if _CACHE.search(stride.id):
                yield node, index, stride


CHECK = file_check(examine, CheckTraits(literals=("triton",)))
