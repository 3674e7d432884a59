"""A default of ``getattr`` that is always used, because the class of the object has no such attribute.

::

    def run(options: EngineOptions):
        if getattr(options, "overlap", False):      no field of EngineOptions, and nothing sets it: this never runs

``hasattr`` is asked in the same way. ``unknown_attribute`` looks at plain reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.attribute_lookups import LOOKUPS, added_lookups, looked_up, shown_default
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.classes import classes_in
from review_bot.analysis.facts.declared_class import declared_class
from review_bot.analysis.facts.members import lacks
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.uses import is_set_elsewhere
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.name_words import words_in
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import text_of
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the names that look-ups on added lines ask for."""
    return added_lookups(source) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each name in a file that the class of the object lacks, and that nothing in the tree sets."""
    side = codebase.head
    targets = call_targets(side)
    for path, found in sorted(facts.items()):
        file, wanted, seen = targets.file(path), set(found), set[str]()
        for each in () if file is None else sorted(file.calls(LOOKUPS), key=lambda each: each.node.lineno):
            name = looked_up(each.node)
            if file is None or name in seen or (name, each.node.lineno) not in wanted:
                continue
            owner = declared_class(targets, file, each.node.args[0], each.scopes)
            if owner is None or not lacks(side, owner, name):
                continue
            if is_set_elsewhere(side, name) or _may_be_another(side, owner, name) or _is_filled(side, owner):
                continue
            seen.add(name)
            shown, subject = ast.unparse(each.node.args[0]), f"{owner.path}:{owner.name}"
            values = {
                "object": shown,
                "owner": owner.name,
                "name": name,
                "result": shown_default(each.node) or "the default",
            }
            yield Hit(each.node.lineno, path=path, values=values, statement=f"{owner.name}.{name}", subject=subject)


def _may_be_another(side: Snapshot, owner: Symbol, name: str) -> bool:
    """Return whether another class has the attribute whose objects may be passed too, as their names suggest."""
    kind = words_in(owner.name)[-1:]
    return any(
        name in {field.name for field in each.fields} | {*each.methods}
        or (name in each.sets and words_in(each.name)[-1:] == kind)
        for path in files_with(side, [name], ".py")
        for each in classes_in(side, path)
    )


@query
def _is_filled(side: Snapshot, owner: Symbol) -> bool:
    """Return whether code sets attributes by computed names on what may be an object of a class, by the words of it."""
    words = {*words_in(owner.name)}
    for path in files_with(side, ["setattr"], ".py"):
        tree = side.tree(path)
        for call in () if tree is None else nodes_of(tree, ast.Call):
            if last_name(call.func) == "setattr" and len(call.args) > 1 and text_of(call.args[1]) is None:
                target = {*words_in(last_name(call.args[0]))}
                if not words.isdisjoint(target) or ("cfg" in target and "config" in words):
                    return True
    return False


CHECK = change_check(gather, relate, CheckTraits(literals=("getattr", "hasattr"), doubted=True))
