"""The abstract methods that a class still has, so that no object of it can be made.

::

    class A(ABC):  @abstractmethod def run(self): ...
    class B(A):    def stop(self): ...                    run
    class C(B):    def run(self): ...                     none
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.python.statements import decorator_names, functions, is_function, last_name
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of

_DEEPEST = 8
_PLAIN_BASES = frozenset({"object", "Generic", "typing.Generic", "nn.Module", "torch.nn.Module"})
_ABSTRACT_BASES = frozenset({"ABC", "abc.ABC"})


def left_abstract(side: Snapshot, owner: Symbol) -> tuple[tuple[str, Symbol], ...]:
    """Return the methods that a class leaves abstract, each with the base that declares it; none if it is unsure."""
    return tuple((name, each) for name, each in abstract_methods(side, owner) if each != owner)


@query
def abstract_methods(side: Snapshot, owner: Symbol) -> tuple[tuple[str, Symbol], ...]:
    """Return the methods that are abstract in a class, each with the class that declares it; none if it is unsure.

    It is unsure where a base is not in the tree, where no base makes abstract methods binding, or where a class sets
    its names as it runs.
    """
    order = _order(side, owner, 0)
    if order is None:
        return ()
    targets = call_targets(side)
    nodes = [(each, node) for each in dict.fromkeys(order) if (node := targets.class_of(each)) is not None]
    if not any(_is_binding(node) for _, node in nodes) or any(_is_made_otherwise(node) for _, node in nodes):
        return ()
    abstract: dict[str, Symbol] = {}
    defined: set[str] = (
        set()
    )  # in whichever base: a later one may precede that of an earlier one in the order of Python
    for symbol, node in nodes:
        for name, is_abstract in _bound(node):
            if is_abstract:
                abstract.setdefault(name, symbol)
            elif symbol == owner or abstract.get(name) != owner:
                defined.add(name)
    return tuple(sorted((name, each) for name, each in abstract.items() if name not in defined))


def _is_made_otherwise(node: ast.ClassDef) -> bool:
    """Return whether a class has a metaclass of its own, which may define what is missing, or makes other objects."""
    if any(is_function(each) and each.name == "__new__" for each in node.body):
        return True
    return any(each.arg == "metaclass" and last_name(each.value) != "ABCMeta" for each in node.keywords)


def _is_binding(node: ast.ClassDef) -> bool:
    by_base = any(dotted(base) in _ABSTRACT_BASES for base in node.bases)
    return by_base or any(each.arg == "metaclass" and last_name(each.value) == "ABCMeta" for each in node.keywords)


def _order(side: Snapshot, owner: Symbol, depth: int) -> list[Symbol] | None:
    """Return a class and its bases, nearest first; None if one is unknown."""
    targets = call_targets(side)
    node, file = targets.class_of(owner), targets.file(owner.path)
    if node is None or file is None or depth > _DEEPEST or node.decorator_list:
        return None
    found = [owner]
    for base in node.bases:
        bare = base.value if isinstance(base, ast.Subscript) else base
        if (dotted(bare) or "") in _PLAIN_BASES | _ABSTRACT_BASES:
            continue
        symbol = targets.named_by(file, bare, ())
        above = None if symbol is None or symbol == owner else _order(side, symbol, depth + 1)
        if above is None:
            return None
        found += above
    return found


def _bound(node: ast.ClassDef) -> Iterator[tuple[str, bool]]:
    """Yield the names that a class body binds, and whether as an abstract method; also those that it sets later."""
    for statement in node.body:
        if is_function(statement):
            yield statement.name, "abstractmethod" in decorator_names(statement)
        elif isinstance(statement, ast.ClassDef):
            yield statement.name, False
        else:
            stored = {name.id for name in nodes_of(statement, ast.Name) if isinstance(name.ctx, ast.Store)}
            slots = nodes_of(statement, ast.Constant) if "__slots__" in stored else ()
            for name in (*stored, *(each.value for each in slots if isinstance(each.value, str))):
                yield name, False
            for function in functions([statement]):
                yield function.name, False


def declares(node: ast.ClassDef) -> bool:
    """Return whether a class itself has an abstract method or is said to be abstract."""
    return _is_binding(node) or any(abstract for _, abstract in _bound(node))
