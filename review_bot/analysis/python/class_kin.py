"""Which classes of one file an object may be of at the same time, by the bases that they name."""

import ast
from collections.abc import Mapping

from review_bot.analysis.python.statements import last_name
from review_bot.changes.node_index import nodes_of


def are_kin(one: str, other: str, tree: ast.Module) -> bool:
    """Return whether two classes are one, or an object may be of both, as far as a file shows."""
    above: dict[str, set[str]] = {}
    for each in nodes_of(tree, ast.ClassDef):
        above.setdefault(each.name, set()).update(last_name(base) for base in each.bases)
    below: dict[str, set[str]] = {}
    for name, bases in above.items():
        for base in bases:
            below.setdefault(base, set()).add(name)
    return one not in above or not _reached(one, below).isdisjoint(_reached(other, below))


def _reached(name: str, below: Mapping[str, set[str]]) -> set[str]:
    """Return a class and those below it."""
    found, waiting = set[str](), [name]
    while waiting:
        if (each := waiting.pop()) not in found:
            found.add(each)
            waiting += below.get(each, ())
    return found
