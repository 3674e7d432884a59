"""Calls whose operands certainly are not what the contract of the function requires."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import dotted, full_name, unpacks
from review_bot.analysis.tensors.evaluation import device_named, value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.analysis.tensors.values import INTEGERS, UNKNOWN, Names, Value, devices_differ
from review_bot.changes.node_index import nodes_of
from review_bot.contracts.contract import Contract, Requirement
from review_bot.contracts.contract_store import contract_of, names_with_requirements
from review_bot.contracts.operands import applies, operand_of, passed_as
from review_bot.records import NamedTuple


class Mismatch(NamedTuple):
    """An operand that does not meet a requirement. ``found`` is a clause in Markdown about what it is instead."""

    node: ast.expr | ast.stmt
    function: str
    operand: ast.expr
    value: Value
    found: str
    requirement: Requirement


class _Operation(NamedTuple):
    """What an expression does: a call, or an operator as the method that Python calls for it."""

    name: str
    contract: Contract | None
    first: ast.expr | None
    arguments: tuple[ast.expr, ...]
    keywords: tuple[ast.keyword, ...] = ()


_BINARY: dict[type[ast.operator], str] = {
    ast.Sub: "sub",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.MatMult: "matmul",
}
_IN_PLACE = {**_BINARY, ast.Div: "truediv", ast.Add: "add", ast.Mult: "mul"}
_UNARY: dict[type[ast.unaryop], str] = {ast.USub: "neg", ast.Invert: "invert"}
_RARE: frozenset[type[ast.AST]] = frozenset({ast.BitAnd, ast.BitXor, ast.MatMult, ast.Invert})
_OWNERS = {"tensor": "torch.Tensor", "array": "numpy.ndarray"}


def mismatches(function: Function, imported: Mapping[str, str]) -> Iterator[Mismatch]:
    """Yield each such operand in the body of a function."""
    requiring = names_with_requirements()
    calls = any(last_name(each.func) in requiring for each in nodes_of(function, ast.Call))
    if not calls and not _has_operators(function):
        return
    for statement, names in flow(function, imported):
        for node in [statement, *expressions(statement)]:
            operation = _operation_of(node, names, imported)
            if operation is not None and operation.contract is not None:
                yield from _of_operation(node, operation, operation.contract, names, imported)


def _has_operators(function: Function) -> bool:
    """Return whether an operator may fail: ``-`` on a comparison that is kept as a mask, or one of bits or matrices."""
    used = [type(each.op) for each in nodes_of(function, ast.BinOp) if not isinstance(each.right, ast.Constant)]
    used += [type(each.op) for each in nodes_of(function, ast.AugAssign)]
    used_alone = [
        type(each.op) for each in nodes_of(function, ast.UnaryOp) if not isinstance(each.operand, ast.Constant)
    ]
    if not _RARE.isdisjoint([*used, *used_alone]):
        return True
    if ast.Sub not in used and ast.USub not in used_alone:
        return False
    choices: list[ast.If | ast.While | ast.IfExp] = [
        *nodes_of(function, ast.If),
        *nodes_of(function, ast.While),
        *nodes_of(function, ast.IfExp),
    ]
    decisions = {id(each.test) for each in choices}
    return any(id(each) not in decisions for each in nodes_of(function, ast.Compare))


def called(call: ast.Call, names: Names, imported: Mapping[str, str]) -> tuple[str, Contract | None]:
    """Return the full name of the function that a call runs, and its contract, where the text shows both."""
    root = (dotted(call.func) or "").partition(".")[0]
    if root in imported and root not in names:
        name = full_name(call.func, imported) or ""
        return name, contract_of(name)
    if isinstance(call.func, ast.Attribute):
        held = value_of(call.func.value, names, imported)
        owner = held.type or _OWNERS.get(held.kind)
        if owner is not None:
            return f"{owner}.{call.func.attr}", contract_of(f"{owner}.{call.func.attr}")
    return "", None


def _operation_of(node: ast.AST, names: Names, imported: Mapping[str, str]) -> _Operation | None:
    """Return what a node does, if it has a contract."""
    if isinstance(node, ast.Call):
        name, contract = called(node, names, imported)
        if contract is None or not contract.requires or unpacks(node):
            return None
        first = node.func.value if isinstance(node.func, ast.Attribute) and contract.is_method else None
        return _Operation(name, contract, first, tuple(node.args), tuple(node.keywords))
    method, left, right = _operator(node)
    if not method or left is None:
        return None
    owner = _OWNERS.get(value_of(left, names, imported).kind)
    if owner is None and right is not None and isinstance(node, ast.BinOp):
        owner, method = _OWNERS.get(value_of(right, names, imported).kind), f"r{method}"
        left, right = right, left
    name = f"{owner}.__{method}__"
    return None if owner is None else _Operation(name, contract_of(name), left, () if right is None else (right,))


def _operator(node: ast.AST) -> tuple[str, ast.expr | None, ast.expr | None]:
    """Return the name of the method of an operator without its underscores, and its operands."""
    if isinstance(node, ast.BinOp):
        return _BINARY.get(type(node.op), ""), node.left, node.right
    if isinstance(node, ast.UnaryOp):
        return _UNARY.get(type(node.op), ""), node.operand, None
    if isinstance(node, ast.Subscript):
        return "getitem" if isinstance(node.ctx, ast.Load) else "setitem", node.value, node.slice
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and type(node.op) in _IN_PLACE:
        return f"i{_IN_PLACE[type(node.op)]}", node.target, node.value
    return "", None, None


def _may_convert(node: ast.BinOp, names: Names, imported: Mapping[str, str]) -> bool:
    """Return whether an operand may be of the other library than the tensor or array next to it."""
    return any(not value_of(each, names, imported).kind for each in (node.left, node.right))


def _of_operation(
    node: ast.AST, operation: _Operation, contract: Contract, names: Names, imported: Mapping[str, str]
) -> Iterator[Mismatch]:
    for requirement in contract.requires:
        given = operation.arguments, operation.keywords
        operand = operation.first if requirement.of == "self" else operand_of(requirement, *given)
        if operand is None or not applies(requirement, *given):
            continue
        value = value_of(operand, names, imported)
        other = _other(operation, requirement, names, imported)
        if operation.name.endswith("__") and operation.first is not None:
            owner = value_of(operation.first, names, imported)
            if owner.kind != value.kind or (isinstance(node, ast.BinOp) and _may_convert(node, names, imported)):
                continue  # each of PyTorch and NumPy converts what is the other's
        found = _contradiction(requirement, value, other)
        if found and isinstance(node, (ast.expr, ast.stmt)):
            yield Mismatch(node, operation.name, operand, value, found, requirement)
            return


def _other(operation: _Operation, requirement: Requirement, names: Names, imported: Mapping[str, str]) -> Value:
    """Return what is known of that with which the operand must agree."""
    if requirement.like == "argument":
        given = passed_as("device", operation.keywords)
        return UNKNOWN if given is None else Value(device=device_named(given, names, imported))
    first = operation.first or next(iter(operation.arguments), None)
    return UNKNOWN if first is None else value_of(first, names, imported)


def _contradiction(required: Requirement, value: Value, other: Value) -> str:
    """Return how a value contradicts a requirement, in words; nothing if it may be met."""
    if required.forward and value.backward and (value.kind == "array" or required.of == "ndarray"):
        return "has a negative stride"
    if value.type == "torch.Generator":
        place = other.device or "@"
        return f"is on `{value.device}`, and the device is `{place}`" if devices_differ(value.device, place) else ""
    if required.axes and value.kind in {"", "tensor"} and value.rank is not None and value.rank not in required.axes:
        return f"has {value.rank} {'axis' if value.rank == 1 else 'axes'}"
    if value.kind not in {"tensor", "array"}:
        return ""
    dtype, found = value.dtype, ""
    if (
        required.dtype and dtype and dtype[0] != "@" and not _may_be(dtype, required.dtype)
    ) or dtype in required.not_dtype:
        found = f"has the dtype {_dtype_in_words(dtype)}"
    elif required.device and devices_differ(value.device, required.device):
        found = f"is on `{value.device}`"
    elif required.contiguous and value.dense is False:
        found = "is not contiguous"
    elif required.writable and value.read_only:
        found = f"is read-only ({value.read_only})"
    elif required.no_grad and value.grad:
        found = "requires a gradient"
    elif required.like in {"dtype", "both"} and _dtypes_differ(value, other):
        found = f"has the dtype {_dtype_in_words(dtype)}, and the first operand {_dtype_in_words(other.dtype)}"
    if not found and required.like in {"device", "both"} and devices_differ(value.device, other.device):
        found = f"is on `{value.device}`, and the first operand on `{other.device}`"
    return found


def _may_be(dtype: str, allowed: tuple[str, ...]) -> bool:
    """Return whether a dtype may be one of several: ``floating`` may be any of them."""
    if dtype == "floating":
        return not set(allowed) <= set(INTEGERS)
    return dtype in allowed


def _dtypes_differ(value: Value, other: Value) -> bool:
    if not value.dtype or not other.dtype or other.kind != "tensor" or "@" in {value.dtype[0], other.dtype[0]}:
        return False
    if "floating" in {value.dtype, other.dtype}:
        return value.dtype in INTEGERS or other.dtype in INTEGERS
    return value.dtype != other.dtype


def _dtype_in_words(dtype: str) -> str:
    return "of floating-point numbers" if dtype == "floating" else f"`{dtype}`"
