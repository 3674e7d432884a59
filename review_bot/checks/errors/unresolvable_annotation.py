"""Annotations that a library reads when the program runs, with a name that only type checkers import.

::

    from __future__ import annotations

    if TYPE_CHECKING:
        from engine.sampling import Sampling

    class Request(BaseModel):
        sampling: Sampling              pydantic looks it up in this module, where it is not
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.unbound_names import names_for_types_alone, uses_bound_for_types_alone
from review_bot.analysis.python.statements import all_parameters, defaults_of, last_name
from review_bot.analysis.python.syntax import classes, full_name, imported_names, unquoted
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit, Span, hit_over

_MODELS = frozenset({"pydantic.BaseModel", "pydantic.BaseSettings", "pydantic_settings.BaseSettings"})
_LATER = frozenset({"model_rebuild", "update_forward_refs"})
"""What gives a model the names that its module lacks."""
_ROUTERS = {
    **dict.fromkeys(("fastapi.FastAPI", "fastapi.APIRouter"), "FastAPI"),
    "typer.Typer": "Typer",
}
_HANDLING = {
    "FastAPI": frozenset({"delete", "get", "head", "options", "patch", "post", "put", "websocket"}),
    "Typer": frozenset({"callback", "command"}),
}
_FAILS = {
    "pydantic": "`{}` cannot be created until it is rebuilt with that name",
    "FastAPI": "the route `{}` fails",
    "Typer": "the command `{}` fails",
}


class _Annotation(NamedTuple):
    """An annotation that a library reads, with the name that its module lacks and the class or function it is in."""

    span: Span
    name: str
    reader: str
    owner: str


def gather(source: SourceFile) -> tuple[_Annotation, ...] | None:
    """Return such annotations on added lines. Raises CannotParse."""
    lacking = names_for_types_alone(source)
    if not lacking:
        return None
    evaluated = {id(each) for each in uses_bound_for_types_alone(source)}
    imported = imported_names(source.tree)
    found = []
    for reader, owner, annotation in (*_fields(source, imported), *_handlers(source, imported)):
        name = next((each for each in _names(annotation) if each.id in lacking), None)
        if name is None or id(name) in evaluated or annotation.lineno not in source.added:
            continue
        last = annotation.end_col_offset or annotation.col_offset
        start, end = (source.column(annotation.lineno, each) for each in (annotation.col_offset, last))
        span = Span(annotation.lineno, annotation.lineno, start, end)
        found.append(_Annotation(span, name.id, reader, owner))
    return tuple(found) or None


def _fields(source: SourceFile, imported: dict[str, str]) -> Iterator[tuple[str, str, ast.expr]]:
    """Yield the fields of models: of classes that inherit from pydantic's, here or by another class of this file."""
    models: set[str] = set()
    for owner in sorted(classes(source.tree), key=lambda each: each.lineno):
        if not any(full_name(base, imported) in _MODELS or last_name(base) in models for base in owner.bases):
            continue
        models.add(owner.name)
        for field in owner.body:
            if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
                continue
            private = field.target.id.startswith("_") or last_name(field.value) == "PrivateAttr"
            if not private and last_name(field.annotation) != "ClassVar":
                yield "pydantic", owner.name, field.annotation


def _handlers(source: SourceFile, imported: dict[str, str]) -> Iterator[tuple[str, str, ast.expr]]:
    """Yield the annotations of the parameters of routes and commands; FastAPI reads none that ``Depends`` supplies."""
    routers = {
        target.id: _ROUTERS[name]
        for each in source.nodes(ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name) and isinstance(each.value, ast.Call)
        for name in [full_name(each.value.func, imported) or ""]
        if name in _ROUTERS
    }
    for function in source.functions if routers else ():
        for each in function.decorator_list:
            called = each.func if isinstance(each, ast.Call) else None
            if not isinstance(called, ast.Attribute) or not isinstance(called.value, ast.Name):
                continue
            reader = routers.get(called.value.id)
            if reader is not None and called.attr in _HANDLING[reader]:
                supplied = {parameter for parameter, value in defaults_of(function) if last_name(value) == "Depends"}
                for parameter in all_parameters(function):
                    if parameter.annotation is not None and parameter not in supplied:
                        yield reader, function.name, parameter.annotation


def _names(annotation: ast.expr) -> Iterator[ast.Name]:
    """Yield the names that an annotation needs, in quoted parts too; not the texts of ``Literal``."""
    waiting: list[ast.AST] = [annotation]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            yield node
        elif isinstance(node, ast.Constant):
            inner = unquoted(node) if isinstance(node.value, str) else None
            waiting += [] if inner is None or inner is node else [inner]
        elif isinstance(node, ast.Subscript) and last_name(node.value) == "Annotated":
            waiting += node.slice.elts[:1] if isinstance(node.slice, ast.Tuple) else []
        elif not (isinstance(node, ast.Subscript) and last_name(node.value) == "Literal"):
            waiting += ast.iter_child_nodes(node)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each of them; not for a model that any file may rebuild."""
    rebuilding = files_with(codebase.head, _LATER) if facts else []
    for path, each in each_fact(facts):
        if each.reader == "pydantic" and any(each.owner in (codebase.head.text(one) or "") for one in rebuilding):
            continue
        values = {"name": each.name, "reader": each.reader, "fails": _FAILS[each.reader].format(each.owner)}
        yield hit_over(each.span, path=path, values=values)


CHECK = change_check(
    gather, relate, CheckTraits(literals=("TYPE_CHECKING pydantic", "TYPE_CHECKING fastapi", "TYPE_CHECKING typer"))
)
