"""What a condition is when the program runs, as far as its text proves it.

::

    if TYPE_CHECKING:                   never true, if it is that of typing
    if False:  if 0:  if "":            never true
    if "version":  if 1:                always true
    FAST = True                         FAST is bound once: a test of it is always true
    if sys.version_info >= (3, 6):      always true: no supported Python is older
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from review_bot.changes.node_index import nodes_of
from review_bot.checks.python.statements import last_name, statements
from review_bot.checks.python.syntax import dotted

_PYTHONS = tuple((3, minor) for minor in range(9, 40))
"""The versions for which a test of ``sys.version_info`` is evaluated: the oldest in use, and later ones."""

_TYPING = frozenset({"typing", "typing_extensions"})

_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip


def truth(test: ast.expr, constants: Mapping[str, object]) -> bool | None:
    """Return whether a condition is true at run time, or None if its text does not prove it.

    ``constants`` are the names of the module that hold one constant (see ``constants_of``).
    """
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, (ast.Name, ast.Attribute)):
        name = dotted(test) or ""
        return bool(constants[name]) if name in constants else None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = truth(test.operand, constants)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        return _joined([truth(each, constants) for each in test.values], all_of=isinstance(test.op, ast.And))
    return _of_version(test) if isinstance(test, ast.Compare) else None


def constants_of(tree: ast.Module) -> dict[str, object]:
    """Return the top-level names that one statement alone binds, to a constant; that of typing is false."""
    stored: dict[str, int] = {}
    values: dict[str, object] = {}
    for node in nodes_of(tree, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            stored[node.id] = stored.get(node.id, 0) + 1
    for imported in nodes_of(tree, ast.alias):
        name = imported.asname or imported.name.partition(".")[0]
        stored[name] = stored.get(name, 0) + 1
    for statement in tree.body:
        value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        if isinstance(value, ast.Constant) and len(targets) == 1 and isinstance(targets[0], ast.Name):
            values[targets[0].id] = value.value
    return {name: value for name, value in values.items() if stored.get(name) == 1} | _type_checking(tree, stored)


def _type_checking(tree: ast.Module, stored: Mapping[str, int]) -> dict[str, object]:
    """Return the names under which a file has ``typing.TYPE_CHECKING``, if nothing else binds them."""
    bound: dict[str, int] = {}
    found: dict[str, str] = {}
    for node in nodes_of(tree, ast.ImportFrom):
        for alias in node.names if node.module in _TYPING else ():
            if alias.name == "TYPE_CHECKING":
                name = alias.asname or alias.name
                bound[name] = bound.get(name, 0) + 1
                found[name] = name
    for plain in nodes_of(tree, ast.Import):
        for alias in plain.names:
            if alias.name in _TYPING:
                name = alias.asname or alias.name
                bound[name] = bound.get(name, 0) + 1
                found[f"{name}.TYPE_CHECKING"] = name
    return {each: False for each, name in found.items() if stored.get(name, 0) == bound[name]}


def live_blocks(
    test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt], constants: Mapping[str, object]
) -> list[list[ast.stmt]]:
    """Return the branches of an ``if`` that can run."""
    known = truth(test, constants)
    return [block for block, runs in ((body, known is not False), (orelse, known is not True)) if runs]


def always_raises(body: list[ast.stmt]) -> bool:
    """Return whether a handler ends in ``raise``, or the end of the program, on every path."""
    if not body or not (isinstance(body[-1], ast.Raise) or _ends_program(body[-1])):
        return False
    leaving = (ast.Return, ast.Continue, ast.Break)
    return not any(isinstance(each, leaving) for each in statements(body, into_definitions=False))


def _ends_program(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and last_name(call.func) in {"exit", "_exit", "abort"}


def _joined(parts: list[bool | None], *, all_of: bool) -> bool | None:
    if all_of:
        return False if False in parts else None if None in parts else True
    return True if True in parts else None if None in parts else False


def _of_version(test: ast.Compare) -> bool | None:
    """Return what ``sys.version_info >= (3, 8)`` is on every supported Python, if it is the same on all."""
    if len(test.ops) != 1 or ast.unparse(test.left) not in {"sys.version_info", "version_info", "sys.version_info[:2]"}:
        return None
    compare = _COMPARE.get(type(test.ops[0]))
    try:
        wanted = ast.literal_eval(test.comparators[0])
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    if compare is None or not isinstance(wanted, tuple) or not all(isinstance(each, int) for each in wanted):
        return None
    found = {compare(version, wanted) for version in _PYTHONS}
    return found.pop() if len(found) == 1 else None
