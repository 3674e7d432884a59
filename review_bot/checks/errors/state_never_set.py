"""An attribute of a web application's ``state`` that the change reads and that tests alone set."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
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


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first read of each attribute that tests set and no other file does.

    Where no test sets it, a library may.
    """
    for path, reads in sorted(facts.items()):
        for name, line in reads:
            users = files_with(codebase.head, [name])
            setting = {is_test(each) for each in users if _sets(codebase.head.text(each) or "", re.escape(name))}
            if setting == {True}:
                yield Hit(line, path=path, values={"name": name}, statement=f"state {name}")


def _sets(text: str, name: str) -> bool:
    """Return whether a text may set an attribute of this name: an assignment, ``setattr``, or its name as a key.

    ``name = ...``, with spaces, sets a variable.
    """
    after = rf"""{name}\b["']?[ \t]*(?:=(?!=)|:)"""
    setting = re.compile(rf"""\.{after}|["']{after}|\b{name}=(?!=)|["']{name}["']""")
    asking = re.compile(rf"""getattr\([\w.]{{1,80}}, *["']{name}["']""")
    lines = text.replace("\\\n", " ").split("\n")
    return any(setting.search(asking.sub("", line)) for line in lines)


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("state",)))
