"""An attribute that a class still reads, although the change removes what set it and replaces other reads.

For classes with a base outside the repository, which might define the attribute: that the change also replaces reads
shows that it means to do without it. Classes whose bases are all known are the matter of ``left_unset``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.members import members, own_members
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.uses import uses_named
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import attribute_of_self, is_literal, structure, text_of
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test
from review_bot.text.listing import all_of

_MOST_SHOWN = 3
_SETTERS = frozenset({"setattr", "object"})
"""``setattr``, ``monkeypatch.setattr`` and ``patch.object``."""


class Lost(NamedTuple):
    """An attribute without an assignment, the removed line of the last one, and the lines that still read it."""

    owner: str
    name: str
    line: int
    base: str
    reads: tuple[int, ...]


def gather(source: SourceFile) -> tuple[Lost, ...] | None:
    """Return the attributes of ``self`` that classes of both sides set and no longer do, and read less often."""
    if not source.removed or not source.text or (old := source.known_old_tree) is None:
        return None
    new = {each.name: each for each in nodes_of(source.tree, ast.ClassDef) if each.bases}
    bound = {each.name: each.names for each in own_members(source.tree)}  # with what it writes as text
    found = [
        lost
        for owner in nodes_of(old, ast.ClassDef)
        if owner.name in new and not _is_rebased(owner, new[owner.name], source)
        for lost in _lost(owner, new[owner.name], bound[owner.name], source)
    ]
    return tuple(found) or None


def _is_rebased(old: ast.ClassDef, new: ast.ClassDef, source: SourceFile) -> bool:
    """Return whether the bases of a class differ, or the change calls one of them, which may set what it removes."""
    called = (each for each in nodes_of(new, ast.Call) if last_name(each.func) == "__init__")
    is_called = any(source.any_added(*span_of(each)) for each in called)
    return is_called or list(map(structure, old.bases)) != list(map(structure, new.bases))


def _lost(old: ast.ClassDef, new: ast.ClassDef, bound: frozenset[str], source: SourceFile) -> Iterator[Lost]:
    before, after, emptied = _reads(old), _reads(new), _emptied(old)
    for name, spans in sorted(_accesses(old, ast.Store).items()):
        removed = [line for span in spans if (line := source.first_removed(*span)) is not None]
        replaced = len(after.get(name, ())) < len(before.get(name, ()))
        kept = [span[0] for span in after.get(name, ()) if not source.any_added(*span)]
        if removed and replaced and kept and name not in bound and name not in emptied:
            base = last_name(new.bases[0]) or ast.unparse(new.bases[0])
            yield Lost(new.name, name, removed[-1], base, tuple(kept))


def _emptied(owner: ast.ClassDef) -> set[str]:
    """Return the attributes of ``self`` that a class sets to None: perhaps to drop what its base class has set."""
    none = (each for each in nodes_of(owner, ast.Assign) if is_literal(each.value, None))
    return {attribute_of_self(target) for each in none for target in each.targets}


def _reads(owner: ast.ClassDef) -> dict[str, list[tuple[int, int]]]:
    return _accesses(owner, ast.Load)


def _accesses(owner: ast.ClassDef, context: type[ast.expr_context]) -> dict[str, list[tuple[int, int]]]:
    """Return the attributes of ``self`` that a class reads or sets, each with the first and last line of each place."""
    found: dict[str, list[tuple[int, int]]] = {}
    for node in nodes_of(owner, ast.Attribute):
        if isinstance(node.ctx, context) and (name := attribute_of_self(node)):
            found.setdefault(name, []).append(span_of(node))
    return found


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the removed assignment of each attribute that nothing of the tree sets; its reads are related."""
    side = codebase.head
    for path, found in facts.items():
        for each in found:
            if not members(side, Symbol(path, each.owner)).closed and not _is_set(each, path, side):
                lines = [f"line {line}" for line in each.reads[:_MOST_SHOWN]]
                values = {
                    "owner": each.owner, "name": each.name, "base": each.base, "lines": all_of(lines),
                }  # fmt: skip
                related = tuple(Related(path, line, "reads it") for line in each.reads[:_MOST_SHOWN])
                statement = f"{each.owner}.{each.name}"
                yield Hit(each.line, side="LEFT", path=path, values=values, related=related, statement=statement)


def _is_set(lost: Lost, path: str, side: Snapshot) -> bool:
    """Return whether the family of a class has the name, or a file that names one of it sets or writes it."""
    below = (each for each in subclasses(side, lost.owner) if not is_test(each.path))
    family = [Symbol(path, lost.owner), *(Symbol(each.path, each.definition.name) for each in below)]
    if any(lost.name in members(side, each).names for each in family):
        return True
    named = set(files_with(side, {each.name for each in family}))
    return any(
        _sets(tree, lost.name) for each in files_with(side, [lost.name]) if each in named and (tree := side.tree(each))
    )


def _sets(tree: ast.Module, name: str) -> bool:
    """Return whether a file sets an attribute of this name on an object other than ``self``, also by its text."""
    given = (value for call in nodes_of(tree, ast.Call) if last_name(call.func) in _SETTERS for value in call.args)
    if any(text_of(value) == name for value in given):
        return True
    uses = uses_named(tree, [name])
    return any(each.kind == "attribute" and each.access == "write" and not each.owner for each in uses)


CHECK = change_check(gather, relate, CheckTraits(literals=("self",), reads_old=True, on_lines=False))
