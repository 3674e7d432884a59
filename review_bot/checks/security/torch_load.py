"""``torch.load`` that may run code: ``weights_only=False``, or left to torch's default, which was false before 2.6."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import (
    full_name,
    hit_at,
    imported_names,
    is_literal,
    keyword,
    replacing,
    source_text,
    unpacks,
)
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call whose text leaves ``weights_only`` out or sets it to false. Raises CannotParse."""
    names = imported_names(source.tree)
    for node in source.nodes(ast.Call):
        if full_name(node.func, names) != "torch.load":
            continue
        value = keyword(node, "weights_only")
        if is_literal(value, False):
            yield hit_at(
                source,
                node,
                values={"how": "with `weights_only=False`"},
                severity=None if _from_memory(source, node) else "info",
            )
        elif value is None and not unpacks(node) and keyword(node, "pickle_module") is None:
            arguments = source_text(source, node)[:-1].rstrip()
            spread = arguments.endswith(",") or "\n" in arguments or "#" in arguments
            fixed = None if spread else replacing(source, node, f"{arguments}, weights_only=True)")
            yield hit_at(source, node, values={"how": "without `weights_only=True`"}, severity="info", suggestion=fixed)


def _from_memory(source: SourceFile, call: ast.Call) -> bool:
    """Return whether bytes that someone handed over are read, rather than a file that was chosen."""
    return bool(call.args) and "BytesIO(" in source_text(source, call.args[0])


CHECK = file_check(examine, CheckTraits(literals=("load",)))
