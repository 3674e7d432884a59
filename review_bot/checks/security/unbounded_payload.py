"""A message class that takes bytes, lists or mappings of any size from anyone who sends it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import decorator_names, is_function
from review_bot.analysis.python.syntax import classes, full_name, hit_at, imported_names, names_in
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_STRUCTS = {"msgspec.Struct"}
_MODELS = {"pydantic.BaseModel"}
_ANSWERS = LazyRegex(r"Response|Output|Result|Config|Stats|Usage|Chunk|Event")
_GROWING = {"bytes", "list", "dict", "List", "Dict", "bytearray"}
_BOUNDS = {"max_length", "le", "lt", "max_items", "maxItems"}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield one hit for the message classes of a file, those that the change adds, with the further ones listed.

    They have a growing field, no bound on any field and no check of their own. Of a pydantic model only ``bytes``
    count: its lists and texts are the request itself. Raises CannotParse.
    """
    found = [hit for hit in _classes(source) if hit.line in source.added]
    if not found:
        return
    first, *others = found
    alike = "".join(f", `{hit.values['name']}`" for hit in others).removeprefix(", ")
    related = tuple(Related(source.path, hit.line, f"`{hit.values['name']}`") for hit in others)
    values = {**first.values, "others": f"; the same applies to {alike}" if alike else ""}
    yield first._replace(values=values, related=related)


def _classes(source: SourceFile) -> Iterator[Hit]:
    names = imported_names(source.tree)
    for node in classes(source.tree):
        bases = {full_name(base, names) for base in node.bases}
        kinds = _GROWING if bases & _STRUCTS else {"bytes"} if bases & _MODELS else set()
        if not kinds or _ANSWERS.search(node.name) or _is_bounded(node):
            continue
        fields = [
            each.target.id
            for each in node.body
            if isinstance(each, ast.AnnAssign)
            and isinstance(each.target, ast.Name)
            and not kinds.isdisjoint(names_in(each.annotation))
        ]
        if not fields:
            continue
        listed = ", ".join(f"`{name}`" for name in fields)
        hit = hit_at(source, node, values={"name": node.name, "fields": listed})
        yield hit._replace(end_line=node.lineno, end_column=len(source.lines[node.lineno - 1]) + 1)


def _is_bounded(node: ast.ClassDef) -> bool:
    """Return whether a class bounds a field (``Meta(max_length=...)``), or looks at its values itself."""
    for part in ast.walk(node):
        if isinstance(part, ast.keyword) and part.arg in _BOUNDS:
            return True
        if is_function(part):
            if part.name in {"__post_init__", "model_post_init"}:
                return True
            if any("validator" in name for name in decorator_names(part)):
                return True
    return False


CHECK = file_check(examine, CheckTraits(literals=("Struct", "BaseModel", "bytes", "list", "List", "dict", "Dict")))
