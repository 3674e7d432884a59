"""The ``__init__`` that ``dataclasses.dataclass`` writes for a class.

::

    @dataclass
    class Base:
        size: int                              required
        name: str = ""                         has a default
        KIND: ClassVar[str] = "a"              no parameter
        _: KW_ONLY                             what follows is passed by keyword
        cache: dict = field(init=False)        no parameter

The default of a field is what its class has under its name, which a base, a property or a later line may have set.

Source: https://docs.python.org/3/library/dataclasses.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from review_bot.analysis.facts.interface import Parameter
from review_bot.analysis.facts.signatures import Signature
from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.statements import is_definition, last_line, last_name
from review_bot.analysis.python.syntax import full_name, imported_names, keyword, unpacks
from review_bot.changes.node_index import kept_on_node


def is_dataclass(node: ast.ClassDef, tree: ast.Module) -> bool:
    """Return whether the only decorator of a class of a module is the ``dataclass`` of the standard library."""
    if len(node.decorator_list) != 1:
        return False
    (decorator,) = node.decorator_list
    written = decorator.func if isinstance(decorator, ast.Call) else decorator
    return full_name(written, _imported(tree)) == "dataclasses.dataclass"


@kept_on_node
def _imported(tree: ast.Module) -> dict[str, str]:
    return imported_names(tree)


def init_signature(chain: Iterable[ast.ClassDef]) -> Signature | None:
    """Return the signature of the ``__init__`` of a class; None: the text does not show all of it.

    ``chain``: its bases, the farthest first, and the class itself last. Those without a decorator make no fields.
    """
    fields, node = _Fields(), None
    for node in chain:
        if not fields.add(node):
            return None
    if node is None:
        return None
    ordered = sorted(fields.parameters.values(), key=lambda each: each.kind == "keyword")
    lines = [last_line(each) for each in node.body if isinstance(each, ast.AnnAssign)]
    last = max(lines, default=node.lineno)
    return Signature(f"{node.name}.__init__", node.lineno, last, tuple(ordered), "method", hollow=False)


class _Fields:
    """The parameters that the fields of some classes make, and what these classes have under a name."""

    def __init__(self) -> None:
        self.parameters: dict[str, Parameter] = {}
        self._attributes: set[str] = set()

    def add(self, node: ast.ClassDef) -> bool:
        """Add the fields of one class; return whether all of them are certain."""
        fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
        others = [each for each in node.body if not isinstance(each, ast.AnnAssign)]
        if not all(is_definition(each) or isinstance(each, (ast.Assign, ast.Expr, ast.Pass)) for each in others):
            return False  # a field may be in a block
        self._attributes |= bound_names(others)
        if not node.decorator_list:
            self._attributes |= bound_names(each for each in fields if each.value is not None)
            return True
        decorator = node.decorator_list[0]
        arguments = decorator if isinstance(decorator, ast.Call) else ast.Call(decorator, [], [])
        by_keyword = _switch(arguments, "kw_only", default=False)
        if unpacks(arguments) or by_keyword is None or _switch(arguments, "init", default=True) is not True:
            return False
        for each in fields:
            if "KW_ONLY" in ast.unparse(each.annotation):
                by_keyword = True
            elif not self._add_field(each, by_keyword=by_keyword):
                return False
        return True

    def _add_field(self, statement: ast.AnnAssign, *, by_keyword: bool) -> bool:
        value, own, name = statement.value, True, ast.unparse(statement.target)
        if isinstance(value, ast.Call) and last_name(value) == "field":
            takes, keyword_only = _switch(value, "init", default=True), _switch(value, "kw_only", default=by_keyword)
            if unpacks(value) or takes is None or keyword_only is None:
                return False
            own, by_keyword = takes, keyword_only
            has_default = keyword(value, "default") is not None or keyword(value, "default_factory") is not None
            self._attributes.discard(name)
            if keyword(value, "default") is not None:
                self._attributes.add(name)
        else:
            if value is not None:
                self._attributes.add(name)
            has_default = name in self._attributes
        if "ClassVar" in ast.unparse(statement.annotation):
            return True
        if own:
            self.parameters[name] = Parameter(name, "keyword" if by_keyword else "either", not has_default)
        else:
            self.parameters.pop(name, None)
        return True


def _switch(call: ast.Call, name: str, *, default: bool) -> bool | None:
    """Return a truth value that a call passes, or None if it is not written out."""
    value = keyword(call, name)
    if value is None:
        return default
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else None
