"""Which expressions are surely unions of types: ``int | None``, ``torch.Tensor | int``.

Before Python 3.10 their evaluation raises TypeError. Source: https://peps.python.org/pep-0604/
"""

from __future__ import annotations

import ast
from collections import Counter
from functools import cached_property

from review_bot.analysis.python.module_body import star_imports
from review_bot.analysis.python.statements import is_definition
from review_bot.analysis.python.syntax import dotted, full_name, imported_names
from review_bot.changes.node_index import nodes_of, walk

_TYPES = frozenset({
    "bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "memoryview", "object",
    "range", "set", "slice", "str", "tuple", "type", "BaseException", "Exception", "KeyError", "OSError", "TypeError",
    "ValueError", "RuntimeError",
})  # fmt: skip
"""Built-in classes."""
_CLASSES = frozenset({
    "argparse.Namespace", "collections.Counter", "collections.OrderedDict", "collections.defaultdict",
    "collections.deque", "datetime.date", "datetime.datetime", "datetime.timedelta", "decimal.Decimal",
    "fractions.Fraction", "io.BytesIO", "io.StringIO", "logging.Logger", "numpy.generic", "numpy.ndarray",
    "os.PathLike", "pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath", "torch.Generator", "torch.Tensor",
    "torch.device", "torch.dtype", "torch.nn.Module", "torch.nn.Parameter", "types.FunctionType", "types.ModuleType",
    "types.SimpleNamespace", "uuid.UUID",
})  # fmt: skip
"""Classes of libraries whose metaclass has no ``__or__``."""
_OF_TYPING = frozenset({
    "Any", "Callable", "Dict", "FrozenSet", "Iterable", "Iterator", "List", "Literal", "Mapping", "Optional",
    "Sequence", "Set", "Tuple", "Type", "Union",
})  # fmt: skip
"""What ``typing`` gave an ``__or__`` in Python 3.10 (PEP 604)."""


class UnionTypes:
    """The unions of one module. ``generic``: the names of which a subscript makes a type, such as ``list``."""

    def __init__(self, tree: ast.Module, generic: frozenset[str]) -> None:
        self._tree, self._generic = tree, generic

    def is_union(self, node: ast.BinOp) -> bool:
        """Return whether an expression is a union of two types, neither of which had ``|`` before Python 3.10."""
        sides = (node.left, node.right)
        if not isinstance(node.op, ast.BitOr) or all(map(_is_none, sides)):
            return False
        return all(_is_none(each) or self._is_type(each) for each in sides)

    def _is_type(self, side: ast.expr) -> bool:
        if isinstance(side, ast.Subscript):
            written = full_name(side.value, self._imported) or ""
            is_generic = isinstance(side.value, ast.Name) and side.value.id in self._generic
            return is_generic or _is_of_typing(written)
        if isinstance(side, ast.Name) and side.id not in self._imported:
            is_built_in = side.id in _TYPES and side.id not in self._rebound and not star_imports(self._tree)
            return is_built_in or side.id in self._own_classes
        first = (dotted(side) or "").partition(".")[0]
        if first not in self._imported or first in self._rebound:
            return False
        name = full_name(side, self._imported) or ""
        return name in _CLASSES or name.startswith("collections.abc.") or _is_of_typing(name)

    @cached_property
    def _imported(self) -> dict[str, str]:
        return imported_names(self._tree)

    @cached_property
    def _rebound(self) -> frozenset[str]:
        """The names that the module binds anywhere, other than by imports."""
        stored = {node.id for node in nodes_of(self._tree, ast.Name) if isinstance(node.ctx, ast.Store)}
        defined = {node.name for node in walk(self._tree) if is_definition(node)}
        return frozenset(stored | defined | {node.arg for node in nodes_of(self._tree, ast.arg)})

    @cached_property
    def _own_classes(self) -> frozenset[str]:
        """The classes without a base or metaclass, whose names the module binds once."""
        classes = nodes_of(self._tree, ast.ClassDef)
        bound = Counter(each.name for each in walk(self._tree) if is_definition(each))
        bound.update(each.id for each in nodes_of(self._tree, ast.Name) if isinstance(each.ctx, ast.Store))
        bound.update(each.arg for each in nodes_of(self._tree, ast.arg))
        bound.update(list(self._imported))
        plain = (each for each in classes if not (each.bases or each.keywords or each.decorator_list))
        return frozenset(each.name for each in plain if bound[each.name] == 1)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_of_typing(name: str) -> bool:
    module, _, last = name.rpartition(".")
    return module == "typing" and last in _OF_TYPING
