"""Added imports of a name from a module that imports this one before it binds the name, whichever of both comes first.

::

    pkg/a.py    from pkg.b import B        pkg/b.py    from pkg.a import A
                A = 1                                  B = 2

An import that was there before counts if it did not fail then: the change binds a name later, or edits the way back.
Both imports must run whenever their module is imported. The ``__init__`` of a package runs before its modules, so that
one order is left there. What a module binds above its import is there in time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.added_imports import AddedImport, all_added_imports, file_imports
from review_bot.analysis.project.missing_modules import is_own, sets_path
from review_bot.analysis.project.module_names import modules
from review_bot.analysis.project.module_tree import module_tree, place_of, places_of
from review_bot.analysis.python.module_body import bound_by, run_on_import, star_imports, top_level_names
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, hit_over


class Facts(NamedTuple):
    """The ``from`` imports that run whenever a module is imported: those that the change adds, and the others.

    ``old_path``: where the module was.
    """

    added: tuple[AddedImport, ...]
    kept: tuple[AddedImport, ...]
    old_path: str


def gather(source: SourceFile) -> Facts | None:
    """Return the imports of a file that the change adds or edits. Raises CannotParse."""
    if not source.path.endswith(".py"):
        return None
    added = tuple(each for each in all_added_imports(source) if each.names and _always(each))
    lines = {each.line for each in added}
    written = file_imports(source.path, source.text or "") if source.old_text else ()
    kept = tuple(each for each in written if each.from_import and _always(each) and each.line not in lines)
    return Facts(added, kept, source.change.base_path) if added or kept else None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first name of an import that surely comes too early."""
    side = codebase.head
    for path, found in sorted(facts.items()):
        failing: set[str] = set()
        for each in (*found.added, *found.kept):
            other = _module(each, path, side)
            if other is None or other in failing:
                continue  # the one above raises, so that this one never runs
            named = [name for name in each.names if name.name != "*"]  # a star import takes what there is
            ways = ((name, _way_back(path, each.line, other, name.name, side)) for name in named)
            name, back = next((way for way in ways if way[1] is not None), (None, None))
            if name is None or back is None:
                continue
            if each in found.kept and (
                any(one.line == back for one in (facts[other].added if other in facts else ()))  # it is reported there
                or not _worked(each, _names_at(other, back, side), found.old_path, codebase)
            ):
                continue
            failing.add(other)
            sets = sets_path(side.text(path) or "")
            if each.level or is_own(each.module, path, codebase, sets_path=sets):
                of_itself = other == path
                yield hit_over(
                    name.span,
                    path=path,
                    values={"name": name.name, **_words(other, back, of_itself=of_itself)},
                    related=() if of_itself else (Related(other, back, "imports this module"),),
                    statement=f"from {'.' * each.level}{each.module} import {name.name}",
                )


def _names_at(path: str, line: int, side: Snapshot) -> set[str]:
    return {name for at, _, names in _imports(side, path) for name in names if at == line and name != "*"}


def _worked(statement: AddedImport, needed: set[str], path: str, codebase: Codebase) -> bool:
    """Return whether the base had such an import, and neither it nor the way back, which needs some names, failed."""
    side = codebase.base
    tree = side.tree(path)
    if tree is None or not needed <= top_level_names(tree):
        return False
    alike = [
        each
        for each in file_imports(path, side.text(path) or "")
        if (each.module, each.level) == (statement.module, statement.level)
    ]
    return bool(alike) and not any(
        (other := _module(each, path, side)) is not None and _way_back(path, each.line, other, name.name, side)
        for each in alike
        for name in each.names
        if name.name != "*"
    )


def _words(other: str, back: int, *, of_itself: bool) -> dict[str, str]:
    """Return what the message says of a circle, or of a module that imports itself."""
    if of_itself:
        return {"what": "This module imports itself", "when": "whenever the module is imported"}
    return {"what": f"`{other}:{back}` imports this module", "when": "whichever module is imported first"}


def _always(statement: AddedImport) -> bool:
    return statement.always and not statement.conditional and not statement.dynamic


def _module(statement: AddedImport, path: str, side: Snapshot) -> str | None:
    """Return the file of the one module that a ``from`` import names."""
    tree = module_tree(side)
    places = places_of(statement.module, statement.level, path, tree)
    found = tree.at(places[0]) if len(places) == 1 else None
    return found.files[0] if found is not None and found.kind == "module" else None


def _way_back(path: str, line: int, other: str, name: str, side: Snapshot) -> int | None:
    """Return the line of another module that imports a file, if an import on a line of it then surely fails."""
    if other == path:
        return line if _is_late(other, line, name, side) and _binds_below(other, line, name, side) else None
    if _is_above(path, other) and any(file == other and at < line for at, file, _ in _imports(side, path)):
        return None  # the first of these imports runs the other module to its end, or fails itself
    for back, file, names in _imports(side, other):
        if (
            file == path
            and _is_late(other, back, name, side)
            and (_is_above(other, path) or any(_is_late(path, line, each, side) for each in names if each != "*"))
        ):
            return back
    return None


@query
def _imports(side: Snapshot, path: str) -> tuple[tuple[int, str, tuple[str, ...]], ...]:
    """Return the line, the file and the names of each ``from`` import of a module of the tree that always runs."""
    found = (each for each in file_imports(path, side.text(path) or "") if each.from_import and _always(each))
    return tuple(
        (each.line, file, tuple(name.name for name in each.names))
        for each in found
        if (file := _module(each, path, side)) is not None
    )


def _is_above(package: str, path: str) -> bool:
    """Return whether a file is the ``__init__`` of a package around another one, and so runs before it."""
    return package.endswith("/__init__.py") and path.startswith(package.removesuffix("__init__.py"))


def _is_late(path: str, line: int, name: str, side: Snapshot) -> bool:
    """Return whether a module surely binds a name, and not above a line."""
    tree = side.tree(path)
    if tree is None or modules(side).of(path).openness != "closed" or name not in top_level_names(tree):
        return False
    if module_tree(side).at(f"{place_of(path)}/{name}").kind != "missing":
        return False
    before = [each for each in run_on_import(tree) if each.lineno < line]
    stars = [each for each in star_imports(tree) if each.lineno < line]
    return not stars and not any(name in bound_by(each) for each in before) and not _calls(tree, name)


def _binds_below(path: str, line: int, name: str, side: Snapshot) -> bool:
    """Return whether a statement below a line of a module binds a name, and not only an import on the line."""
    tree = side.tree(path)
    below = () if tree is None else (each for each in run_on_import(tree) if each.lineno > line)
    return any(name in bound_by(each) for each in below)


def _calls(tree: ast.Module, name: str) -> bool:
    """Return whether a function may bind a name of the module."""
    return any(name in each.names for each in ast.walk(tree) if isinstance(each, ast.Global))


CHECK = change_check(gather, relate, CheckTraits(literals=("import",), doubted=True))
