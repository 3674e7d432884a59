"""A new class without a name that a base reads from ``self``, and that the other classes below that base provide.

::

    class GraphMixin:                              class Decoder(nn.Module, GraphMixin):
        def supported(self):                           def __init__(self, config):
            return self.config.layers > 1                  self.layers = make(config)     no ``self.config``
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.abstract_methods import declares
from review_bot.analysis.facts.call_targets import CallTargets, Symbol, call_targets
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.members import lacks, members
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED
from review_bot.analysis.python.statements import attributes_of_self, is_function
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test

_FEWEST_SIBLINGS = 2
_MOST_SIBLINGS = 30
"""Classes below one base that are read."""
_SHARE = 0.9
"""Of the siblings that have the name."""
_MOST_CLASSES = 40


class _Read(NamedTuple):
    """A read of ``self.name`` in a method of a base."""

    base: Symbol
    method: str
    line: int


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the new classes with bases of one file, each with its line. Raises CannotParse."""
    found = [
        (each.name, each.lineno)
        for each in source.tree.body
        if isinstance(each, ast.ClassDef) and each.bases and each.lineno in source.added and not declares(each)
    ]
    return tuple(found[:_MOST_CLASSES]) or None


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the class for each such name."""
    side = codebase.head
    new = {Symbol(path, name) for path, found in facts.items() for name, _ in found}
    for path, found in sorted(facts.items()):
        for name, line in found:
            owner = Symbol(path, name)
            if not members(side, owner).closed or _is_extended(side, owner):
                continue
            for attribute, read in _unset(side, owner):
                having, others = _siblings(side, read.base, attribute, new)
                if len(having) < _FEWEST_SIBLINGS or len(having) < _SHARE * others:
                    continue
                values = {
                    "owner": name,
                    "name": attribute,
                    "method": f"{read.base.name}.{read.method}",
                    "having": "both other classes" if len(having) == others == _FEWEST_SIBLINGS
                    else f"{len(having)} of the {others} other classes",
                }  # fmt: skip
                related = [Related(read.base.path, line_in_file(read.base.path, read.line, side), "reads it"), *having]
                yield Hit(
                    line,
                    path=path,
                    values=values,
                    related=tuple(related[:MOST_RELATED]),
                    statement=f"{name}.{attribute}",
                    subject=f"{path}:{name}.{attribute}",
                )


def _is_extended(side: Snapshot, owner: Symbol) -> bool:
    """Return whether a class is for others to extend."""
    return owner.name.startswith(("Base", "_Base")) or "Mixin" in owner.name or bool(subclasses(side, owner.name))


def _unset(side: Snapshot, owner: Symbol) -> Iterator[tuple[str, _Read]]:
    """Yield the names that methods of the bases read and the class lacks, each with its first read."""
    targets = call_targets(side)
    known, replaced = set(members(side, owner).names), set[str]()
    for base in (owner, *targets.bases(owner)):
        node = None if base is None else targets.class_of(base)
        if base is None or node is None:
            continue
        reads = attributes_of_self(node) if base.path != owner.path else []
        for attribute in reads:
            method = _method_around(node, attribute.lineno)
            if attribute.attr in known or attribute.attr.startswith("__") or method in replaced:
                continue
            known.add(attribute.attr)
            if lacks(side, owner, attribute.attr):
                yield attribute.attr, _Read(base, method, attribute.lineno)
        replaced |= {each.name for each in node.body if is_function(each)}


def _method_around(owner: ast.ClassDef, line: int) -> str:
    methods = (each for each in owner.body if is_function(each) and each.lineno <= line <= (each.end_lineno or 0))
    return next((each.name for each in methods), "")


def _siblings(side: Snapshot, base: Symbol, name: str, new: set[Symbol]) -> tuple[list[Related], int]:
    """Return the other classes below a base that have a name, and the number of all of them that are read."""
    targets: CallTargets = call_targets(side)
    having: list[Related] = []
    count = 0
    for each in subclasses(side, base.name):
        symbol = Symbol(each.path, each.definition.name)
        if symbol in new or each.definition.indented or is_test(each.path) or base not in targets.bases(symbol):
            continue
        count += 1
        if name in members(side, symbol).names:
            having.append(Related(each.path, line_in_file(each.path, each.definition.line, side), f"has `{name}`"))
        if count == _MOST_SIBLINGS:
            break
    return having, count


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("class",), doubted=True))
