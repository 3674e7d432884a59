"""The pair that a function returns, used as if it were one of its parts."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_at, imported_names
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.analysis.tensors.values import Names, Value
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_RETURNING_PAIRS = frozenset({
    "cummax", "cummin", "kthvalue", "load", "max", "median", "min", "mode", "nanmedian", "read", "sort", "topk",
})  # fmt: skip
"""The last parts of the names of the functions whose contract returns a pair."""

_OF_TUPLES = frozenset({"count", "index"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such use. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.touched_functions:
        if not any(last_name(each.func) in _RETURNING_PAIRS for each in nodes_of(function, ast.Call)):
            continue
        for statement, names in flow(function, imported):
            for node in [statement, *expressions(statement)]:
                used, how = _used(node, names, imported)
                if used is None:
                    continue
                held = value_of(used, names, imported)
                values = {
                    "name": ast.unparse(used),
                    "function": held.made_by.rpartition(".")[2],
                    "items": f"({', '.join(held.items)})",
                    "how": how,
                }
                yield hit_at(source, used, values=values, related=_origin(source, held, used))


def _origin(source: SourceFile, held: Value, used: ast.expr) -> tuple[Related, ...]:
    is_elsewhere = held.line and held.line != used.lineno
    return (Related(source.path, held.line, "the pair is returned here"),) if is_elsewhere else ()


def _used(node: ast.AST, names: Names, imported: Mapping[str, str]) -> tuple[ast.expr | None, str]:
    """Return a pair that a node uses as something else, and how, as a clause in Markdown."""

    def is_pair(each: ast.expr) -> bool:
        return value_of(each, names, imported).kind == "pair"

    if isinstance(node, ast.Attribute) and is_pair(node.value):
        held = value_of(node.value, names, imported)
        own = {*held.items, *_OF_TUPLES}
        if node.attr not in own and not node.attr.startswith("_"):
            return node.value, f"a tuple has no `{node.attr}`"
    if isinstance(node, ast.BinOp) and not isinstance(node.op, (ast.Add, ast.Mult, ast.Mod)):
        for side in (node.left, node.right):
            if is_pair(side):
                return side, "a tuple cannot be calculated with"
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple) and is_pair(node.value):
        held = value_of(node.value, names, imported)
        targets = node.targets[0].elts
        if not any(isinstance(each, ast.Starred) for each in targets) and len(targets) != len(held.items):
            return node.value, f"it cannot be unpacked into {len(targets)} names"
    return None, ""


CHECK = file_check(examine, CheckTraits(literals=("torch", "librosa", "torchaudio", "soundfile")))
