"""A list, set or dictionary that loses elements inside the loop that iterates over it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.node_types import LOOPS
from review_bot.analysis.python.statements import assigned_values, inner_blocks, is_function, last_name
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names, own_nodes
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_VIEWS = frozenset({"items", "keys", "values"})
_OF_TABLES = frozenset({
    "columns", "dropna", "groupby", "iloc", "iterrows", "itertuples", "loc", "reset_index", "sort_values", "to_csv",
    "to_excel",
})  # fmt: skip
_MAKES_TABLE = LazyRegex(r"pandas\.(?:DataFrame|read_\w+|concat|merge)$")
_COPIED = LazyRegex(r"(?:^|\.)session_state$|^os\.environ$")
"""What gives a loop a copy of its keys: the state of Streamlit's session, and the environment."""
_ITERATES_AHEAD = "bpy."
"""Blender's module: its collections step to the next element before the loop sees one."""
_REMOVING = frozenset({"clear", "discard", "pop", "popitem", "remove"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each removal that the loop goes on after. Raises CannotParse."""
    tables: set[str | None] | None = None
    for loop in source.nodes(ast.For):
        name, is_view = _iterated(loop.iter)
        if name is None or _COPIED.search(name) or name.startswith(_ITERATES_AHEAD) or _is_bound_again(name, loop):
            continue
        if tables is None:
            tables = {dotted(each.value) for each in source.nodes(ast.Attribute) if each.attr in _OF_TABLES}
            imported = imported_names(source.tree)
            for assign in source.nodes(ast.Assign):
                if (full_name(assign.value, imported) or "").startswith(_ITERATES_AHEAD):
                    tables.update(map(dotted, assign.targets))
                made = full_name(assign.value.func, imported) if isinstance(assign.value, ast.Call) else None
                if made is not None and _MAKES_TABLE.match(made):
                    tables.update(map(dotted, assign.targets))
        if name in tables:
            continue  # the columns of a table of pandas are an index of its own
        kind = "dict" if is_view else _kind(name, source)
        if kind not in _RAISE and any(loop in nodes_of(each, ast.For) for each in _drains(name, source)):
            continue
        for statement in _going_on(loop.body):
            if _removed(statement) == name:
                values = {"name": name, "iterated": ast.unparse(loop.iter), "effect": _effect(kind)}
                yield hit_at(source, statement, values=values)


def _going_on(block: list[ast.stmt], *, is_inner: bool = False, leaves: bool = False) -> Iterator[ast.stmt]:
    """Yield the statements after which a loop may have another iteration.

    ``is_inner``: the block is in an inner loop. ``leaves``: what follows the block leaves the loop.
    """
    last = block[-1]
    if isinstance(last, (ast.Return, ast.Raise)) or (isinstance(last, ast.Break) and not is_inner):
        leaves = True
    elif isinstance(last, ast.Continue) and not is_inner:
        leaves = False
    for statement in block:
        if not leaves and not isinstance(last, ast.Break):
            yield statement
        if not isinstance(statement, ast.ClassDef) and not is_function(statement):
            is_loop = isinstance(statement, LOOPS)
            for inner in inner_blocks(statement):
                yield from _going_on(inner, is_inner=is_inner or is_loop, leaves=leaves)


_RAISE = frozenset({"deque", "dict", "set"})
_OF_LISTS = (ast.List, ast.ListComp)
_OF_OTHERS = {ast.Dict: "dict", ast.DictComp: "dict", ast.Set: "set", ast.SetComp: "set"}
_MAKERS = {
    "list": "list", "sorted": "list", "split": "list", "dict": "dict", "defaultdict": "dict", "OrderedDict": "dict",
    "Counter": "dict", "set": "set", "deque": "deque",
}  # fmt: skip


def _effect(kind: str) -> str:
    if kind in _RAISE:
        return "which raises RuntimeError"
    return f"so the loop can skip elements{'' if kind == 'list' else ', or fail'}"


def _kind(name: str, source: SourceFile) -> str:
    """Return which kind of collection a name holds, if all that a file assigns to it is of that kind; else nothing."""
    kinds = {_kind_of(value) for target, value in assigned_values(source.tree) if value and dotted(target) == name}
    return kinds.pop() if len(kinds) == 1 else ""


def _kind_of(value: ast.expr) -> str:
    if isinstance(value, _OF_LISTS) or (isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice)):
        return "list"
    if isinstance(value, ast.Call):
        return _MAKERS.get(last_name(value.func), "")
    return _OF_OTHERS.get(type(value), "")


def _drains(name: str, source: SourceFile) -> Iterator[ast.While]:
    """Yield the loops that end when a collection is empty, by their condition or by a ``break``."""
    for loop in source.nodes(ast.While):
        tests = [each.test for each in loop.body if isinstance(each, ast.If) and isinstance(each.body[-1], ast.Break)]
        if _asks_for_elements(loop.test, name) or any(_asks_for_elements(test, name) for test in tests):
            yield loop


def _asks_for_elements(test: ast.expr, name: str) -> bool:
    """Return whether a condition is that a collection is empty, or that it is not: ``not x``, ``len(x) > 0``."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _asks_for_elements(test.operand, name)
    if isinstance(test, ast.Compare) and len(test.comparators) == 1:
        limit = test.comparators[0]
        is_size = isinstance(test.left, ast.Call) and last_name(test.left.func) == "len"
        return is_size and isinstance(limit, ast.Constant) and limit.value == 0 and _asks_for_elements(test.left, name)
    if isinstance(test, ast.Call) and last_name(test.func) == "len" and len(test.args) == 1:
        return dotted(test.args[0]) == name
    return dotted(test) == name


def _iterated(value: ast.expr) -> tuple[str | None, bool]:
    """Return what a loop iterates over by name, and whether as a view of a dictionary."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _VIEWS:
        return (None, False) if value.args else (dotted(value.func.value), True)
    return dotted(value), False


def _removed(statement: ast.stmt) -> str | None:
    """Return what a statement takes an element from."""
    if isinstance(statement, ast.Delete) and isinstance(statement.targets[0], ast.Subscript):
        return dotted(statement.targets[0].value)
    value = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
    removes = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _REMOVING
    if removes and any(isinstance(each, ast.Constant) for each in value.args):  # type: ignore[union-attr]
        return None  # one known element, which need not be where the loop is
    return dotted(value.func.value) if removes else None  # type: ignore[union-attr]  # a call of an attribute


def _is_bound_again(name: str, loop: ast.For) -> bool:
    return any(
        isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store) and dotted(node) == name
        for node in own_nodes(loop.body)
    )


CHECK = file_check(examine, CheckTraits(literals=tuple(f"for {word}" for word in ("del", *sorted(_REMOVING)))))
