"""A name that the change removes from a module, and the files of the tree that still import or use it.

Private names are no exception. Imports on added lines are reported by ``missing_name_import``, uses on them by
``missing_module_attribute``, imports of a removed module by ``removed_module``. What could still provide the name keeps
this silent.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.attribute_guards import sets_attribute, unguarded_uses
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.former_links import behind_links
from review_bot.analysis.facts.global_reads import global_reads
from review_bot.analysis.facts.outside_stores import OutsideStores
from review_bot.analysis.facts.removed_names import FileLosses, RemovedNames
from review_bot.analysis.facts.word_search import unused_copies, words_held
from review_bot.analysis.project.added_imports import AddedImport, file_imports
from review_bot.analysis.project.dynamic_imports import TABLE
from review_bot.analysis.project.import_clauses import import_clauses
from review_bot.analysis.project.manifests import runs_a_release
from review_bot.analysis.project.missing_modules import is_prepared, sets_path
from review_bot.analysis.project.module_getattr import given_by_getattr
from review_bot.analysis.project.module_names import code_strings
from review_bot.analysis.project.module_tree import place_of, places_of, relative_name
from review_bot.analysis.project.notebooks import Additions, code_of, line_in_file
from review_bot.analysis.project.prepared_modules import prepares
from review_bot.analysis.project.wording import MOST_RELATED, names_in_words, places_in_words
from review_bot.analysis.python.module_body import bound_by, bound_later, run_on_import, star_imports, top_level_names
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_lines import last_line, lines_of
from review_bot.changes.repository import was_link
from review_bot.changes.source_file import SourceFile
from review_bot.checks.api.missing_module_attribute import reported_reads
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_ATTRIBUTE = LazyRegex(r"(?m)(?:\.[\s\\]*|^[ \t\f]*)(\w+)")
"""A word behind a dot, or at the start of a line: in brackets, a comment may be between the two."""

_AROUND_DOT = frozenset(" \t\f\r\n\\)")


class Use(NamedTuple):
    """A place that needs a removed name. ``owner``: the module, by its path without suffix, that had it.

    ``is_new``: the change adds it, so that it is no left-over.
    """

    owner: str
    name: str
    place: Related
    sure: bool
    is_new: bool = False


def gather(source: SourceFile) -> FileLosses | None:
    """Return what a module binds no longer."""
    path = source.change.base_path
    moved = place_of(path) != place_of(source.change.path)
    if not path.endswith(".py") or not source.old_text or not (source.removed or source.added or moved):
        return None
    if (old := source.known_old_tree) is None:
        return FileLosses(path, (), ()) if was_link(source.change) else None
    kept: frozenset[str] = frozenset()
    stars: set[tuple[str, int]] = set()
    if source.text is not None and not moved:
        kept = top_level_names(source.tree) - {name for name, _ in bound_later(source.tree) - bound_later(old)}
        stars = {(each.module or "", each.level) for each in star_imports(source.tree)}
        kept |= given_by_getattr(source.tree)
    lost = (top_level_names(old) | given_by_getattr(old)) - kept - {"*"}
    lines = _lines(old, lost, source)
    gone = tuple(
        (each.module or "", each.level, each.lineno)
        for each in star_imports(old)
        if (each.module or "", each.level) not in stars
    )
    if was_link(source.change):  # its one line is gone
        lines, gone = dict.fromkeys(lines, 1), tuple((module, level, 1) for module, level, _ in gone)
    exports = 0
    if source.text is not None and not moved and "__all__" in source.text + source.old_text:
        exports = next(
            (n for n, text in sorted(source.removed.items()) if "__all__" in text), min(source.removed, default=1)
        )
    if not (lines or gone or exports or was_link(source.change)):
        return None
    return FileLosses(path, tuple(sorted(lines.items())), gone, moved, exports)


def _lines(tree: ast.Module, names: frozenset[str], source: SourceFile) -> dict[str, int]:
    """Return the line that bound each name, a removed one if there is one."""
    found: dict[str, int] = {}
    if not names:
        return found
    for statement in run_on_import(tree):
        lines = lines_of(statement)
        for name in names.intersection(bound_by(statement)):
            line = statement.lineno
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                line = next((a.lineno for a in statement.names if name in {a.asname, a.name.partition(".")[0]}), line)
            removed = line if line in source.removed else next((n for n in lines if n in source.removed), line)
            if name not in found or (found[name] not in source.removed and removed in source.removed):
                found[name] = removed
    first = min(source.removed, default=1)
    return found | {name: first for name in names if name not in found}


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the removed line for each name, or several on one line, that is still needed."""
    lost = RemovedNames(behind_links(facts, gather, codebase.change, codebase), codebase)
    if not lost.lines:
        return
    added = Additions(codebase.change, codebase)
    uses: dict[tuple[str, int], list[Use]] = {}
    for use in _Search(lost, added, codebase).uses():
        path, line = lost.lines[use.owner, use.name]
        place = use.place._replace(line=line_in_file(use.place.path, use.place.line or 1, codebase.head))
        sure = use.sure and (use.owner, use.name) not in lost.put_back
        uses.setdefault((path, line), []).append(use._replace(place=place, sure=sure))
    for path, line, found in _grouped(uses):
        yield _hit(path, line, found, hidden=all((use.owner, use.name) in lost.unexported for use in found))


