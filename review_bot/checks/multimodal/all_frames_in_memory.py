"""Videos that are decoded as a whole, of which a few frames are kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_at, keyword, own_nodes
from review_bot.analysis.python.value_origins import ValueOrigins
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_WHOLE = {"read_video", "mimread"}
"""Calls that bring all frames; ``get_batch`` does if it is asked for ``range(len(reader))``."""

_CHOOSES = {"linspace", "arange", "sample", "randint", "choice"}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each decoding of all frames in a function that then keeps those of chosen numbers. Raises CannotParse."""
    for function in source.functions:
        nodes = list(own_nodes(function.body))
        if not any(isinstance(node, ast.Call) and _decodes_all(node) for node in nodes):
            continue
        origins = ValueOrigins(function)
        for node in nodes:
            if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
                continue
            if isinstance(node.slice, ast.Slice):
                continue
            if not any(isinstance(part, ast.Call) and last_name(part) in _CHOOSES for part in origins.of(node.slice)):
                continue
            decoding = next(
                (part for part in origins.of(node.value) if isinstance(part, ast.Call) and _decodes_all(part)), None
            )
            if decoding is not None:
                values = {"call": ast.unparse(decoding.func), "kept": ast.unparse(node)}
                yield hit_at(source, decoding, values=values)
                break


def _decodes_all(call: ast.Call) -> bool:
    if last_name(call.func) in _WHOLE:
        return len(call.args) < 2 and keyword(call, "start_pts") is None and keyword(call, "end_pts") is None
    return last_name(call.func) == "get_batch" and any("range(len(" in ast.unparse(argument) for argument in call.args)


CHECK = file_check(examine, CheckTraits(literals=("read_video", "get_batch", "imread")))
