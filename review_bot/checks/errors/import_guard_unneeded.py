"""A guard for a package that may be missing, in a module that cannot be imported without it.

::

    import numpy                                outputs.py: import torch
    from .outputs import Output

    def frames(video):
        try:
            import torch
        except ImportError:                     never: `outputs.py` has imported it
            torch = None
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator, Mapping

from review_bot.analysis.project.added_imports import AddedImport, file_imports
from review_bot.analysis.project.module_tree import is_standard, module_tree, places_of
from review_bot.analysis.python.statements import caught_names, statements, tries_of
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_lines import last_line, span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library

_ERRORS = {"ImportError", "ModuleNotFoundError"}
_MOST_FILES = 60
"""Files of the repository that a module imports, and that are read."""


class Guarded(NamedTuple):
    """The packages that a ``try`` imports, the lines of the first import, and the last line of the ``try``."""

    modules: tuple[str, ...]
    line: int
    end_line: int
    until: int


class _Needed(NamedTuple):
    """Where a module is imported without a guard."""

    path: str
    line: int


def gather(source: SourceFile) -> tuple[Guarded, ...] | None:
    """Return the imports that a file adds within a ``try`` that waits for nothing else. Raises CannotParse."""
    if not is_library(source.path):
        return None
    return tuple(guarded for each in tries_of(source.tree) if (guarded := _guarded(each, source)) is not None) or None


def _guarded(attempt: ast.Try | ast.TryStar, source: SourceFile) -> Guarded | None:
    if not attempt.handlers or not all((caught_names(each) or {""}) <= _ERRORS for each in attempt.handlers):
        return None
    imports = [each for each in statements(attempt.body) if isinstance(each, (ast.Import, ast.ImportFrom))]
    modules = [alias.name for each in imports if isinstance(each, ast.Import) for alias in each.names]
    if not imports or any(isinstance(each, ast.ImportFrom) for each in imports):
        return None
    first, last = span_of(imports[0])
    if not source.any_added(first, last) or all(is_standard(each.partition(".")[0]) for each in modules):
        return None
    return Guarded(tuple(modules), first, last, last_line(attempt))


def relate(facts: Mapping[str, tuple[Guarded, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for the first of these, for each package that the module needs anyway."""
    for path, guards in sorted(facts.items()):
        wanted = {module for each in guards for module in each.modules if not is_standard(module.partition(".")[0])}
        needed = _needed(path, wanted, codebase.head)
        told: set[str] = set()
        for each in guards:
            places = {module: needed.get(module) for module in each.modules if module in wanted}
            module, place = next(iter(places.items()))
            if place is not None and place.path == path and each.line <= place.line <= each.until:
                continue  # its own handler raises again, with a hint of what to install
            if place is not None and None not in places.values() and module not in told:
                told.add(module)
                yield _hit(path, each, module, place)


def _needed(path: str, wanted: set[str], side: Snapshot) -> dict[str, _Needed]:
    """Return where a module imports packages whenever it is imported, itself or by what it imports."""
    found: dict[str, _Needed] = {}
    seen, waiting = {path}, deque([path])
    while waiting and wanted - found.keys():
        file = waiting.popleft()
        for each in file_imports(file, side.text(file) or ""):
            if not each.always or each.dynamic:
                continue
            for module in wanted - found.keys():
                if not each.level and f"{each.module}.".startswith(f"{module}."):
                    found[module] = _Needed(file, each.line)
            for inner in _files_of(each, file, side):
                if inner not in seen and len(seen) < _MOST_FILES:
                    seen.add(inner)
                    waiting.append(inner)
    return found


def _files_of(each: AddedImport, path: str, side: Snapshot) -> Iterator[str]:
    tree = module_tree(side)
    places = places_of(each.module, each.level, path, tree)
    for place in places if len(places) == 1 else ():
        yield from tree.at(place).files


def _hit(path: str, guarded: Guarded, module: str, place: _Needed) -> Hit:
    here = place.path == path
    values = {
        "module": module,
        "place": f"line {place.line}" if here else f"`{place.path}:{place.line}`",
        "how": "" if here else ", which is imported with it,",
    }
    related = (Related(place.path, place.line, f"imports `{module}` without a guard"),)
    return Hit(guarded.line, guarded.end_line, values=values, path=path, related=related)


CHECK = change_check(gather, relate, CheckTraits(literals=("try except import",)))
