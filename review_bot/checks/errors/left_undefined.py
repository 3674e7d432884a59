"""Names whose import, definition or assignment a change removes from a module that still reads them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.project.certain_uses import certain_uses
from review_bot.analysis.project.early_in_classes import certain_in_classes, early_in_classes
from review_bot.analysis.project.early_uses import EarlyUse
from review_bot.analysis.project.unbound_names import unbound_uses
from review_bot.analysis.python.bindings import name_bound_by
from review_bot.analysis.python.statements import Function, definitions_of, parameter_names
from review_bot.analysis.python.syntax import bound_name, own_nodes
from review_bot.changes.line_map import LineMap
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related, Severity
from review_bot.rules.check import CheckTraits, file_check
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
    inside = [each for each in certain_in_classes(source) if source.added.keys().isdisjoint(_lines(each))]
    for use in inside:
        uses.setdefault(use.node.id, []).append(use.node)
    before = source.at_base() if uses else None
    if before is None:
        return
    unbound = Counter(node.id for node in unbound_uses(before))
    unbound.update(use.node.id for use in early_in_classes(before))
    uses = {name: found for name, found in uses.items() if len(found) > unbound[name]}
    readers = _Readers(source, before)
    bindings = [*_bindings(source.old_tree), *(_in_classes(source.old_tree) if inside else ())]
    bindings = [(name, line) for name, line in bindings if line in source.removed]
    stars = [line for name, line in bindings if name == "*"]
    for name, line in [*bindings, *((name, stars[-1]) for name in uses if stars)]:
        found = [node for node in uses.get(name, ()) if readers.read(node, line)]
        if found:
            del uses[name]
            lines = sorted({node.lineno for node in found})
            others = f" and at least {len(lines) - 1} more still read it" if len(lines) > 1 else " still reads it"
            values = {"name": name, "readers": f"line {lines[0]}{others}"}
            related = tuple(Related(source.path, each, f"reads `{name}`") for each in lines[:_MOST])
            is_certain = certain_uses(source, found) or any(each.node in found for each in inside)
            severity: Severity | None = None if is_certain else "warning"
            yield Hit(line, side="LEFT", values=values, related=related, statement=name, severity=severity)


def _lines(use: EarlyUse) -> set[int]:
    return {use.node.lineno, use.bound_at}


class _Readers:
    """Which uses read, at the base, what a line bound: a local name only those in the same function."""

    def __init__(self, source: SourceFile, before: SourceFile) -> None:
        self._new, self._old, self._lines = source, before, LineMap(source.change)
        self._new_uses = [node for node in unbound_uses(source) if node.lineno in source.added]
        self._global = {name for node in before.nodes(ast.Global) for name in node.names}

    def read(self, use: ast.Name, bound_at: int) -> bool:
        """Return whether an unchanged use read what a line of the base bound.

        Of a function that got another name, only if none of its new lines reads the name: such a line is reported as
        one that reads an undefined name.
        """
        at = self._lines.old_line(use.lineno)
        binding = self._functions_that_bind(use.id, bound_at)
        if at is None or (binding and use.id not in self._global and binding[-1] not in self._old.functions_around(at)):
            return False
        now, then = self._new.functions_around(use.lineno), self._old.functions_around(at)
        if [each.name for each in now] == [each.name for each in then]:
            return True
        return not any(each.id == use.id and self._new.functions_around(each.lineno) == now for each in self._new_uses)

    def _functions_that_bind(self, name: str, line: int) -> list[Function]:
        """Return the functions around what binds a name on a line of the base: a function is not in itself."""
        return [
            each
            for each in self._old.functions_around(line)
            if (each.lineno, each.name) != (line, name) or name in parameter_names(each)
        ]


def _bindings(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the names that something in a module binds, outside functions or inside, each with its line.

    Those of methods are none: only the body of their class reads them.
    """
    for alias in nodes_of(tree, ast.alias):
        yield bound_name(alias), alias.lineno
    methods = {each for owner in nodes_of(tree, ast.ClassDef) for each in owner.body}
    for definition in definitions_of(tree):
        if definition not in methods:
            yield definition.name, definition.lineno
    for node in nodes_of(tree, ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
    for parameter in nodes_of(tree, ast.arg):
        yield parameter.arg, parameter.lineno
    patterns: list[ast.ExceptHandler | ast.MatchAs | ast.MatchStar] = [
        *nodes_of(tree, ast.ExceptHandler), *nodes_of(tree, ast.MatchAs), *nodes_of(tree, ast.MatchStar),
    ]  # fmt: skip
    for pattern in patterns:
        if pattern.name:
            yield pattern.name, pattern.lineno
    for mapping in nodes_of(tree, ast.MatchMapping):
        if mapping.rest:
            yield mapping.rest, last_line(mapping)


def _in_classes(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the names that the bodies of classes bind, each with its line."""
    for owner in nodes_of(tree, ast.ClassDef):
        for node in own_nodes(owner.body):
            if name := name_bound_by(node):
                yield name, getattr(node, "lineno", owner.lineno)


CHECK = file_check(examine, CheckTraits(literals=None, reads_old=True, on_lines=False))
