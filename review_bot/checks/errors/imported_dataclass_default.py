"""A field of a dataclass whose default is an object of a dataclass of another file that cannot be hashed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.python.syntax import classes, from_imports, imported_names
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.checks.errors.dataclass_default import dataclass_options, is_unhashable
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit


class Default(NamedTuple):
    """A default that calls an imported name: its line, the field, the name there, and the import that brings it."""

    line: int
    field: str
    default: str
    name: str
    module: str
    level: int


def gather(source: SourceFile) -> tuple[Default, ...] | None:
    """Return such defaults on added lines of dataclasses. Raises CannotParse."""
    names = imported_names(source.tree)
    imports = from_imports(source.tree)
    found = []
    for owner in classes(source.tree):
        if dataclass_options(owner, names) is None:
            continue
        for field in owner.body:
            if not isinstance(field, ast.AnnAssign) or not isinstance(field.value, ast.Call):
                continue
            called = field.value.func
            if (
                not isinstance(called, ast.Name)
                or called.id not in imports
                or "ClassVar" in ast.unparse(field.annotation)
            ):
                continue
            if field.value.lineno in source.added:
                text = ast.unparse(field.value)
                found.append(Default(field.value.lineno, ast.unparse(field.target), text, *imports[called.id]))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each of them whose class ``dataclass`` makes unhashable."""
    tree = module_tree(codebase.head)
    for path, each in each_fact(facts):
        for place in places_of(each.module, each.level, path, tree):
            for file in tree.at(place).files:
                line = _unhashable(each.name, file, codebase)
                if line is not None:
                    yield Hit(
                        each.line,
                        values={"name": each.field, "default": each.default},
                        related=(Related(file, line, f"`{each.name}` is a dataclass that compares by value"),),
                        path=path,
                    )


def _unhashable(name: str, file: str, codebase: Codebase) -> int | None:
    """Return the line of a class of this name that ``dataclass`` gives no hash; None if the file has none."""
    module = codebase.head.tree(file)
    if module is None:
        return None
    names = imported_names(module)
    for owner in module.body:
        if not isinstance(owner, ast.ClassDef) or owner.name != name:
            continue
        options = dataclass_options(owner, names)
        return None if options is None or owner.bases or not is_unhashable(owner, options) else owner.lineno
    return None


CHECK = change_check(gather, relate, CheckTraits(literals=("dataclass",)))
