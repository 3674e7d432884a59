"""Decorators of the tree that return a class as it is, and at most note it in a table.

::

    @register("engine")
    class Engine: ...

    def register(name):
        def note(cls):
            TABLE[name] = cls
            return cls
        return note
"""

from __future__ import annotations

import ast

from review_bot.analysis.facts.call_targets import CallTargets, call_targets
from review_bot.analysis.facts.code_file import CodeFile
from review_bot.analysis.facts.passing_decorators import gives_back
from review_bot.analysis.facts.runs import Symbol
from review_bot.changes.codebase import Snapshot, query


def gives_class_back(targets: CallTargets, file: CodeFile, decorator: ast.expr) -> bool:
    """Return whether a decorator at the top of a file is a function or method of the tree that returns what it gets."""
    named = decorator.func if isinstance(decorator, ast.Call) else decorator
    symbol = targets.named_by(file, named, ())
    if symbol is None and isinstance(named, ast.Attribute):
        kind = targets.class_named_by(file, named.value, ()) or targets.type_of(file, named.value, ())
        symbol = None if kind is None else targets.method(kind, named.attr)
    function = None if symbol is None else targets.function_of(symbol)
    if function is None or symbol is None:
        return False
    return gives_back(function, made=isinstance(decorator, ast.Call), bound="." in symbol.name)


@query
def is_kept_as_written(side: Snapshot, owner: Symbol) -> bool:
    """Return whether each decorator of a top-level class is one of the tree that returns it as it is."""
    targets = call_targets(side)
    node, file = targets.class_of(owner), targets.file(owner.path)
    if node is None or file is None:
        return False
    return all(gives_class_back(targets, file, each) for each in node.decorator_list)
