"""What a call returns by the contract of its function."""

from __future__ import annotations

import ast
from collections.abc import Callable

from review_bot.analysis.python.syntax import is_literal, keyword, unpacks
from review_bot.analysis.tensors.sizes import Read, axes_after, is_number, is_spaced, sizes_of
from review_bot.analysis.tensors.values import ANY, FLOATING, INTEGERS, UNKNOWN, Value, promoted
from review_bot.contracts.contract import Contract

IMAGE = "PIL.Image.Image"

Named = Callable[[ast.expr], str]
"""Returns the dtype or the device that an expression names."""


def of_contract(contract: Contract, call: ast.Call, held: Value, read: Read, dtype: Named, device: Named) -> Value:
    """Return what is known of the result of a call; ``held``: what is known of the object of a method."""
    if not contract.kind:
        return UNKNOWN
    held, arguments = operand_and_arguments(contract, call, held, read)
    if contract.items and (not contract.items_with or _is_passed(contract, call, arguments)):
        return Value("pair", dtype=held.dtype, device=held.device, items=contract.items)
    if (contract.items_with and arguments) or (contract.sizes == "spaced" and not is_spaced(arguments, call, read)):
        return UNKNOWN  # `torch.max(x, y)` compares two tensors; `np.linspace(x, y)` has their axes as well
    if contract.kind not in {"tensor", "array"}:
        return Value(contract.kind, type=contract.type, device=_device_of_object(contract, call, held, device))
    if contract.sizes == "viewed" and arguments and read(arguments[0]).kind == "dtype":
        return Value(contract.kind, dtype=read(arguments[0]).dtype, device=held.device)
    others = [*arguments, *(each.value for each in call.keywords)]
    if contract.dtype == ("kept",) and not all(is_number(each, read) for each in others):
        contract = contract._replace(dtype=(), sizes="")  # `x.clamp(min=y)` has the sizes and the dtype of both
    sizes = sizes_of(contract.sizes, held, arguments, call, read)
    parts = _parts(contract, call, read)
    if contract.sizes in {"concatenated", "stacked"}:
        sizes = _together(contract.sizes, parts)
    axes: tuple[int, ...] = ()
    if contract.layout == "permuted":
        axes = axes_after(held, contract.sizes, arguments, call)
    elif contract.sizes == "viewed":
        axes = tuple(range(len(sizes))) if sizes is not None and len(sizes) > 1 else ()
    elif contract.layout == "contiguous" or contract.sizes == "same":
        axes = held.axes if contract.sizes == "same" and contract.layout != "contiguous" else ()
        axes = tuple(range(len(held.axes))) if contract.sizes == "same" and contract.layout == "contiguous" else axes
    shares = contract.memory == "view" or (contract.memory == "view if contiguous" and held.dense is True)
    first = read(call.args[0]) if contract.read_only not in {"", "always"} and call.args else UNKNOWN
    has_axes = others or (held.rank and held.kind != "size")
    is_number_of_numpy = contract.layout == "backward" and contract.sizes == "same" and not has_axes
    return Value(
        "" if is_number_of_numpy else contract.kind,  # `np.flip` of an array without axes
        dtype=_dtype(contract, call, held, parts, dtype),
        device="" if contract.sizes == "data" and sizes is None else _device(contract, call, held, parts, device),
        sizes=sizes,
        axes=axes,
        dense=_dense(contract, held, axes),
        selects=contract.selects or (held.selects and contract.dtype == ("same",)),
        expanded=contract.layout == "expanded" or (held.expanded and shares),
        backward=_backward(contract, held, shares=shares),
        read_only=_shared_read_only(contract, held) if shares else _read_only(contract, call, first),
        buffer=held.buffer if shares or _declines_copy(contract, call) else _buffer(contract, call, first),
        pending=held.pending if shares else _copy_under_way(contract, call),
        grad=_grad(contract, call),
    )


def _backward(contract: Contract, held: Value, *, shares: bool) -> bool | None:
    """Return whether a stride is negative: what is reversed twice may be as it was."""
    if contract.layout == "backward":
        return None if held.backward is not False else True
    if contract.memory == "either" and held.backward is not False and contract.layout != "contiguous":
        return None
    return held.backward if shares else False


