"""Which names the modules of the head lack."""

from __future__ import annotations

import re
from typing import Literal

from review_bot.analysis.project.generated_modules import kind_of, may_be_generated
from review_bot.analysis.project.module_names import FOLDER, forwards, modules
from review_bot.analysis.project.module_tree import module_tree, relative_name
from review_bot.analysis.project.prepared_modules import has_import_hooks
from review_bot.analysis.project.uncalled_functions import is_uncalled
from review_bot.changes.codebase import Codebase

Lack = Literal["no", "perhaps", "surely"]
"""``perhaps``: only what the change itself adds, such as ``__getattr__``, could still provide the name."""

_ORDER: tuple[Lack, ...] = ("no", "perhaps", "surely")


class ModuleDefinitions:
    """Which names modules of the head lack; each module is read once."""

    def __init__(self, codebase: Codebase) -> None:
        self._codebase, self._tree, self._modules = codebase, module_tree(codebase.head), modules(codebase.head)

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
        if found.openness == "open" or is_bound or name in found.strings:
            return "no"
        files = self._tree.at(place).files
        is_package = kind == "folder" or any(path.endswith("/__init__.py") for path in files)
        inner = f"{place}/{name}" if is_package else place  # no build puts a module below one that is no package
        dotted = relative_name(inner, self._tree.roots)
        if may_be_generated(inner, dotted, self._codebase):
            return "no"
        if kind == "folder" and has_import_hooks(inner, dotted, self._codebase):
            return "no"
        if found.openness != "closed" and any(map(self._forwards, files)):
            return "no"
        return "surely" if found.openness == "closed" else "perhaps"

    def _forwards(self, path: str) -> bool:
        tree = self._codebase.head.tree(path)
        return tree is not None and forwards(tree)
