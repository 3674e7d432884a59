"""How the sizes of a result follow from a call, each function named as in contract files (docs/contracts.md)."""

from __future__ import annotations

import ast
from collections.abc import Callable

from review_bot.analysis.python.syntax import is_literal, keyword, unpacks
from review_bot.analysis.tensors.values import ANY, Value

Sizes = tuple[str, ...] | None
Read = Callable[[ast.expr], Value]
"""Returns what is known of an expression."""


def integer(node: ast.expr | None) -> int | None:
    """Return the value of an integer literal, also of a negative one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = integer(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def is_number(node: ast.expr, read: Read) -> bool:
    """Return whether an expression is a literal number or a size, and no array or tensor."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) or read(inner).kind == "size"


def is_spaced(arguments: list[ast.expr], call: ast.Call, read: Read) -> bool:
    """Return whether the bounds of ``linspace`` are numbers, so that its result has one axis."""
    bounds = [*arguments[:2], *(each.value for each in call.keywords if each.arg in {"start", "stop"})]
    return len(bounds) == 2 and all(is_number(each, read) for each in bounds)


def sizes_of(how: str, held: Value, arguments: list[ast.expr], call: ast.Call, read: Read) -> Sizes:
    """Return the sizes of the result of a call.

    ``held`` is the operand and ``arguments`` are the others by position.
    """
    if how in {"same", "range", "spaced", "scalar"}:
        return {"same": held.sizes, "range": (ANY,), "spaced": (ANY,), "scalar": ()}[how]
    if how == "data":
        return _of_data(arguments[0]) if arguments else None
    if unpacks(call) or any(isinstance(each, ast.Starred) for each in arguments):
        return None
    if how in {"arguments", "first", "viewed"}:
        return _given(how, held, arguments, call, read)
    if how == "transposed" and _keeps_order_of_array(held, arguments):
        return None
    computed = _COMPUTED.get(how)
    return computed(held, arguments, call) if computed is not None else None


def axes_after(held: Value, how: str, arguments: list[ast.expr], call: ast.Call) -> tuple[int, ...]:
    """Return the order of the axes after ``permute`` or ``transpose``, if the text shows how many there are."""
    if unpacks(call) or held.sizes == () or any(isinstance(each, ast.Starred) for each in arguments):
        return ()
    if how == "transposed" and _keeps_order_of_array(held, arguments):
        return ()
    given = _spread(arguments)
    order = [each for each in map(integer, given) if each is not None]
    if len(order) != len(given):
        return ()
    before = held.axes or (tuple(range(len(held.sizes))) if held.sizes is not None else ())
    if how == "reversed":
        return tuple(reversed(before)) if before else ()
    return permuted(order, before, swap=how != "permuted")


def _keeps_order_of_array(held: Value, arguments: list[ast.expr]) -> bool:
    """Return whether ``transpose(0, 1)`` exchanges the axes of a tensor and keeps those of an array of NumPy.

    NumPy takes the whole order, PyTorch two axes to exchange: all other pairs are the same in both, or fail in NumPy.
    """
    order = list(map(integer, _spread(arguments)))
    return not held.kind and held.rank in {None, 2} and order in ([0, 1], [-2, -1], [0, -1], [-2, 1])


def permuted(order: list[int], before: tuple[int, ...], *, swap: bool) -> tuple[int, ...]:
    """Return axes in another order; nothing if it does not fit them."""
    rank = len(before) if swap else len(order)
    if not rank or (before and len(before) != rank) or any(not -rank <= axis < rank for axis in order):
        return ()
    order = [axis % rank for axis in order]
    if swap:
        if len(order) != 2:
            return ()
        first, second = order
        order = list(range(rank))
        order[first], order[second] = second, first
    if sorted(order) != list(range(rank)):
        return ()
    return tuple(before[axis] if before else axis for axis in order)


def _spread(arguments: list[ast.expr]) -> list[ast.expr]:
    if len(arguments) == 1 and isinstance(arguments[0], (ast.Tuple, ast.List)):
        return arguments[0].elts
    return arguments


def _given(how: str, held: Value, arguments: list[ast.expr], call: ast.Call, read: Read) -> Sizes:
    """Return the sizes that the arguments of a call name, as numbers or as one tuple."""
    size = keyword(call, "size") or keyword(call, "shape")
    if not arguments and size is not None and how != "viewed":
        arguments = [size]
    if how == "first":
        is_tuple = bool(arguments) and isinstance(arguments[0], (ast.Tuple, ast.List))
        arguments = arguments[:1] if is_tuple or (arguments and read(arguments[0]).kind == "shape") else []
    arguments = _spread(arguments)
    if not arguments or any(isinstance(each, ast.Starred) for each in arguments):
        return None
    one = read(arguments[0])
    if how == "viewed" and one.kind == "dtype":
        return held.sizes if held.dtype and held.dtype == one.dtype else None
    if len(arguments) == 1 and one.kind != "size":
        return one.sizes if one.kind == "shape" else (ANY,) if integer(arguments[0]) == -1 else None
    return tuple(size_named(each, read) for each in arguments)


