"""Follows a name of a file's top level to its definition, through imports by name and by star."""

from __future__ import annotations

from collections.abc import Callable

from review_bot.analysis.facts.code_file import CodeFile, Imported
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.project.module_names import modules
from review_bot.analysis.project.module_tree import module_tree
from review_bot.changes.codebase import Snapshot

DEEPEST = 8
"""Steps that are followed, from one file to the next or from a class to its base."""


class ImportedNames:
    """The names that the files of one side import. ``file`` returns a file, or None if it cannot be read."""

    def __init__(self, side: Snapshot, file: Callable[[str], CodeFile | None]) -> None:
        self._tree, self._modules, self._file = module_tree(side), modules(side), file

    def symbol(self, file: CodeFile, name: str, depth: int = 0) -> Symbol | None:
        """Return what a top-level name of a file means, or None where that is not known."""
        if name in file.defined:
            return Symbol(file.path, name)
        if depth > DEEPEST:
            return None
        imported = file.imports.get(name)
        return self._by_star(file, name, depth) if imported is None else self.of_import(imported, depth)

    def of_import(self, imported: Imported, depth: int = 0) -> Symbol | None:
        """Return what an import brings, or None where that is not known."""
        for place in imported.places if imported.name else ():
            for path in self._tree.at(place).files:
                module = self._file(path)
                found = None if module is None else self.symbol(module, imported.name, depth + 1)
                if found is not None:
                    return found
        return None

    def _by_star(self, file: CodeFile, name: str, depth: int) -> Symbol | None:
        """Return what a name means that only a star import may bring: the last one of a module that has it."""
        for places in () if not file.stars or file.binds_otherwise(name) else reversed(file.stars):
            paths = [path for place in places for path in self._tree.at(place).files]
            module = self._file(paths[0]) if len(paths) == 1 else None
            brought = self._modules.of(paths[0], by_star=True) if module is not None else None
            if module is None or brought is None or brought.openness != "closed":
                return None
            if name in brought.names:
                return self.symbol(module, name, depth + 1)
        return None
