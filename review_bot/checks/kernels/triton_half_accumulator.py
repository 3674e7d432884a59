"""A Triton matrix product whose partial sums are kept in half precision."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.syntax import full_name, hit_at, keyword, own_nodes
from review_bot.analysis.python.triton_kernels import LANGUAGE, assignments, kernels, language_call
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_HALF = {LANGUAGE + "float16", LANGUAGE + "bfloat16"}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each product that is asked for in half precision, and each sum of products in such an accumulator."""
    for kernel, imported in kernels(source):
        made = assignments(kernel)
        half = {name for name, values in made.items() if values and _is_half(values[0], imported)}
        for node in own_nodes(kernel.body):
            if not isinstance(node, (ast.Call, ast.AugAssign)):
                continue
            if isinstance(node, ast.AugAssign):
                name = node.target.id if isinstance(node.target, ast.Name) else ""
                if name in half and language_call(node.value, imported) == "dot":
                    yield hit_at(source, node, values={"sum": f"`{name}`"})
            elif language_call(node, imported) == "dot":
                yield from _asked_for(source, node, half, imported)


def _asked_for(source: SourceFile, call: ast.Call, half: set[str], imported: Mapping[str, str]) -> Iterator[Hit]:
    wanted = keyword(call, "out_dtype")
    start = keyword(call, "acc") or (call.args[2] if len(call.args) > 2 else None)
    if isinstance(start, ast.Name) and start.id in half:
        yield hit_at(source, call, values={"sum": f"`{start.id}`"})
    elif wanted is not None and full_name(wanted, imported) in _HALF:
        yield hit_at(source, call, values={"sum": "its result"})


def _is_half(value: ast.expr, imported: Mapping[str, str]) -> bool:
    """Return whether an accumulator begins as ``tl.zeros(..., dtype=tl.float16)``."""
    if language_call(value, imported) not in {"zeros", "full"} or not isinstance(value, ast.Call):
        return False
    dtype = keyword(value, "dtype") or (value.args[-1] if len(value.args) > 1 else None)
    return dtype is not None and full_name(dtype, imported) in _HALF


CHECK = file_check(examine, CheckTraits(literals=("dot",)))
