"""A name that the change removes from a module, and imports of it whose ImportError is caught.

::

    try:
        from pkg.kernels import fused_norm      the change removes it: from now on this always fails
    except ImportError:
        fused_norm = None

Nothing breaks, and the code behind the import never runs again. Imports that nothing catches are the matter of
``removed_name``, modules that are gone of ``guarded_module_left_behind``. Silent where the handler imports something
instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.added_imports import (
    AddedImport,
    file_imports,
    guarded_imports,
    may_guard_an_import_of,
)
from review_bot.analysis.project.manifests import runs_a_release
from review_bot.analysis.project.missing_modules import is_own, missing_module, sets_path
from review_bot.analysis.project.module_definitions import ModuleDefinitions
from review_bot.analysis.project.module_names import modules
from review_bot.analysis.project.module_tree import module_tree, place_of, places_of, relative_name
from review_bot.analysis.project.notebooks import code_of, line_in_file
from review_bot.analysis.project.prepared_modules import prepares
from review_bot.analysis.project.wording import MOST_RELATED, names_in_words, places_in_words
from review_bot.changes.codebase import Codebase
from review_bot.checks.api.removed_name import gather
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_set_aside


class Removal(NamedTuple):
    """Where the change removes something: a line of the base, or a whole file."""

    path: str
    line: int | None = None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for what some imports lose of a module; these imports are the related places."""
    tree, definitions = module_tree(codebase.head), ModuleDefinitions(codebase)
    names: dict[tuple[str, str], Removal] = {}
    for path, fact in sorted(facts.items()):
        place = place_of(fact.path)
        if tree.at(place).kind == "module":
            lost = (each for each in fact.names if definitions.lack([place], each[0]) == "surely")
            names.update(((place, name), Removal(path, line)) for name, line in lost)
    yield from guarded_uses(Lost(names, {}, codebase), codebase)


def guarded_uses(lost: Lost, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for what is removed and still named by guarded imports of the head, and the same ones."""
    added = codebase.change.added_numbers()
    found: dict[Removal, list[tuple[str, Related]]] = {}
    for path in files_with(codebase.head, lost.words) if lost.words else ():
        text = code_of(path, codebase.head) or ""
        if not ("except" in text or "suppress" in text) or not may_guard_an_import_of(text, lost.words):
            continue
        if is_set_aside(path) or runs_a_release(codebase, path):
            continue
        # What the file imports of them without a guard fails first.
        failing = {name for each in file_imports(path, text) for _, name in lost.named_by(each, path, text)}
        for statement in guarded_imports(path, text):
            line = line_in_file(path, statement.line, codebase.head)
            if line in added.get(path, ()) or _is_replaced(statement, path, text):
                continue
            for removal, name in lost.named_by(statement, path, text):
                if name in failing:
                    continue
                found.setdefault(removal, []).append((name, Related(path, line, "imports it in a `try`")))
    alike: dict[tuple[str, tuple[Related, ...]], list[tuple[int | None, str]]] = {}
    for removal, uses in sorted(found.items(), key=lambda item: (item[0].path, item[0].line or 0)):
        users = tuple(sorted({place for _, place in uses}))
        alike.setdefault((removal.path, users), []).extend((removal.line, name) for name, _ in uses)
    for (removed, users), lost_names in alike.items():
        shown, alone = places_in_words(users)
        names = names_in_words(name for _, name in lost_names)
        yield Hit(
            lost_names[0][0],
            side="LEFT",
            values={"users": shown, "verb": "imports" if alone else "import", "names": names},
            path=removed,
            related=users[:MOST_RELATED],
            statement=f"removed {names}",
        )


def _is_replaced(statement: AddedImport, path: str, text: str) -> bool:
    """Return whether the handler imports something where this import fails."""
    tried = (statement.module, statement.level)
    others = (*file_imports(path, text), *guarded_imports(path, text))
    return any(tried == (one.module, one.level) for each in others for one in each.instead)


class Lost:
    """The names and modules that the base had and the head surely lacks. ``words``: what names them in an import.

    Names are keyed by the place of their module.
    """

    def __init__(
        self, names: Mapping[tuple[str, str], Removal], gone: Mapping[str, Removal], codebase: Codebase
    ) -> None:
        self._names, self._gone, self._codebase = names, gone, codebase
        self._tree, self._before = module_tree(codebase.head), modules(codebase.base)
        self._definitions = ModuleDefinitions(codebase)
        self.words = {place.rpartition("/")[2] for place in gone} | {name for _, name in names}

    def named_by(self, statement: AddedImport, path: str, text: str) -> Iterator[tuple[Removal, str]]:
        """Yield what an import names of it."""
        places = places_of(statement.module, statement.level, path, self._tree)
        sets = sets_path(text)
        if removal := next((self._gone[place] for place in places if place in self._gone), None):
            module = missing_module(statement, path, self._codebase, sets_path=sets)
            if module is not None:
                yield removal, module
            return
        if not places or (not statement.level and not is_own(statement.module, path, self._codebase, sets_path=sets)):
            return
        for each in statement.names:
            removal = self._removal_of(places, each.name)
            if removal is None or self._definitions.lack(places, each.name) != "surely":
                continue
            dotted = relative_name(places[0], self._tree.roots)
            if not any(prepares(path, name, self._codebase, statement) for name in (f"{dotted}.{each.name}", dotted)):
                yield removal, each.name

    def _removal_of(self, places: list[str], name: str) -> Removal | None:
        """Return where the change removes what a name of a module, at one of some places, was at the base."""
        for place in places:
            direct = self._gone.get(f"{place}/{name}") or self._names.get((place, name))
            if direct is not None:
                return direct
            if name in self._before.at(place).names:  # which it had from another module
                owner = min((each for each in self._names if each[1] == name), default=None)
                return None if owner is None else self._names[owner]
        return None


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True, on_lines=False))
