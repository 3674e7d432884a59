"""Added imports of a name that its module, a file of this repository, does not define."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import SourceFile
from review_bot.checks.project.added_imports import AddedImport, ImportedName, added_imports
from review_bot.checks.project.module_definitions import ModuleDefinitions
from review_bot.checks.project.module_names import places_of
from review_bot.checks.project.module_tree import ModuleTree, is_standard, module_tree, relative_name
from review_bot.checks.project.third_party import WELL_KNOWN
from review_bot.rules.rule import Hit, Options

LITERALS: tuple[str, ...] | None = None
READS_OLD = False


def gather(source: SourceFile, _options: Options) -> tuple[AddedImport, ...] | None:
    """Return the added ``from`` imports of one file; None if it prepares modules of its own."""
    text = source.text or ""
    if not source.path.endswith(".py") or "sys.modules" in text or "importorskip" in text or "sys.path" in text:
        return None
    imports = tuple(each for each in added_imports(source) if each.from_import and each.names)
    return imports or None


def relate(
    facts: Mapping[str, Any], _pull_request: PullRequest, repository: Repository, _options: Options
) -> Iterator[Hit]:
    """Yield one hit for each import statement with names that are missing, on the line of the first."""
    tree = module_tree(repository.head_paths)
    definitions = ModuleDefinitions(tree, repository)
    for path, imports in sorted(facts.items()):
        for each in imports:
            top = each.module.partition(".")[0]
            if not each.level and (is_standard(top) or (top in WELL_KNOWN and not _inside(path, top, tree))):
                continue
            places = places_of(each.module, each.level, path, tree)
            missing = [name for name in each.names if name.name != "*" and definitions.lack(places, name.name)]
            if missing:
                yield _hit(path, each, missing, relative_name(places[0], tree.roots))


def _inside(path: str, top: str, tree: ModuleTree) -> bool:
    return any(path.startswith(f"{place}/") for place in tree.package_places(top))


def _hit(path: str, statement: AddedImport, missing: list[ImportedName], module: str) -> Hit:
    names = [f"`{each.name}`" for each in missing]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
    first = missing[0]
    return Hit(
        first.line,
        first.line,
        first.column,
        first.end_column,
        values={"module": module, "names": listed},
        path=path,
        statement=f"from {'.' * statement.level}{statement.module} import {', '.join(each.name for each in missing)}",
    )
