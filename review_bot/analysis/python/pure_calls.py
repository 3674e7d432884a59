"""Calls that do nothing but return a value, as far as their names show: of builtins, texts, tensors and torch."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from review_bot.analysis.python.syntax import full_name, keyword
from review_bot.text.lazy_regex import LazyRegex

_LANGUAGES = frozenset({
    "cutlass", "cython", "gt4py", "helion", "hidet", "ninetoothed", "numba", "taichi", "tilelang", "triton", "tvm",
    "warp",
})  # fmt: skip
"""Packages with languages of their own, in which an assignment to a name may write to memory."""
_PURE_BUILTINS = frozenset({
    "abs", "bool", "dict", "float", "frozenset", "getattr", "int", "isinstance", "len", "list", "max", "min", "range",
    "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip",
})  # fmt: skip
PURE_METHODS = frozenset({
    "abs", "amax", "amin", "argmax", "argmin", "astype", "bool", "capitalize", "casefold", "chunk", "clamp", "clip",
    "clone", "contiguous", "decode", "detach", "dim", "encode", "exp", "expand", "expand_as", "flatten", "flip",
    "gather", "index_select", "item", "join", "log", "long", "lower", "lstrip", "masked_fill", "mean", "movedim",
    "narrow", "numel", "permute", "pow", "removeprefix", "removesuffix", "repeat", "repeat_interleave", "replace",
    "reshape", "rstrip", "size", "softmax", "split", "sqrt", "squeeze", "strip", "sum", "swapaxes", "title", "tolist",
    "transpose", "type_as", "unbind", "unflatten", "unsqueeze", "upper", "view", "view_as",
})  # fmt: skip
MOVING = frozenset({"bfloat16", "cuda", "double", "float", "half", "to"})
"""Methods that return a new tensor, but change a module in place."""
_WORKS_OF_TORCH = LazyRegex(r"^torch\.(distributed|cuda|multiprocessing|save|load|compile|jit)\b|_$|seed|rng_state")


def is_in_own_language(imported: Mapping[str, str]) -> bool:
    """Return whether a file imports a language of its own, in which an assignment to a name may write to memory."""
    return not _LANGUAGES.isdisjoint(each.partition(".")[0] for each in imported.values())


def is_pure(call: ast.Call, imported: Mapping[str, str]) -> bool:
    """Return whether a call does nothing but return a value, as far as its name shows."""
    if keyword(call, "out") is not None:
        return False  # the result is in that tensor too
    called = full_name(call.func, imported) or ""
    if called.startswith(("torch.", "numpy.", "math.")):
        last = called.rpartition(".")[2]
        return not _WORKS_OF_TORCH.search(called) and (not last[0].isupper() or last.endswith("Tensor"))
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in PURE_METHODS | MOVING
    return called in _PURE_BUILTINS
