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
_NUMBERS = {"int", "float", "PositiveInt"}
_LISTS = frozenset({"list", "List", "Sequence"})
_FEWEST_BOUNDED = 2
"""Fields of a class that are bounded: its author does bound what a request asks for."""
_BOUNDS = {"le", "lt"}
_REQUESTS = LazyRegex(r"Request|Params|Parameters|Input|Body|Create")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield one hit for each request class that the change adds, with its unbounded fields. Raises CannotParse."""
    names = imported_names(source.tree)
    models: set[str] = set()
    for node in classes(source.tree):
        bases = {full_name(base, names) or "" for base in node.bases}
        if "pydantic.BaseModel" not in bases and not bases & models and not _is_request(bases):
            continue
        models.add(node.name)
        if not _REQUESTS.search(node.name) or _looks_at_its_values(node):
            continue
        bounded = [_field(each) for each in node.body if _is_bounded(each)]
        fields = [each for each in node.body if each.lineno in source.added and _is_unbounded(each)]
        if len(bounded) >= _FEWEST_BOUNDED:
            fields += [each for each in node.body if each.lineno in source.added and _is_free_list(each)]
        compared = _compared(source) if fields else set()
        fields = [each for each in fields if _field(each) not in compared]
        if not fields:
            continue
        if len(bounded) >= _FEWEST_BOUNDED:
            yield _beside(source, node, fields, bounded)
            continue
        listed = ", ".join(f"`{_field(each)}`" for each in fields)
        related = tuple(Related(source.path, each.lineno, f"`{_field(each)}`") for each in fields[1:])
        values = {"fields": listed, "name": node.name}
        yield hit_at(source, fields[0], values=values, related=related, severity="info")


def _beside(source: SourceFile, owner: ast.ClassDef, fields: list[ast.stmt], bounded: list[str]) -> Hit:
    """Return a hit on fields without a bound in a class that bounds others, which is listed."""
    listed = " and ".join(f"`{_field(each)}`" for each in fields[:2]) + (" and more" if len(fields) > 2 else "")
    others = " and ".join(f"`{each}`" for each in bounded[:2]) + (" and more" if len(bounded) > 2 else "")
    has = "has" if len(fields) == 1 else "have"
    return hit_at(
        source,
        fields[0],
        message=f"{listed} of `{owner.name}` {has} no upper bound, but {others} have one.",
        related=tuple(Related(source.path, each.lineno, f"`{_field(each)}`") for each in fields[1:]),
    )


def _is_request(bases: set[str]) -> bool:
    return any(base.rpartition(".")[2] in {"OpenAIBaseModel", "BaseModel"} for base in bases)


def _field(node: ast.stmt) -> str:
    return node.target.id if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else ""


def _is_unbounded(node: ast.stmt) -> bool:
    """Return whether this declares a plain number that decides on the work, without ``le`` or ``lt``."""
    if not isinstance(node, ast.AnnAssign) or not _WORK.fullmatch(_field(node)):
        return False
    parts = [*ast.walk(node.annotation), *(ast.walk(node.value) if node.value else ())]
    if any(isinstance(part, ast.keyword) and part.arg in _BOUNDS for part in parts):
        return False
    return not _NUMBERS.isdisjoint(names_in(node.annotation))


def _is_bounded(node: ast.stmt) -> bool:
    """Return whether this declares a number, or a list, with an upper bound."""
    if not isinstance(node, ast.AnnAssign):
        return False
    parts = [*ast.walk(node.annotation), *(ast.walk(node.value) if node.value else ())]
    return any(isinstance(part, ast.keyword) and part.arg in {*_BOUNDS, "max_length"} for part in parts)


def _is_free_list(node: ast.stmt) -> bool:
    """Return whether this declares a list of numbers of any length."""
    if not isinstance(node, ast.AnnAssign) or _is_bounded(node):
        return False
    return any(
        isinstance(part, ast.Subscript) and last_name(part.value) in _LISTS and names_in(part.slice) <= _NUMBERS
        for part in ast.walk(node.annotation)
    )


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
