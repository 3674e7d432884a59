"""What an operator makes of two tensors: their broadcast sizes, the promoted dtype and the device.

Source: https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc and
https://docs.pytorch.org/docs/stable/notes/broadcasting.html
"""

from __future__ import annotations

import ast

from review_bot.analysis.tensors.values import ANY, INTEGERS, UNKNOWN, Value, promoted

_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor)


def operation(op: ast.operator, left: Value, right: Value, one: ast.expr, other: ast.expr) -> Value:
    """Return what is known of ``left op right``."""
    if left.kind == "size" and right.kind == "size":
        return Value("size", sizes=(ANY,)) if not isinstance(op, ast.Div) else Value("object")
    for held, number, node in ((left, right, other), (right, left, one)):
        if isinstance(node, ast.Constant) or number.kind == "size":
            return _with_number(op, held, node) if held.kind != "array" else UNKNOWN
    selects = isinstance(op, _BITS) and (left.selects or right.selects)
    if isinstance(op, ast.MatMult):
        kind = "tensor" if left.kind == right.kind == "tensor" else ""
        return Value(kind, dtype=left.dtype if left.dtype == right.dtype else "", device=both_devices(left, right))
    dtype = _result_dtype(op, left, right)
    tensors = {left.kind, right.kind}
    kind = "tensor" if "tensor" in tensors and tensors <= {"tensor", ""} else ""
    if not kind and not selects:
        return Value(dtype=dtype) if dtype else UNKNOWN
    sizes = broadcast(left.sizes, right.sizes)
    return Value(kind, dtype=dtype, device=both_devices(left, right), sizes=sizes, selects=selects)


def _with_number(op: ast.operator, held: Value, node: ast.expr) -> Value:
    """Return what is known of an operation on a value and a number: an integer keeps the dtype, a float may not."""
    if held.kind not in {"", "tensor", "array"}:
        return UNKNOWN
    dtype = held.dtype
    is_integer = not isinstance(node, ast.Constant) or type(node.value) is int
    if dtype in INTEGERS and (not is_integer or isinstance(op, (ast.Div, ast.Pow)) or dtype == "bool"):
        dtype = ""
    if dtype.startswith("@"):
        dtype = ""
    if not held.kind and not held.dtype:
        return UNKNOWN
    return Value(held.kind, dtype=dtype, device=held.device, sizes=held.sizes)


def _result_dtype(op: ast.operator, left: Value, right: Value) -> str:
    if isinstance(op, _BITS) and left.dtype != right.dtype:
        return ""
    if left.dtype == right.dtype:
        dtype = left.dtype
    elif left.rank and right.rank and left.kind == right.kind == "tensor":
        dtype = promoted(left.dtype, right.dtype)
    else:
        return ""
    if isinstance(op, ast.Div) and (dtype in INTEGERS or dtype.startswith("@")):
        return "floating" if dtype in INTEGERS and left.kind == right.kind == "tensor" else ""
    if dtype == "bool" and not isinstance(op, (*_BITS, ast.Add, ast.Mult)):
        return ""
    return dtype


def both_devices(left: Value, right: Value) -> str:
    """Return the device of the result: a tensor of one number on the CPU may be combined with any other."""
    if left.device == right.device:
        return left.device
    if left.kind == right.kind == "tensor" and left.rank and right.rank:
        return left.device if left.device not in {"", "default"} else right.device  # else it raises
    for known, other in ((left, right), (right, left)):
        has_place = known.kind == "tensor" and (known.rank or known.device.startswith("@"))
        if has_place and not other.kind and not other.device:
            return known.device  # of a number, or of a tensor that is there too
    return ""


def broadcast(first: tuple[str, ...] | None, second: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Return the sizes of the result by the broadcasting rules; None if a rank is unknown."""
    if first is None or second is None:
        return None
    rank = max(len(first), len(second))
    one, other = (("1",) * (rank - len(each)) + each for each in (first, second))
    return tuple(_longer(a, b) for a, b in zip(one, other, strict=True))


def _longer(first: str, second: str) -> str:
    if first == second:
        return first
    if first == "1" or second == "1":
        return second if first == "1" else first
    return ANY
