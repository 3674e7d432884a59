"""A return annotation of one built-in kind, and a ``return`` of a literal of another."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from review_bot.analysis.python.node_types import MUTABLE_LITERALS
from review_bot.analysis.python.statements import Function, statements
from review_bot.analysis.python.syntax import bound_name, full_name, hit_on, imported_names, is_generator, is_literal
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options

_KINDS = ("dict", "list", "tuple", "set", "str", "bytes", "int", "float", "bool", "Iterator", "Generator")
_TYPING = {"Dict": "dict", "List": "list", "Tuple": "tuple", "Set": "set"}
_ARRAYS = frozenset({"torch.Tensor", "numpy.ndarray"})
_NO_ARRAYS = frozenset({"tuple", "list", "dict", "set", "str"})
_LAZY = frozenset({"enumerate", "filter", "map", "reversed", "zip"})
"""Built-in functions that return an iterator of their own class."""
_WIDER = {
    "float": {"float", "int", "bool"}, "int": {"int", "bool"}, "bool": {"bool", "int"},
    "Iterator": {"generator", *_LAZY}, "Generator": {"generator"},
}  # fmt: skip
"""What fits, and what a reader lets pass: 0 and 1 for a truth value, a whole number for a float."""


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each contradicting ``return``. Raises CannotParse.

    ``arrays``: look at functions that promise a tensor or an array alone; else at all others.
    """
    names = imported_names(source.tree) if options["arrays"] else {}
    bound = _bound(source)
    for function in source.functions:
        promised = _promised(function, names)
        if promised is None or (promised in _ARRAYS) != bool(options["arrays"]) or is_generator(function):
            continue
        for statement in statements(function.body, into_definitions=False):
            if not isinstance(statement, ast.Return) or statement.value is None:
                continue
            kind = _kind(statement.value, bound)
            if kind is None or kind in _WIDER.get(promised, {promised}):
                continue
            if promised in _ARRAYS and (kind not in _NO_ARRAYS or function.name.startswith("_")):
                continue  # a number may be meant as an array, and few read the annotation of a private function
            instead = _failure(statement.value) or f"returns `{kind}`"
            values = {"function": function.name, "promised": promised, "instead": instead}
            yield hit_on(source, statement, values=values)


def _promised(function: Function, names: dict[str, str]) -> str | None:
    node = function.returns
    if is_literal(node, None):
        return "None"
    if names and node is not None and full_name(node, names) in _ARRAYS:
        return full_name(node, names)
    if isinstance(node, ast.Subscript):
        node = node.value
    name = node.id if isinstance(node, ast.Name) else ""
    name = _TYPING.get(name, name)
    return name if name in _KINDS else None


def _bound(source: SourceFile) -> frozenset[str]:
    """Return the names of built-in functions that a file gives another meaning."""
    bound = {each.id for each in source.nodes(ast.Name) if isinstance(each.ctx, ast.Store)}
    bound |= {each.arg for each in source.nodes(ast.arg)} | {each.name for each in source.functions}
    return _LAZY & (bound | {bound_name(each) for each in source.nodes(ast.alias)})


def _kind(value: ast.expr, bound: AbstractSet[str]) -> str | None:
    if isinstance(value, ast.GeneratorExp):
        return "generator"
    if isinstance(value, ast.Call):
        name = value.func.id if isinstance(value.func, ast.Name) else ""
        return name if name in _LAZY and name not in bound else None
    if isinstance(value, ast.Constant):
        name = type(value.value).__name__
        return name if name in _KINDS else None
    for name, nodes in (
        ("tuple", (ast.Tuple,)),
        ("list", (ast.List, ast.ListComp)),
        ("dict", (ast.Dict, ast.DictComp)),
        ("set", (ast.Set, ast.SetComp)),
        ("str", (ast.JoinedStr,)),
    ):
        if isinstance(value, nodes):
            return name
    return None


def _failure(value: ast.expr) -> str | None:
    """Return what a display does instead of making its set or dict, whose items or keys have to be hashable."""
    if isinstance(value, ast.Set):
        return _refused(value.elts, "puts a `{}` into a `set`, which raises TypeError")
    if isinstance(value, ast.Dict):
        return _refused(value.keys, "uses a `{}` as a key, which raises TypeError")
    return None


def _refused(items: Iterable[ast.expr | None], clause: str) -> str | None:
    kinds = (_kind(each, frozenset()) for each in items if isinstance(each, MUTABLE_LITERALS))
    return next((clause.format(kind) for kind in kinds), None)


CHECK = file_check(examine, CheckTraits(literals=("return ->",)))
