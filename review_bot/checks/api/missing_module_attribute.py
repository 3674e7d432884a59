"""Added reads of an attribute that a module, a file of this repository, does not have.

::

    from pkg import core;  core.nope()      pkg/core.py binds no ``nope``
    import pkg.core;  pkg.core.nope()       the same

Imports of such names are reported by ``missing_name_import``, uses of what the change removes by ``removed_name``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.attribute_guards import sets_attribute, unguarded_uses
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import CodeFile, Imported
from review_bot.analysis.facts.outside_stores import OutsideStores, modules_open_from_outside, stored_on_modules
from review_bot.analysis.facts.running_code import Scope
from review_bot.analysis.facts.word_search import unused_copies, words_held
from review_bot.analysis.project.manifests import runs_a_release
from review_bot.analysis.project.missing_modules import is_own, sets_path
from review_bot.analysis.project.module_definitions import Lack, ModuleDefinitions
from review_bot.analysis.project.module_names import code_strings, modules
from review_bot.analysis.project.module_reads import Read, added_reads, imported_names, is_special, root_of
from review_bot.analysis.project.module_tree import is_standard, module_tree, places_of, relative_name
from review_bot.analysis.project.notebooks import code_of
from review_bot.analysis.project.prepared_modules import is_stubbed, prepares
from review_bot.analysis.python.module_body import star_imports
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.python_parsing import CannotParse, CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, hit_over
from review_bot.rules.scope import is_test

_MOST_ALIKE = 20
"""Missing names for which one is looked for that is spelled alike."""


class _Missing(NamedTuple):
    """A read of what a module lacks; ``sure``: nothing that the change adds could provide it."""

    path: str
    read: Read
    place: str
    sure: bool


def gather(source: SourceFile) -> tuple[Read, ...] | None:
    """Return the added reads of attributes of imported names. Raises CannotParse."""
    reads = added_reads(source, lambda imported: not is_standard(imported.partition(".")[0]))
    return tuple(read for read, _ in reads) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each read of what its module lacks."""
    roots = module_tree(codebase.head).roots
    for each, alike in _reported(facts, codebase):
        hit = _hit(each, relative_name(each.place, roots), alike, sure=each.sure)
        was_there = each.read.name in modules(codebase.base).at(each.place).names
        yield hit._replace(subject=f"{hit.subject} as it was") if was_there else hit


def reported_reads(path: str, names: frozenset[str], codebase: Codebase) -> frozenset[tuple[int, int]]:
    """Return where reads of some names end, in the code of a file, that this rule reports if the change adds them."""
    file = SourceFile(ChangedFile(path, None, "added", "text"), codebase.head.text(path), None)
    try:
        reads = tuple(each for each in gather(file.all_added()) or () if each.name in names)
    except (CannotParse, CannotRead):
        return frozenset()
    return frozenset((each.read.node_line, each.read.node_end) for each, _ in _reported({path: reads}, codebase))


