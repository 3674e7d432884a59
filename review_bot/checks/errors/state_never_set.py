"""An attribute of a web application's ``state`` that the change reads and that tests alone set."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.uses import uses_named
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test

_STATE = re.compile(r"(?:^|\.)app\.state$")


def gather(source: SourceFile) -> tuple[tuple[str, int], ...] | None:
    """Return the attributes that added lines read, with their lines. Raises CannotParse."""
    found: dict[str, int] = {}
    for node in source.nodes(ast.Attribute):
        if isinstance(node.ctx, ast.Load) and node.lineno in source.added and _STATE.search(dotted(node.value) or ""):
            found.setdefault(node.attr, node.lineno)
    for call in source.nodes(ast.Call):
        if not (isinstance(call.func, ast.Name) and call.func.id == "getattr" and len(call.args) >= 2):
            continue
        name = call.args[1]
        of_state = call.lineno in source.added and _STATE.search(dotted(call.args[0]) or "")
        if of_state and isinstance(name, ast.Constant) and isinstance(name.value, str):
            found.setdefault(name.value, call.lineno)
    return None if is_test(source.path) or not found else tuple(sorted(found.items()))


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first read of each attribute that tests set and no other file does.

    Where no test sets it, a library may.
    """
    if any(_sets_any(codebase.head, each) for each in files_with(codebase.head, ["setattr"]) if not is_test(each)):
        return
    for path, (name, line) in each_fact(facts):
        setting = {is_test(each) for each in files_with(codebase.head, [name]) if _sets(codebase.head, each, name)}
        if setting == {True}:
            yield Hit(line, path=path, values={"name": name}, statement=f"state {name}")


def _sets_any(side: Snapshot, path: str) -> bool:
    """Return whether a file sets attributes of a state whose names the text does not show."""
    tree = side.tree(path) if "state" in (side.text(path) or "") else None
    return tree is not None and any(
        last_name(call.func) == "setattr"
        and len(call.args) == 3
        and last_name(call.args[0]) == "state"
        and not isinstance(call.args[1], ast.Constant)
        for call in nodes_of(tree, ast.Call)
    )


def _sets(side: Snapshot, path: str, name: str) -> bool:
    """Return whether a file may set an attribute of this name: an assignment, a keyword, or its name as a string."""
    tree = side.tree(path)
    if tree is None or any(use.access == "write" for use in uses_named(tree, [name])):
        return True
    asked = {
        id(call.args[1])
        for call in nodes_of(tree, ast.Call)
        if last_name(call.func) == "getattr" and len(call.args) > 1
    }
    return any(each.value == name and id(each) not in asked for each in nodes_of(tree, ast.Constant))


CHECK = change_check(gather, relate, CheckTraits(literals=("state",)))
