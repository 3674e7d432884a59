"""The attributes of ``self`` that a function gives the same value in every object.

::

    self._enabled = True                     enabled
    self.device = torch.device("cuda")       device
    self.mask = None                         none: a value may follow
    self.size = size                         none
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function
from review_bot.analysis.python.syntax import is_name, own_nodes
from review_bot.records import NamedTuple


class FixedAttribute(NamedTuple):
    """An assignment of a constant to an attribute of ``self``; ``name`` has no underscores in front."""

    name: str
    statement: ast.Assign | ast.AnnAssign
    target: ast.expr
    value: ast.expr


def fixed_attributes(function: Function) -> Iterator[FixedAttribute]:
    """Yield the assignments in the order of the text."""
    for node in own_nodes(function.body):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
        elif isinstance(node, ast.AnnAssign):
            target = node.target
        else:
            continue
        value = node.value
        if value is None or not isinstance(target, ast.Attribute) or not is_name(target.value, "self"):
            continue
        if _is_the_same_always(value):
            yield FixedAttribute(target.attr.lstrip("_"), node, target, value)


def _is_the_same_always(value: ast.expr) -> bool:
    """Return whether it is a constant, or a call with nothing but constants, such as ``torch.device("cuda")``."""
    if isinstance(value, ast.Constant):
        return value.value is not None
    return (
        isinstance(value, ast.Call)
        and bool(value.args)
        and not value.keywords
        and all(isinstance(each, ast.Constant) for each in value.args)
    )
