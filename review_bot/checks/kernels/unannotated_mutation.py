"""The schema of an operator that returns nothing, and marks none of its tensors as written.

::

    m.def("transfer(Tensor src, Tensor dst, int flags) -> ()")         hides that it writes ``dst``
    m.def("transfer(Tensor src, Tensor(a!) dst, int flags) -> ()")     says so

Only a tensor whose name says that it takes the result counts: some operators work on a stream or a socket.
Source: https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/README.md#func
"""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_STRINGS = LazyRegex(r'"[^"\n]*"(?:\s*"[^"\n]*")*')
"""A string literal, in as many parts as C++ and Python join."""
_SCHEMA = LazyRegex(r"([\w:.]+)\(([^()!]*)\)\s*->\s*\(\)\s*")
_RESULT = LazyRegex(
    r"\bTensor(?:\[\])?\??\s+((?:[A-Za-z]\w*_)?(?:[Dd]st|[Dd]est|[Oo]ut|[Oo]utputs?|[Rr]esults?)(?:_\w+)?)\s*(?:,|$)"
)
_INDICES = LazyRegex(r"(?i)ind(?:ex|ices)|ids?$|ptrs?|offsets?|sizes?|shape|strides?|rank|slots?|map")
_MOVES = LazyRegex(r"(?i)send|recv|wait|barrier|free|register|init")
"""Operators that hand their tensors to something else, or only remember them."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such schema, on its first line."""
    text = source.text or ""
    for strings in _STRINGS.finditer(text):
        if "->" not in strings[0] or "Tensor" not in strings[0]:
            continue
        schema = _SCHEMA.fullmatch("".join(strings[0].split('"')[1::2]))
        if schema is None or _MOVES.search(schema[1]):
            continue
        names = [each[1] for each in _RESULT.finditer(schema[2]) if not _INDICES.search(each[1])]
        first = text.count("\n", 0, strings.start()) + 1
        last = first + strings[0].count("\n")
        comment = text[text.rfind("\n", 0, strings.start()) + 1 : strings.start()].lstrip().startswith(("//", "#"))
        if names and not comment and source.any_added(first, last):
            yield Hit(first, end_line=last, values={"operator": schema[1], "name": names[0]})


CHECK = file_check(examine, CheckTraits(literals=("Tensor",)))
