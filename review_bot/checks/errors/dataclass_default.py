"""A field of a dataclass whose default is one object for all: the class cannot even be defined.

It is an error where Python surely raises ValueError once it reaches the class, see ``certain_errors``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.project.certain_uses import certain_errors
from review_bot.analysis.python.bindings import binding_counts
from review_bot.analysis.python.node_types import MUTABLE_LITERALS
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import classes, full_name, hit_at, imported_names, unquoted
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Severity
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_DECORATOR = "dataclasses.dataclass"
_MAKING = frozenset({"dict", "list", "set"})
_OF_COLLECTIONS = frozenset({"collections.Counter", "collections.OrderedDict", "collections.defaultdict"})
"""Classes below ``dict``."""
_NO_FIELDS = frozenset({"ClassVar", "InitVar"})
"""What an annotation names whose default ``dataclass`` leaves alone."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such field. Raises CannotParse."""
    names = imported_names(source.tree)
    found = {each.name: each for each in classes(source.tree) if dataclass_options(each, names) is not None}
    unhashable = {name for name, owner in found.items() if is_unhashable(owner, dataclass_options(owner, names) or {})}
    making = _MAKING - names.keys()
    making -= {each for each in making if binding_counts(source.tree)[each]} if found else set()
    for owner in found.values():
        certain = full_name(_called(owner.decorator_list[-1]), names) == _DECORATOR
        certain = certain and id(owner) in certain_errors(source, [owner], "ValueError")
        for field, value in _defaults(owner, names):
            called = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
            is_dict = isinstance(value, ast.Call) and full_name(value.func, names) in _OF_COLLECTIONS
            if isinstance(value, MUTABLE_LITERALS) or is_dict or called in unhashable or called in making:
                since = " (Python 3.11 or later)" if called in unhashable else ""
                values = {"name": ast.unparse(field.target), "default": ast.unparse(value), "since": since}
                severity: Severity | None = None if certain and not since else "warning"
                yield hit_at(source, _place(value, owner, source), values=values, severity=severity)


def _defaults(owner: ast.ClassDef, names: dict[str, str]) -> Iterator[tuple[ast.AnnAssign, ast.expr]]:
    """Yield the fields of a dataclass that have a default, with the default."""
    for field in owner.body:
        if not isinstance(field, ast.AnnAssign) or field.value is None:
            continue
        written = unquoted(field.annotation)
        if last_name(written.value if isinstance(written, ast.Subscript) else written) in _NO_FIELDS:
            continue
        value: ast.expr | None = field.value
        if isinstance(value, ast.Call) and full_name(value.func, names) == "dataclasses.field":
            value = next((each.value for each in value.keywords if each.arg == "default"), None)
        if value is not None:
            yield field, value


def _place(value: ast.expr, owner: ast.ClassDef, source: SourceFile) -> ast.expr:
    """Return the default, or the decorator if the change adds that alone."""
    decorator = owner.decorator_list[-1]
    is_old = not source.any_added(value.lineno, last_line(value))
    return decorator if is_old and decorator.lineno in source.added else value


def _called(decorator: ast.expr) -> ast.expr:
    return decorator.func if isinstance(decorator, ast.Call) else decorator


def dataclass_options(owner: ast.ClassDef, names: dict[str, str]) -> dict[str, object] | None:
    """Return the options of a class's ``dataclass`` decorator, ``...`` for one that is no constant; None without it."""
    for decorator in owner.decorator_list:
        if full_name(_called(decorator), names) == _DECORATOR:
            given = decorator.keywords if isinstance(decorator, ast.Call) else []
            return {each.arg or "": each.value.value if isinstance(each.value, ast.Constant) else ... for each in given}
    return None


def is_unhashable(owner: ast.ClassDef, options: dict[str, object]) -> bool:
    """Return whether ``dataclass`` sets ``__hash__`` of a class to None, as it does by itself (its documentation)."""
    own = {getattr(each, "name", "") for each in owner.body}
    own |= {name.id for each in owner.body for name in walk(each) if isinstance(name, ast.Name)}
    plain = not (options.get("frozen") or options.get("unsafe_hash")) and options.get("eq", True) is True
    return plain and "__hash__" not in own and "" not in options


CHECK = file_check(examine, CheckTraits(literals=("dataclass",)))
