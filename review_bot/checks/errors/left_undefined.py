"""Names whose import, definition or assignment a change removes from a module that still reads them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.project.unbound_names import unbound_uses
from review_bot.analysis.python.statements import definitions_of
from review_bot.analysis.python.syntax import bound_name
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_MOST = 5


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield a hit, on the old side, on what bound each such name. Raises CannotParse."""
    if not source.removed or source.old_text is None:
        return
    uses: dict[str, list[ast.Name]] = {}
    for node in unbound_uses(source):
        if node.lineno not in source.added:
            uses.setdefault(node.id, []).append(node)
    before = source.at_base() if uses else None
    if before is None:
        return
    unbound = Counter(node.id for node in unbound_uses(before))
    uses = {name: found for name, found in uses.items() if len(found) > unbound[name]}
    bindings = [(name, line) for name, line in _bindings(source.old_tree) if line in source.removed]
    stars = [line for name, line in bindings if name == "*"]
    for name, line in [*bindings, *((name, stars[-1]) for name in uses if stars)]:
        if name in uses:
            found = uses.pop(name)
            lines = sorted({node.lineno for node in found})
            others = f" and at least {len(lines) - 1} more still read it" if len(lines) > 1 else " still reads it"
            values = {"name": name, "readers": f"line {lines[0]}{others}"}
            related = tuple(Related(source.path, each, f"reads `{name}`") for each in lines[:_MOST])
            yield Hit(line, side="LEFT", values=values, related=related, statement=name)


def _bindings(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the names that something in a module binds, outside functions or inside, each with its line."""
    for alias in nodes_of(tree, ast.alias):
        yield bound_name(alias), alias.lineno
    for definition in definitions_of(tree):
        yield definition.name, definition.lineno
    for node in nodes_of(tree, ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
    for parameter in nodes_of(tree, ast.arg):
        yield parameter.arg, parameter.lineno


CHECK = FileCheck(without_options(examine), CheckTraits(literals=None, reads_old=True, on_lines=False))
