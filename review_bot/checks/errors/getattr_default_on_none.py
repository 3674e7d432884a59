"""``getattr(x, "field", default)`` where the class of ``x`` declares the field with None: the default is never used.

The class is known where ``x`` is a parameter that is annotated with it. Otherwise it is the one class of the tree that
has a field of that name, if the file imports from its module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from review_bot.analysis.project.module_tree import ModuleTree, module_tree, places_of
from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import dotted, own_nodes
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.python_parsing import CannotParse, parse_python
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test

_SPACE = r"(?:[ \t\f]|\\\n)"
"""White space between two tokens of a statement, as an expression."""
_NOTHING = (None, False, 0, "", b"")


class Use(NamedTuple):
    """One call. ``module`` and ``level`` tell where the class is imported from; an empty module: this file itself.

    ``owner`` is empty where the class is not known; then ``imports`` are the modules that the file imports from.
    """

    line: int
    column: int
    end_column: int
    owner: str
    module: str
    level: int
    field: str
    default: str
    imports: tuple[tuple[str, int], ...] = ()


def gather(source: SourceFile) -> tuple[Use, ...] | None:
    """Return the calls on added lines whose first argument is annotated with one class. Raises CannotParse."""
    imported = {
        alias.asname or alias.name: (alias.name, node.module or "", node.level)
        for node in source.nodes(ast.ImportFrom)
        for alias in node.names
    }
    own = {node.name for node in source.nodes(ast.ClassDef)}
    imports = tuple(dict.fromkeys((module, level) for _, module, level in imported.values()))
    found = []
    for function in source.functions:
        types = _annotated(function)
        for call in _calls(function):
            value, field, default = call.args
            if not isinstance(value, ast.Name) or call.lineno not in source.added or not _is_telling(default):
                continue
            if not isinstance(field, ast.Constant) or _is_minded(call, function):
                continue
            name = types.get(value.id, "")
            home = (name, "", 0) if not name or name in own else imported.get(name)
            if home is not None:
                place = (call.lineno, *_columns(source, call))
                known = () if name else imports
                found.append(Use(*place, *home, str(field.value), ast.unparse(default), known))
    return tuple(dict.fromkeys(found)) or None


def _columns(source: SourceFile, call: ast.Call) -> tuple[int, int]:
    last = call.end_lineno or call.lineno
    end = (
        source.column(last, call.end_col_offset or 0) if last == call.lineno else len(source.lines[call.lineno - 1]) + 1
    )
    return source.column(call.lineno, call.col_offset), end


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, repository: Repository) -> Iterator[Hit]:
    """Yield a hit for each call whose class, found in this tree, declares the field with None as its value."""
    tree = module_tree(repository.head_paths)
    for path, uses in sorted(facts.items()):
        for use in uses:
            owner = _owner(use, path, tree, repository)
            if owner is not None:
                values = {"owner": owner, "field": use.field, "default": use.default}
                yield Hit(use.line, use.line, use.column, use.end_column, values=values, path=path)


def _owner(use: Use, path: str, tree: ModuleTree, repository: Repository) -> str | None:
    """Return the class that declares the field with None, if it is known."""
    if not use.owner:
        only = _only_class_with(use.field, repository) if "_" in use.field else None
        return only[1] if only is not None and only[0] in _files(use.imports, path, tree) else None
    files = _files(((use.module, use.level),), path, tree) if use.module or use.level else {path}
    declared = any(use.field in _fields_that_are_none(repository.head_text(file) or "", use.owner) for file in files)
    return use.owner if declared else None


def _files(imports: tuple[tuple[str, int], ...], path: str, tree: ModuleTree) -> set[str]:
    places = (place for module, level in imports for place in places_of(module, level, path, tree))
    return {file for place in places for file in tree.at(place).files}


def _only_class_with(field: str, repository: Repository) -> tuple[str, str] | None:
    """Return (file, class) of the one class of the tree with a field of this name, if its value there is None."""
    name = re.escape(field)
    mention = re.compile(
        rf"^[ \t\f]+{name}{_SPACE}*:|\.{_SPACE}*{name}{_SPACE}*(?::[^\n=]{{0,300}})?=(?!=)", re.MULTILINE
    )
    files = [
        path
        for path in sorted(repository.head_paths)
        if path.endswith(".py") and not is_test(path) and mention.search(repository.head_text(path) or "")
    ]
    if len(files) != 1:
        return None
    text = repository.head_text(files[0]) or ""
    names = re.findall(rf"^\f*class{_SPACE}+(\w+)", text, re.MULTILINE)
    owners = [name for name in names if field in _fields_that_are_none(text, name)]
    return (files[0], owners[0]) if len(owners) == 1 and len(mention.findall(text)) == 1 else None


def _annotated(function: Function) -> dict[str, str]:
    """Return parameter → class for each parameter that is annotated with one class and never bound anew."""
    arguments = function.args
    types = {}
    for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
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


def _is_telling(default: ast.expr) -> bool:
    """Tell whether None in the place of a default would make a difference: 0, False and "" often stand for it."""
    if isinstance(default, ast.Constant):
        return default.value not in _NOTHING
    return isinstance(default, (ast.Name, ast.Attribute)) and last_name(default).isupper()


def _is_minded(call: ast.Call, function: Function) -> bool:
    """Tell whether the code minds None itself: ``getattr(...) or x``, or a test of the name that takes the value."""
    taken = None
    for node in own_nodes(function.body):
        if isinstance(node, (ast.BoolOp, ast.Compare, ast.If, ast.IfExp, ast.While, ast.NamedExpr)):
            parts = [node.test] if isinstance(node, (ast.If, ast.IfExp, ast.While)) else [node]
            if any(part is call for outer in parts for part in ast.walk(outer)):
                return True
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is call:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            taken = dotted(target)
    if taken is None:
        return False
    tests = [
        n for n in own_nodes(function.body) if isinstance(n, (ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.Assert))
    ]
    return any(
        isinstance(part, (ast.Name, ast.Attribute)) and dotted(part) == taken
        for test in tests
        for outer in ([test] if isinstance(test, ast.BoolOp) else [test.test])
        for part in ast.walk(outer)
    )


def _fields_that_are_none(text: str, owner: str) -> frozenset[str]:
    """Return the fields of a class whose value in the class is None; none if the class sets attributes in code."""
    if "class" not in text or owner not in text:
        return frozenset()
    try:
        tree = parse_python(text)
    except CannotParse:
        return frozenset()
    node = next((each for each in ast.walk(tree) if isinstance(each, ast.ClassDef) and each.name == owner), None)
    if node is None:
        return frozenset()
    assigned = {
        each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
    }
    fields = {
        each.target.id
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and _is_none(each.value)
    }
    return frozenset(fields - assigned)


def _is_none(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call) and last_name(value.func).lower() == "field":
        value = next((each.value for each in value.keywords if each.arg == "default"), None)
    return isinstance(value, ast.Constant) and value.value is None


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("getattr",)))
