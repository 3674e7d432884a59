"""Numbers of a request that decide how much work it is, and that nothing bounds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import decorator_names, is_function, last_name
from review_bot.analysis.python.syntax import classes, full_name, hit_at, imported_names, names_in
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_WORK = LazyRegex(
    r"n|num_(?:images|outputs|videos|frames|inference_steps|steps|waveforms)(?:_per_prompt)?|width|height|fps|seconds"
    r"|duration|steps|infer_steps"
)
NUMBERS = {"int", "float", "PositiveInt"}
_BOUNDS = {"le", "lt"}
_UPPER_BOUNDS = {*_BOUNDS, "max_length"}
FEWEST_BOUNDED = 2
"""Bounded fields of a class whose author does bound what a request asks for."""
_REQUESTS = LazyRegex(r"Request|Params|Parameters|Input|Body|Create")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield one hit for each request class that the change adds, with its unbounded fields. Raises CannotParse."""
    for node in request_classes(source):
        fields = [each for each in node.body if is_unbounded(each) and each.lineno in source.added]
        fields = without_compared(fields, source)
        if not fields or sum(map(is_bounded, node.body)) >= FEWEST_BOUNDED:
            continue  # that one is of security/request-field-bound-missing
        listed = ", ".join(f"`{field_name(each)}`" for each in fields)
        related = tuple(Related(source.path, each.lineno, f"`{field_name(each)}`") for each in fields[1:])
        yield hit_at(source, fields[0], values={"fields": listed, "name": node.name}, related=related)


def request_classes(source: SourceFile) -> Iterator[ast.ClassDef]:
    """Yield the pydantic models of requests that do not look at their values themselves. Raises CannotParse."""
    names = imported_names(source.tree)
    models: set[str] = set()
    for node in classes(source.tree):
        bases = {full_name(base, names) or "" for base in node.bases}
        if "pydantic.BaseModel" not in bases and not bases & models and not _is_request(bases):
            continue
        models.add(node.name)
        if _REQUESTS.search(node.name) and not _looks_at_its_values(node):
            yield node


def without_compared(fields: list[ast.stmt], source: SourceFile) -> list[ast.stmt]:
    """Return the fields that no code of the file compares with something, or takes the smaller of."""
    compared = _compared(source) if fields else set()
    return [each for each in fields if field_name(each) not in compared]


def _is_request(bases: set[str]) -> bool:
    return any(base.rpartition(".")[2] in {"OpenAIBaseModel", "BaseModel"} for base in bases)


def field_name(node: ast.stmt) -> str:
    """Return the name of a field that a statement declares, or an empty text."""
    return node.target.id if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else ""


def is_unbounded(node: ast.stmt) -> bool:
    """Return whether this declares a plain number that decides on the work, without ``le`` or ``lt``."""
    if not isinstance(node, ast.AnnAssign) or not _WORK.fullmatch(field_name(node)):
        return False
    parts = [*ast.walk(node.annotation), *(ast.walk(node.value) if node.value else ())]
    if any(isinstance(part, ast.keyword) and part.arg in _BOUNDS for part in parts):
        return False
    return not NUMBERS.isdisjoint(names_in(node.annotation))


def is_bounded(node: ast.stmt) -> bool:
    """Return whether this declares a number, or a list, with an upper bound."""
    if not isinstance(node, ast.AnnAssign):
        return False
    parts = [*ast.walk(node.annotation), *(ast.walk(node.value) if node.value else ())]
    return any(isinstance(part, ast.keyword) and part.arg in _UPPER_BOUNDS for part in parts)


def _looks_at_its_values(node: ast.ClassDef) -> bool:
    for part in ast.walk(node):
        if is_function(part) and any("validator" in name for name in decorator_names(part)):
            return True
    return False


def _compared(source: SourceFile) -> set[str]:
    """Return the attributes that the file compares with something, or takes the smaller of."""
    found: set[str] = set()
    for node in source.nodes(ast.Compare):
        if any(isinstance(operator, (ast.Gt, ast.GtE, ast.Lt, ast.LtE)) for operator in node.ops):
            found |= {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    for call in source.nodes(ast.Call):
        if last_name(call) in {"min", "clamp"}:
            found |= {part.attr for part in ast.walk(call) if isinstance(part, ast.Attribute)}
    return found


CHECK = file_check(examine, CheckTraits(literals=("class",)))
