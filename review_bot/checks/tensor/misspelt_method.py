"""A method that tensors do not have, one letter away from one that they have: ``continous``, ``unsqeeze``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from review_bot.analysis.python.syntax import hit_at, imported_names
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_METHODS = frozenset({
    "argmax", "argmin", "argsort", "backward", "bernoulli", "bfloat16", "bincount", "broadcast_to", "clamp_max",
    "clamp_min", "contiguous", "cumprod", "cumsum", "data_ptr", "detach", "diagonal", "element_size",
    "expand_as", "fill_diagonal_", "flatten", "gather", "index_add_", "index_copy_", "index_fill_", "index_select",
    "log_softmax", "logical_and", "logical_not", "logical_or", "logical_xor", "logsumexp", "masked_fill",
    "masked_fill_", "masked_scatter", "masked_select", "multinomial", "narrow", "new_empty", "new_full", "new_ones",
    "new_tensor", "new_zeros", "nonzero", "normal_", "numel", "permute", "pin_memory", "record_stream",
    "repeat_interleave", "requires_grad_", "reshape", "reshape_as", "rsqrt", "scatter_", "scatter_add_", "sigmoid",
    "softmax", "squeeze", "storage_offset", "swapaxes", "transpose", "transpose_", "type_as", "unflatten", "unsqueeze",
    "unsqueeze_", "untyped_storage", "view_as",
})  # fmt: skip
"""Methods of ``torch.Tensor`` with long names (its documentation)."""
_TAKEN_FOR = {"continous": "contiguous", "continuous": "contiguous"}
"""Another word, well or badly spelt."""
_OF_OTHERS = frozenset({"bitcount"})
"""Methods of other libraries that are one letter from one of a tensor: a command of Redis."""
_SHORTEST = 7


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call of such a method that the file does not define. Raises CannotParse."""
    defined = {each.name for each in source.functions}
    others = {"self", "cls", *imported_names(source.tree)}
    for call in source.nodes(ast.Call):
        called = call.func
        if not isinstance(called, ast.Attribute) or len(called.attr) < _SHORTEST or called.attr in _METHODS:
            continue
        if isinstance(called.value, ast.Name) and called.value.id in others:
            continue  # a function of a module, or an attribute of the object's own
        near = _nearest(called.attr)
        if near is not None and called.attr not in defined | _OF_OTHERS:
            yield hit_at(source, called, values={"name": called.attr, "near": near})


@cache
def _nearest(name: str) -> str | None:
    return min((each for each in _METHODS if each == _TAKEN_FOR.get(name) or _is_slip(name, each)), default=None)


def _is_slip(word: str, right: str) -> bool:
    """Return whether one letter is missing, too much, wrong, or swapped with its neighbour, inside a word.

    Other libraries write the same names with or without an underscore, as polars does ``cum_prod``.
    """
    if word.replace("_", "") == right.replace("_", ""):
        return False
    if abs(len(word) - len(right)) > 1 or word[0] != right[0] or word[-1] != right[-1] or len(right) < _SHORTEST:
        return False
    start = 0
    while start < min(len(word), len(right)) and word[start] == right[start]:
        start += 1
    one, other = word[start:], right[start:]
    if len(word) == len(right):
        return one[1:] == other[1:] or (one[:2] == other[1::-1] and one[2:] == other[2:])
    return one[1:] == other if len(word) > len(right) else one == other[1:]


CHECK = file_check(examine, CheckTraits(literals=("torch",)))