def _grouped(uses: Mapping[tuple[str, int], list[Use]]) -> Iterator[tuple[str, int, list[Use]]]:
    """Yield what is reported as one, with its file and first line: the lines whose names one file needs before others.

    Their names are mostly in one import there, such as that of a package's `__init__.py`, which was not adapted.
    """
    of_files: dict[tuple[str, str, bool], list[int]] = {}
    for (path, line), found in sorted(uses.items()):
        shared = path, min(use.place.path for use in found), any(use.sure for use in found)
        of_files.setdefault(shared, []).append(line)
    for (path, _, _), lines in of_files.items():
        yield path, lines[0], [use for line in lines for use in uses[path, line]]


def _hit(path: str, line: int, uses: list[Use], *, hidden: bool) -> Hit:
    """Return the hit for what is needed of a line. ``hidden``: it is there, but ``__all__`` does not list it."""
    sure = [use for use in uses if use.sure]
    shown = sure or uses
    users = sorted({use.place for use in shown})
    where, alone = places_in_words(users)
    verb = "import" if all(user.note == "imports it" for user in users) else "use"
    names = names_in_words(use.name for use in shown)
    verb = f"{verb}s" if alone else verb
    verb = verb if all(use.is_new for use in shown) else f"still {verb}"
    doubtful = (
        f"{where} {verb} {names}, but this change removes what provided it there; "
        "only an assignment at run time could still do so."
    )
    it = "it" if len({use.name for use in shown}) == 1 else "them"
    unlisted = f"{where} {verb} {names}, which came by a star import: the `__all__` of `{path}` now leaves {it} out."
    return Hit(
        line,
        side="LEFT",
        values={"users": where, "verb": verb, "names": names},
        path=path,
        related=tuple(users[:MOST_RELATED]),
        severity=None if sure else "warning",
        message=unlisted if hidden else None if sure else doubtful,
        statement=f"removed {' '.join(sorted({use.name for use in shown}))}",
    )


def _may_be_of(modules: set[str], text: str, start: int) -> bool:
    """Return whether the word at a place may be an attribute of one of some names; brackets may be around the name."""
    at, behind_comment = _end_before(text, start)
    if behind_comment or text[at - 1 : at] != ".":
        return behind_comment
    end, behind_comment = _end_before(text, at - 1)
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return behind_comment or text[start:end] in modules


def _end_before(text: str, place: int) -> tuple[int, bool]:
    """Return where the text before a place ends, but for what may be around a dot, and whether a comment ends there."""
    end = place
    while end and text[end - 1] in _AROUND_DOT:
        end -= 1
    line = text[text.rfind("\n", 0, end) + 1 : end] if "\n" in text[end:place] else ""
    return end, "#" in line


