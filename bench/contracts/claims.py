"""What a claim about a value says that the value itself contradicts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from review_bot.analysis.tensors.values import ANY, Value


def false_claims(claim: Value, real: Any, known: dict[str, int]) -> Iterator[str]:
    """Yield what is wrong in a claim. ``known`` collects what each named size is, so that all of them agree."""
    kinds = {"tensor": torch.Tensor, "array": np.ndarray, "pair": tuple, "bytes": bytes}
    if claim.kind in kinds and not isinstance(real, kinds[claim.kind]):
        yield f"a {claim.kind}, but it is a {type(real).__name__}"
        return
    if claim.type and not any(claim.type == _name_of(each) for each in type(real).__mro__):
        yield f"a {claim.type}, but it is a {type(real).__name__}"
    if claim.kind == "size" and isinstance(real, torch.Tensor):
        yield "a size, but it is a tensor"
    elif claim.kind == "shape" and isinstance(real, (tuple, list)) and claim.sizes is not None:
        yield from _of_sizes(claim, tuple(real), known)
    if isinstance(real, (torch.Tensor, np.ndarray)):
        yield from _of_tensor(claim, real, known)


def _of_tensor(claim: Value, real: Any, known: dict[str, int]) -> Iterator[str]:
    dtype = str(real.dtype).removeprefix("torch.")
    if claim.dtype and not claim.dtype.startswith("@") and claim.dtype not in {dtype, "floating"}:
        yield f"dtype {claim.dtype}, but it is {dtype}"
    if claim.dtype == "floating" and "float" not in dtype:
        yield f"a floating dtype, but it is {dtype}"
    if claim.sizes is not None:
        yield from _of_sizes(claim, tuple(real.shape), known)
    if isinstance(real, torch.Tensor):
        if claim.device in {"cpu", "cuda"} and real.device.type != claim.device:
            yield f"on {claim.device}, but it is on {real.device}"
        if claim.dense is not None and min(real.shape, default=2) > 1 and real.is_contiguous() != claim.dense:
            yield f"contiguous: {claim.dense}, but the opposite is so"
        if claim.grad is not None and real.requires_grad != claim.grad:
            yield f"gradient: {claim.grad}, but the opposite is so"
    elif claim.read_only and real.flags.writeable:
        yield "read-only, but it can be written to"
    if claim.backward and isinstance(real, np.ndarray) and min(real.shape, default=2) > 1 and min(real.strides) > 0:
        yield "a negative stride, but it has none"  # an expanded axis keeps the stride 0


def _name_of(kind: type) -> str:
    """Return the full name of a class as contracts have it."""
    module = kind.__module__.replace("torch._C", "torch")
    return kind.__name__ if module == "builtins" else f"{module}.{kind.__name__}"


def _of_sizes(claim: Value, real: tuple[int, ...], known: dict[str, int]) -> Iterator[str]:
    sizes = claim.sizes or ()
    if len(sizes) != len(real):
        yield f"{len(sizes)} axes, but it has {len(real)}"
        return
    for size, number in zip(sizes, real, strict=True):
        if size != ANY and (int(size) if size.isdigit() else known.setdefault(size, number)) != number:
            yield f"sizes {sizes}, but they are {real}"
