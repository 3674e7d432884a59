"""The bytes of a tensor of any shape by ``view(torch.uint8)``, which a tensor without dimensions does not allow."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.statements import Function, parameter_names
from review_bot.analysis.python.syntax import hit_at, imported_names, own_nodes
from review_bot.analysis.tensors.evaluation import dtype_named
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_BYTES = frozenset({"int8", "uint8"})
_SAME_RANK = frozenset({"clone", "contiguous", "cpu", "cuda", "detach", "to"})
_ASKS_RANK = LazyRegex(
    r"\.dim\(\)|\.ndim\b|\.numel\(\)|len\([\w.]+\.shape\)|\.flatten\(|\.ravel\(|reshape\(-1|view\(-1"
    r"|,[ ]?\w+[ ]?=[ ]?\w+\.(?:shape|size\(\))|\.shape\)?[ ][!=]=|itemsize|element_size"
)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such view of a parameter whose shape is recorded too. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.touched_functions:
        text = "\n".join(source.lines_of_authors[function.lineno - 1 : function.end_lineno])
        if "shape" not in text or "int8" not in text or _ASKS_RANK.search(text):
            continue
        free = parameter_names(function) - bound_names(function.body)
        recorded = _recorded(function) & free
        for node in own_nodes(function.body):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "view":
                continue
            if len(node.args) == 1 and dtype_named(node.args[0], imported) in _BYTES:
                tensor = _whole(node.func.value)
                if tensor in recorded:
                    yield hit_at(source, node, values={"view": ast.unparse(node), "tensor": tensor})


def _recorded(function: Function) -> set[str]:
    """Return the names whose whole shape is copied: ``list(x.shape)``, ``tuple(x.shape)``, ``{"shape": x.shape}``."""
    found: set[str] = set()
    for node in nodes_of(function, ast.Attribute):
        if node.attr == "shape" and isinstance(node.value, ast.Name):
            found.add(node.value.id)
    parts = {
        node.value.value.id
        for node in nodes_of(function, ast.Subscript)
        if isinstance(node.value, ast.Attribute) and isinstance(node.value.value, ast.Name)
    }
    return found - parts


def _whole(node: ast.expr) -> str:
    """Return the name of a tensor that a chain of calls leaves in its shape; else nothing."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SAME_RANK:
        node = node.func.value
    return node.id if isinstance(node, ast.Name) else ""


CHECK = file_check(examine, CheckTraits(literals=("view uint8 shape", "view int8 shape")))