class _Search:
    """Finds what still needs the lost names."""

    def __init__(self, lost: RemovedNames, added: Additions, codebase: Codebase) -> None:
        self._lost, self._added, self._codebase = lost, added, codebase
        self._tree, self._targets = lost.tree, call_targets(codebase.head)
        self._outside = OutsideStores(lost.names, codebase, on_modules=True)
        self._unused = unused_copies(codebase.head)

    def uses(self) -> Iterator[Use]:
        """Yield each place of the head that needs a lost name."""
        for path, held in words_held(self._codebase.head, self._lost.names).items():
            present = held - self._outside.names(path)
            if not present or path in self._unused or "import" not in (self._codebase.head.text(path) or ""):
                continue
            text = code_of(path, self._codebase.head) or ""
            if not self._added.of(path) and not self._may_need(path, text, present):
                continue
            imports = file_imports(path, text)
            if imports and not runs_a_release(self._codebase, path):
                yield from self._imported(path, text, imports)
                if path.endswith(".pyi"):
                    continue
                yield from self._through_module(path, present.intersection(_ATTRIBUTE.findall(text)))
                yield from self._through_star(path, imports, present)

    def _may_need(self, path: str, text: str, names: frozenset[str]) -> bool:
        """Return, without parsing, whether an unchanged file may import a name, or use it of a module or a star."""
        if TABLE in text:
            return True
        modules = {owner.rpartition("/")[2] for owner, name in self._lost.lines if name in names}
        for module, level, words in import_clauses(text):
            if module is None:
                if any(places_of(word, 0, path, self._tree) for word in words):
                    modules.update(word.rpartition(".")[2] for word in words)
            elif places := places_of(module, level, path, self._tree):
                if self._lost.lacks_one(places, names if "*" in words else names & words):
                    return True
                modules |= words
        if names.isdisjoint(_ATTRIBUTE.findall(text)):
            return False
        found = (each.start(1) for each in _ATTRIBUTE.finditer(text) if each[1] in names)
        return any(_may_be_of(modules, text, start) for start in found)

    def _imported(self, path: str, text: str, imports: tuple[AddedImport, ...]) -> Iterator[Use]:
        outside = self._outside.names(path)
        for statement in imports:
            for each in statement.names:
                if each.name not in self._lost.names or each.name in outside:
                    continue
                if self._added.has_import(path, statement, each.name, each.line):
                    continue
                places = places_of(statement.module, statement.level, path, self._tree)
                lack = self._lost.definitions.lack(places, each.name, for_stub=path.endswith(".pyi"))
                owner = None if lack == "no" else self._lost.owner(places, each.name)
                if (
                    owner is not None
                    and owner not in self._lost.moved
                    and not is_prepared(
                        statement, each.name, places[0], path, self._codebase, sets_path=sets_path(text)
                    )
                ):
                    yield Use(owner, each.name, Related(path, each.line, "imports it"), lack == "surely")

    def _through_module(self, path: str, names: frozenset[str]) -> Iterator[Use]:
        """Yield uses as an attribute of a module that the file imports."""
        file = self._targets.file(path) if names else None
        if file is None:
            return
        of_others: frozenset[tuple[int, int]] | None = None
        for use, asked in unguarded_uses(file, self._before(path, file), names):
            places = self._targets.modules(file, use.node.value, use.scopes)
            is_new = self._added.has_read(path, use.node)
            if is_new:
                of_others = reported_reads(path, names, self._codebase) if of_others is None else of_others
                if (last_line(use.node), use.node.end_col_offset or 0) in of_others:
                    continue  # no left-over
            lack = self._lost.definitions.lack(places, use.node.attr)
            owner = None if lack == "no" else self._lost.owner(places, use.node.attr)
            if owner is not None and not prepares(path, relative_name(places[0], self._tree.roots), self._codebase):
                by_change = asked or any(sets_attribute(file, use.node, each, self._targets) for each in places)
                place = Related(path, use.node.lineno, "uses it")
                yield Use(owner, use.node.attr, place, lack == "surely" and not by_change, is_new)

    def _before(self, path: str, file: CodeFile) -> CodeFile | None:
        """Return what a file was at the base; None if it was none or cannot be parsed."""
        return call_targets(self._codebase.base).file(path) if self._added.of(path) else file

    def _through_star(self, path: str, imports: tuple[AddedImport, ...], names: frozenset[str]) -> Iterator[Use]:
        """Yield uses of a name that only a star import brought."""
        stars = [each for each in imports if any(name.name == "*" for name in each.names)]
        contents = self._lost.after.of(path) if stars else None
        file = self._targets.file(path) if stars else None
        if contents is None or file is None or contents.openness == "open":
            return
        for name in sorted(names - contents.names - contents.strings):
            used = global_reads(file, name)
            if not used:
                continue
            for each in stars:
                places = places_of(each.module, each.level, path, self._tree)
                owner = self._lost.owner(places, name)
                if any(self._tree.at(f"{place}/{name}").kind != "missing" for place in places):
                    continue  # a module of the package
                lacks = self._lost.definitions.lack(places, name) != "no" or self._lost.hides(places, name)
                if owner is not None and not each.conditional and lacks:
                    sure = contents.openness == "closed" and name not in {*code_strings(file.tree)}
                    left = next((node for node in used if not self._added.has_line(path, node.lineno)), None)
                    yield Use(owner, name, Related(path, (left or used[0]).lineno, "uses it"), sure, left is None)
                    break


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True, on_lines=False))
