"""Names that no module of the standard library has: ``logging.get_logger``, ``from typing import Enum``.

Nothing is reported where the code asks for the name or for a version, or handles the error, where the base sets the
attribute or names that are computed, and where a module of the repository may be meant that has it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.attribute_guards import unguarded_uses
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.outside_stores import OutsideStores, standard_modules_set
from review_bot.analysis.facts.running_code import Scope
from review_bot.analysis.project.added_imports import AddedImport
from review_bot.analysis.project.generated_modules import kind_of
from review_bot.analysis.project.import_guards import Guards
from review_bot.analysis.project.missing_modules import is_asked_for, is_excused
from review_bot.analysis.project.module_definitions import ModuleDefinitions
from review_bot.analysis.project.module_reads import Read, added_reads, root_of
from review_bot.analysis.project.module_tree import module_tree
from review_bot.analysis.project.notebooks import imports_and_code
from review_bot.analysis.project.prepared_modules import prepares, tells_finder
from review_bot.analysis.project.standard_names import lacks_of_module, standard_modules, standard_names
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Span, hit_over

_MOST_ALIKE = 20
"""Missing names for which one is looked for that is spelled alike."""
_LONGEST = 100
"""Code points of the longest name for which one is looked for that is spelled alike."""


_LOADED_BY_PYTHON = frozenset({"abc", "builtins", "codecs", "io", "os", "site", "stat", "sys", "time"})
"""Modules that Python has loaded before it looks for any other, so that none can take their place."""


class Facts(NamedTuple):
    """What one file asks the standard library for in vain: by imports, and by reads if their names mean its modules."""

    imports: tuple[AddedImport, ...]
    reads: tuple[Read, ...]


class _Missing(NamedTuple):
    """A name that a module lacks, where a file asks for it; ``sure``: the file asks nowhere whether it is there."""

    path: str
    module: str
    name: str
    span: Span
    sure: bool = True


def gather(source: SourceFile) -> Facts | None:
    """Return what one file may ask the standard library for in vain. Raises CannotParse, CannotRead."""
    added, _ = imports_and_code(source)
    imports = tuple(each for each in added if any(_lacking(each)))
    tops = {module.partition(".")[0] for module in standard_modules()}
    found = added_reads(source, lambda imported: imported.partition(".")[0] in tops)
    reads = tuple(read for read, owners in found if any(_lacks(module, read.name) for module in owners))
    return Facts(imports, reads) if imports or reads else None


def _lacks(module: str, name: str) -> bool:
    known = standard_names(module)
    if known is None:
        return lacks_of_module(module, name)
    return name not in known and not name.startswith("_")


def _lacking(statement: AddedImport) -> Iterator[tuple[str, str, Span]]:
    """Yield the module, the name that it lacks, and the place of each; a submodule is a name of its package."""
    if statement.level:
        return
    parts = statement.module.split(".")
    for number in range(1, len(parts) if statement.new else 1):
        if _lacks(".".join(parts[:number]), parts[number]):
            yield ".".join(parts[:number]), parts[number], statement.span
    for each in statement.names:
        if each.name != "*" and _lacks(statement.module, each.name):
            yield statement.module, each.name, each.span


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each name that nothing in the repository provides."""
    found = [each for path, fact in sorted(facts.items()) for each in _missing(path, fact, codebase)]
    opened = standard_modules_set(codebase) if found else frozenset[str]()
    found = [each for each in found if each.module not in opened]
    outside = OutsideStores(frozenset(each.name for each in found), codebase)
    others, instead = _Others(codebase), dict[tuple[str, str], str]()
    for each in found:
        if each.name not in outside.names(each.path) and not others.may_have(each.module, each.name, each.path):
            key = each.module, each.name
            if key not in instead:
                instead[key] = _instead(*key) if len(instead) < _MOST_ALIKE else ""
            yield _hit(each, instead[key])


