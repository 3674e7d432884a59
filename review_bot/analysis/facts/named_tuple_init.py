"""The fields of a named tuple, which are its parameters, in their order.

::

    class Point(NamedTuple):
        x: int                                               required
        y: int = 0                                           has a default
    class Point(namedtuple("Point", "x y")): ...             both required
    Point = namedtuple("Point", ["x", "y"], defaults=[0])    ``y`` has a default; read as the class that it makes
    Point = NamedTuple("Point", [("x", int)])

Sources: https://docs.python.org/3/library/typing.html#typing.NamedTuple and
https://docs.python.org/3/library/collections.html#collections.namedtuple
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.facts.interface import Parameter
from review_bot.analysis.facts.signatures import SELF, Signature, bound_once, tuple_class
from review_bot.analysis.python.statements import is_definition, last_name
from review_bot.analysis.python.syntax import full_name, imported_names, keyword, text_of, unpacks
from review_bot.changes.node_lines import last_line

_BASES = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
_MAKERS = _BASES | {"collections.namedtuple"}
_NO_FIELDS = (ast.Assign, ast.Expr, ast.Pass)

NAMES_OF_TUPLES = frozenset(dir(tuple)) | {
    "_asdict", "_field_defaults", "_fields", "_make", "_replace", "__match_args__", "__replace__",
}  # fmt: skip
"""Names that named tuples have besides those of their fields."""


def is_named_tuple(node: ast.ClassDef, tree: ast.Module) -> bool:
    """Return whether a class gets its parameters from a named tuple that is written in its header or body."""
    base = node.bases[0] if node.bases else None
    if isinstance(base, ast.Call):
        return full_name(base.func, imported_names(tree)) in _MAKERS
    return base is not None and full_name(base, imported_names(tree)) in _BASES


def named_tuple_init(node: ast.ClassDef) -> Signature | None:
    """Return how such a class is called; None: the text does not show all fields."""
    base, last = node.bases[0], node.lineno
    if isinstance(base, ast.Call):
        found = _listed(base)
        if found is None:
            return None
        made = tuple(found)
        last = last_line(base)
    else:
        parameters: dict[str, Parameter] = {}
        for each in node.body:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                name = each.target.id  # the first of two annotations of a name decides its place
                parameters[name] = Parameter(name, "either", required=each.value is None)
                last = last_line(each)
            elif not is_definition(each) and not isinstance(each, _NO_FIELDS):
                return None
        made = tuple(parameters.values())
    return Signature(f"{node.name}.__init__", node.lineno, last, made, "method", hollow=False, receiver=(SELF,))


def _listed(call: ast.Call) -> list[Parameter] | None:
    """Return the fields that a call lists; None if they are not written out."""
    given = call.args[1] if len(call.args) == 2 else None  # the name of the class, and the fields
    if given is None or unpacks(call) or any(each.arg not in {"defaults", "module"} for each in call.keywords):
        return None
    text = text_of(given)
    items = given.elts if isinstance(given, (ast.List, ast.Tuple)) else []
    names = [text_of(each.elts[0] if isinstance(each, ast.Tuple) and each.elts else each) for each in items]
    names = names if text is None else [*text.replace(",", " ").split()]
    defaults = keyword(call, "defaults")
    written = defaults.elts if isinstance(defaults, (ast.List, ast.Tuple)) else []
    if not (names or text == "" or items) or None in names or len({*names}) < len(names):
        return None
    if (defaults is not None and not written) or any(isinstance(each, ast.Starred) for each in written):
        return None
    needed = len(names) - len(written)
    return [Parameter(name or "", "either", required=place < needed) for place, name in enumerate(names)]


def listed_fields(call: ast.Call) -> frozenset[str]:
    """Return the fields that a call which makes a named tuple lists, as far as they are written out."""
    found = _listed(call) if last_name(call) in {"namedtuple", "NamedTuple"} else None
    return frozenset(each.name for each in found or ())


def tuple_classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    """Yield the classes that assignments at the top level of a file make by a call."""
    yield from filter(None, (tuple_class(each) for each in tree.body if isinstance(each, ast.Assign)))


def tuple_sizes(tree: ast.Module) -> dict[str, tuple[ast.ClassDef, int]]:
    """Return the named tuples of a file with the number of their fields."""
    made = (each for each in bound_once(tree.body) if isinstance(each, ast.ClassDef) and is_named_tuple(each, tree))
    found = ((each, named_tuple_init(each)) for each in made)
    return {each.name: (each, len(init.parameters)) for each, init in found if init is not None}