def _reported(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[tuple[_Missing, str | None]]:
    """Yield each read of what its module lacks, with the name there that is spelled most like it."""
    found = list(_Search(codebase).missing(facts))
    outside = OutsideStores(frozenset(each.read.name for each in found), codebase, on_modules=True)
    found = [each for each in found if each.read.name not in outside.names(each.path)]
    set_on = _set_on(found, codebase.head)
    open_now = modules_open_from_outside(codebase.head) if found else frozenset[str]()
    known: dict[tuple[str, str], str | None] = {}
    for each in found:
        name, place = each.read.name, each.place
        if place in open_now and place in modules_open_from_outside(codebase.base):
            continue
        if (place, name) not in known:
            known[place, name] = _alike(name, place, codebase.head) if len(known) < _MOST_ALIKE else None
        kinds = {is_test(each.path), False}
        is_set = any(not {place, ""}.isdisjoint(set_on.get((name, kind), ())) for kind in kinds)
        if known[place, name] == name:
            continue  # it is imported there, from where it is not: another rule reports that
        sure = each.sure and not is_set and place not in open_now
        yield each._replace(sure=sure), known[place, name]


def _set_on(found: Iterable[_Missing], head: Snapshot) -> dict[tuple[str, bool], frozenset[str]]:
    """Return the places of the modules on which files set each name, by whether these are tests."""
    names = frozenset(each.read.name for each in found)
    places: dict[tuple[str, bool], frozenset[str]] = {}
    for path, held in words_held(head, names).items() if names else ():
        for name in held if path.endswith(".py") else ():
            key = name, is_test(path)
            places[key] = places.get(key, frozenset()) | stored_on_modules(path, name, head)
    return places


def _alike(name: str, place: str, side: Snapshot) -> str | None:
    """Return the name of a module that is spelled most like another."""
    names = modules(side).at(place).names
    public = [each for each in sorted(names) if not is_special(each)]
    from difflib import get_close_matches  # needed for findings alone

    return next(iter(get_close_matches(name, public, 1, 0.75)), None)


def _hit(missing: _Missing, module: str, alike: str | None, *, sure: bool) -> Hit:
    read = missing.read
    instead = f"; it defines `{alike}`" if alike else ""
    doubtful = f"`{module}` does not define `{read.name}`{instead}; only an assignment at run time could provide it."
    return hit_over(
        read.span,
        values={"module": module, "name": read.name, "instead": instead},
        path=missing.path,
        subject=module,
        severity=None if sure else "warning",
        message=None if sure else doubtful,
    )


class _Search:
    """Finds the reads of what modules of the tree lack."""

    def __init__(self, codebase: Codebase) -> None:
        self._codebase, self._tree = codebase, module_tree(codebase.head)
        self._targets, self._modules = call_targets(codebase.head), modules(codebase.head)
        self._definitions = ModuleDefinitions(codebase)
        self._unused = unused_copies(codebase.head)
        self._lacks: dict[tuple[str, str], Lack] = {}
        self._below: dict[tuple[str, str], str | None] = {}

    def missing(self, facts: Mapping[str, Any]) -> Iterator[_Missing]:
        """Yield each such read, in the order of the files and lines."""
        for path in sorted(facts):
            file = None if path in self._unused else self._targets.file(path)
            if file is not None and any(each.places for each in file.imports.values()):
                reads = {(read.node_line, read.node_end): read for read in facts[path]}
                yield from sorted(self._in_file(file, reads), key=lambda each: each.read.span)

    def _in_file(self, file: CodeFile, reads: Mapping[tuple[int, int], Read]) -> Iterator[_Missing]:
        before = call_targets(self._codebase.base).file(file.path)
        believed: dict[tuple[str, str], bool] = {}
        for use, asked in unguarded_uses(file, before, frozenset(read.name for read in reads.values())):
            node, root = use.node, root_of(use.node)
            read = reads.get((last_line(node), node.end_col_offset or 0))
            place = None if read is None or root is None else self._place(file, node.value, use.scopes)
            if read is None or root is None or place is None or (lack := self._lack(place, node.attr)) == "no":
                continue
            if (root.id, place) not in believed:
                is_meant = self._is_own(file, root.id) and not self._means_another(file, place)
                believed[root.id, place] = is_meant and not self._is_replaced(file.path, place)
            if believed[root.id, place]:
                is_set = asked or sets_attribute(file, node, place, self._targets)
                sure = lack == "surely" and not is_set
                yield _Missing(file.path, read, place, sure)

    def _means_another(self, file: CodeFile, place: str) -> bool:
        """Return whether a file imports a module that only another package of this name had at the base."""
        before = module_tree(self._codebase.base)
        inner = (each for found in file.imports.values() for each in found.places if each.startswith(f"{place}/"))
        lacking = (each for each in inner if self._tree.at(each).kind == "missing" == before.at(each).kind)
        return any(before.anywhere(relative_name(each, before.roots)) for each in lacking)

    def _lack(self, place: str, name: str) -> Lack:
        if (place, name) not in self._lacks:
            self._lacks[place, name] = self._definitions.lack([place], name)
        return self._lacks[place, name]

    def _place(self, file: CodeFile, expression: ast.expr, scopes: tuple[Scope, ...]) -> str | None:
        """Return the place of the one module that an expression means; None if it may mean anything else."""
        if isinstance(expression, ast.Attribute):
            package = self._place(file, expression.value, scopes)
            return None if package is None else self._member(package, expression.attr)
        imported = file.imported(expression.id, scopes) if isinstance(expression, ast.Name) else None
        if imported is None or len(imported.places) != 1:
            return None
        (place,) = imported.places
        return self._member(place, imported.name) if imported.name else self._whole(place)

    def _whole(self, place: str) -> str | None:
        """Return the place of ``import a.b.c as x``, if each package on the way has the next as its attribute."""
        package, _, name = place.rpartition("/")
        if package and self._tree.at(package).kind == "module":
            found = self._whole(package)
            return None if found is None else self._member(found, name)
        return place if self._tree.at(place).kind == "module" else None

    def _member(self, package: str, name: str) -> str | None:
        """Return the place of the module that is an attribute of a module: a submodule, or one that it imports."""
        if (package, name) not in self._below:
            self._below[package, name] = None  # what leads back to itself is no module
            self._below[package, name] = self._find_member(package, name)
        return self._below[package, name]

    def _find_member(self, package: str, name: str) -> str | None:
        found, contents = self._tree.at(package), self._modules.at(package)
        inner = f"{package}/{name}"
        below = inner if self._tree.at(inner).kind == "module" else None
        file = self._targets.file(found.files[0]) if found.kind == "module" else None
        if file is None:
            return below if found.kind == "folder" else None
        if name in contents.names:
            imported = file.imported(name, ())
            is_below = imported in {Imported((package,), name), Imported((inner,), "")}
            return below if is_below else self._place(file, ast.Name(name, ast.Load()), ())
        if contents.openness != "closed" and (star_imports(file.tree) or name in set(code_strings(file.tree))):
            return None
        return below

    def _is_own(self, file: CodeFile, root: str) -> bool:
        """Return whether the imports that bind a name in a file can only mean a package of this repository.

        Those of something else, such as one in another function, are not what the place was found by.
        """
        statements = imported_names(nodes_of(file.tree, ast.Import), nodes_of(file.tree, ast.ImportFrom))
        tops = {module for name, module in statements if module and name == root}
        tops = {module for module in tops if self._is_in_tree(module.partition(".")[0], file.path)}
        if not tops:
            return True
        sets = sets_path(code_of(file.path, self._codebase.head) or "")
        own = all(is_own(module, file.path, self._codebase, sets_path=sets) for module in tops)
        return own and not runs_a_release(self._codebase, file.path)

    def _is_in_tree(self, top: str, path: str) -> bool:
        return not is_standard(top) and bool(places_of(top, 0, path, self._tree))

    def _is_replaced(self, path: str, place: str) -> bool:
        dotted = relative_name(place, self._tree.roots)
        return prepares(path, dotted, self._codebase) or is_stubbed(dotted, path, self._codebase)


CHECK = change_check(gather, relate, CheckTraits(literals=("import",), doubted=True))
