"""Which names the modules of a tree lack for certain."""

from __future__ import annotations

from review_bot.changes.repository import Repository
from review_bot.checks.project.generated_modules import may_be_generated
from review_bot.checks.project.module_names import bound_names, surely_bound
from review_bot.checks.project.module_tree import ModuleTree, relative_name


class ModuleDefinitions:
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
