"""A local variable that is set twice in a row, and nothing reads what the first statement computed."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, blocks, is_function, last_name, statements
from review_bot.analysis.python.syntax import hit_at, imported_names, own_nodes
from review_bot.changes.node_index import walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_LANGUAGES = frozenset({"cutlass", "tilelang", "triton", "numba", "taichi", "warp"})
"""Packages with languages of their own, in which an assignment to a name may write to memory."""
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_LOOKS_AT_NAMES = frozenset({"locals", "vars", "eval", "exec"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each assignment that replaces a value nothing has read. Raises CannotParse."""
    if not _LANGUAGES.isdisjoint(each.partition(".")[0] for each in imported_names(source.tree).values()):
        return
    for function in source.functions:
        if source.touches(function.lineno, function.end_lineno or function.lineno):
            yield from _in_function(source, function)


def _in_function(source: SourceFile, function: Function) -> Iterator[Hit]:
    every = list(statements(function.body, into_definitions=False))
    often = Counter(name for each in every if (name := _target(each)) is not None)
    wanted = {name for name, count in often.items() if count > 1 and not name.startswith("_")}
    wanted -= _reached_from_elsewhere(function) if wanted else set()
    if not wanted:
        return
    guarded = {id(each) for inner in every if isinstance(inner, ast.Try) for each in statements(inner.body)}
    for block in blocks(function.body, into_definitions=False):
        for number, statement in enumerate(block):
            name = _target(statement)
            if name not in wanted or id(statement) in guarded or not isinstance(statement, ast.Assign):
                continue
            if _is_plain(statement.value) or _mentions(statement.value, name):
                continue
            first = _unread_before(block[:number], name, statement.value)
            if first is not None:
                yield hit_at(source, statement, values={"name": name, "line": str(first)})


def _target(statement: ast.stmt) -> str | None:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        return target.id if isinstance(target, ast.Name) else None
    return None


def _reached_from_elsewhere(function: Function) -> set[str]:
    """Return the names that code may read that is not in the order of the text: closures, ``global``, ``locals()``."""
    found: set[str] = set()
    for node in own_nodes(function.body):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
        elif is_function(node) or isinstance(node, (ast.Lambda, ast.ClassDef)):
            found.update(each.id for each in walk(node) if isinstance(each, ast.Name))
        elif isinstance(node, ast.Call) and last_name(node.func) in _LOOKS_AT_NAMES:
            found.update(each.id for each in walk(function) if isinstance(each, ast.Name))
    return found


def _unread_before(before: list[ast.stmt], name: str, value: ast.expr) -> int | None:
    """Return the line that last set the name, if nothing reads it and nothing leaves the block in between."""
    for statement in reversed(before):
        if not _mentions(statement, name):
            if any(isinstance(each, _LEAVING) for each in walk(statement)):
                return None
            continue
        if isinstance(statement, ast.Assign) and _target(statement) == name:
            same_call = isinstance(value, ast.Call) and _called(statement.value) == _called(value)
            return None if _is_plain(statement.value) or same_call else statement.lineno
        if isinstance(statement, ast.If) and not _mentions(statement, name, ast.Load):
            sets = [each for each in statements([statement], into_definitions=False) if _target(each) == name]
            leaves = any(isinstance(each, _LEAVING) for each in walk(statement))
            return sets[0].lineno if sets and not leaves else None
        return None
    return None


def _called(value: ast.expr) -> str:
    """Return what is called. The same call twice warms something up, or moves it on."""
    return ast.dump(value.func) if isinstance(value, ast.Call) else ""


def _is_plain(value: ast.expr) -> bool:
    """Return whether a value is one that names begin with, or that lets go of what they held."""
    if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        return all(_is_plain(each) for each in value.elts)
    if isinstance(value, ast.Dict):
        return not value.keys
    if isinstance(value, ast.UnaryOp):
        return _is_plain(value.operand)
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and not (value.args or value.keywords)
    return isinstance(value, ast.Constant)


def _mentions(node: ast.AST, name: str, context: type[ast.expr_context] = ast.expr_context) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, context) for each in walk(node))


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("def =",)))
