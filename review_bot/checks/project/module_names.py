"""Which names a module binds at its top level, as far as its text tells.

Where a name could come from somewhere that the text does not show (``__getattr__``, ``globals()``, a star import from
another distribution), nothing is said: ``bound_names`` gives None.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.changes.repository import Repository
from review_bot.changes.source_file import CannotParse, parse_python
from review_bot.checks.project.module_tree import ModuleTree
from review_bot.late_pattern import LatePattern

_QUICK = LatePattern(r"^(?:(?:async[ ]+)?def|class)[ ]+(\w+)|^(\w+)[ \t]*(?::[^=\n]*)?=[^=]", re.MULTILINE)
_QUICK_IMPORT = LatePattern(r"^[ \t]*(?:from[ \t]+[.\w]+[ \t]+)?import[ \t]*(\([^)]*\)|[^\n]*)", re.MULTILINE)
_OPEN = LatePattern(
    r"\b__getattr__\b|\bglobals\(\)|\bexec\(|\bvars\(\)|\blocals\(\)|\bsys\.modules\b|\bimport_module\(__name__"
)
_OPEN_WORDS = ("__getattr__", "globals", "exec", "vars", "locals", "modules", "import_module")
"""One of them stands where the expression matches; in most texts none does, and to look for them is much quicker."""

_CLAUSE_NAME = LatePattern(r"(\w+)(?:[ \t]+as[ \t]+(\w+))?")
_ALWAYS = frozenset(
    {"__name__", "__doc__", "__file__", "__path__", "__spec__", "__loader__", "__package__", "__dict__", "__builtins__"}
)
_DEEPEST = 6


def surely_bound(text: str) -> set[str]:
    """Return names that a module seems to bind, found without parsing; those it lacks need a closer look."""
    names = {first or second for first, second in _QUICK.findall(text)}
    for clause in _QUICK_IMPORT.findall(text):
        names.update(alias or name for name, alias in _CLAUSE_NAME.findall(clause))
    return names


def bound_names(path: str, tree: ModuleTree, repository: Repository, depth: int = 0) -> frozenset[str] | None:
    """Return every name that the module in a file may bind; None if its text cannot tell."""
    text = repository.head_text(path)
    if text is None or depth > _DEEPEST or is_open(text):
        return None
    try:
        body = parse_python(text).body
    except CannotParse:
        return None
    names = top_level_names(body)
    for statement in _statements(body):
        if isinstance(statement, ast.ImportFrom) and any(alias.name == "*" for alias in statement.names):
            more = _starred(statement, path, tree, repository, depth)
            if more is None:
                return None
            names |= more
    return names


def top_level_names(body: list[ast.stmt]) -> frozenset[str]:
    """Return every name that a module's own statements may bind; ``*`` among them stands for a star import."""
    names = set(_ALWAYS)
    for statement in _statements(body):
        names.update(_bound_by(statement))
    for node in ast.walk(ast.Module(body, [])):
        if isinstance(node, ast.Global):
            names.update(node.names)
        elif isinstance(node, ast.NamedExpr) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return frozenset(names)


def is_open(text: str) -> bool:
    """Tell whether a module may get names that its text does not show."""
    return any(word in text for word in _OPEN_WORDS) and _OPEN.search(text) is not None


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run when the module is imported, those inside ``if``, ``try`` and loops too."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for field in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, field, None) or [])
        for part in [*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]:
            yield from _statements(part.body)


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        for alias in statement.names:
            yield alias.asname or alias.name.partition(".")[0]
    elif isinstance(statement, ast.Match):
        for node in ast.walk(statement):
            for field in ("name", "rest"):
                name = getattr(node, field, None)
                if isinstance(name, str):
                    yield name
    elif type(statement).__name__ == "TypeAlias":  # Python 3.12
        yield from _targets(getattr(statement, "name"))  # noqa: B009  # older Pythons know no such attribute
    else:
        for target in _assigned(statement):
            yield from _targets(target)
            if isinstance(target, ast.Name) and target.id == "__all__":
                yield from _strings(statement)


def _assigned(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    if isinstance(statement, (ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor)):
        return [statement.target]
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return [item.optional_vars for item in statement.items if item.optional_vars is not None]
    return []


def _targets(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
            yield node.id


def _strings(value: ast.AST) -> Iterator[str]:
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _starred(
    statement: ast.ImportFrom, path: str, tree: ModuleTree, repository: Repository, depth: int
) -> frozenset[str] | None:
    """Return what ``from m import *`` may bring; None if the module is not of this tree."""
    places = places_of(statement.module or "", statement.level, path, tree)
    if not places:
        return None
    names: frozenset[str] = frozenset()
    for place in places:
        found = tree.at(place)
        if found.kind != "module":
            return None
        for file in found.files:
            more = bound_names(file, tree, repository, depth + 1)
            if more is None:
                return None
            names |= more
    return names


def places_of(module: str, level: int, path: str, tree: ModuleTree) -> list[str]:
    """Return where in the tree an import in a file may look for a module; empty: it is not of this tree."""
    inner = module.replace(".", "/")
    if level:
        folder = tree.package_above(path, level)
        if folder is None:
            return []
        return [f"{folder}/{inner}".strip("/") if inner else folder]
    top, _, rest = module.partition(".")
    return [f"{place}/{rest.replace('.', '/')}" if rest else place for place in tree.package_places(top)]