def _of_data(data: ast.expr) -> Sizes:
    """Return the sizes of ``torch.tensor(1.0)`` or ``torch.tensor([1, 2])``."""
    if isinstance(data, ast.Constant):
        return ()
    is_flat = isinstance(data, (ast.List, ast.Tuple)) and all(isinstance(each, ast.Constant) for each in data.elts)
    return (str(len(data.elts)),) if is_flat and isinstance(data, (ast.List, ast.Tuple)) else None


def size_named(node: ast.expr, read: Read) -> str:
    """Return the size that an expression names."""
    number = integer(node)
    if number is not None:
        return str(number) if number >= 0 else ANY
    held = read(node)
    return held.sizes[0] if held.kind == "size" and held.sizes else ANY


def _reordered(how: str) -> Callable[[Value, list[ast.expr], ast.Call], Sizes]:
    def computed(held: Value, arguments: list[ast.expr], call: ast.Call) -> Sizes:
        before = None if held.sizes is None else held._replace(axes=())
        order = axes_after(before or held._replace(axes=(), sizes=None), how, arguments, call)
        if held.sizes is None:
            return (ANY,) * len(order) if order else None
        return tuple(held.sizes[axis] for axis in order) if order else (ANY,) * len(held.sizes)

    return computed


def _squeezed(held: Value, arguments: list[ast.expr], call: ast.Call) -> Sizes:
    sizes = held.sizes
    if sizes is None:
        return None
    dimension = arguments[0] if arguments else keyword(call, "dim")
    if dimension is None:
        return tuple(each for each in sizes if each != "1") if all(map(str.isdigit, sizes)) else None
    axis = integer(dimension)
    if axis is None or not -len(sizes) <= axis < len(sizes) or not sizes[axis].isdigit():
        return None
    axis %= len(sizes)
    return sizes[:axis] + sizes[axis + 1 :] if sizes[axis] == "1" else sizes


def _unsqueezed(held: Value, arguments: list[ast.expr], call: ast.Call) -> Sizes:
    axis = integer(arguments[0] if arguments else keyword(call, "dim"))
    if held.sizes is None:
        return None
    rank = len(held.sizes) + 1
    if axis is None or not -rank <= axis < rank:
        return (ANY,) * rank
    axis %= rank
    return (*held.sizes[:axis], "1", *held.sizes[axis:])


def _flattened(held: Value, arguments: list[ast.expr], call: ast.Call) -> Sizes:
    if not arguments and not call.keywords:
        return (ANY,)
    first, last = (integer(arguments[at]) if len(arguments) > at else None for at in (0, 1))
    if held.sizes is None or call.keywords or first is None or (len(arguments) > 1 and last is None):
        return None
    rank = len(held.sizes)
    last = -1 if last is None else last
    if not rank or not -rank <= first < rank or not -rank <= last < rank or first % rank > last % rank:
        return None
    first, last = first % rank, last % rank
    merged = held.sizes[first : last + 1]
    return (*held.sizes[:first], merged[0] if len(merged) == 1 else ANY, *held.sizes[last + 1 :])


def _expanded(held: Value, arguments: list[ast.expr], call: ast.Call) -> Sizes:
    del held, call
    given = _spread(arguments)
    if len(given) < 2:
        return None
    return tuple(str(number) if (number := integer(each)) is not None and number >= 0 else ANY for each in given)


def _reduced(held: Value, arguments: list[ast.expr], call: ast.Call) -> Sizes:
    dimension = arguments[0] if arguments else keyword(call, "dim") or keyword(call, "axis")
    if dimension is None:
        return () if not any(each.arg in {"keepdim", "keepdims"} for each in call.keywords) else None
    axis = integer(dimension)
    if held.sizes is None or axis is None or len(arguments) > 1:
        return None
    rank = len(held.sizes)
    if not -rank <= axis < rank:
        return None
    axis %= rank
    kept = keyword(call, "keepdim") or keyword(call, "keepdims")
    if kept is None:
        return held.sizes[:axis] + held.sizes[axis + 1 :]
    if is_literal(kept, True):
        return (*held.sizes[:axis], "1", *held.sizes[axis + 1 :])
    return None


def _reversed(held: Value, arguments: list[ast.expr], call: ast.Call) -> Sizes:
    del arguments, call
    return None if held.sizes is None else tuple(reversed(held.sizes))


_COMPUTED: dict[str, Callable[[Value, list[ast.expr], ast.Call], Sizes]] = {
    "transposed": _reordered("transposed"),
    "permuted": _reordered("permuted"),
    "squeezed": _squeezed,
    "unsqueezed": _unsqueezed,
    "flattened": _flattened,
    "expanded": _expanded,
    "reduced": _reduced,
    "reversed": _reversed,
}
