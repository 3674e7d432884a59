"""Which names the modules of the head lack."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal

from review_bot.analysis.project.generated_modules import has_generated_name, holds_extension, kind_of, may_be_generated
from review_bot.analysis.project.module_getattr import hands_on
from review_bot.analysis.project.module_names import FOLDER, Modules, modules
from review_bot.analysis.project.module_tree import is_standard, module_tree, places_of, relative_name
from review_bot.analysis.project.prepared_modules import has_import_hooks
from review_bot.analysis.project.uncalled_functions import is_uncalled
from review_bot.analysis.python.module_body import bound_by, bound_later, run_on_import, star_imports
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import kept_on_node

Lack = Literal["no", "perhaps", "surely"]
"""``perhaps``: only what the change itself adds, such as ``__getattr__``, could still provide the name."""

_ORDER: tuple[Lack, ...] = ("no", "perhaps", "surely")


def brings_module(path: str, module: str, level: int, imported: str, known: Modules) -> bool:
    """Return whether an import in a file surely brings a module, and one that cannot be called; see ``places_of``.

    Modules that replace themselves in ``sys.modules`` may be anything; those of the standard library do not.
    """
    places = places_of(module, level, path, known.tree)
    if imported:
        if any(known.at(each).openness != "closed" or imported in known.at(each).names for each in places):
            return False
        places = [f"{each}/{imported}" for each in places]
    elif not places:
        return is_standard(module.partition(".")[0])
    files = [file for each in places for file in known.tree.at(each).files]
    is_meant = all(known.tree.is_meant(file, path) for file in files)
    return bool(places) and is_meant and all(known.at(each).openness == "closed" for each in places)


class ModuleDefinitions:
    """Which names modules of the head lack; each module is read once."""

    def __init__(self, codebase: Codebase) -> None:
        self._codebase, self._tree, self._modules = codebase, module_tree(codebase.head), modules(codebase.head)
        self._round: dict[tuple[str, str], bool] = {}

    def lack(self, places: list[str], name: str, *, for_stub: bool = False) -> Lack:
        """Return whether the module is known and has no such name, at none of its places.

        ``for_stub``: as a type checker sees it, which reads a stub next to a module, and branches that never run.
        """
        if for_stub and any(self._is_seen_by_checkers(place, name) for place in places):
            return "no"
        return min((self._lacks(place, name) for place in places), key=_ORDER.index, default="no")

    def _is_seen_by_checkers(self, place: str, name: str) -> bool:
        found = self._tree.at(place)
        if any(path.replace(".py", ".pyi") in self._tree.paths for path in found.files):
            return True
        word = re.compile(rf"\b{re.escape(name)}\b")
        return any(word.search(self._codebase.head.text(path) or name) for path in found.files)

    def _lacks(self, place: str, name: str) -> Lack:
        kind = kind_of(place, self._codebase)
        if kind not in {"module", "folder"} or kind_of(f"{place}/{name}", self._codebase) != "missing":
            return "no"
        found = FOLDER if kind == "folder" else self._modules.at(place)
        later = [function for each, function in found.later if each == name]
        is_bound = name in found.names and not (later and all(is_uncalled(self._codebase.head, each) for each in later))
        is_bound = is_bound and not self._goes_round(place, name)
        if found.openness == "open" or is_bound or name in found.strings:
            return "no"
        files = self._tree.at(place).files
        is_package = kind == "folder" or any(path.endswith("/__init__.py") for path in files)
        inner = f"{place}/{name}" if is_package else place
        dotted = relative_name(inner, self._tree.roots)
        # No build puts a module below one that is no package, but it may write that one again.
        made = (
            may_be_generated(inner, dotted, self._codebase)
            if is_package
            else has_generated_name(inner, dotted, self._codebase)
        )
        if made:
            return "no"
        if kind == "folder" and (
            has_import_hooks(inner, dotted, self._codebase) or holds_extension(self._codebase.base, place)
        ):
            return "no"
        if found.openness != "closed" and any(map(self._hands_on, files)):
            return "no"
        return "surely" if found.openness == "closed" else "perhaps"

    def _goes_round(self, place: str, name: str) -> bool:
        """Return whether modules only import a name from each other, so that none of them ever has it."""
        passed: list[tuple[str, str]] = []
        each: tuple[str, str] | None = (place, name)
        while each is not None and each not in self._round:
            self._round[each] = True  # unless the way from here ends somewhere
            passed.append(each)
            each = self._taken_from(*each)
        found = each is not None and self._round[each]
        self._round.update(dict.fromkeys(passed, found))
        return found

    def _taken_from(self, place: str, name: str) -> tuple[str, str] | None:
        """Return the module and the name in it that an import takes a name from, if nothing else binds it."""
        files = self._tree.at(place).files
        tree = self._codebase.head.tree(files[0]) if len(files) == 1 else None
        taken = None if tree is None else _imported_alone(tree).get(name)
        if taken is None or self._modules.at(place).openness != "closed":
            return None
        module, level, original = taken
        places = places_of(module, level, files[0], self._tree)
        if len(places) != 1 or self._tree.at(f"{places[0]}/{original}").kind != "missing":
            return None
        return places[0], original

    def _hands_on(self, path: str) -> bool:
        tree = self._codebase.head.tree(path)
        return tree is not None and hands_on(tree)


@kept_on_node
def _imported_alone(tree: ast.Module) -> Mapping[str, tuple[str, int, str]]:
    """Return the names that one ``from`` import binds and nothing else: its module, its dots, and the name there."""
    if star_imports(tree):
        return {}
    found: dict[str, tuple[str, int, str]] = {}
    bound: Counter[str] = Counter(name for name, _ in bound_later(tree))
    for statement in run_on_import(tree):
        bound.update(bound_by(statement))
        if isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                found[alias.asname or alias.name] = (statement.module or "", statement.level, alias.name)
    return {name: taken for name, taken in found.items() if bound[name] == 1}
