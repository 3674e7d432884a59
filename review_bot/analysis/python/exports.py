"""What the ``__all__`` of a module lists, if its text shows that.

::

    __all__ = ["load"] + ["save"]
    __all__ += ["start"]
    __all__.extend(("stop",))

Source: https://docs.python.org/3/reference/simple_stmts.html#the-import-statement
"""

from __future__ import annotations

import ast

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import is_name, text_of
from review_bot.changes.node_index import kept_on_node, nodes_of

_NAME = "__all__"
_KEEPING = frozenset({"copy", "count", "index", "reverse", "sort"})
_BUILDING = frozenset({"frozenset", "list", "set", "sorted", "tuple"})


@kept_on_node
def listed_exports(tree: ast.Module) -> frozenset[str] | None:
    """Return the names in the ``__all__`` of a module; None if it has none, or one that the text does not show."""
    mentioned = [each for each in nodes_of(tree, ast.Name) if each.id == _NAME]
    if not mentioned or any(each.value == _NAME for each in nodes_of(tree, ast.Constant)):
        return None
    changed = {id(each) for each in mentioned if not isinstance(each.ctx, ast.Load)}
    for each in nodes_of(tree, ast.Attribute):
        if is_name(each.value, _NAME) and each.attr not in _KEEPING:
            changed.add(id(each.value))
    changed |= {id(each.value) for each in nodes_of(tree, ast.Subscript)
                if is_name(each.value, _NAME) and not isinstance(each.ctx, ast.Load)}  # fmt: skip
    listed: frozenset[str] | None = None
    for statement in tree.body:
        own = {id(each) for each in nodes_of(statement, ast.Name)} & changed
        if not own:
            continue
        listed = _after(statement, listed)
        if listed is None:
            return None
        changed -= own
    return None if changed else listed  # something else changes it: a branch, a function


def _after(statement: ast.stmt, listed: frozenset[str] | None) -> frozenset[str] | None:
    """Return the names after a statement that changes them; None: the text does not show them."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=value):
            return _names(value, listed)
        case ast.AnnAssign(value=ast.expr() as value):
            return _names(value, listed)
        case ast.AugAssign(op=ast.Add(), value=value) if listed is not None:
            added = _names(value, listed)
            return None if added is None else listed | added
        case ast.Expr(ast.Call(ast.Attribute(attr=how), [argument], [])) if listed is not None:
            if how == "extend":
                added = _names(argument, listed)
                return None if added is None else listed | added
            name = text_of(argument)
            if name is not None and how in {"append", "remove"}:
                return listed | {name} if how == "append" else listed - {name}
    return None


def _names(value: ast.expr, listed: frozenset[str] | None) -> frozenset[str] | None:
    """Return the texts in an expression that makes a list of them."""
    found: frozenset[str] | None = None
    match value:
        case ast.List(items) | ast.Tuple(items) | ast.Set(items):
            found = _together(
                [_names(each.value, listed) if isinstance(each, ast.Starred) else _text(each) for each in items]
            )
        case ast.BinOp(left, ast.Add(), right):
            found = _together([_names(left, listed), _names(right, listed)])
        case ast.Call(func, [argument], []) if last_name(func) in _BUILDING:
            found = _names(argument, listed)
        case ast.Call(ast.Attribute(ast.Constant(str(text)), "split"), [], []):
            found = frozenset(text.split())
        case ast.Name(id=name) if name == _NAME:
            found = listed
    return found


def _together(parts: list[frozenset[str] | None]) -> frozenset[str] | None:
    known = [each for each in parts if each is not None]
    return frozenset[str]().union(*known) if len(known) == len(parts) else None


def _text(item: ast.expr) -> frozenset[str] | None:
    text = text_of(item)
    return None if text is None else frozenset({text})
