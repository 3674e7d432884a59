"""Added imports of a name that its module, a file of this repository, does not define."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import SourceFile
from review_bot.checks.project.added_imports import AddedImport, ImportedName, added_imports
from review_bot.checks.project.generated_modules import may_be_generated
from review_bot.checks.project.module_names import bound_names, places_of, surely_bound
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
    definitions = _Definitions(tree, repository)
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


class _Definitions:
    """Which names modules lack; each module is read once."""

    def __init__(self, tree: ModuleTree, repository: Repository) -> None:
        self._tree, self._repository = tree, repository
        self._quick: dict[str, set[str] | None] = {}
        self._exact: dict[str, frozenset[str] | None] = {}

    def lack(self, places: list[str], name: str) -> bool:
        """Tell whether the module is known and surely has no such name, at none of its places."""
        return bool(places) and all(self._lacks(place, name) for place in places)

    def _lacks(self, place: str, name: str) -> bool:
        found = self._tree.at(place)
        if found.kind != "module" or self._tree.at(f"{place}/{name}").kind != "missing":
            return False
        if any(self._surely_has(path, name) for path in found.files):
            return False
        for path in found.files:
            if path not in self._exact:
                self._exact[path] = bound_names(path, self._tree, self._repository)
            names = self._exact[path]
            if names is None or name in names:
                return False
        dotted = relative_name(f"{place}/{name}", self._tree.roots)
        return not may_be_generated(f"{place}/{name}", dotted, self._tree, self._repository)

    def _surely_has(self, path: str, name: str) -> bool:
        if path not in self._quick:
            text = self._repository.head_text(path)
            self._quick[path] = None if text is None else surely_bound(text)
        names = self._quick[path]
        return names is None or name in names
