"""Added imports of a module of this repository that the head of the change does not have.

Only what the tree proves: the package stands in the tree with an ``__init__.py`` of its own, no file, folder, symlink,
stub or compiled module could be the one that is meant, no build makes it, and nothing expects the import to fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import SourceFile
from review_bot.checks.project.added_imports import AddedImport, added_imports
from review_bot.checks.project.generated_modules import has_import_hooks, is_stubbed, may_be_generated
from review_bot.checks.project.manifests import project_names, runs_a_release
from review_bot.checks.project.module_names import places_of
from review_bot.checks.project.module_tree import ModuleTree, is_standard, module_tree, relative_name
from review_bot.checks.project.third_party import WELL_KNOWN, normalised
from review_bot.rules.rule import Hit, Options
from review_bot.rules.scope import is_test

LITERALS: tuple[str, ...] | None = ("import",)
READS_OLD = False


class Facts(NamedTuple):
    """What one file gives: its imports, and whether its own code sets ``sys.path``."""

    imports: tuple[AddedImport, ...]
    sets_path: bool


def gather(source: SourceFile, _options: Options) -> Facts | None:
    """Return the added imports of one file; None if it prepares modules of its own."""
    text = source.text or ""
    if not source.path.endswith(".py") or "sys.modules" in text or "importorskip" in text or "meta_path" in text:
        return None
    imports = tuple(each for each in added_imports(source) if each.new and each.module)
    return Facts(imports, "sys.path" in text or "addsitedir" in text) if imports else None


def relate(
    facts: Mapping[str, Any], _pull_request: PullRequest, repository: Repository, _options: Options
) -> Iterator[Hit]:
    """Yield a hit for each added import whose module is missing."""
    tree = module_tree(repository.head_paths)
    for path, fact in sorted(facts.items()):
        for each in fact.imports:
            places = places_of(each.module, each.level, path, tree)
            if not places or any(tree.at(place).kind != "missing" for place in places):
                continue
            if not each.level and not _is_own(each.module, path, tree, repository, sets_path=fact.sets_path):
                continue
            if not each.level and runs_a_release(path, tree, repository):
                continue
            names = [relative_name(place, tree.roots) for place in places]
            if _may_exist(names, places, path, tree, repository, relative=each.level > 0):
                continue
            yield Hit(
                each.line,
                each.end_line,
                each.column,
                each.end_column,
                values={"module": names[0]},
                path=path,
                statement=f"import {'.' * each.level}{each.module}",
            )


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
