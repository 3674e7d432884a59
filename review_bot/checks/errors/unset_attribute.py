"""Attributes of ``self`` that are read and that nothing in the project ever sets.

Only classes whose text shows all they are, with that of their bases and of the classes below them (see
``class_family``): an ``__init__``, no base outside the tree but ``object``, ``nn.Module`` and the like, no ``setattr``;
and only names that no file of the tree sets on another object.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.class_family import (
    has_known_bases,
    names_above,
    names_in_class,
    names_in_family,
    shows_all,
)
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.uses import is_set_elsewhere
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import Function, attributes_of_self, is_function, is_string, last_name
from review_bot.analysis.python.syntax import classes, source_text
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit, hit_over


class Unset(NamedTuple):
    """One attribute that its class does not set, at the first added line that reads it.

    ``alone``: no base of the class has to be looked up. ``partly_done``: some of its methods only raise
    NotImplementedError, so that classes below it, even in other repositories, may set it.
    """

    owner: str
    alone: bool
    partly_done: bool
    name: str
    line: int
    column: int
    end_line: int
    end_column: int


def gather(source: SourceFile) -> tuple[Unset, ...] | None:
    """Return what classes of one file read on added lines and do not set."""
    read = _read_on_added_lines(source)
    if not read:
        return None
    set_here: set[str] | None = None
    found: list[Unset] = []
    attributes = [each for each in source.nodes(ast.Attribute) if each.attr in read]
    mentions = sorted((each.lineno, each.attr) for each in attributes)
    stores = sorted((each.lineno, each.attr) for each in attributes if isinstance(each.ctx, ast.Store))
    for owner in classes(source.tree):
        first, after = (bisect_left(mentions, (line, "")) for line in (owner.lineno, (owner.end_lineno or 0) + 1))
        mentioned = {name for _, name in mentions[first:after]}
        first, after = (bisect_left(stores, (line, "")) for line in (owner.lineno, (owner.end_lineno or 0) + 1))
        mentioned -= {name for _, name in stores[first:after]}
        mentioned -= {each.name for each in owner.body if is_function(each)}
        if not mentioned or not _shows_all(owner, source):
            continue
        if set_here is None:
            set_here = {node.attr for node in source.nodes(ast.Attribute) if _is_set_from_outside(node)}
        unknown = mentioned - set_here
        unknown -= names_in_class(owner, source_text(source, owner)) if unknown else frozenset()
        if not unknown:
            continue
        seen: set[str] = set()
        for each in _reads(owner):
            if each.attr in unknown and each.lineno in source.added and each.attr not in seen:
                seen.add(each.attr)
                last = each.end_lineno or each.lineno
                place = (
                    source.column(each.lineno, each.col_offset),
                    last,
                    source.column(last, each.end_col_offset or 0),
                )
                partly_done = any(is_function(method) and _only_raises(method) for method in owner.body)
                found.append(Unset(owner.name, has_known_bases(owner), partly_done, each.attr, each.lineno, *place))
    return tuple(found) or None


def _read_on_added_lines(source: SourceFile) -> set[str]:
    """Return the names that an added line reads from ``self``, those of top-level functions aside."""
    read = {
        node.attr
        for node in source.nodes(ast.Attribute)
        if isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        and source.any_added(node.lineno, node.end_lineno or node.lineno)
    }
    return read - {each.name for each in source.tree.body if is_function(each)}


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield those whose name nothing in the tree sets, in classes that nothing extends."""
    for path, each in ((path, each) for path, found in sorted(facts.items()) for each in found):
        above = frozenset() if each.alone else names_above(codebase.head, path, each.owner)
        if above is None or each.name in above or is_set_elsewhere(codebase.head, each.name):
            continue
        if each.partly_done and not _is_made(codebase.head, each.owner):
            continue
        below_it = subclasses(codebase.head, each.owner)
        family = frozenset[str]() if each.alone and not below_it else names_in_family(codebase.head, path, each.owner)
        if family is not None and each.name not in family:
            yield hit_over(
                each,
                values={"name": each.name, "owner": each.owner},
                path=path,
                subject=f"{path}:{each.owner}",
                statement=f"{each.owner}.{each.name}",
            )


def _is_set_from_outside(node: ast.Attribute) -> bool:
    """Return whether an object other than ``self`` gets this attribute."""
    own = isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
    return isinstance(node.ctx, ast.Store) and not own


def _reads(owner: ast.ClassDef) -> Iterator[ast.Attribute]:
    """Yield each ``self.name`` that a method of the class reads, in the order of the text."""
    for node in attributes_of_self(owner):
        if isinstance(node.ctx, ast.Load) and not node.attr.startswith("__"):
            yield node


def _shows_all(owner: ast.ClassDef, source: SourceFile) -> bool:
    if owner.decorator_list or owner.keywords or "Mixin" in owner.name or owner.name.startswith(("Base", "_Base")):
        return False
    if not any(is_function(each) and each.name == "__init__" for each in owner.body):
        return False
    methods = [each for each in owner.body if is_function(each)]
    if any(last_name(mark) == "abstractmethod" for each in methods for mark in each.decorator_list):
        return False
    return shows_all(owner, source_text(source, owner))


@query
def _is_made(side: Snapshot, owner: str) -> bool:
    """Return whether some code makes objects of a class itself."""
    call = re.compile(rf"(?<!class )(?<!\w){re.escape(owner)}\(")
    return any(call.search(side.text(path) or "") for path in files_with(side, [owner], ".py"))


def _only_raises(method: Function) -> bool:
    """Return whether a method does nothing but raise that it is not implemented."""
    body = [each for each in method.body if not is_string(each)]
    raised = body[0].exc if len(body) == 1 and isinstance(body[0], ast.Raise) else None
    return raised is not None and last_name(raised) == "NotImplementedError"


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("self",), doubted=True))
