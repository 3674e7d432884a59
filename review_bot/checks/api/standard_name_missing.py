"""Names that no module of the standard library has: ``logging.get_logger``, ``from typing import Enum``.

Where the repository has a module of that name, where code sets the attribute, and where the code asks for a version or
handles the error, nothing is reported.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.outside_stores import set_from_outside
from review_bot.analysis.project.library_versions import asks_for_version
from review_bot.analysis.project.standard_names import standard_modules, standard_names
from review_bot.analysis.project.unbound_names import not_evaluated
from review_bot.analysis.python.library_objects import LibraryObjects
from review_bot.analysis.python.syntax import bound_name, full_name, hit_at
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit


class Lacking(NamedTuple):
    """A name that a module of the standard library lacks."""

    hit: Hit
    module: str
    name: str


def gather(source: SourceFile) -> tuple[Lacking, ...] | None:
    """Return the names that added lines of one file ask the standard library for in vain. Raises CannotParse."""
    if not source.added:
        return None
    return (*_imports(source), *_reads(source)) or None


def _imports(source: SourceFile) -> Iterator[Lacking]:
    for node in source.nodes(ast.ImportFrom):
        known = None if node.level else standard_names(node.module or "")
        for alias in node.names if known is not None else ():
            if alias.name not in (known or ()) and source.touches(alias.lineno, alias.end_lineno or alias.lineno):
                yield from _lacking(source, alias, node.module or "", alias.name)


def _reads(source: SourceFile) -> Iterator[Lacking]:
    imported: dict[str, set[str]] = {}
    for plain in source.nodes(ast.Import):
        for alias in plain.names:
            module = alias.name if alias.asname else alias.name.partition(".")[0]
            imported.setdefault(bound_name(alias), set()).add(module)
    for each in source.nodes(ast.ImportFrom):
        for alias in each.names:
            imported.setdefault(bound_name(alias), set()).add("")
    modules = {name: found.pop() for name, found in imported.items() if len(found) == 1}
    missing = {
        id(node): module
        for node in source.nodes(ast.Attribute)
        if isinstance(node.ctx, ast.Load)
        and (module := full_name(node.value, modules) or "")
        and node.attr not in (standard_names(module) or (node.attr,))
        and source.touches(node.lineno, node.end_lineno or node.lineno)
    }
    if not missing:
        return
    quiet, objects = not_evaluated(source), LibraryObjects(source.tree, source.path)
    for read, scopes in objects.nodes():
        module = missing.get(id(read), "") if id(read) not in quiet else ""
        if module and isinstance(read, ast.Attribute) and objects.named(read.value, scopes) == module:
            yield from _lacking(source, read, module, read.attr)


def _lacking(source: SourceFile, node: ast.alias | ast.Attribute, module: str, name: str) -> Iterator[Lacking]:
    if name == "*" or name.startswith("_") or asks_for_version(source.tree, node):
        return
    alike = difflib.get_close_matches(name, sorted(standard_names(module) or ()), 1, 0.8)
    owner = next((each for each in standard_modules() if name in (standard_names(each) or ())), None)
    instead = f"; it has `{alike[0]}`" if alike else f"; `{owner}` has it" if owner else ""
    values = {"module": module, "name": name, "instead": instead}
    yield Lacking(hit_at(source, node, values=values, path=source.path, subject=module), module, name)


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each name that nothing in the repository provides."""
    found = [(path, each) for path, names in sorted(facts.items()) for each in names]
    outside = set_from_outside(frozenset(each.name for _, each in found), codebase)
    for path, each in found:
        if each.name not in outside and not _is_shadowed(each.module.partition(".")[0], path, codebase):
            yield each.hit


def _is_shadowed(top: str, path: str, codebase: Codebase) -> bool:
    """Return whether a file may import a module of the repository instead: one in its folder or in one above it."""
    parts = path.split("/")[:-1]
    folders = ["", "src/", *("/".join(parts[: depth + 1]) + "/" for depth in range(len(parts)))]
    paths = codebase.head.paths
    return any(f"{folder}{top}.py" in paths or f"{folder}{top}/__init__.py" in paths for folder in folders)


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("import",), doubted=True))
