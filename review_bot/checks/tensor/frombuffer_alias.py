"""A tensor that shares the memory of a read-only buffer: ``torch.from_numpy`` over ``np.frombuffer`` without a copy."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.facts.changed_meaning import words_in
from review_bot.analysis.python.statements import last_name, named_parameters, withs_of
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, replacing, source_text
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Suggestion
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_COPIES = {"clone", "cuda", "to"}
"""Methods of a tensor that leave the buffer behind, ``to`` in nearly every case."""

_WRITABLE = (".buf", ".mmap", "._mmap")
"""Attributes that hold memory to write to."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each tensor made from the memory of ``np.frombuffer``. Raises CannotParse."""
    imported = imported_names(source.tree)
    silenced = {each for block in withs_of(source.tree) if _silences(block) for each in ast.walk(block)}
    for function in source.functions:
        if not any(last_name(each.func) == "from_numpy" for each in nodes_of(function, ast.Call)):
            continue
        written = {each.arg for each in named_parameters(function) if _is_writable(each.annotation)}
        copied = {each.value for each in nodes_of(function, ast.Attribute) if each.attr in _COPIES}
        for statement, names in flow(function, imported):
            for node in expressions(statement):
                if not isinstance(node, ast.Call) or node in copied or node in silenced or not node.args:
                    continue
                if full_name(node.func, imported) == "torch.from_numpy":
                    buffer = value_of(node.args[0], names, imported).buffer
                    if buffer and buffer not in written and not buffer.endswith(_WRITABLE):
                        yield hit_at(
                            source, node, values={"buffer": buffer}, suggestion=_with_copy(source, node.args[0])
                        )


def _is_writable(annotation: ast.expr | None) -> bool:
    """Return whether an annotation names a buffer to write to, and no ``bytes``."""
    words = set() if annotation is None else set(words_in(annotation))
    return not words.isdisjoint({"bytearray", "mmap"}) and "bytes" not in words


def _silences(block: ast.With | ast.AsyncWith) -> bool:
    """Return whether a block hides warnings, such as the one of PyTorch that the array is not writable."""
    return any(last_name(each.context_expr) == "catch_warnings" for each in block.items)


def _with_copy(source: SourceFile, array: ast.expr) -> Suggestion | None:
    text = source_text(source, array)
    return None if "\n" in text or not text else replacing(source, array, f"{text}.copy()")


CHECK = file_check(examine, CheckTraits(literals=("from_numpy", "frombuffer")))
