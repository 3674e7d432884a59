"""An element of ``*args`` that a function assigns to: ``args`` is a tuple, so this raises TypeError."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import hit_at, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_CHANGING = frozenset({"append", "extend", "insert", "pop", "remove"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such assignment, and each call that only a list has. Raises CannotParse."""
    for function in source.functions:
        arguments = function.args.vararg
        if arguments is None:
            continue
        nodes = list(own_nodes(function.body))
        names = [node for node in nodes if isinstance(node, ast.Name) and node.id == arguments.arg]
        if any(not isinstance(node.ctx, ast.Load) for node in names):
            continue  # it may be a list by then
        own = {id(node) for node in names}
        items = [node for node in nodes if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)]
        methods = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr in _CHANGING]
        places: list[ast.Subscript | ast.Attribute] = [*items, *methods]
        for place in places:
            if id(place.value) in own:
                yield hit_at(source, place, values={"name": arguments.arg})


CHECK = file_check(examine, CheckTraits(literals=("def",)))
