"""What code still reads although the change removes the last definition of it: an attribute or method of a class.

Reads whose object the text proves: ``self`` in a class whose bases the tree contains, an object that the reading
function makes or takes with an annotation, and the class itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.code_file import AttributeUse, CodeFile
from review_bot.analysis.facts.members import lacks, own_members
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.uses import Use, uses_named
from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.statements import is_function, targets_of
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_set_aside

_MOST_WORDS = 300
_MOST_FILES = 200
"""Files of the tree that are parsed for the sake of one change."""


class Lost(NamedTuple):
    """A name that a class gave its objects, and the removed line that did. ``what``: how it is called in words."""

    owner: str
    name: str
    line: int
    what: str


def gather(source: SourceFile) -> tuple[Lost, ...] | None:
    """Return what classes that both sides have no longer define."""
    if not source.removed or not source.text or not source.path.endswith(".py"):
        return None
    if (old := source.known_old_tree) is None:
        return None
    kept = {each.name: each.names for each in own_members(source.tree)}
    found: dict[tuple[str, str], Lost] = {}
    for owner in old.body:
        if not isinstance(owner, ast.ClassDef) or owner.name not in kept or not source.any_removed(*_span(owner)):
            continue
        for each, last in _defined(owner):
            line = source.first_removed(each.line, last)
            if line is not None and each.name not in kept[owner.name] and not each.name.startswith("__"):
                found.setdefault((each.owner, each.name), each._replace(line=line))
    return tuple(each for _, each in sorted(found.items())) or None


def _span(owner: ast.ClassDef) -> tuple[int, int]:
    return owner.lineno, owner.end_lineno or owner.lineno


def _defined(owner: ast.ClassDef) -> Iterator[tuple[Lost, int]]:
    """Yield the methods, fields and attributes of ``self`` that a class defines, with the last line of each name."""
    for statement in owner.body:
        if is_function(statement):
            is_property = any(isinstance(each, ast.Name) and each.id == "property" for each in statement.decorator_list)
            what = "property" if is_property else "method"
            last = max(statement.lineno, statement.body[0].lineno - 1)
            yield Lost(owner.name, statement.name, statement.lineno, what), last
        targets = targets_of(statement)
        for target in targets:
            if isinstance(target, ast.Name):
                yield Lost(owner.name, target.id, statement.lineno, "attribute"), target.end_lineno or target.lineno
    for node in nodes_of(owner, ast.Attribute):
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}:
            yield Lost(owner.name, node.attr, node.lineno, "attribute"), node.end_lineno or node.lineno


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the removed line of each name that is still read; the reads are its related places."""
    lost = {(Symbol(path, each.owner), each.name): each for path, found in facts.items() for each in found}
    names = {name for _, name in lost}
    if not names or len(names) > _MOST_WORDS:
        return
    side = codebase.head
    lost = {key: each for key, each in lost.items() if lacks(side, *key)}
    names = {name for _, name in lost}
    held = {path: here for path, here in words_held(side, names).items() if not is_set_aside(path)}
    if not lost or len(held) > _MOST_FILES:
        return
    readers: dict[tuple[Symbol, str], list[Related]] = {}
    set_outside: set[str] = set()
    targets = call_targets(side)
    for path, here in held.items():
        file = targets.file(path)
        if file is None:
            continue
        set_outside |= {each.name for each in uses_named(file.tree, here) if _is_set(each)}
        for use in file.attributes(here - _asked(file)):
            key = _read(use, file, targets, lost, side)
            if key is not None:
                place = Related(path, line_in_file(path, use.node.lineno, side), "reads it")
                readers.setdefault(key, []).append(place)
    for key in sorted(lost):
        if key in readers and key[1] not in set_outside:
            yield _hit(lost[key], key[0].path, sorted(set(readers[key])))


def _is_set(use: Use) -> bool:
    return use.kind == "attribute" and use.access == "write" and not use.owner


def _asked(file: CodeFile) -> frozenset[str]:
    """Return the words that a file writes as strings: it may ask for them, or set them, by name."""
    return frozenset(str(each.value) for each in nodes_of(file.tree, ast.Constant) if isinstance(each.value, str))


def _read(
    use: AttributeUse,
    file: CodeFile,
    targets: CallTargets,
    lost: Mapping[tuple[Symbol, str], Lost],
    side: Snapshot,
) -> tuple[Symbol, str] | None:
    """Return which lost name an attribute surely reads: of its class, or of one below it that lacks it too."""
    name, value = use.node.attr, use.node.value
    kind = targets.type_of(file, value, use.scopes)
    if kind is None:
        kind = targets.named_by(file, value, use.scopes)
    if kind is None or targets.class_of(kind) is None or not lacks(side, kind, name):
        return None
    for each in (kind, *targets.bases(kind)):
        if each is not None and (each, name) in lost:
            return each, name
    return None


def _hit(each: Lost, path: str, places: list[Related]) -> Hit:
    where, alone = places_in_words(places)
    values = {
        "name": each.name,
        "owner": each.owner,
        "what": each.what,
        "readers": where,
        "verb": "reads" if alone else "read",
    }
    return Hit(
        each.line,
        side="LEFT",
        values=values,
        path=path,
        related=tuple(places[:MOST_RELATED]),
        statement=f"{each.owner}.{each.name}",
    )


CHECK = ChangeCheck(
    without_options(gather), without_options(relate), CheckTraits(literals=("class",), reads_old=True, on_lines=False)
)
