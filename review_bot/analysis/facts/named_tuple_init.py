"""The parameters of a ``typing.NamedTuple``: its fields, in their order.

::

    class Point(NamedTuple):
        x: int                      required
        y: int = 0                  has a default

Source: https://docs.python.org/3/library/typing.html#typing.NamedTuple
"""

from __future__ import annotations

import ast

from review_bot.analysis.facts.interface import Parameter
from review_bot.analysis.facts.signatures import SELF, Signature
from review_bot.analysis.python.statements import is_definition, last_line
from review_bot.analysis.python.syntax import full_name, imported_names

_BASES = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
_NO_FIELDS = (ast.Assign, ast.Expr, ast.Pass)


def is_named_tuple(node: ast.ClassDef, tree: ast.Module) -> bool:
    """Return whether a class gets its parameters from ``typing.NamedTuple`` itself."""
    return bool(node.bases) and full_name(node.bases[0], imported_names(tree)) in _BASES


def named_tuple_init(node: ast.ClassDef) -> Signature | None:
    """Return how such a class is called; None: the text does not show all fields."""
    parameters: dict[str, Parameter] = {}
    last = node.lineno
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            name = each.target.id  # the first of two annotations of a name decides its place
            parameters[name] = Parameter(name, "either", required=each.value is None)
            last = last_line(each)
        elif not is_definition(each) and not isinstance(each, _NO_FIELDS):
            return None
    made = tuple(parameters.values())
    return Signature(f"{node.name}.__init__", node.lineno, last, made, "method", hollow=False, receiver=(SELF,))
