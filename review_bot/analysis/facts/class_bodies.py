"""What a class itself says about its members and about how its objects are made."""

from __future__ import annotations

import ast

from review_bot.analysis.python.conditions import live_blocks
from review_bot.analysis.python.statements import attributes_of_self, is_definition, is_function, last_name, targets_of
from review_bot.analysis.python.syntax import dotted, full_name, imported_names, is_name, text_of
from review_bot.changes.node_index import kept_on_node, nodes_of, walk

_MAKE_INIT = frozenset({"dataclass", "define", "frozen", "mutable", "attrs", "s"})
_PLAIN_DECORATORS = frozenset({"dataclass", "final", "runtime_checkable", "total_ordering"})
_EMPTY_BASES = frozenset({"object", "typing.Generic", "typing_extensions.Generic", "abc.ABC"})
_ENUMS = frozenset({"Enum", "Flag", "IntEnum", "IntFlag", "ReprEnum", "StrEnum"})
_USUAL_METACLASSES = frozenset({"type", "ABCMeta"})


def binds(node: ast.ClassDef, name: str) -> bool:
    """Return whether the body of a class binds a name, in a block that may run too."""
    for statement in node.body:
        if is_definition(statement) and statement.name == name:
            return True
        targets = targets_of(statement)
        is_bare = isinstance(statement, ast.AnnAssign) and statement.value is None
        if not is_bare and any(isinstance(each, ast.Name) and each.id == name for each in targets):
            return True
        runs: list[ast.stmt] = [statement] if isinstance(statement, (ast.Try, ast.With)) else []
        if isinstance(statement, ast.If):
            runs = [each for block in live_blocks(statement, {}) for each in block]
        if any(is_function(node) and node.name == name for each in runs for node in walk(each)):
            return True
    return False


def sets(node: ast.ClassDef, name: str) -> bool:
    """Return whether a method of a class stores something in an attribute of ``self``."""
    return any(each.attr == name and not isinstance(each.ctx, ast.Load) for each in attributes_of_self(node))


def written_slots(node: ast.ClassDef) -> frozenset[str] | None:
    """Return the names that the one ``__slots__`` in the body of a class lists; None if it lists none in this form."""
    values = [each.value for each in node.body if any(is_name(one, "__slots__") for one in targets_of(each))]  # type: ignore[attr-defined]
    listed = values[0] if len(values) == 1 else None
    items = listed.elts if isinstance(listed, (ast.Tuple, ast.List)) else [listed]
    names = [text_of(each) for each in items]
    return None if None in names else frozenset(filter(None, names))


def gets_init(node: ast.ClassDef, tree: ast.Module) -> bool:
    """Return whether a module gives one of its classes an ``__init__`` later: ``Engine.__init__ = start``."""
    return any(
        each.attr == "__init__" and isinstance(each.ctx, ast.Store) and dotted(each.value) == node.name
        for each in nodes_of(tree, ast.Attribute)
    )


def inherited(node: ast.ClassDef, tree: ast.Module) -> list[ast.expr]:
    """Return the bases of a class that may give it something: what makes it generic or abstract does not."""
    names = imported_names(tree)
    roots = [(each, each.value if isinstance(each, ast.Subscript) else each) for each in node.bases]
    return [each for each, root in roots if full_name(root, names) not in _EMPTY_BASES]


def makes_objects(node: ast.ClassDef) -> bool:
    """Return whether a call of a class makes an object in the usual way, as far as its metaclass is written.

    A call of an enumeration looks for a member.
    """
    if any(last_name(base) in _ENUMS for base in node.bases):
        return False
    return all(each.arg == "metaclass" and last_name(each.value) in _USUAL_METACLASSES for each in node.keywords)


def makes_init(decorator: ast.expr) -> bool:
    """Return whether a decorator may write ``__init__`` for a class, as ``dataclass`` and those of attrs do."""
    return last_name(decorator) in _MAKE_INIT


def is_plain(decorator: ast.expr) -> bool:
    """Return whether a decorator returns the class that it gets, by its name."""
    name = last_name(decorator)
    return name in _PLAIN_DECORATORS or "register" in name


@kept_on_node
def stored_in(node: ast.ClassDef) -> frozenset[str]:
    """Return the attributes that the code of a class sets, of any object."""
    return frozenset(each.attr for each in nodes_of(node, ast.Attribute) if isinstance(each.ctx, ast.Store))
