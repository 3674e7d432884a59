"""Whether an import means a module of this repository that its tree does not have."""

from __future__ import annotations

from review_bot.changes.repository import Repository
from review_bot.checks.project.added_imports import AddedImport
from review_bot.checks.project.generated_modules import has_import_hooks, is_stubbed, may_be_generated
from review_bot.checks.project.manifests import project_names, runs_a_release
from review_bot.checks.project.module_names import places_of
from review_bot.checks.project.module_tree import ModuleTree, is_standard, relative_name
from review_bot.checks.project.third_party import WELL_KNOWN, normalised
from review_bot.rules.scope import is_test


def prepares_modules(text: str) -> bool:
    """Tell whether a file makes modules of its own, or expects that some are missing."""
    return "sys.modules" in text or "importorskip" in text or "meta_path" in text


def sets_path(text: str) -> bool:
    """Tell whether a file changes where Python looks for modules."""
    return "sys.path" in text or "addsitedir" in text


def missing_module(
    statement: AddedImport, path: str, tree: ModuleTree, repository: Repository, *, sets_path: bool
) -> str | None:
    """Return the dotted name of the module that an import in a file lacks for certain, or None.

    ``sets_path``: the file's own code changes where Python looks.
    """
    places = places_of(statement.module, statement.level, path, tree)
    if not places or any(tree.at(place).kind != "missing" for place in places):
        return None
    if not statement.level:
        if not _is_own(statement.module, path, tree, repository, sets_path=sets_path):
            return None
        if runs_a_release(path, tree, repository):
            return None
    names = [relative_name(place, tree.roots) for place in places]
    if _may_exist(names, places, path, tree, repository, relative=statement.level > 0):
        return None
    return names[0]


def _is_own(module: str, path: str, tree: ModuleTree, repository: Repository, *, sets_path: bool) -> bool:
    """Tell whether an absolute import in a file can only mean the package of this repository."""
    top = module.partition(".")[0]
    if is_standard(top):
        return False
    inside = any(path.startswith(f"{place}/") for place in tree.package_places(top))
    if inside or normalised(top) in project_names(tree, repository):
        return True
    if top in WELL_KNOWN or sets_path:
        return False
    roots = {package.rpartition("/")[0] for package in tree.package_places(top)}
    projects = {root.rpartition("/")[0] if root.rpartition("/")[2] in {"src", "python"} else root for root in roots}
    return any(not project or path.startswith(f"{project}/") for project in projects)


def _may_exist(
    names: list[str], places: list[str], path: str, tree: ModuleTree, repository: Repository, *, relative: bool
) -> bool:
    """Tell whether anything in the tree hints at the module. Slow, and asked only before something is reported."""
    if not relative and any(tree.anywhere(name) for name in names):
        return True
    pairs = list(zip(names, places, strict=True))
    if any(may_be_generated(place, name, tree, repository) for name, place in pairs):
        return True
    if any(has_import_hooks(place, tree, repository) for place in places):
        return True
    return any(is_stubbed(name, repository, by_tests=is_test(path)) for name in names)
