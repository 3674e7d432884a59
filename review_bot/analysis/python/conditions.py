"""What a condition is when the program runs, as far as its text proves it.

::

    if TYPE_CHECKING:                   never true, if it is that of typing
    if False:  if 0:  if "":            never true
    if "version":  if 1:                always true
    FAST = True                         FAST is bound once: a test of it is always true
    if sys.version_info >= (3, 6):      always true: no supported Python is older
    if []:  if 1 == 2:                  never true
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from review_bot.analysis.python.bindings import binding_counts, names_bound_by_text
from review_bot.analysis.python.never_negative import NotNegative
from review_bot.analysis.python.statements import is_string, targets_of
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.node_index import kept_on_node, nodes_of, walk

_PYTHONS = tuple((3, minor) for minor in range(9, 40))
"""The versions for which a test of ``sys.version_info`` is evaluated: the oldest in use, and later ones."""

_CURRENT = (3, 14)
"""A version for which each project is expected to work."""

_TYPING = frozenset({"typing", "typing_extensions"})

_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Is: operator.is_, ast.IsNot: operator.is_not,
}  # fmt: skip

VersionPart = Callable[[tuple[int, int]], object]
"""Returns what a part of the version is for (major, minor)."""

_VERSION_PARTS: Mapping[str, VersionPart] = {
    "sys.version_info": lambda version: version,
    "version_info": lambda version: version,
    "sys.version_info[:2]": lambda version: version,
    "sys.version_info[0]": lambda version: version[0],
    "sys.version_info.major": lambda version: version[0],
    "sys.hexversion": lambda version: version[0] << 24 | version[1] << 16,
}

_MIRRORED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq,
}  # fmt: skip
"""What each comparison is with its sides exchanged."""

_VERSION_NAME = "version_info"
_VERSION = object()
"""What that name is to a file that has it from ``sys``; any other is of some package."""

_OF_SIX = {"six.PY2": False, "six.PY3": True}
"""What ``six`` says of any supported Python."""

_UNKNOWN = object()


def truth(test: ast.expr, constants: Mapping[str, object]) -> bool | None:
    """Return whether a condition is true at run time, or None if its text does not prove it.

    ``constants`` are the names of the module that hold one constant (see ``constants_of``).
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = truth(test.operand, constants)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        return _joined([truth(each, constants) for each in test.values], all_of=isinstance(test.op, ast.And))
    if isinstance(test, (ast.List, ast.Tuple, ast.Set)) and not any(isinstance(e, ast.Starred) for e in test.elts):
        return bool(test.elts)
    if isinstance(test, ast.Dict) and None not in test.keys:
        return bool(test.keys)
    if isinstance(test, ast.Compare):
        return _compared(test, constants)
    value = _value(test, constants)
    return None if value is _UNKNOWN or isinstance(value, NotNegative) else bool(value)


def _value(expression: ast.expr, constants: Mapping[str, object]) -> object:
    """Return the constant that an expression is, or ``_UNKNOWN``."""
    if isinstance(expression, ast.Constant):
        return expression.value
    if isinstance(expression, ast.NamedExpr):
        return _value(expression.value, constants)
    if isinstance(expression, (ast.Name, ast.Attribute)):
        value = constants.get(dotted(expression) or "", _UNKNOWN)
        return _UNKNOWN if value is _VERSION else value
    if isinstance(expression, ast.Call) and not expression.args and not expression.keywords:
        returned = constants.get(f"{dotted(expression.func)}()", _UNKNOWN)
        return _UNKNOWN if returned is NoReturn else returned
    return _UNKNOWN


@kept_on_node
def constants_of(tree: ast.Module) -> Mapping[str, object]:
    """Return the top-level names that one statement alone binds, to a constant; that of typing is false.

    A test of Python's version is a constant if it has the same outcome on all that are in use.
    """
    stored = binding_counts(tree)
    by_text = names_bound_by_text(tree)
    last_star = _last_star(tree)
    values: dict[str, object] = {}
    if stored[_VERSION_NAME] == 1 and _VERSION_NAME in _names_of(f"sys.{_VERSION_NAME}", tree):
        values[_VERSION_NAME] = _VERSION
    for statement in tree.body:
        value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
        targets = targets_of(statement)
        if len(targets) != 1 or not isinstance(targets[0], ast.Name):
            continue
        compared = value if isinstance(value, ast.Compare) and len(value.ops) == 1 else None
        known = None if compared is None else _of_python(compared, _PYTHONS, values)
        if not isinstance(value, ast.Constant) and known is None:
            continue
        if stored[targets[0].id] == 1 and statement.lineno > last_star and targets[0].id not in by_text:
            values[targets[0].id] = value.value if isinstance(value, ast.Constant) else known
    for full, known in _OF_SIX.items():
        values |= {name: known for name in _names_of(full, tree) if stored[name.partition(".")[0]] == 1}
    return values if "TYPE_CHECKING" in by_text else values | _type_checking(tree, stored)


def _last_star(tree: ast.Module, condition: str = "") -> int:
    """Return the line of the last star import, 0 if there is none: one may bind any name again.

    Those that run only if ``condition``, as it is written, is true do not count.
    """
    guarded: set[ast.AST] = set()
    for each in nodes_of(tree, ast.If) if condition else ():
        if dotted(each.test) == condition:
            guarded.update(node for statement in each.body for node in walk(statement))
    return max(
        (each.lineno for each in nodes_of(tree, ast.alias) if each.name == "*" and each not in guarded), default=0
    )


