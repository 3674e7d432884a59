"""Calls of ``super().__init__()`` with arguments that reach ``object``, which takes none, since the bases are gone.

::

    class Engine(Runner):                       class Engine:
        def __init__(self, config):                 def __init__(self, config):
            super().__init__(config)                    super().__init__(config)        TypeError
"""

from __future__ import annotations

import ast

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.class_family import has_known_bases
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.receivers import is_super
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.python.statements import is_function
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of


def call_with_arguments(codebase: Codebase, owner: Symbol, old_path: str) -> ast.Call | None:
    """Return the first such call of a class that has lost all of its bases. ``old_path``: its file at the base."""
    node = call_targets(codebase.head).class_of(owner)
    before = call_targets(codebase.base).class_of(Symbol(old_path, owner.name))
    if node is None or before is None or has_known_bases(before) or is_mixed_in(node, codebase.head):
        return None
    for method in (each for each in node.body if is_function(each) and each.name == "__init__"):
        for call in nodes_of(method, ast.Call):
            target, values = call.func, [*call.args, *(each.value for each in call.keywords if each.arg)]
            if not isinstance(target, ast.Attribute) or target.attr != "__init__":
                continue
            if is_super(target.value, node, method) and any(not isinstance(each, ast.Starred) for each in values):
                return call
    return None


def is_mixed_in(node: ast.ClassDef, side: Snapshot) -> bool:
    """Return whether ``super()`` in a class may be another class than ``object``, of itself or of a class below."""
    if node.bases or node.keywords or node.decorator_list or "Mixin" in node.name:
        return True
    return any(len(each.definition.bases) > 1 for each in subclasses(side, node.name))
