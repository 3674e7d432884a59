"""A loop inside a loop that takes the same variable, which the outer loop still needs afterwards.

::

    for i, step in enumerate(steps):
        for i, part in enumerate(parts(step)):
            run(part)
        report(i)                               the last part, not the step
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import inner_blocks, is_function
from review_bot.analysis.python.syntax import hit_on, own_nodes
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import start_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_Loop = ast.For | ast.AsyncFor


class _Reuse(NamedTuple):
    """``loop``: the inner loop. ``later``: the first read of its variable behind it."""

    loop: _Loop
    later: ast.Name


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each inner loop, once for each such variable. Raises CannotParse."""
    loops: list[_Loop] = [*source.nodes(ast.For), *source.nodes(ast.AsyncFor)]
    for outer in loops:
        names = _variables(outer)
        if not names or not any(isinstance(each, _Loop) for each in own_nodes(outer.body)):
            continue
        for name in sorted(names):
            for found in _reuses(outer.body, [], name):
                related = (
                    Related(source.path, outer.lineno, "the outer loop"),
                    Related(source.path, found.later.lineno, "reads it"),
                )
                values = {"name": name, "outer": str(outer.lineno), "line": str(found.later.lineno)}
                yield hit_on(source, found.loop, values=values, related=related)


def _variables(loop: _Loop) -> set[str]:
    return {each.id for each in walk(loop.target) if isinstance(each, ast.Name) and not each.id.startswith("_")}


def _reuses(block: list[ast.stmt], after: list[ast.stmt], name: str) -> Iterator[_Reuse]:
    """Yield the inner loops that take a name which code behind them reads. ``after``: what runs after the block."""
    leaves = bool(block) and isinstance(block[-1], (ast.Return, ast.Raise, ast.Break, ast.Continue))
    for number, statement in enumerate(block):
        rest = [*block[number + 1 :], *([] if leaves else after)]
        if isinstance(statement, _Loop) and name in _variables(statement):
            later = None if _searches(statement) else _next_read(rest, name)
            if later is not None:
                yield _Reuse(statement, later)
            return
        if not isinstance(statement, ast.ClassDef) and not is_function(statement):
            for inner in inner_blocks(statement):
                yield from _reuses(inner, rest, name)


def _searches(loop: _Loop) -> bool:
    """Return whether a loop stops at an item, which the code behind it may want."""
    return any(isinstance(each, ast.Break) for each in own_nodes(loop.body))


def _next_read(after: list[ast.stmt], name: str) -> ast.Name | None:
    """Return the first read of a name; None if the statement that mentions it next may set it, or has another one."""
    for statement in after:
        if any(isinstance(each, ast.arg) and each.arg == name for each in walk(statement)):
            return None
        found = [each for each in walk(statement) if isinstance(each, ast.Name) and each.id == name]
        if found:
            only_read = all(isinstance(each.ctx, ast.Load) for each in found)
            return min(found, key=start_of) if only_read else None
    return None


CHECK = file_check(examine, CheckTraits(literals=("for in",)))
