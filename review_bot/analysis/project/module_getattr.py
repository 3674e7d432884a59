"""Which names a module's own ``__getattr__`` may answer for.

::

    def __getattr__(name):
        if name in {"Shape", "Size"}:
            return getattr(core, name)      these two alone
        return legacy.__getattr__(name)     any: the text of this module does not say which

Source: https://peps.python.org/pep-0562/
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.completion import fails
from review_bot.analysis.python.module_body import bound_by
from review_bot.analysis.python.statements import assigned_values, is_function, last_name
from review_bot.analysis.python.syntax import names_in, text_of
from review_bot.changes.node_index import nodes_of

_IMPORTS = frozenset({"import_module", "__import__"})
_OWN_NAME = frozenset({"__name__", "__package__"})
_COLLECTIONS = frozenset({"dict", "frozenset", "list", "set", "tuple"})
_Display = ast.Dict | ast.Set | ast.List | ast.Tuple


def is_module_getattr(statement: ast.stmt) -> bool:
    """Return whether a statement defines a module's ``__getattr__``, and one that may return something."""
    if is_function(statement):
        return statement.name == "__getattr__" and not fails(statement.body)
    return not isinstance(statement, ast.ClassDef) and "__getattr__" in bound_by(statement)


def given_by_getattr(tree: ast.Module) -> frozenset[str]:
    """Return the names that the ``__getattr__`` of a module compares with the one that it is asked for.

    ::

        if name == "lookup":  ...      if name in {"lookup", "Block"}:  ...      if name in _LAZY:  ...
    """
    found: set[str] = set()
    tables: set[str] = set()
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and is_module_getattr(function) and function.args.args:
            asked = function.args.args[0].arg
            for compare in nodes_of(function, ast.Compare):
                sides = [compare.left, *compare.comparators]
                named = {each.id for each in sides if isinstance(each, ast.Name)}
                if asked in named:
                    tables |= named
                    found.update(text for each in sides for text in _texts_in(each))
    for statement in tree.body if tables else ():
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and not tables.isdisjoint(bound_by(statement)):
            found.update(() if statement.value is None else _texts_in(statement.value))
    return frozenset(name for name in found if name.isidentifier())


def _texts_in(value: ast.expr) -> Iterator[str]:
    """Yield the constant text of an expression, or those of a collection, or the keys of a table."""
    held = value.keys if isinstance(value, ast.Dict) else getattr(value, "elts", [value])
    yield from (text for each in held if (text := text_of(each)) is not None)


def hands_on(tree: ast.Module) -> bool:
    """Return whether a module answers for names that it does not list with what something else has.

    It does by ``getattr(core, name)``, by the ``__getattr__`` of another module, and by an import of a module whose
    name is made from the one that is asked for, except that of a submodule, which the tree shows.
    """
    for function in tree.body:
        if is_function(function) and function.name == "__getattr__" and function.args.args:
            name = function.args.args[0].arg
            tables = frozenset(each.id for each in _tables(tree.body + function.body))
            asked = _Asked(name, tables)
            return any(
                _passes_on(call, name) for each in asked.open_parts(function.body) for call in nodes_of(each, ast.Call)
            )
    return False


def _passes_on(call: ast.Call, name: str) -> bool:
    kind = last_name(call.func)
    if kind == "getattr":
        return len(call.args) > 1 and name in names_in(call.args[1])
    if kind == "__getattr__":
        return any(name in names_in(each) for each in call.args)
    given = {word for each in call.args for word in names_in(each)}
    return kind in _IMPORTS and name in given and not _OWN_NAME & given


def _tables(body: list[ast.stmt]) -> Iterator[ast.Name]:
    """Yield the variables that hold a collection of constants, and those of loops over it."""
    found: set[str] = set()
    for statement in body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            for target, value in assigned_values(statement):
                if isinstance(target, ast.Name) and value is not None and _is_listed(value):
                    found.add(target.id)
                    yield target
        elif isinstance(statement, ast.For) and found.intersection(names_in(statement.iter)):
            yield from nodes_of(statement.target, ast.Name)


