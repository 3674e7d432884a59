"""A very long method under the name of an upstream hook that never calls ``super()``: most likely a changed copy."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, is_function
from review_bot.analysis.python.syntax import classes, full_name, hit_at, imported_names, own_nodes
from review_bot.changes.node_lines import last_line, span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield one hit for each class that inherits from an imported one, with its further methods listed.

    ``lines``: a method must be longer; ``hooks``: the names. Only methods of which more than half was added count.
    Raises CannotParse.
    """
    names = imported_names(source.tree)
    for node in classes(source.tree):
        bases = [base for base in node.bases if _is_imported(base, names)]
        if not bases:
            continue
        found = [each for each in node.body if is_function(each) and _is_copy(each, source, options)]
        if not found:
            continue
        first, *others = found
        related = tuple(Related(source.path, each.lineno, f"`{each.name}`, {_length(each)} lines") for each in others)
        values = {
            "method": f"{node.name}.{first.name}",
            "lines": str(_length(first)),
            "hook": first.name,
            "base": ast.unparse(bases[0]),
        }
        hit = hit_at(source, first, values=values, related=related)
        yield hit._replace(end_line=first.lineno, end_column=len(source.lines[first.lineno - 1]) + 1)


def _is_imported(base: ast.expr, names: dict[str, str]) -> bool:
    """Return whether a base class comes from another module, and not from the standard library or ``torch.nn``."""
    name = full_name(base, names)
    if name is None or "." not in name:
        return False
    return name.partition(".")[0] not in {"torch", "abc", "typing", "enum", "collections", "threading", "pydantic"}


def _is_copy(method: Function, source: SourceFile, options: Options) -> bool:
    if method.name not in options["hooks"] or _length(method) <= options["lines"]:
        return False
    if not source.mostly_added(*span_of(method)):
        return False
    return not any(
        isinstance(node, ast.Attribute)
        and node.attr == method.name
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "super"
        for node in own_nodes(method.body)
    )


def _length(method: Function) -> int:
    return last_line(method) - method.lineno + 1


CHECK = file_check(examine, CheckTraits(literals=("def",)))
