"""The names that modules of the tree had at the base and lack at the head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.filled_modules import is_set_by_package, put_back
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.module_definitions import ModuleDefinitions
from review_bot.analysis.project.module_names import modules
from review_bot.analysis.project.module_tree import module_tree, place_of, places_of
from review_bot.analysis.python.module_body import star_imports
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_STAR = LazyRegex(r"import[\s\\]*\*")


class FileLosses(NamedTuple):
    """The names that a file bound at the base and no longer binds, with their lines, and its lost star imports.

    ``moved``: the file is another module now; imports of what it was are the matter of ``removed_module``.
    ``exports``: it has an ``__all__``, so that what a star import brings may have changed; the line says where.
    """

    path: str
    names: tuple[tuple[str, int], ...]
    stars: tuple[tuple[str, int, int], ...]
    moved: bool = False
    exports: int = 0


class RemovedNames:
    """The names that modules had at the base and lack at the head, by the path of their module without suffix.

    ``put_back`` are those that a module gets from another one by what the change adds.
    """

    def __init__(self, facts: Mapping[str, Any], codebase: Codebase) -> None:
        self.tree = module_tree(codebase.head)
        self.before, self.after = modules(codebase.base), modules(codebase.head)
        self.definitions = ModuleDefinitions(codebase)
        self.lines: dict[tuple[str, str], tuple[str, int]] = {}
        self.unexported: set[tuple[str, str]] = set()
        self._passed_on: set[tuple[str, str]] = set()  # by a star import alone, which no longer brings it
        places = {place_of(fact.path): fact.moved for fact in facts.values()}
        self.moved = {each for each, moved in places.items() if moved or self.tree.at(each).kind == "folder"}
        for key, fact in sorted(facts.items()):
            place = place_of(fact.path)
            if self.tree.at(place).kind not in {"module", "folder"}:
                continue
            names = dict(fact.names)
            for module, level, line in fact.stars:
                for source in places_of(module, level, fact.path, self.before.tree):
                    names = dict.fromkeys(self.before.at(source).names, line) | names
            for name, line in names.items():
                if self.definitions.lack([place], name) != "no":
                    self.lines[place, name] = (key, line)
            if fact.exports:
                self._add_unexported(fact, key, codebase)
        self.put_back = frozenset[tuple[str, str]]()
        if self.lines:
            known, self.put_back = put_back(codebase, self.after)
            known |= {each for each in self.lines if is_set_by_package(*each, codebase.head)}
            self.lines = {each: line for each, line in self.lines.items() if each not in known}
        self.names = frozenset(name for _, name in self.lines)
        self._lacks: dict[tuple[str, ...], frozenset[str]] = {}

    def _add_unexported(self, fact: FileLosses, key: str, codebase: Codebase) -> None:
        """Add what modules lose that import all of a module, as its ``__all__`` no longer lists it."""
        kept = self.after.of(fact.path, by_star=True)
        lost = self.before.of(fact.path, by_star=True).names - kept.names
        if not lost or kept.openness != "closed":
            return
        place, there = place_of(fact.path), self.after.of(fact.path).names
        self.unexported.update((place, name) for name in lost & there)
        for name in lost:
            if name in there or (place, name) not in self.lines:
                self.lines[place, name] = key, fact.exports
                self._passed_on |= set() if name in there else {(place, name)}
        waiting, seen = [fact.path], {fact.path}
        while waiting:
            for path in _star_importers(waiting.pop(), codebase.base):
                place = place_of(path)
                held = lost & self.before.of(path).names
                for name in held:
                    is_found = (place, name) in self.lines and (place, name) not in self._passed_on
                    if not is_found and self.definitions.lack([place], name) != "no":
                        self.unexported.add((place, name))
                        self.lines[place, name] = key, fact.exports
                if held and path not in seen:
                    seen.add(path)
                    waiting.append(path)

    def hides(self, places: list[str], name: str) -> bool:
        """Return whether a star import of some places no longer brings a name that one of them still has."""
        return any((place, name) in self.unexported for place in places)

    def lacks_one(self, places: list[str], names: frozenset[str]) -> bool:
        """Return whether some places had at the base, and lack at the head, one of some lost names."""
        known = self._lacks.get(tuple(places))
        if known is None:
            before = frozenset[str]().union(*(self.before.at(place).names for place in places)) if names else names
            known = frozenset(
                name
                for name in self.names & before
                if self.definitions.lack(places, name) != "no" or self.hides(places, name)
            )
            if names:
                self._lacks[tuple(places)] = known
        return not known.isdisjoint(names)

    def owner(self, places: list[str], name: str) -> str | None:
        """Return the module that lost a name, if it is what one of some places had at the base.

        A module below one of them is no name that another lost; ``api/removed-module`` says that it is gone.
        """
        if not any(name in self.before.at(place).names for place in places):
            return None
        direct = next((place for place in places if (place, name) in self.lines), None)
        if direct is None and any(self.before.tree.at(f"{place}/{name}").kind != "missing" for place in places):
            return None
        return direct or min((owner for owner, each in self.lines if each == name), default=None)


def _star_importers(path: str, side: Snapshot) -> Iterator[str]:
    """Yield the modules of one side that import all of the module in a file."""
    tree, name = module_tree(side), place_of(path).rpartition("/")[2]
    for other in files_with(side, [name], ".py"):
        text = side.text(other) or ""
        found = side.tree(other) if _STAR.search(text) else None
        for each in () if found is None else star_imports(found):  # those too whose error is caught
            places = places_of(each.module or "", each.level, other, tree)
            if any(path in tree.at(place).files for place in places):
                yield other
                break