def _device_of_object(contract: Contract, call: ast.Call, held: Value, device: Named) -> str:
    """Return the device of an object such as a generator, which is its first argument."""
    if contract.device[:1] == ("argument",) and call.args and not call.keywords:
        return device(call.args[0])
    return _device(contract, call, held, [], device) if contract.device else ""


def _shared_read_only(contract: Contract, held: Value) -> str:
    """Return why shared memory is not to be written to; ``numpy()`` of a tensor does not say that it is not."""
    return "" if held.kind == "tensor" and contract.kind == "array" else contract.layout and held.read_only


def _read_only(contract: Contract, call: ast.Call, first: Value) -> str:
    """Return what does not allow writes to the result, in words."""
    if contract.read_only == "always":
        return "read-only memory"
    if contract.read_only == "of bytes" and first.kind == "bytes":
        return "the memory of `bytes`"
    # With a dtype, NumPy copies what an image gives.
    is_plain = len(call.args) == 1 and not call.keywords
    return "the memory of an image" if contract.read_only == "of image" and first.type == IMAGE and is_plain else ""


def _buffer(contract: Contract, call: ast.Call, first: Value) -> str:
    is_shared = contract.memory == "buffer" and call.args and first.type != "bytearray"
    return ast.unparse(call.args[0]) if is_shared else ""


def _declines_copy(contract: Contract, call: ast.Call) -> bool:
    """Return whether a function that may copy is asked not to."""
    copy = keyword(call, "copy")
    return contract.memory == "either" and is_literal(copy, False)


def _grad(contract: Contract, call: ast.Call) -> bool | None:
    """Return whether the result certainly needs a gradient; under `no_grad`, one that is computed needs none."""
    if contract.grad:
        given = keyword(call, "requires_grad")
        others = call.args if contract.is_method else call.args[1:]
        by_default = contract.grad == "unless argument" and given is None and not others
        return True if by_default or is_literal(given, True) else None
    return None


def operand_and_arguments(contract: Contract, call: ast.Call, held: Value, read: Read) -> tuple[Value, list[ast.expr]]:
    """Return what a function works on, and its other arguments by position."""
    if contract.is_method:
        return held, call.args
    if not (contract.sizes in {"arguments", "first", "data", "range", "spaced"} or "default" in contract.device):
        first = call.args[0] if call.args else keyword(call, "input")
        return (UNKNOWN if first is None else read(first)), call.args[1:]
    return UNKNOWN, call.args


def of_conversion(call: ast.Call, method: str, held: Value, read: Read, dtype: Named, device: Named) -> Value:
    """Return what is known of the result of ``x.to(...)``, ``x.type(...)`` or ``x.type_as(y)``."""
    if held.kind not in {"", "tensor"}:
        return UNKNOWN
    if method == "type_as" and len(call.args) == 1:
        other = read(call.args[0])
        return Value("tensor", dtype=other.dtype, device=other.device, sizes=held.sizes)
    if unpacks(call):
        return Value(held.kind)
    named, place, sure = _targets(call, read, dtype, device)
    to_host = place == "cpu" and is_literal(keyword(call, "non_blocking"), True)
    kind = "tensor" if held.kind or (sure and (named or place)) else ""
    if not sure:
        return Value(held.kind, sizes=held.sizes)
    if not kind and not named:
        return Value(dtype=held.dtype)
    return Value(
        kind,
        dtype=named or held.dtype,
        device=place or held.device,
        sizes=held.sizes,
        axes=held.axes,
        dense=True if held.dense and named and not place else None,  # a conversion closes the gaps of a slice
        pending=call.lineno if to_host else 0,
    )


def _targets(call: ast.Call, read: Read, dtype: Named, device: Named) -> tuple[str, str, bool]:
    """Return the dtype and the device that ``to`` names, and whether every argument was understood."""
    named, place = "", ""
    given = keyword(call, "dtype")
    sure = True
    if given is not None:
        named = dtype(given)
        sure = bool(named)
    arguments = [*call.args]
    if (where := keyword(call, "device")) is not None:
        arguments.append(where)
    for argument in arguments:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, bool):
            continue
        other = read(argument)
        if other.kind == "tensor":
            named, place = other.dtype, other.device
            sure = sure and bool(named)
        elif found := dtype(argument):
            named = found
        elif (found := device(argument)) or other.kind == "device":
            place = found or ANY
        else:
            sure = False
    return named, "" if place == ANY else place, sure and place != ANY