def _names_of(full: str, tree: ast.Module) -> set[str]:
    """Return what a name of a module is written as, by the imports of a file: ``six.PY2`` or ``PY2``."""
    module, _, name = full.rpartition(".")
    found = {
        f"{alias.asname or alias.name}.{name}"
        for plain in nodes_of(tree, ast.Import)
        for alias in plain.names
        if alias.name == module
    }
    return found | {
        alias.asname or alias.name
        for each in nodes_of(tree, ast.ImportFrom)
        for alias in each.names
        if each.module == module and alias.name == name
    }


@kept_on_node
def constant_functions(tree: ast.Module) -> Mapping[str, object]:
    """Return what each top-level function returns that does nothing but return a constant, as ``name()``."""
    bound = binding_counts(tree)
    found: dict[str, object] = {}
    for statement in tree.body:
        if not isinstance(statement, ast.FunctionDef) or statement.decorator_list or bound[statement.name] != 1:
            continue
        body = statement.body[1:] if is_string(statement.body[0]) else statement.body
        first = body[0] if body else None
        if isinstance(first, ast.Return) and isinstance(first.value, ast.Constant):
            found[f"{statement.name}()"] = first.value.value
    return found


def on_newest_python(test: ast.expr, constants: Mapping[str, object]) -> bool | None:
    """Return what a comparison of Python's version is on a current Python; None for any other condition."""
    return _of_python(test, (_CURRENT,), constants) if isinstance(test, ast.Compare) and len(test.ops) == 1 else None


def links(test: ast.Compare) -> list[ast.expr]:
    """Return what a chain of comparisons consists of: ``a < b < c`` is ``a < b and b < c``."""
    operands = [test.left, *test.comparators]
    pairs = zip(operands, test.ops, operands[1:], strict=False)
    return [ast.Compare(left, [operation], [right]) for left, operation, right in pairs]


def _type_checking(tree: ast.Module, stored: Mapping[str, int]) -> dict[str, object]:
    """Return the names under which a file has ``typing.TYPE_CHECKING``, if nothing else binds them."""
    if any(
        node.attr == "TYPE_CHECKING" and not isinstance(node.ctx, ast.Load) for node in nodes_of(tree, ast.Attribute)
    ):
        return {}
    bound: dict[str, int] = {}
    found: dict[str, str] = {}
    lines: dict[str, int] = {}
    for node in nodes_of(tree, ast.ImportFrom):
        for alias in node.names if node.module in _TYPING else ():
            if alias.name == "TYPE_CHECKING":
                name = alias.asname or alias.name
                bound[name] = bound.get(name, 0) + 1
                found[name], lines[name] = name, alias.lineno
    for plain in nodes_of(tree, ast.Import):
        for alias in plain.names:
            if alias.name in _TYPING:
                name = alias.asname or alias.name
                bound[name] = bound.get(name, 0) + 1
                found[f"{name}.TYPE_CHECKING"], lines[name] = name, alias.lineno
    return {
        each: False
        for each, name in found.items()
        if stored.get(name, 0) == bound[name] and lines[name] > _last_star(tree, each)
    }


def live_blocks(statement: ast.If, constants: Mapping[str, object]) -> list[list[ast.stmt]]:
    """Return the branches of an ``if`` that can run."""
    known = truth(statement.test, constants)
    branches = (statement.body, known is not False), (statement.orelse, known is not True)
    return [block for block, runs in branches if runs]


def _joined(parts: list[bool | None], *, all_of: bool) -> bool | None:
    if all_of:
        return False if False in parts else None if None in parts else True
    return True if True in parts else None if None in parts else False


def _compared(test: ast.Compare, constants: Mapping[str, object]) -> bool | None:
    """Return what a comparison of constants is, or one of Python's version if it is the same for all in use."""
    if len(test.ops) != 1:
        return _joined([truth(each, constants) for each in links(test)], all_of=True)
    known = _of_python(test, _PYTHONS, constants)
    if known is not None:
        return known
    left, operation, right = test.left, test.ops[0], test.comparators[0]
    pair = _value(left, constants), _value(right, constants)
    compare = _COMPARE.get(type(operation))
    if any(each is _UNKNOWN for each in pair) or compare is None:
        return None
    if isinstance(operation, (ast.Is, ast.IsNot)) and any(isinstance(each, NotNegative) for each in pair):
        return None  # it stands for many objects
    try:
        return bool(compare(*pair))
    except TypeError:
        return None


def _of_python(test: ast.Compare, versions: Iterable[tuple[int, int]], constants: Mapping[str, object]) -> bool | None:
    """Return what a comparison is on some versions of Python; None if it differs, or is about something else."""
    left, operation, right = test.left, test.ops[0], test.comparators[0]
    if (part := _part_of_version(left, constants)) is not None:
        return _of_version(part, operation, right, versions)
    if type(operation) in _MIRRORED and (part := _part_of_version(right, constants)) is not None:
        return _of_version(part, _MIRRORED[type(operation)](), left, versions)
    return None


def _part_of_version(operand: ast.expr, constants: Mapping[str, object]) -> VersionPart | None:
    name = _name_of_part(operand)
    is_other = name == _VERSION_NAME and constants.get(name) is not _VERSION
    return None if is_other else _VERSION_PARTS.get(name)


def _name_of_part(operand: ast.expr) -> str:
    """Return the text of a name or a part of one; empty for any other operand, which writing out would cost more."""
    return ast.unparse(operand) if isinstance(operand, ast.Subscript) else dotted(operand) or ""


def _of_version(
    part: VersionPart,
    operation: ast.cmpop,
    right: ast.expr,
    versions: Iterable[tuple[int, int]],
) -> bool | None:
    """Return what ``sys.version_info >= (3, 8)`` is on each of some versions, if it is the same on all."""
    compare = _COMPARE.get(type(operation))
    try:
        wanted = ast.literal_eval(right)
        found = {compare(part(version), wanted) for version in versions} if compare is not None else set()
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return None
    return found.pop() if len(found) == 1 else None
