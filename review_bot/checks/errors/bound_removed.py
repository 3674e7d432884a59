"""A limit on a value that a change removes while the value stays: ``min``, ``max``, ``clamp``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.function_pairs import function_pairs, own_statements, plain
from review_bot.analysis.python.statements import Function, last_name
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.node_lines import lines_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_BOUNDS = frozenset({"min", "max"})
_CLAMPS = frozenset({"clamp", "clip", "clamp_"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield a hit on each assignment of what was bounded before and is not now."""
    limited = _newly_limited(source)
    for pair in function_pairs(source):
        if not any(last_name(call.func) in _BOUNDS | _CLAMPS for call in nodes_of(pair.old, ast.Call)):
            continue
        before = {(plain(each.targets[0]), plain(each.value)): each for each in _assignments(pair.old)}
        text_after = plain(pair.new)
        for new in _assignments(pair.new):
            line = next((each for each in lines_of(new) if each in source.added), None)
            if line is None:
                continue
            target = plain(new.targets[0])
            for (name, _), old in before.items():
                if name != target or (name, plain(new.value)) in before:
                    continue
                bound = _lost_bound(old.value, plain(new.value))
                if bound is None or bound in text_after or _is_compared(pair.new, new, source):
                    continue
                if target.rpartition(".")[2] not in limited:
                    yield Hit(line, values={"name": target, "bound": bound})
                    break


def _newly_limited(source: SourceFile) -> frozenset[str]:
    """Return the last words of what the file limits on added lines: the limit may have moved there."""
    found: set[str] = set()
    for call in nodes_of(source.tree, ast.Call):
        if call.lineno in source.added and _limits(call):
            names = (each for each in walk(call) if isinstance(each, (ast.Name, ast.Attribute)))
            found.update(map(last_name, names))
    return frozenset(found)


def _limits(call: ast.Call) -> bool:
    """Return whether a call may limit a value: ``max(a, b)``, ``x.clamp(0)``, ``np.minimum(a, b)``; not ``x.max()``."""
    name = last_name(call.func)
    return name in _CLAMPS | {"minimum", "maximum"} or (name in _BOUNDS and isinstance(call.func, ast.Name))


def _assignments(function: Function) -> Iterator[ast.Assign]:
    return (each for each in own_statements(function) if isinstance(each, ast.Assign) and len(each.targets) == 1)


def _is_compared(function: Function, assign: ast.Assign, source: SourceFile) -> bool:
    """Return whether a comparison that the change adds asks about what is assigned, so that it may be the limit."""
    asked = {plain(assign.targets[0]), plain(assign.value)}
    return any(
        each.lineno in source.added and not asked.isdisjoint(map(plain, (each.left, *each.comparators)))
        for each in nodes_of(function, ast.Compare)
    )


def _lost_bound(old: ast.expr, new: str) -> str | None:
    """Return the bounding call, somewhere in ``old``, without which ``old`` reads as ``new`` does."""
    before = plain(old)
    for node in walk(old):
        bounded = _bounded(node) if isinstance(node, ast.Call) else None
        if bounded is None:
            continue
        inner, call = bounded
        if new in {before.replace(call, inner, 1), before.replace(call, f"({inner})", 1)}:
            return call
    return None


def _bounded(value: ast.expr) -> tuple[str, str] | None:
    """Return (what is bounded, the bounding call as written)."""
    if not isinstance(value, ast.Call) or not (value.args or value.keywords):
        return None
    if isinstance(value.func, ast.Name) and value.func.id in _BOUNDS and len(value.args) == 2 and not value.keywords:
        inner = value.args[0] if _is_limit(value.args[1]) else value.args[1]
        return (plain(inner), plain(value)) if _is_limit(value.args[0]) != _is_limit(value.args[1]) else None
    if last_name(value.func) in _CLAMPS and isinstance(value.func, ast.Attribute):
        of_module = (
            value.args and isinstance(value.func.value, ast.Name) and value.func.value.id in {"torch", "np", "numpy"}
        )
        return plain(value.args[0] if of_module else value.func.value), plain(value)
    return None


def _is_limit(node: ast.expr) -> bool:
    """Return whether an expression is a number or a constant by its name."""
    if isinstance(node, ast.UnaryOp):
        return _is_limit(node.operand)
    name = last_name(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
    return isinstance(node, ast.Constant) or (name.isupper() and len(name) > 1) or "max_" in name or "limit" in name


CHECK = file_check(examine, CheckTraits(literals=("min", "max", "clamp", "clip"), reads_old=True))
