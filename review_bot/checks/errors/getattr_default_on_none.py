"""``getattr(x, "field", default)`` where the class of ``x`` declares the field with None: the default is never used.

The class is known where ``x`` is a parameter that is annotated with it. Otherwise it is the one class of the tree that
has a field of that name, if the file imports from its module and ``x`` is called after the class.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.classes import classes_in
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.python.name_words import words_in
from review_bot.analysis.python.statements import Function, last_name, named_parameters
from review_bot.analysis.python.syntax import dotted, from_imports, own_nodes, span_at
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit, Span, hit_over
from review_bot.rules.scope import is_test

_SPACE = r"(?:[ \t\f]|\\\n)"
"""White space between two tokens of a statement, as an expression."""
_NOTHING = (None, False, 0, "", b"")


class Use(NamedTuple):
    """One call. ``module`` and ``level``: where the class is imported from; an empty module: this file itself.

    ``owner`` is empty where the class is not known; then ``imports`` are the modules that the file imports from.
    """

    span: Span
    owner: str
    module: str
    level: int
    field: str
    default: str
    value: str
    imports: tuple[tuple[str, int], ...] = ()


def gather(source: SourceFile) -> tuple[Use, ...] | None:
    """Return the calls on added lines whose first argument is annotated with one class. Raises CannotParse."""
    imported = from_imports(source.tree)
    own = {node.name for node in source.nodes(ast.ClassDef)}
    imports = tuple(dict.fromkeys((module, level) for _, module, level in imported.values()))
    found = []
    for function in source.functions:
        types = _annotated(function)
        calls = list(_calls(function))
        handles_none = _handles_none(function) if calls else None
        for call in calls:
            value, field, default = call.args
            if not isinstance(value, ast.Name) or call.lineno not in source.added or not _differs_from_none(default):
                continue
            if not isinstance(field, ast.Constant) or (handles_none and handles_none(call)):
                continue
            name = types.get(value.id, "")
            home = (name, "", 0) if not name or name in own else imported.get(name)
            if home is not None:
                known = () if name else imports
                found.append(Use(_span(source, call), *home, str(field.value), ast.unparse(default), value.id, known))
    return tuple(dict.fromkeys(found)) or None


def _span(source: SourceFile, call: ast.Call) -> Span:
    """Return where a call is, up to the end of its first line."""
    whole = span_at(source, call)
    if whole.end_line == whole.line:
        return whole
    return whole._replace(end_line=whole.line, end_column=len(source.lines[whole.line - 1]) + 1)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each call whose class, found in this tree, declares the field with None as its value."""
    for path, use in each_fact(facts):
        owner = _owner(use, path, codebase.head)
        if owner is not None:
            values = {"owner": owner, "field": use.field, "default": use.default}
            yield hit_over(use.span, values=values, path=path)


def _owner(use: Use, path: str, side: Snapshot) -> str | None:
    """Return the class that declares the field of a use with None, if it is known."""
    if not use.owner:
        only = _only_class_with(side, use.field) if "_" in use.field else None
        if only is None or only[0] not in _files(use.imports, path, side):
            return None
        return only[1] if {*words_in(use.value)} <= {*words_in(only[1])} else None
    files = _files(((use.module, use.level),), path, side) if use.module or use.level else {path}
    declared = any(use.field in _fields_that_are_none(side, file).get(use.owner, ()) for file in files)
    return use.owner if declared else None


def _files(imports: tuple[tuple[str, int], ...], path: str, side: Snapshot) -> set[str]:
    tree = module_tree(side)
    places = (place for module, level in imports for place in places_of(module, level, path, tree))
    return {file for place in places for file in tree.at(place).files}


@query
def _only_class_with(side: Snapshot, field: str) -> tuple[str, str] | None:
    """Return (file, class) of the one class of the tree with a field of this name, if its value there is None."""
    name = re.escape(field)
    mention = re.compile(
        rf"^[ \t\f]+{name}{_SPACE}*:|\.{_SPACE}*{name}{_SPACE}*(?::[^\n=]{{0,300}})?=(?!=)", re.MULTILINE
    )
    places = [
        path
        for path in files_with(side, [field], ".py")
        if not is_test(path)
        for _ in mention.finditer(side.text(path) or "")
    ]
    if len(places) != 1:
        return None
    owners = [name for name, fields in _fields_that_are_none(side, places[0]).items() if field in fields]
    return (places[0], owners[0]) if len(owners) == 1 else None


def _annotated(function: Function) -> dict[str, str]:
    """Return parameter → class for each parameter that is annotated with one class and never rebound."""
    types = {}
    for each in named_parameters(function):
        annotation = each.annotation
        if (
            isinstance(annotation, ast.Constant)
            and isinstance(annotation.value, str)
            and annotation.value.isidentifier()
        ):
            types[each.arg] = annotation.value
        elif isinstance(annotation, ast.Name):
            types[each.arg] = annotation.id
    for node in own_nodes(function.body) if types else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            types.pop(node.id, None)
    return types


def _calls(function: Function) -> Iterator[ast.Call]:
    for node in own_nodes(function.body):
        if isinstance(node, ast.Call) and dotted(node.func) == "getattr" and len(node.args) == 3:
            yield node


def _differs_from_none(default: ast.expr) -> bool:
    """Return whether None in the place of a default would make a difference: 0, False and "" often stand for it."""
    if isinstance(default, ast.Constant):
        return default.value not in _NOTHING
    return isinstance(default, (ast.Name, ast.Attribute)) and last_name(default).isupper()


def _handles_none(function: Function) -> Callable[[ast.Call], bool]:
    """Return whether a call's None is handled: ``getattr(...) or x``, or a test of the name that takes the value."""
    tested: set[int] = set()
    names: set[str] = set()
    taken: dict[int, str] = {}
    for node in own_nodes(function.body):
        if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.Compare, ast.Assert, ast.NamedExpr)):
            outer = node.test if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert)) else node
            for part in ast.walk(outer):
                if isinstance(part, ast.Call) and not isinstance(node, ast.Assert):
                    tested.add(id(part))
                elif isinstance(part, (ast.Name, ast.Attribute)) and not isinstance(node, (ast.Compare, ast.NamedExpr)):
                    names.add(dotted(part) or "")
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Call):
            taken[id(node.value)] = dotted(node.targets[0] if isinstance(node, ast.Assign) else node.target) or ""
    return lambda call: id(call) in tested or taken.get(id(call), "") in names - {""}


@query
def _fields_that_are_none(side: Snapshot, path: str) -> dict[str, frozenset[str]]:
    """Return class → its fields whose value in the class is None and that no code of the class sets."""
    found: dict[str, frozenset[str]] = {}
    for each in classes_in(side, path):
        none = frozenset(field.name for field in each.fields if field.annotation and field.default == "None")
        found.setdefault(each.name, none - each.sets)
    return found


CHECK = change_check(gather, relate, CheckTraits(literals=("getattr",)))
