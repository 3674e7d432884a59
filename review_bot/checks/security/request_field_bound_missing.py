"""A new field of a request that nothing bounds, in a class that bounds others: one request may ask for any amount."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_at, names_in
from review_bot.changes.source_file import SourceFile
from review_bot.checks.security.request_field_unbounded import (
    FEWEST_BOUNDED,
    NUMBERS,
    field_name,
    is_bounded,
    is_unbounded,
    request_classes,
    without_compared,
)
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_LISTS = frozenset({"list", "List", "Sequence"})
_MOST_NAMED = 2


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield one hit for each such class, at the first of its fields. Raises CannotParse."""
    for node in request_classes(source):
        bounded = [field_name(each) for each in node.body if is_bounded(each)]
        if len(bounded) < FEWEST_BOUNDED:
            continue
        new = [each for each in node.body if each.lineno in source.added]
        fields = without_compared([each for each in new if is_unbounded(each) or _is_free_list(each)], source)
        if fields:
            values = {
                "fields": _named([field_name(each) for each in fields]),
                "name": node.name,
                "has": "has" if len(fields) == 1 else "have",
                "bounded": _named(bounded),
            }
            related = tuple(Related(source.path, each.lineno, f"`{field_name(each)}`") for each in fields[1:])
            yield hit_at(source, fields[0], values=values, related=related)


def _named(names: list[str]) -> str:
    more = " and others" if len(names) > _MOST_NAMED else ""
    return (", " if more else " and ").join(f"`{each}`" for each in names[:_MOST_NAMED]) + more


def _is_free_list(node: ast.stmt) -> bool:
    """Return whether this declares a list of numbers of any length."""
    if not isinstance(node, ast.AnnAssign) or is_bounded(node):
        return False
    return any(
        isinstance(part, ast.Subscript) and last_name(part.value) in _LISTS and names_in(part.slice) <= NUMBERS
        for part in ast.walk(node.annotation)
    )


CHECK = file_check(examine, CheckTraits(literals=("class",)))
