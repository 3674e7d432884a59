"""Calls whose operands certainly are not what the contract of the function requires."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import dotted, full_name, keyword, unpacks
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import expressions, flow
from review_bot.analysis.tensors.values import INTEGERS, UNKNOWN, Names, Value, devices_differ
from review_bot.changes.node_index import nodes_of
from review_bot.contracts.contract import Contract, Requirement
from review_bot.contracts.contract_store import contract_of, names_with_requirements
from review_bot.records import NamedTuple


class Mismatch(NamedTuple):
    """An operand that does not meet a requirement. ``found`` is a clause in Markdown about what it is instead."""

    call: ast.Call
    function: str
    operand: ast.expr
    value: Value
    found: str
    requirement: Requirement


def mismatches(function: Function, imported: Mapping[str, str]) -> Iterator[Mismatch]:
    """Yield each such operand in the body of a function."""
    requiring = names_with_requirements()
    if not any(last_name(each.func) in requiring for each in nodes_of(function, ast.Call)):
        return
    for statement, names in flow(function, imported):
        for node in expressions(statement):
            if isinstance(node, ast.Call):
                yield from _of_call(node, names, imported)


def called(call: ast.Call, names: Names, imported: Mapping[str, str]) -> tuple[str, Contract | None]:
    """Return the full name of the function that a call runs, and its contract, where the text shows both."""
    root = (dotted(call.func) or "").partition(".")[0]
    if root in imported and root not in names:
        name = full_name(call.func, imported) or ""
        return name, contract_of(name)
    if isinstance(call.func, ast.Attribute):
        held = value_of(call.func.value, names, imported)
        owner = {"tensor": "torch.Tensor", "array": "numpy.ndarray"}.get(held.kind)
        if owner is not None:
            return f"{owner}.{call.func.attr}", contract_of(f"{owner}.{call.func.attr}")
    return "", None


def _of_call(call: ast.Call, names: Names, imported: Mapping[str, str]) -> Iterator[Mismatch]:
    name, contract = called(call, names, imported)
    if contract is None or unpacks(call):
        return
    for requirement in contract.requires:
        operand = _operand(call, requirement)
        if operand is None or len(call.args) + len(call.keywords) < requirement.least_arguments:
            continue
        value = value_of(operand, names, imported)
        first = call.func.value if contract.is_method and isinstance(call.func, ast.Attribute) else None
        first = call.args[0] if first is None and call.args else first
        other = UNKNOWN if first is None else value_of(first, names, imported)
        found = _contradiction(requirement, value, other)
        if found:
            yield Mismatch(call, name, operand, value, found, requirement)
            return


def _operand(call: ast.Call, requirement: Requirement) -> ast.expr | None:
    if requirement.of == "self":
        return call.func.value if isinstance(call.func, ast.Attribute) else None
    if 0 <= requirement.at < len(call.args):
        return call.args[requirement.at]
    return keyword(call, requirement.of)


def _contradiction(required: Requirement, value: Value, other: Value) -> str:
    """Return how a value contradicts a requirement, in words; nothing if it may be met."""
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
