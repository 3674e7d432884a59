"""What is known of an expression: names, operators, and calls by the contracts of their functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from review_bot.analysis.python.node_types import ORDERS
from review_bot.analysis.python.syntax import dotted, full_name, keyword
from review_bot.analysis.tensors.calls import of_contract, of_conversion
from review_bot.analysis.tensors.operations import both_devices, broadcast, operation
from review_bot.analysis.tensors.sizes import integer
from review_bot.analysis.tensors.values import ANY, UNKNOWN, Names, Value
from review_bot.contracts.contract_store import contract_of

_DTYPES = {
    **{name: name for name in ("float16", "bfloat16", "float32", "float64", "float8_e4m3fn", "float8_e5m2")},
    **{name: name for name in ("bool", "int8", "uint8", "int16", "int32", "int64")},
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "int": "int32",
    "long": "int64",
    "short": "int16",
}
"""``torch.NAME`` → dtype (https://docs.pytorch.org/docs/stable/tensor_attributes.html)."""

_OF_ARRAYS = frozenset({
    "all", "any", "argmax", "argmin", "argsort", "clip", "cumprod", "cumsum", "diagonal", "dot", "flatten", "item",
    "max", "mean", "min", "nonzero", "prod", "ravel", "repeat", "reshape", "round", "sort", "squeeze", "std", "sum",
    "swapaxes", "tolist", "transpose", "var", "view",
})  # fmt: skip
"""Methods that arrays of NumPy have too: a call does not show that its object is a tensor."""

_OF_OTHERS = frozenset({"copy", "index", "join", "replace", "sort", "split", "type", "values"})
"""Methods that strings, lists and mappings have."""

_TO_BYTES = frozenset({"getvalue", "tobytes"})
"""Methods that return bytes, of whatever object; ``getvalue`` may return text, of which no array is made."""

_CONVERSIONS = frozenset({"to", "type", "type_as"})
_ELEMENTWISE = (ast.Eq, ast.NotEq, *ORDERS)


def value_of(node: ast.expr, names: Names, imported: Mapping[str, str]) -> Value:
    """Return what is known of an expression."""
    known = names.memo.get(id(node))
    if known is None:
        of_kind = _OF_KIND.get(type(node))
        known = UNKNOWN if of_kind is None else of_kind(node, names, imported)
        names.memo[id(node)] = known
    return known


def dtype_named(node: ast.expr | None, imported: Mapping[str, str]) -> str:
    """Return the dtype that an expression such as ``torch.float16`` or ``np.int64`` names; else nothing."""
    name = full_name(node, imported) if node is not None else None
    library, _, last = (name or "").partition(".")
    if library == "numpy":
        return last if last in _DTYPES and last not in {"bool", "float", "int", "long", "half", "short"} else ""
    return _DTYPES.get(last, "") if library == "torch" else ""


def device_named(node: ast.expr, names: Names, imported: Mapping[str, str]) -> str:
    """Return the device that an expression is as an argument: ``"cuda:0"``, ``torch.device("cpu")``, ``x.device``."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else f"cuda:{node.value}" if type(node.value) is int else ""
    held = value_of(node, names, imported)
    if held.kind == "device":
        return held.device
    written = dotted(node)
    return f"@{written}" if written is not None and written.endswith("device") and not held.kind else ""


def _of_name(node: ast.Name, names: Names, imported: Mapping[str, str]) -> Value:
    if node.id in names:
        return names[node.id]
    dtype = dtype_named(node, imported) if node.id in imported else ""
    return Value("dtype", dtype=dtype) if dtype else UNKNOWN


def _of_constant(node: ast.Constant, names: Names, imported: Mapping[str, str]) -> Value:
    del names, imported
    is_size = type(node.value) is int and node.value >= 0
    return Value("size", sizes=(str(node.value),)) if is_size else Value("object")


def _of_walrus(node: ast.NamedExpr, names: Names, imported: Mapping[str, str]) -> Value:
    return value_of(node.value, names, imported)


def _of_sequence(node: ast.Tuple | ast.List, names: Names, imported: Mapping[str, str]) -> Value:
    parts = [value_of(each, names, imported) for each in node.elts]
    is_shape = bool(parts) and all(each.kind == "size" for each in parts)
    return Value("shape", sizes=tuple((each.sizes or (ANY,))[0] for each in parts)) if is_shape else UNKNOWN


def _of_call(call: ast.Call, names: Names, imported: Mapping[str, str]) -> Value:
    root = (dotted(call.func) or "").partition(".")[0]
    if root in imported and root not in names:
        return _of_function(call, full_name(call.func, imported) or "", names, imported)
    if not isinstance(call.func, ast.Attribute):
        is_builtin = isinstance(call.func, ast.Name) and root not in names
        return _of_contract(call, f"builtins.{root}", UNKNOWN, names, imported) if is_builtin else UNKNOWN
    method, held = call.func.attr, value_of(call.func.value, names, imported)
    if held.kind not in {"", "tensor", "array"}:
        return _of_contract(call, f"{held.type}.{method}", held, names, imported) if held.type else UNKNOWN
    if method == "size":
        axis = call.args[0] if call.args else keyword(call, "dim")
        return Value("shape", sizes=held.sizes) if axis is None else _size_of_axis(held, axis)
    return _of_method(call, method, held, names, imported)


def _of_function(call: ast.Call, name: str, names: Names, imported: Mapping[str, str]) -> Value:
    if name == "torch.device":
        is_plain = len(call.args) == 1 and isinstance(call.args[0], (ast.Constant, ast.Name))
        return Value("device", device=device_named(call.args[0], names, imported) if is_plain else "")
    return _of_contract(call, name, UNKNOWN, names, imported)


def _of_contract(call: ast.Call, name: str, held: Value, names: Names, imported: Mapping[str, str]) -> Value:
    contract = contract_of(name)
    if contract is None:
        return UNKNOWN
    return of_contract(contract, call, held, *_readers(names, imported))._replace(made_by=name)


def _of_method(call: ast.Call, method: str, held: Value, names: Names, imported: Mapping[str, str]) -> Value:
    is_array = held.kind == "array"
    if method in _TO_BYTES and held.kind != "tensor":
        return Value("bytes")
    if method in _CONVERSIONS and not is_array:
        return of_conversion(call, method, held, *_readers(names, imported))
    name = f"{'numpy.ndarray' if is_array else 'torch.Tensor'}.{method}"
    contract = contract_of(name) if is_array or _uses_torch(imported) else None
    if contract is None or (not held.kind and method in _OF_OTHERS):
        return UNKNOWN
    found = of_contract(contract, call, held, *_readers(names, imported))
    if not held.kind and method in _OF_ARRAYS and found.kind == "tensor":
        # NumPy returns one axis for `cumsum` and `argsort` of a number, or without an axis
        axis = call.args[0] if call.args else keyword(call, "dim") or keyword(call, "axis")
        if contract.sizes == "same" and (held.sizes == () or integer(axis) is None):
            found = found._replace(sizes=None, axes=())
        return found._replace(kind="", dense=None)
    if not held.kind and found.kind == "pair":
        return UNKNOWN  # an array gives one
    return found._replace(made_by=name)


def _readers(
    names: Names, imported: Mapping[str, str]
) -> tuple[Callable[[ast.expr], Value], Callable[[ast.expr], str], Callable[[ast.expr], str]]:
    """Return what reads the value, the dtype and the device of an argument."""

    def read(node: ast.expr) -> Value:
        return value_of(node, names, imported)

    def dtype(node: ast.expr) -> str:
        held = value_of(node, names, imported)
        return held.dtype if held.kind == "dtype" else dtype_named(node, imported)

    def device(node: ast.expr) -> str:
        return device_named(node, names, imported)

    return read, dtype, device


def _uses_torch(imported: Mapping[str, str]) -> bool:
    return any(each == "torch" or each.startswith("torch.") for each in imported.values())


def _size_of_axis(held: Value, axis: ast.expr) -> Value:
    number = integer(axis)
    if number is None or held.sizes is None or not -len(held.sizes) <= number < len(held.sizes):
        return Value("size", sizes=(ANY,)) if held.kind in {"shape", "tensor", "array"} else UNKNOWN
    return Value("size", sizes=(held.sizes[number],))


def _of_operation(node: ast.BinOp, names: Names, imported: Mapping[str, str]) -> Value:
    """Follow the left spine of ``a + b + c`` in a loop: generated code makes it thousands long."""
    spine: list[ast.BinOp] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        spine.append(left)
        left = left.left
    held = value_of(left, names, imported)
    for each in reversed(spine):
        held = operation(each.op, held, value_of(each.right, names, imported), left, each.right)
        left = each
    return held


def _of_comparison(node: ast.Compare, names: Names, imported: Mapping[str, str]) -> Value:
    if len(node.ops) != 1 or not isinstance(node.ops[0], _ELEMENTWISE):
        return Value("object")
    held = [value_of(each, names, imported) for each in (node.left, *node.comparators)]
    known = next((each for each in held if each.kind == "tensor" or each.selects), None)
    if known is None:
        return UNKNOWN
    other = held[0] if known is held[1] else held[1]
    is_sure = other.kind in {"tensor", "size"} or not isinstance(node.ops[0], (ast.Eq, ast.NotEq))
    if other.kind not in {"", "tensor", "size"} or not is_sure:
        return Value(selects=other.kind in {"", "object"})  # with anything else `==` may be a plain truth value
    sizes = known.sizes if other.kind == "size" else broadcast(known.sizes, other.sizes)
    device = known.device if other.kind == "size" else both_devices(known, other)
    kind = "tensor" if known.kind == "tensor" else ""  # an index may be a number of NumPy as well
    return Value(kind, dtype="bool", device=device, sizes=sizes, selects=True)


def _of_unary(node: ast.UnaryOp, names: Names, imported: Mapping[str, str]) -> Value:
    held = value_of(node.operand, names, imported)
    if isinstance(node.op, ast.Not):
        return Value("object")
    if held.kind not in {"", "tensor", "array"} or held == UNKNOWN:
        return UNKNOWN
    selects = held.selects and isinstance(node.op, ast.Invert)
    dtype = "" if held.dtype == "bool" and not isinstance(node.op, ast.Invert) else held.dtype
    kind = "" if held.kind == "array" and not held.rank else held.kind  # of an array without axes: a number
    return Value(kind, dtype=dtype, device=held.device, sizes=held.sizes, selects=selects)


def _of_attribute(node: ast.Attribute, names: Names, imported: Mapping[str, str]) -> Value:
    dtype = dtype_named(node, imported)
    if dtype:
        return Value("dtype", dtype=dtype)
    held = value_of(node.value, names, imported)
    origin = f"@{dotted(node.value) or ''}".rstrip("@")
    if node.attr == "device":
        return Value("device", device=held.device or origin)
    if node.attr == "dtype":
        return Value("dtype", dtype=held.dtype or origin)
    if held.kind == "pair":
        return Value("tensor", dtype=held.dtype, device=held.device) if [node.attr] == [*held.items[:1]] else UNKNOWN
    return _of_tensor_attribute(node.attr, held)


def _of_tensor_attribute(attribute: str, held: Value) -> Value:
    if held.kind not in {"", "tensor", "array"}:
        return UNKNOWN
    if attribute == "shape":
        return Value("shape", sizes=held.sizes)
    if attribute == "ndim":
        return Value("size", sizes=(str(held.rank),)) if held.rank is not None else UNKNOWN
    return _transposed(held) if attribute in {"T", "mT"} else UNKNOWN


def _transposed(held: Value) -> Value:
    """Return what is known of ``x.T`` and ``x.mT``, more if ``x`` has two axes."""
    is_matrix = held.sizes is not None and len(held.sizes) == 2
    sizes = tuple(reversed(held.sizes)) if is_matrix and held.sizes is not None else None
    axes = tuple(reversed(held.axes or (0, 1))) if is_matrix else ()
    dense = False if held.dense and is_matrix else None
    return Value(held.kind, dtype=held.dtype, device=held.device, sizes=sizes, axes=axes, dense=dense)


def _of_subscript(node: ast.Subscript, names: Names, imported: Mapping[str, str]) -> Value:
    held = value_of(node.value, names, imported)
    is_slice = isinstance(node.slice, ast.Slice)
    if held.kind == "shape":
        return UNKNOWN if is_slice else _size_of_axis(held, node.slice)
    backward = held.backward if is_slice else False
    if any(_is_backward(each) for each in _indices(node.slice)):
        backward = None if held.backward is not False else True  # what is reversed twice may be as it was
    if held.kind not in {"", "tensor", "array"} or (held == UNKNOWN and not backward):
        return UNKNOWN
    is_part = is_slice or any(isinstance(each, ast.Slice) for each in _indices(node.slice))
    sizes = (ANY, *held.sizes[1:]) if is_slice and held.sizes else None
    if isinstance(node.slice, ast.Constant) and type(node.slice.value) is int and held.sizes:
        sizes = held.sizes[1:]
    if held.kind == "array" and not is_part:
        return UNKNOWN  # it may be a number
    return Value(
        held.kind,
        dtype=held.dtype,
        device=held.device,
        sizes=sizes,
        dense=False if _cuts_columns(node.slice, held) else None,
        expanded=held.expanded and is_slice,
        backward=backward,
        read_only=held.read_only if is_slice else "",
        buffer=held.buffer if is_slice else "",
    )


def _indices(index: ast.expr) -> list[ast.expr]:
    return index.elts if isinstance(index, ast.Tuple) else [index]


def _is_backward(index: ast.expr) -> bool:
    """Return whether an index is a slice with a negative step, such as ``::-1``."""
    step = integer(index.step) if isinstance(index, ast.Slice) else None
    return step is not None and step < 0


def _cuts_columns(index: ast.expr, held: Value) -> bool:
    """Return whether ``x[:, a:b]`` leaves gaps in the memory of a contiguous tensor."""
    if not held.dense or not isinstance(index, ast.Tuple) or len(index.elts) < 2:
        return False
    *before, last = index.elts
    is_rest = len(before) == 1 and isinstance(before[0], ast.Constant) and before[0].value is ...
    whole = all(isinstance(each, ast.Slice) and not (each.lower or each.upper or each.step) for each in before)
    if not (whole or is_rest) or not isinstance(last, ast.Slice) or last.step is not None:
        return False
    first, end = integer(last.lower), integer(last.upper)
    at_end = is_rest or len(index.elts) == held.rank
    size = held.sizes[-1] if held.sizes and at_end else ANY
    from_start = last.lower is None or first == 0
    if last.lower is not None and last.upper is not None and first != 0:
        return True  # a part between two columns
    return bool(first and first > 0) or (from_start and end is not None and size.isdigit() and 0 < end < int(size))


_OF_KIND: dict[type[ast.expr], Callable[[Any, Names, Mapping[str, str]], Value]] = {
    ast.Name: _of_name,
    ast.Call: _of_call,
    ast.BinOp: _of_operation,
    ast.Compare: _of_comparison,
    ast.UnaryOp: _of_unary,
    ast.Attribute: _of_attribute,
    ast.Subscript: _of_subscript,
    ast.Constant: _of_constant,
    ast.NamedExpr: _of_walrus,
    ast.Tuple: _of_sequence,
    ast.List: _of_sequence,
}
