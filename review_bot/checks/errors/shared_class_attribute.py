"""A list, set or dictionary of a class that its objects change as if each had its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.collection_methods import CHANGING
from review_bot.analysis.python.statements import attributes_of_self, last_name
from review_bot.analysis.python.syntax import classes, hit_at, structure
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_MAKING = frozenset({"OrderedDict", "defaultdict", "deque", "dict", "list", "set"})
_SHARED = re.compile(r"(?i)registry|registered|instances|cache|singleton|shared|global|pool|known")
"""Names that say that all objects are to share it."""
_COPIES = re.compile(r"Model|Struct|Config|Settings|Enum|TypedDict|Protocol|NamedTuple|Singleton|ABCMeta|^type$|Meta$")
"""Bases that give each object a copy, or of which there is one object; those of a ``type`` are classes."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such attribute of a class, once. Raises CannotParse."""
    for owner in classes(source.tree):
        if owner.decorator_list or owner.keywords or any(_COPIES.search(last_name(base)) for base in owner.bases):
            continue
        made = {
            each.targets[0].id: each
            for each in owner.body
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and _is_made(each.value)
        }
        names = {name for name in made if not re.search(r"^_?[A-Z][A-Z0-9_]*$", name) and not _SHARED.search(name)}
        if not names:
            continue
        own = list(attributes_of_self(owner))
        names -= _bound_by_objects(source)
        outside = {each.attr for each in nodes_of(owner, ast.Attribute) if last_name(each.value) in {owner.name, "cls"}}
        changed = _changed(owner, {id(each) for each in own})
        names -= _memos(owner)
        for name in sorted(names & changed.keys() - outside):
            yield hit_at(source, made[name], values={"name": name, "line": str(changed[name])})


def _bound_by_objects(source: SourceFile) -> set[str]:
    """Return the attributes of ``self`` that a class of the file binds: it may be one that inherits another."""
    stores = (each for each in source.nodes(ast.Attribute) if isinstance(each.ctx, ast.Store))
    return {each.attr for each in stores if last_name(each.value) == "self"}


def _memos(owner: ast.ClassDef) -> set[str]:
    """Return the dictionaries of which the class asks whether they hold a key: it computes each value once for all."""
    stored = {structure(each.value) for each in nodes_of(owner, ast.Subscript) if isinstance(each.ctx, ast.Store)}
    tests = (each for each in nodes_of(owner, ast.Compare) if isinstance(each.ops[0], (ast.In, ast.NotIn)))
    asked = (each.comparators[0] for each in tests)
    return {each.attr for each in asked if isinstance(each, ast.Attribute) and structure(each) in stored}


def _is_made(value: ast.expr) -> bool:
    if isinstance(value, (ast.List, ast.Set, ast.Dict)):
        return not (value.keys if isinstance(value, ast.Dict) else value.elts)
    return isinstance(value, ast.Call) and last_name(value.func) in _MAKING


def _changed(owner: ast.ClassDef, own: set[int]) -> dict[str, int]:
    """Return the attributes of ``self`` that are changed in place, with the first line that does."""
    found: dict[str, int] = {}
    for call in nodes_of(owner, ast.Call):
        function = call.func
        if isinstance(function, ast.Attribute) and function.attr in CHANGING and id(function.value) in own:
            found.setdefault(function.value.attr, call.lineno)  # type: ignore[attr-defined]  # attributes are in ``own``
    for item in nodes_of(owner, ast.Subscript):
        if not isinstance(item.ctx, ast.Load) and id(item.value) in own:
            found.setdefault(item.value.attr, item.lineno)  # type: ignore[attr-defined]
    return found


CHECK = file_check(examine, CheckTraits(literals=("class self",)))