def _is_listed(value: ast.expr) -> bool:
    """Return whether the text shows what a collection holds; of a dictionary, its keys."""
    if isinstance(value, ast.Call) and last_name(value.func) in _COLLECTIONS and not value.keywords:
        return all(map(_is_listed, value.args))
    if not isinstance(value, _Display):
        return False
    return all(isinstance(each, ast.Constant) for each in (value.keys if isinstance(value, ast.Dict) else value.elts))


class _Asked:
    """The name that is asked for, the variables that hold known collections, and those for what was found there."""

    def __init__(self, name: str, tables: frozenset[str]) -> None:
        self._name, self._tables = name, tables
        self._entries: set[str] = set()

    def open_parts(self, body: list[ast.stmt]) -> Iterator[ast.AST]:
        """Yield the parts of a block that run for names which the text does not list."""
        for statement in body:
            if isinstance(statement, ast.If):
                inside, outside = self._limits(statement.test)
                yield statement.test
                yield from () if inside else self.open_parts(statement.body)
                yield from () if outside else self.open_parts(statement.orelse)
                if outside and fails(statement.body):
                    return
            elif isinstance(statement, ast.Try):
                fails_otherwise = all(fails(each.body) for each in statement.handlers)
                yield from self.open_parts(statement.body)
                for handler in statement.handlers:
                    yield from self.open_parts(handler.body)
                yield from self.open_parts([*statement.orelse, *statement.finalbody])
                if fails_otherwise and any(map(self._looks_up, statement.body)):
                    return
            elif isinstance(statement, (ast.For, ast.While, ast.With)):
                yield from self.open_parts(statement.body)
            elif self._looks_up(statement):
                return  # KeyError for all others
            else:
                for target, value in assigned_values(statement):
                    if isinstance(target, ast.Name) and value is not None and self._is_entry(value):
                        self._entries.add(target.id)
                yield statement

    def _looks_up(self, statement: ast.stmt) -> bool:
        return any(
            isinstance(each.value, ast.Name) and each.value.id in self._tables and self._is_name(each.slice)
            for each in nodes_of(statement, ast.Subscript)
            if isinstance(each.ctx, ast.Load)
        )

    def _is_name(self, value: ast.expr) -> bool:
        return isinstance(value, ast.Name) and value.id == self._name

    def _is_entry(self, value: ast.expr) -> bool:
        """Return whether a value is what a known dictionary has for the name, or None."""
        if isinstance(value, ast.NamedExpr):
            return self._is_entry(value.value)
        if isinstance(value, ast.Name):
            return value.id in self._entries
        if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "get"):
            return False
        owner = value.func.value
        is_table = isinstance(owner, ast.Name) and owner.id in self._tables
        return is_table and bool(value.args) and self._is_name(value.args[0])

    def _limits(self, test: ast.expr) -> tuple[bool, bool]:
        """Return whether a condition is true for listed names alone, and whether it is false for these alone."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            true, false = self._limits(test.operand)
            return false, true
        if isinstance(test, ast.BoolOp):
            found = [self._limits(each) for each in test.values]
            is_and = isinstance(test.op, ast.And)
            some, every = (any, all) if is_and else (all, any)
            return some(true for true, _ in found), every(false for _, false in found)
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            return self._limits_by(test.left, test.ops[0], test.comparators[0])
        return self._is_entry(test), False

    def _limits_by(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> tuple[bool, bool]:
        if isinstance(right, ast.Constant) and right.value is None and self._is_entry(left):
            return isinstance(operator, (ast.IsNot, ast.NotEq)), isinstance(operator, (ast.Is, ast.Eq))
        if not self._is_name(left):
            return False, False
        if isinstance(operator, (ast.In, ast.NotIn)):
            is_known = _is_listed(right) or (isinstance(right, ast.Name) and right.id in self._tables)
            return is_known and isinstance(operator, ast.In), is_known and isinstance(operator, ast.NotIn)
        return isinstance(operator, ast.Eq), isinstance(operator, ast.NotEq)
