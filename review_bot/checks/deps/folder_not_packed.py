"""A new folder of modules that ``find_packages`` does not find, and that the package imports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.added_imports import file_imports
from review_bot.analysis.project.module_tree import module_tree, place_of, places_of
from review_bot.analysis.project.package_finders import PackageFinder, package_finder
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library


def gather(source: SourceFile) -> bool | None:
    """Return true for a new module in a folder."""
    is_new = source.change.status in {"added", "renamed"} and "/" in source.path
    return True if is_new and source.path.endswith(".py") and not source.path.endswith("/__init__.py") else None


def relate(facts: Mapping[str, bool], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first imported module of each folder that a wheel would lack."""
    reported: set[str] = set()
    for path in sorted(facts):
        folder = path.rpartition("/")[0]
        if folder in reported or f"{folder}/__init__.py" in codebase.head.paths or _held_modules(folder, codebase.base):
            continue
        finder = package_finder(codebase.head, path)
        if finder is None or not finder.takes_by_name(folder) or not _is_in_packages(folder, finder, codebase.head):
            continue
        user = _importer(path, finder, codebase.head)
        if user is not None:
            reported.add(folder)
            values = {"folder": folder, "manifest": finder.manifest, "user": f"{user[0]}:{user[1]}"}
            yield Hit(1, values=values, path=path, related=(Related(user[0], user[1], "imports this module"),))


def _held_modules(folder: str, side: Snapshot) -> bool:
    """Return whether a folder was one without ``__init__.py`` before: the change did not bring that about."""
    inside = [path for path in side.paths if path.rpartition("/")[0] == folder and path.endswith(".py")]
    return bool(inside) and f"{folder}/__init__.py" not in inside


def _is_in_packages(folder: str, finder: PackageFinder, side: Snapshot) -> bool:
    """Return whether each folder between a folder and the start of the search is a package, and there is one."""
    above = folder.rpartition("/")[0]
    if above == finder.where:
        return False
    while above != finder.where:
        if f"{above}/__init__.py" not in side.paths:
            return False
        above = above.rpartition("/")[0]
    return True


def _importer(path: str, finder: PackageFinder, side: Snapshot) -> tuple[str, int] | None:
    """Return the first file of the packages that imports a module, with its line, 1-based."""
    place, tree = place_of(path), module_tree(side)
    for user in words_held(side, {place.rpartition("/")[2]}):
        if user == path or not is_library(user) or (finder.where and not user.startswith(f"{finder.where}/")):
            continue
        inside = user.rpartition("/")[0]
        if f"{inside}/__init__.py" not in side.paths:
            continue  # it may be left out as well
        for each in file_imports(user, side.text(user) or ""):
            meant = places_of(each.module, each.level, user, tree)
            meant += [f"{one}/{name.name}" for one in meant for name in each.names]
            if place in meant:
                return user, each.line
    return None


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_text=False))
