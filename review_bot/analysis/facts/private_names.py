"""Whether an object lacks a name with two leading underscores, which Python spells with the class around the code.

::

    class Pool:
        def __init__(self): self.__size = 1        sets _Pool__size
    class Paged(Pool):
        def step(self): return self.__size         reads _Paged__size
    def run(): return Pool().__size                reads __size

Source: https://docs.python.org/3/reference/expressions.html#private-name-mangling.
"""

from __future__ import annotations

import ast

from review_bot.analysis.facts.code_file import AttributeUse
from review_bot.analysis.facts.members import members
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import is_definition
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of, walk


def is_private(name: str) -> bool:
    """Return whether Python spells a name with the class around it."""
    return name.startswith("__") and not name.endswith("__")


def lacks_private(side: Snapshot, owner: Symbol, use: AttributeUse) -> bool:
    """Return whether objects of a class lack a private name as the code around a read means it."""
    if not members(side, owner).closed:
        return False
    name, around = use.node.attr, next((each for each in reversed(use.scopes) if isinstance(each, ast.ClassDef)), None)
    if around is None:
        return not _is_set_outside_classes(side, name)
    spelled = f"_{around.name.lstrip('_')}{name}"
    return not _mentions(around, name) and not files_with(side, [spelled])


def _mentions(owner: ast.ClassDef, name: str) -> bool:
    """Return whether a class binds a name, sets it on any object, or writes it as a string."""
    stored = (each.attr for each in nodes_of(owner, ast.Attribute) if not isinstance(each.ctx, ast.Load))
    bound = (each.id for each in nodes_of(owner, ast.Name) if not isinstance(each.ctx, ast.Load))
    defined = (each.name for each in walk(owner) if is_definition(each))
    strings = (each.value for each in nodes_of(owner, ast.Constant))
    return name in {*stored, *bound, *defined} or name in strings


@query
def _is_set_outside_classes(side: Snapshot, name: str) -> bool:
    """Return whether code outside of classes sets an attribute of this name, or any code writes it as a string."""
    for path in files_with(side, [name], ".py"):
        tree = side.tree(path)
        if tree is None or any(each.value == name for each in nodes_of(tree, ast.Constant)):
            return True
        inside = {id(each) for owner in nodes_of(tree, ast.ClassDef) for each in nodes_of(owner, ast.Attribute)}
        if any(
            each.attr == name and not isinstance(each.ctx, ast.Load) and id(each) not in inside
            for each in nodes_of(tree, ast.Attribute)
        ):
            return True
    return False
