"""A field of a dataclass whose default is one object for all: the class cannot even be defined."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import classes, full_name, hit_at, imported_names, unquoted
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_DECORATOR = "dataclasses.dataclass"
_MAKING = frozenset({"dict", "list", "set"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such field. Raises CannotParse."""
    names = imported_names(source.tree)
    found = {each.name: each for each in classes(source.tree) if dataclass_options(each, names) is not None}
    unhashable = {name for name, owner in found.items() if is_unhashable(owner, dataclass_options(owner, names) or {})}
    for owner in found.values():
        for field in owner.body:
            if not isinstance(field, ast.AnnAssign) or field.value is None:
                continue
            written = unquoted(field.annotation)
            if last_name(written.value if isinstance(written, ast.Subscript) else written) == "ClassVar":
                continue
            value = field.value
            called = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
            literal = isinstance(value, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp))
            if literal or called in unhashable or called in _MAKING - names.keys():
                since = " (Python 3.11 or later)" if called in unhashable else ""
                values = {"name": ast.unparse(field.target), "default": ast.unparse(value), "since": since}
                yield hit_at(source, value, values=values)


def dataclass_options(owner: ast.ClassDef, names: dict[str, str]) -> dict[str, object] | None:
    """Return the options of a class's ``dataclass`` decorator, ``...`` for one that is no constant; None without it."""
    for decorator in owner.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if full_name(called, names) == _DECORATOR:
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
