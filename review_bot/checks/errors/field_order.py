"""A field without a default behind one that has a default: the class fails as its module is imported.

::

    @dataclass
    class Config:
        size: int = 8
        heads: int                  TypeError: non-default argument 'heads' follows default argument

Fields of bases come first, so a new default in a base may break a class below it. Source:
https://docs.python.org/3/library/dataclasses.html#dataclasses.dataclass
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.class_bodies import binds, inherited
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.dataclass_init import Fielded, init_signature, is_dataclass
from review_bot.analysis.facts.interface import Parameter
from review_bot.analysis.facts.named_tuple_init import is_named_tuple, named_tuple_init
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.signatures import Signature
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import full_name, imported_names
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit

_MOST_BELOW = 100


class Edited(NamedTuple):
    """A class with added fields: the lines of those, by name. ``pair``: what is wrong with one inside of something.

    One whose head the change edits, or of which it removes lines, has at least its own line, with no name.
    """

    name: str
    lines: tuple[tuple[str, int], ...]
    pair: tuple[str, str] | None = None


def gather(source: SourceFile) -> tuple[Edited, ...] | None:
    """Return the classes of a file with fields on added lines, or another head. Raises CannotParse."""
    found: list[Edited] = []
    at_top = {*map(id, source.tree.body)}
    old = source.known_old_tree if source.removed and source.old_text else None
    was = {each.name: each for each in (() if old is None else old.body) if isinstance(each, ast.ClassDef)}
    for owner in source.nodes(ast.ClassDef):
        lines = tuple(
            (each.target.id, each.lineno)
            for each in owner.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.lineno in source.added
        )
        start = source.first_added(_first_line(owner), owner.body[0].lineno - 1)
        before = was.get(owner.name)
        if start is not None or (before and source.any_removed(_first_line(before), last_line(before))):
            lines += (("", start or owner.lineno),)
        if not lines:
            continue
        if id(owner) in at_top:
            found.append(Edited(owner.name, lines))
        elif (pair := _alone(owner, source.tree)) is not None:
            found.append(Edited(owner.name, lines, pair))
    return tuple(found) or None


def _first_line(node: ast.ClassDef) -> int:
    return node.decorator_list[0].lineno if node.decorator_list else node.lineno


def _alone(node: ast.ClassDef, tree: ast.Module) -> tuple[str, str] | None:
    """Return what is wrong with the fields of a class that gets none from a base."""
    if _has_other_fields(node, tree):
        return None
    signature = None
    if is_named_tuple(node, tree):
        signature = named_tuple_init(node)
    elif is_dataclass(node, tree) and not inherited(node, tree) and not binds(node, "__init__"):
        signature = init_signature([Fielded(node, tree)])
    return None if signature is None else _order(signature)


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first added field of each class that such a field breaks, or a class below it."""
    before, after = call_targets(codebase.base), call_targets(codebase.head)
    for path, edited in each_fact(facts):
        if edited.pair is not None:
            yield _hit(path, edited, edited.name, edited.pair)
            continue
        own = Symbol(path, edited.name)
        known = {(each.path, each.definition.name) for each in subclasses(codebase.base, edited.name)}
        below = [Symbol(each.path, each.definition.name) for each in subclasses(codebase.head, edited.name)]
        for owner in (own, *sorted(below, key=lambda each: each not in known)[:_MOST_BELOW]):
            pair = _misplaced(owner, after)
            if pair is None or _misplaced(owner, before) is not None:
                continue
            node = after.class_of(owner)
            related = () if owner == own or node is None else (Related(owner.path, node.lineno, "the class"),)
            yield _hit(path, edited, owner.name, pair)._replace(related=related)
            break


def _hit(path: str, edited: Edited, owner: str, pair: tuple[str, str]) -> Hit:
    earlier, field = pair
    lines = dict(edited.lines)
    line = lines.get(field) or lines.get(earlier) or edited.lines[0][1]
    values = {"field": field, "earlier": earlier, "owner": owner}
    return Hit(line, values=values, path=path, statement=f"fields of {owner}")


def _misplaced(owner: Symbol, targets: CallTargets) -> tuple[str, str] | None:
    """Return a field with a default, and one without that follows it; None if there is none, or not all is known."""
    node, file = targets.class_of(owner), targets.file(owner.path)
    if node is None or file is None or not (is_dataclass(node, file.tree) or is_named_tuple(node, file.tree)):
        return None
    for place in (owner, *targets.bases(owner)):
        own, home = (None, None) if place is None else (targets.class_of(place), targets.file(place.path))
        if own is not None and home is not None and _has_other_fields(own, home.tree):
            return None
    signature = targets.signature(Symbol(owner.path, f"{owner.name}.__init__"))
    if signature is None or signature.name in file.functions:
        return None
    return _order(signature)


def _has_other_fields(node: ast.ClassDef, tree: ast.Module) -> bool:
    """Return whether a function of another library makes a field of a class: it may give it no default."""
    names = imported_names(tree)
    values = [each.value for each in node.body if isinstance(each, ast.AnnAssign)]
    return any(
        isinstance(each, ast.Call)
        and "field" in last_name(each.func).lower()
        and full_name(each.func, names) != "dataclasses.field"
        for each in values
    )


def _order(signature: Signature) -> tuple[str, str] | None:
    earlier: Parameter | None = None
    for each in signature.parameters:
        if each.kind == "either" and each.required and earlier is not None:
            return earlier.name, each.name
        if each.kind == "either" and not each.required:
            earlier = earlier or each
    return None


CHECK = change_check(gather, relate, CheckTraits(literals=("class",)))
