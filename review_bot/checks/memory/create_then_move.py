"""A tensor that is made without a device and moved to one at once, where it could have been made there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import (
    full_name,
    hit_at,
    imported_names,
    keyword,
    replacing,
    source_text,
    unpacks,
)
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_FACTORIES = {f"torch.{name}" for name in ("zeros", "ones", "full", "empty", "eye", "arange", "linspace")}
"""Not the random ones, whose numbers differ by device; nor ``tensor``, whose data comes from the host anyway; nor
``zeros_like`` and its kin, which follow their model."""

_ELSEWHERE = {"device", "pin_memory", "out", "generator"}


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each factory call whose result goes straight to a device. Raises CannotParse."""
    names = imported_names(source.tree)
    for node in source.nodes(ast.Call):
        if not isinstance(node.func, ast.Attribute):
            continue
        made = node.func.value
        if not isinstance(made, ast.Call) or full_name(made.func, names) not in _FACTORIES:
            continue
        if unpacks(made) or any(keyword(made, name) is not None for name in _ELSEWHERE):
            continue
        device = _device(node, source)
        if device is None:
            continue
        text = source_text(source, made)
        inside = text[:-1].rstrip()
        single = "\n" not in source_text(source, node) and "#" not in text and not inside.endswith(",")
        fixed = replacing(source, node, f"{inside}, device={device})") if single else None
        factory = full_name(made.func, names) or ""
        yield hit_at(source, node, values={"factory": factory, "device": device}, suggestion=fixed)


def _device(call: ast.Call, source: SourceFile) -> str | None:
    """Return the device that ``.to(device)`` or ``.cuda()`` moves to, as text; None if it may be something else."""
    assert isinstance(call.func, ast.Attribute)  # noqa: S101  # the caller has looked
    if call.func.attr == "cuda":
        return '"cuda"' if not call.args and not call.keywords else None
    if call.func.attr != "to":
        return None
    if len(call.args) == 1 and not call.keywords:
        value = call.args[0]
    elif not call.args and len(call.keywords) == 1 and call.keywords[0].arg == "device":
        value = call.keywords[0].value
    else:
        return None
    return source_text(source, value) if _names_a_device(value) else None


def _names_a_device(value: ast.expr) -> bool:
    if isinstance(value, ast.Constant):
        return isinstance(value.value, str) and value.value.partition(":")[0] in {"cuda", "npu", "xpu", "hpu"}
    if isinstance(value, ast.Attribute):
        return value.attr.endswith("device")
    return isinstance(value, ast.Name) and value.id.endswith("device")


CHECK = file_check(examine, CheckTraits(literals=("to", "cuda")))
