"""Bytes of a tensor that go through NumPy by the name of their dtype: NumPy has no bfloat16 and no float8."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TypeGuard

from review_bot.analysis.python.bindings import bound_names
from review_bot.analysis.python.statements import Function, blocks, last_name, parameter_names
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, names_in, own_nodes, text_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_KNOWS = LazyRegex(r"bfloat16|bf16|ml_dtypes|float8|\bjax\b")
"""Words of code that has thought of such dtypes."""

_GIVING = frozenset({"jax", "ml_dtypes"})
"""Packages that give NumPy these dtypes when they are imported."""
_DTYPE = LazyRegex(r"(?:^|_)(?:dtype|dt|dtype_str|dtype_name)$")

_KEEPING = frozenset({
    "clamp", "clamp_", "contiguous", "cpu", "detach", "max", "mean", "min", "mul", "squeeze", "sub", "unsqueeze",
})  # fmt: skip
"""Methods that keep a floating-point dtype."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such use of a name, or of ``numpy()`` next to one. Raises CannotParse."""
    imported = imported_names(source.tree)
    if not _GIVING.isdisjoint(each.partition(".")[0] for each in imported.values()):
        return
    for function in source.touched_functions:
        text = "\n".join(source.lines_of_authors[function.lineno - 1 : function.end_lineno])
        if _KNOWS.search(text):
            continue
        if "dtype" in text:
            yield from _read(source, function, imported)
            yield from _written(source, function)
        if "is_floating_point" in text:
            yield from _tested(source, function)


def _read(source: SourceFile, function: Function, imported: Mapping[str, str]) -> Iterator[Hit]:
    """Yield ``np.dtype(x.dtype)`` and ``getattr(np, x.dtype)`` in a function that makes a tensor of the array."""
    nodes = [node for node in own_nodes(function.body) if isinstance(node, ast.Call)]
    named = [full_name(node.func, imported) for node in nodes]
    if not {"torch.from_numpy", "torch.as_tensor", "torch.tensor"} & {*named}:
        return
    for node, name in zip(nodes, named, strict=True):
        asked: ast.expr | None = None
        if name == "numpy.dtype" and len(node.args) == 1:
            asked = node.args[0]
        elif name == "getattr" and len(node.args) == 2 and full_name(node.args[0], imported) == "numpy":
            asked = node.args[1]
        if asked is not None and _is_dtype(asked):
            raises = "AttributeError" if name == "getattr" else "TypeError"
            values = {"written": ast.unparse(node), "subject": "the name of the dtype of a tensor", "raises": raises}
            yield hit_at(source, node, values=values)


def _written(source: SourceFile, function: Function) -> Iterator[Hit]:
    """Yield ``x.numpy()`` of a parameter in a function that also writes down ``str(x.dtype)``."""
    named = {
        ast.unparse(node.args[0].value)
        for node in own_nodes(function.body)
        if isinstance(node, ast.Call) and last_name(node.func) == "str" and len(node.args) == 1
        if isinstance(node.args[0], ast.Attribute) and node.args[0].attr == "dtype"
    }
    rebound = bound_names(function.body)
    for node in own_nodes(function.body) if named else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "numpy":
            tensor = _unconverted(node.func.value)
            if tensor in named & parameter_names(function) and tensor not in rebound:
                values = {"written": ast.unparse(node), "subject": "a tensor of any dtype", "raises": "TypeError"}
                yield hit_at(source, node, values=values)


def _tested(source: SourceFile, function: Function) -> Iterator[Hit]:
    """Yield ``x.numpy()`` after ``if x.is_floating_point():`` whose body leaves the dtype as it is."""
    for block in blocks(function.body, into_definitions=False):
        for position, statement in enumerate(block):
            name = _asked_name(statement.test) if isinstance(statement, ast.If) else ""
            if not name or not isinstance(statement, ast.If) or _converts(name, statement.body):
                continue
            for later in block[position + 1 :]:
                found = next((node for node in own_nodes([later]) if _is_numpy_of(node, name)), None)
                if found is not None:
                    subject = f"a tensor of any floating-point dtype (line {statement.lineno})"
                    values = {"written": ast.unparse(found), "subject": subject, "raises": "TypeError"}
                    yield hit_at(source, found, values=values)
                if found is not None or name in bound_names([later]) or _converts(name, [later]):
                    break


def _asked_name(test: ast.expr) -> str:
    """Return ``x`` of ``x.is_floating_point()`` and ``torch.is_floating_point(x)``."""
    if not isinstance(test, ast.Call) or last_name(test.func) != "is_floating_point":
        return ""
    asked = test.args[0] if test.args else test.func.value if isinstance(test.func, ast.Attribute) else None
    return asked.id if isinstance(asked, ast.Name) else ""


def _converts(name: str, body: list[ast.stmt]) -> bool:
    """Return whether statements may give a name another dtype, or leave before the conversion to NumPy."""
    return any(
        isinstance(node, (ast.Return, ast.Raise))
        or (isinstance(node, ast.Call) and last_name(node.func) not in _KEEPING and name in names_in(node))
        for node in own_nodes(body)
    )


def _is_numpy_of(node: ast.AST, name: str) -> TypeGuard[ast.Call]:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "numpy":
        return False
    return _unconverted(node.func.value) == name


def _unconverted(node: ast.expr) -> str:
    """Return what a chain of calls that keep the dtype begins with: ``x`` of ``x.detach().cpu()``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr not in {"detach", "cpu", "contiguous", "clone", "reshape", "flatten"}:
            return ""
        node = node.func.value
    return ast.unparse(node)


def _is_dtype(node: ast.expr) -> bool:
    """Return whether an expression is the dtype of something by its name, and not of an array."""
    if isinstance(node, ast.Attribute):
        return bool(_DTYPE.search(node.attr))
    if isinstance(node, ast.Call) and last_name(node.func) == "getattr" and len(node.args) > 1:
        node = node.args[1]
    elif isinstance(node, ast.Call) and last_name(node.func) == "get" and node.args:
        node = node.args[0]
    elif isinstance(node, ast.Subscript):
        node = node.slice
    else:
        return False
    return bool(_DTYPE.search(text_of(node) or ""))


CHECK = file_check(examine, CheckTraits(literals=("dtype frombuffer", "dtype numpy", "is_floating_point numpy")))
