"""The ``__init__`` that ``dataclasses.dataclass`` writes for a class.

::

    @dataclass
    class Base:
        size: int                              required
        name: str = ""                         has a default
        KIND: ClassVar[str] = "a"              no parameter
        _: KW_ONLY                             what follows is passed by keyword
        cache: dict = field(init=False)        no parameter

Source: https://docs.python.org/3/library/dataclasses.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from review_bot.analysis.facts.interface import Parameter
from review_bot.analysis.python.statements import is_definition, last_name
from review_bot.analysis.python.syntax import keyword, unpacks
from review_bot.changes.node_index import nodes_of


def is_dataclass(node: ast.ClassDef, tree: ast.Module) -> bool:
    """Return whether the only decorator of a class of a module is the ``dataclass`` of the standard library."""
    if len(node.decorator_list) != 1 or last_name(node.decorator_list[0]) != "dataclass":
        return False
    named = any(
        each.module == "dataclasses" and any(alias.name == "dataclass" and not alias.asname for alias in each.names)
        for each in nodes_of(tree, ast.ImportFrom)
    )
    whole = node.decorator_list[0]
    whole = whole.func if isinstance(whole, ast.Call) else whole
    if isinstance(whole, ast.Attribute):
        return isinstance(whole.value, ast.Name) and whole.value.id == "dataclasses"
    return named


def parameters_of_fields(chain: Iterable[ast.ClassDef]) -> tuple[Parameter, ...] | None:
    """Return the parameters that the fields of dataclasses make, those of the class itself last; None: not certain.

    ``chain``: the dataclasses among the bases and the class. A field that a class repeats keeps its place.
    """
    found: dict[str, Parameter] = {}
    for node in chain:
        if not _add(node, found):
            return None
    ordered = [each for each in found.values() if each.kind != "keyword"]
    return (*ordered, *(each for each in found.values() if each.kind == "keyword"))


def _add(node: ast.ClassDef, found: dict[str, Parameter]) -> bool:
    """Add the fields of one class; return whether all of them are certain."""
    decorator = node.decorator_list[0]
    arguments = decorator if isinstance(decorator, ast.Call) else ast.Call(decorator, [], [])
    by_keyword = _switch(arguments, "kw_only", default=False)
    if unpacks(arguments) or by_keyword is None or _switch(arguments, "init", default=True) is not True:
        return False
    for statement in node.body:
        if not isinstance(statement, ast.AnnAssign):
            if not (is_definition(statement) or isinstance(statement, (ast.Assign, ast.Expr, ast.Pass))):
                return False  # a field may be in a block
            continue
        annotation = ast.unparse(statement.annotation)
        if "KW_ONLY" in annotation:
            by_keyword = True
        elif "ClassVar" not in annotation and isinstance(statement.target, ast.Name):
            value, own = statement.value, by_keyword
            if isinstance(value, ast.Call) and last_name(value) == "field":
                takes, own_keyword = _switch(value, "init", default=True), _switch(value, "kw_only", default=by_keyword)
                if unpacks(value) or takes is None or own_keyword is None:
                    return False
                if not takes:
                    found.pop(statement.target.id, None)
                    continue
                own = own_keyword
                has_default = keyword(value, "default") is not None or keyword(value, "default_factory") is not None
            else:
                has_default = value is not None
            kind = "keyword" if own else "either"
            found[statement.target.id] = Parameter(statement.target.id, kind, not has_default)
    return True


def _switch(call: ast.Call, name: str, *, default: bool) -> bool | None:
    """Return a truth value that a call passes, or None if it is not written out."""
    value = keyword(call, name)
    if value is None:
        return default
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else None
