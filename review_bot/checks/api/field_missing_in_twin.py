"""A field that a change adds to one of two data classes which had the same fields, though one mapping fills the other.

::

    class EngineArgs(Base):                     class AsyncEngineArgs(AsyncBase):
        stage: int = 0                              stage: int = 0
        role: str = "text"                          role: str = "text"
        output: str | None = None                   output: str | None = None
        solver: str | None = None   # new

    AsyncEngineArgs(model=model, **args)        # args of stage.yaml, which sets solver: TypeError
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.classes import classes_in, subclasses
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import decorator_names, last_name
from review_bot.analysis.python.syntax import classes
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_FEWEST = 3
"""Fields that two classes must have in common, so that one is a copy of the other."""
_YAML = (".yaml", ".yml")
_KEY = LazyRegex(r"[ \t-]*[\"']?(\w+)[\"']?[ \t]*:")
_MOST_CONFIGURATIONS = 500


class Grown(NamedTuple):
    """A data class with a field that its twin in the same file does not get. ``line``: of the field."""

    owner: str
    twin: str
    field: str
    line: int


def gather(source: SourceFile) -> tuple[Grown, ...] | None:
    """Return the fields that added lines give to one of two data classes that were equal. Raises CannotParse."""
    if source.change.status != "modified" or (old := source.known_old_tree) is None:
        return None
    new = {each.name: _fields(each) for each in classes(source.tree) if "dataclass" in decorator_names(each)}
    before = {each.name: _fields(each) for each in classes(old)}
    lines = {
        (owner.name, each.target.id): each.lineno
        for owner in classes(source.tree)
        for each in owner.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.lineno in source.added
    }
    found = [
        Grown(owner, twin, field, lines[owner, field])
        for owner, fields in new.items()
        for twin, theirs in new.items()
        if owner != twin and before.get(owner) == before.get(twin) == theirs and len(theirs) >= _FEWEST
        for field in fields
        if field not in theirs and (owner, field) in lines
    ]
    return tuple(found) or None


def _fields(owner: ast.ClassDef) -> dict[str, str]:
    """Return the annotated fields of a class, with their types as written."""
    return {
        each.target.id: ast.unparse(each.annotation)
        for each in owner.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield those whose twin is filled from a mapping, where a YAML file of the tree sets the field."""
    for path, each in each_fact(facts):
        if files_with(codebase.base, [each.field], ".py") or _inherits(each, codebase.head):
            continue
        call, setting = _filled(each.twin, codebase.head), _set_in(each.field, codebase)
        if call is None or setting is None:
            continue
        values = {
            "owner": each.owner, "twin": each.twin, "field": each.field,
            "call": f"`{call.path}:{call.line}`", "setting": f"`{setting.path}:{setting.line}`",
        }  # fmt: skip
        statement = f"{each.twin}.{each.field}"
        yield Hit(each.line, path=path, values=values, related=(call, setting), statement=statement)


def _inherits(each: Grown, side: Snapshot) -> bool:
    """Return whether a base of the twin in the tree has the field."""
    owners = [
        one.name
        for path in files_with(side, [each.field], ".py")
        for one in classes_in(side, path)
        if any(field.name == each.field for field in one.fields)
    ]
    return any(one.definition.name == each.twin for owner in owners for one in subclasses(side, owner))


def _filled(name: str, side: Snapshot) -> Related | None:
    """Return a call of a class, outside tests, that expands one mapping into it."""
    for path in files_with(side, [name], ".py"):
        tree = None if is_test(path) else side.tree(path)
        for call in () if tree is None else nodes_of(tree, ast.Call):
            if last_name(call.func) == name and [each.arg for each in call.keywords].count(None) == 1:
                return Related(path, call.lineno, "expands a mapping into it")
    return None


def _set_in(field: str, codebase: Codebase) -> Related | None:
    """Return where a YAML file of the tree sets the field."""
    paths = sorted(path for path in codebase.head.paths if path.endswith(_YAML))
    for path in paths if len(paths) <= _MOST_CONFIGURATIONS else ():
        text = codebase.head.text(path) or ""
        if field in text:
            for number, line in enumerate(text.split("\n"), 1):
                if (key := _KEY.match(line)) is not None and key.group(1) == field:
                    return Related(path, number, "sets it")
    return None


CHECK = change_check(gather, relate, CheckTraits(literals=("dataclass",), reads_old=True))
