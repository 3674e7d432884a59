"""What a function stores in the names and attributes that it binds."""

from __future__ import annotations

import ast

from review_bot.analysis.python.bindings import shared_names
from review_bot.analysis.python.statements import Function, parameter_names
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.records import NamedTuple


class Stored(NamedTuple):
    """How often a function stores into a name, and the values of the plain assignments among these."""

    times: int = 0
    values: tuple[ast.expr, ...] = ()


@kept_on_node
def stored_values(function: Function) -> dict[str, Stored]:
    """Return what is stored in each name and attribute (``.name``) of a function, nested ones included."""
    found: dict[str, Stored] = {}
    stores: list[ast.Name | ast.Attribute] = [
        each for each in nodes_of(function, ast.Name) if not isinstance(each.ctx, ast.Load)
    ]
    stores += [each for each in nodes_of(function, ast.Attribute) if isinstance(each.ctx, ast.Store)]
    for key in map(_key, stores):
        held = found.get(key, Stored())
        found[key] = held._replace(times=held.times + 1)
    plain = [(each.targets[0], each.value) for each in nodes_of(function, ast.Assign) if len(each.targets) == 1]
    plain += [(each.target, each.value) for each in nodes_of(function, ast.AnnAssign) if each.value is not None]
    for target, value in plain:
        if isinstance(target, (ast.Name, ast.Attribute)):
            held = found[_key(target)]
            found[_key(target)] = held._replace(values=(*held.values, value))
    return found


def held_value(function: Function, name: str) -> ast.expr | None:
    """Return the value of a local name that one assignment alone binds, or None."""
    kept = stored_values(function).get(name, Stored())
    if not kept.times == len(kept.values) == 1 or name in parameter_names(function) | shared_names(function):
        return None
    return kept.values[0]


def _key(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else f".{node.attr}"