def _missing(path: str, fact: Facts, codebase: Codebase) -> Iterator[_Missing]:
    for statement in fact.imports:
        for module, name, span in _lacking(statement):
            full = f"{module}.{name}"
            expected = statement.conditional and is_excused(statement, full, path, codebase, sets_path=False)
            provided = prepares(path, full, codebase, statement) or tells_finder(path, full, codebase, statement)
            if not expected and not provided:
                yield _Missing(path, module, name, span)
    file = call_targets(codebase.head).file(path) if fact.reads else None
    if file is None:
        return
    reads = {(read.node_line, read.node_end): read for read in fact.reads}
    before = call_targets(codebase.base).file(path)
    uses = {
        each.use.node: each
        for each in unguarded_uses(file, before, frozenset(read.name for read in fact.reads))
        if (each.use.node.end_lineno, each.use.node.end_col_offset) in reads
    }
    conditions = Guards(file.tree).around(uses)
    for node, each in sorted(uses.items(), key=lambda pair: (pair[0].lineno, pair[0].end_col_offset or 0)):
        module = _meant(file, node, each.use.scopes)
        full = f"{module}.{node.attr}"
        if not _lacks(module, node.attr) or node not in conditions:
            continue
        if not is_asked_for(full, conditions[node], path, codebase) and not prepares(path, module, codebase):
            read = reads[last_line(node), node.end_col_offset or 0]
            yield _Missing(path, module, node.attr, read.span, sure=not each.asked)


def _meant(file: CodeFile, node: ast.Attribute, scopes: tuple[Scope, ...]) -> str:
    """Return the module of the standard library that an attribute is read from, or nothing."""
    root = root_of(node)
    imported = None if root is None else file.imported(root.id, scopes)
    if root is None or imported is None or not imported.standard:
        return ""
    rest = (dotted(node.value) or "").removeprefix(root.id)
    return f"{imported.standard}{'.' if imported.name else ''}{imported.name}{rest}"


def _hit(missing: _Missing, instead: str) -> Hit:
    values = {"module": missing.module, "name": missing.name, "instead": instead}
    hit = hit_over(missing.span, values=values, path=missing.path, subject=missing.module)
    return hit if missing.sure else hit._replace(severity="warning")


def _instead(module: str, name: str) -> str:
    """Return the end of the message: what is spelled alike in a module, or which module has the name."""
    if lacks_of_module(module, name):
        return f"; the module `{module.partition('.')[0]}` has it"
    from difflib import get_close_matches  # needed for findings alone

    alike = get_close_matches(name[:_LONGEST], sorted(standard_names(module) or ()), 1, 0.8)
    owner = next((each for each in standard_modules() if name in (standard_names(each) or ())), None)
    return f"; it has `{alike[0]}`" if alike else f"; `{owner}` has it" if owner else ""


class _Others:
    """The modules of the repository that an import may mean in place of one of the standard library."""

    def __init__(self, codebase: Codebase) -> None:
        self._codebase, self._definitions = codebase, ModuleDefinitions(codebase)
        self._head, self._base = module_tree(codebase.head), module_tree(codebase.base)

    def may_have(self, module: str, name: str, path: str) -> bool:
        """Return whether such a module may have a name, where Python may look when it runs a file.

        In a package it looks only if it runs a file of it as a script, which is believed of the base alone.
        """
        inner = module.replace(".", "/")
        top = inner.partition("/")[0]
        if top in _LOADED_BY_PYTHON:
            return False
        parts = path.split("/")[:-1]
        folders = {*self._head.roots, *("/".join(parts[:depth]) for depth in range(len(parts) + 1))}
        for folder in folders:
            start = f"{folder}/" if folder else ""
            is_package = self._head.package_above(f"{start}_", 1) is not None
            if is_package and self._base.at(f"{start}{top}").kind not in {"module", "opaque"}:
                continue
            if kind_of(f"{start}{top}", self._codebase) not in {"module", "opaque"}:
                continue
            if self._definitions.lack([f"{start}{inner}"], name) != "surely":
                return True
        return False


CHECK = change_check(gather, relate, CheckTraits(literals=("import",), doubted=True))
