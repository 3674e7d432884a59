"""Names that the base sets on another object or module: ``core.load = patched``, ``setattr(core, "load", x)``."""

from __future__ import annotations

import ast
import re

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.standard_names import standard_modules
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import full_name, imported_names, text_of
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_index import nodes_of
from review_bot.text.lazy_regex import LazyRegex

_BY_COMPUTED_NAME = LazyRegex(r"setattr\(|\bvars\(\w|\.__dict__")


def set_from_outside(names: frozenset[str], codebase: Codebase) -> frozenset[str]:
    """Return those of some names that are set as an attribute of something other than ``self`` and ``cls``.

    The base must do so too: a change cannot excuse itself.
    """
    if not names:
        return names
    each = "|".join(map(re.escape, sorted(names)))
    setting = re.compile(
        rf"""\.(?<!\bself\.)(?<!\bcls\.)({each})[ \t]*(?::[^=\n]{{0,300}})?=(?!=)"""
        rf"""|setattr\([^,()\n]*,\s*["']({each})["']"""
    )
    found: set[str] = set()
    attributes = [f".{name}" for name in names]
    for path in files_with(codebase.head, names, ".py"):
        text = codebase.head.text(path) or ""
        if "setattr(" not in text and not any(each in text for each in attributes):
            continue  # most files, at a fraction of what the expression costs
        if now := _matches(setting, text):
            found |= now & _matches(setting, codebase.base.text(path) or "")
    return frozenset(found)


def standard_modules_set(codebase: Codebase) -> frozenset[str]:
    """Return the standard modules that both sides give names which no text shows: ``setattr(logging, level, 5)``."""
    return _standard_modules_set(codebase.base) & _standard_modules_set(codebase.head)


@query
def _standard_modules_set(side: Snapshot) -> frozenset[str]:
    found: set[str] = set()
    for path in files_with(side, ["setattr"], ".py"):
        tree = side.tree(path) if _BY_COMPUTED_NAME.search(side.text(path) or "") else None
        calls = [] if tree is None else [each for each in nodes_of(tree, ast.Call) if last_name(each.func) == "setattr"]
        names = {} if tree is None or not calls else imported_names(tree)
        for call in calls:
            if len(call.args) > 1 and text_of(call.args[1]) is None:
                found.add(full_name(call.args[0], names) or "")
    return frozenset(found.intersection(standard_modules()))


@query
def modules_open_from_outside(side: Snapshot) -> frozenset[str]:
    """Return the places of the modules that some file may give names that its text does not show.

    ::

        setattr(core, name, value)     vars(core).update(found)     core.__dict__[name] = value
    """
    targets = call_targets(side)
    found: set[str] = set()
    for path in files_with(side, ["setattr", "vars", "__dict__"], ".py"):
        file = targets.file(path) if _BY_COMPUTED_NAME.search(side.text(path) or "") else None
        if file is None:
            continue
        owners = [each.value for each in nodes_of(file.tree, ast.Attribute) if each.attr == "__dict__"]
        for call in nodes_of(file.tree, ast.Call):
            is_setting = last_name(call.func) == "setattr" and len(call.args) > 1 and text_of(call.args[1]) is None
            if is_setting or (last_name(call.func) == "vars" and call.args):
                owners.append(call.args[0])
        for owner in owners:
            found.update(targets.modules(file, owner, ()))
    return frozenset(found)


def _matches(setting: re.Pattern[str], text: str) -> set[str]:
    return {one or two for one, two in setting.findall(text)}
