"""Two names filled from the same key, which is the name of one of them: a copied line with one half changed."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.statements import blocks, last_name
from review_bot.analysis.python.syntax import dotted, hit_at
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_NEAR = 3
"""Statements within which two assignments count as siblings."""


class _Read(NamedTuple):
    """``name = holder["key"]``, ``holder.get("key", ...)`` or ``holder.key``."""

    name: str
    holder: str
    key: str
    node: ast.Assign
    form: str


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each assignment from the key of its sibling. Raises CannotParse."""
    assigned = Counter(
        dotted(target) for statement in source.nodes(ast.Assign) for target in statement.targets if dotted(target)
    )
    for block in blocks(source.tree.body):
        reads = [(number, read) for number, each in enumerate(block) if (read := _read(each)) is not None]
        for number, one in reads:
            if one.name == one.key or assigned[dotted(one.node.targets[0])] > 1:
                continue  # it is what the name begins with
            near = [other for place, other in reads if abs(number - place) <= _NEAR and other.name == other.key]
            same = (other for other in near if (other.holder, other.key, other.form) == (one.holder, one.key, one.form))
            sibling = next(same, None) if _alike(one.name, one.key) else None
            if sibling is not None:
                values = {"name": one.name, "key": one.key, "line": str(sibling.node.lineno)}
                yield hit_at(source, one.node, values=values)


def _read(statement: ast.stmt) -> _Read | None:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    name = (dotted(statement.targets[0]) or "").rpartition(".")[2]
    value = statement.value
    rest = ""
    if isinstance(value, ast.Call) and value.args and last_name(value.func) == "get":
        holder, key = dotted(value.func), value.args[0]
        rest = " ".join(ast.unparse(each) for each in value.args[1:])
    elif isinstance(value, ast.Subscript):
        holder, key = dotted(value.value), value.slice
    else:
        return None
    if not name or holder is None or not isinstance(key, ast.Constant) or not isinstance(key.value, str):
        return None
    return _Read(name, holder, key.value, statement, f"{type(value).__name__} {rest}")


def _alike(name: str, key: str) -> bool:
    """Return whether two names differ in one of their words: ``long_factor`` and ``short_factor``."""
    one, other = name.strip("_").split("_"), key.strip("_").split("_")
    return len(one) == len(other) > 1 and sum(a != b for a, b in zip(one, other, strict=True)) == 1


CHECK = file_check(examine, CheckTraits(literals=None))