def call_name(call: ast.Call) -> str:
    """Return the last part of the name of the function that is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _dtype(contract: Contract, call: ast.Call, held: Value, parts: list[Value], dtype: Named) -> str:
    way, given = _way(contract.dtype, call, "dtype")
    if given is not None:
        return dtype(given)
    if way == "same":
        return held.dtype
    if way == "kept":
        return held.dtype if held.dtype in FLOATING else ""
    if way == "truth":
        return held.dtype and ("uint8" if held.dtype == "uint8" else "" if held.dtype[0] == "@" else "bool")
    if way == "quotient":
        return "floating" if held.dtype in INTEGERS else held.dtype if held.dtype[:1] != "@" else ""
    return _promoted(parts or [held]) if way == "promoted" else way


def _way(ways: tuple[str, ...], call: ast.Call, argument: str) -> tuple[str, ast.expr | None]:
    """Return how a dtype or a device follows from a call, and the argument that names it, if it is passed."""
    given = keyword(call, argument)
    if is_literal(given, None):
        given = None
    if ways[:1] != ("argument",):
        return "".join(ways[:1]), None
    if unpacks(call) and given is None:
        return "", None
    return "".join(ways[1:2]), given


def _promoted(parts: list[Value]) -> str:
    found = parts[0].dtype
    for each in parts[1:]:
        if each.dtype != found and not (each.rank and parts[0].rank):
            return ""
        found = promoted(found, each.dtype)
    return found


def _device(contract: Contract, call: ast.Call, held: Value, parts: list[Value], device: Named) -> str:
    way, given = _way(contract.device, call, "device")
    if given is not None:
        return device(given)
    if way in {"same", "promoted"}:
        devices = {part.device for part in parts or [held]}
        return devices.pop() if len(devices) == 1 else ""
    return _cuda(call) if way == "cuda" else way


def _cuda(call: ast.Call) -> str:
    if not call.args and not call.keywords:
        return "cuda"
    first = call.args[0] if call.args else None
    if isinstance(first, ast.Constant) and type(first.value) is int:
        return f"cuda:{first.value}"
    return ""


def _parts(contract: Contract, call: ast.Call, read: Read) -> list[Value]:
    """Return what is known of the tensors that a function puts together."""
    if not {"promoted"} & {*contract.dtype, *contract.device}:
        return []
    first = call.args[0] if call.args else keyword(call, "tensors")
    if contract.sizes in {"concatenated", "stacked"}:
        if not isinstance(first, (ast.List, ast.Tuple)) or not first.elts:
            return [UNKNOWN]
        if any(isinstance(each, ast.Starred) for each in first.elts):
            return [UNKNOWN]
        return [read(each) for each in first.elts]
    given = [*([call.func.value] if contract.is_method and isinstance(call.func, ast.Attribute) else []), *call.args]
    return [read(each) for each in given[:2]]


def _together(how: str, parts: list[Value]) -> tuple[str, ...] | None:
    ranks = {each.rank for each in parts}
    rank = ranks.pop() if len(ranks) == 1 else None
    if rank is None:
        return None
    return (ANY,) * (rank + 1 if how == "stacked" else rank)


def _dense(contract: Contract, held: Value, axes: tuple[int, ...]) -> bool | None:
    """Return whether the result is contiguous; a sequence of axes in another order is not."""
    if contract.layout == "permuted":
        return list(axes) == sorted(axes) if held.dense and axes else None
    if contract.layout == "same":
        return held.dense if contract.sizes != "viewed" or held.dense else None
    return True if contract.layout == "contiguous" else None


def _copy_under_way(contract: Contract, call: ast.Call) -> int:
    is_host = contract.device == ("cpu",) and call_name(call) == "cpu"
    return call.lineno if is_host and is_literal(keyword(call, "non_blocking"), True) else 0


def _is_passed(contract: Contract, call: ast.Call, arguments: list[ast.expr]) -> bool:
    """Return whether an argument is passed that makes the function return several values."""
    by_name = any(each.arg in contract.items_with for each in call.keywords)
    first = arguments[0] if arguments else None
    by_place = isinstance(first, ast.Constant) and type(first.value) is int
    by_place = by_place or (isinstance(first, ast.UnaryOp) and isinstance(first.operand, ast.Constant))
    return by_name or by_place
