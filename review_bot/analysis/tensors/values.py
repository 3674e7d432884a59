"""What is known of one value: a tensor's dtype, device, sizes and memory, or what a size or a shape stands for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from review_bot.records import NamedTuple

ANY = "?"
"""A size of which nothing is known."""


class Value(NamedTuple):
    """What is certain of a value. An empty field: nothing.

    ``kind``: ``tensor``, ``array``, ``pair``, ``shape``, ``size``, ``device``, ``dtype``, ``bytes``, ``object``
    (anything else), of which the class is known as ``type``.
    ``dtype``: a name, or ``floating``: one of floating-point numbers; or, after ``@``, that of a parameter. ``device``:
    ``cpu``, ``cuda``, ``cuda:1``, ``default`` (that of the process); or, after ``@``, where it is known from, such as
    ``@x``. ``sizes``: a number, ``?``, or a text that is equal for equal sizes; None: not even the rank is known.
    ``axes`` are the axes of an earlier tensor in their present order, after ``transpose`` or ``permute``. ``dense``:
    whether it is contiguous if no size is one. ``selects``: indexing with it copies (a mask, a list of positions).
    ``expanded``: several elements may share one place in memory. ``backward``: a stride is negative; None: it may be.
    ``read_only``: what does not allow writes. ``buffer``: the expression whose memory an array shares. ``pending``: a
    copy to the host that the device may not have finished; the number of its line. ``grad``: whether it needs a
    gradient. ``items``: the names of the parts of a pair. ``line``: where it was made, 1-based.
    """

    kind: str = ""
    type: str = ""
    dtype: str = ""
    device: str = ""
    sizes: tuple[str, ...] | None = None
    axes: tuple[int, ...] = ()
    dense: bool | None = None
    selects: bool = False
    expanded: bool = False
    backward: bool | None = False
    read_only: str = ""
    buffer: str = ""
    pending: int = 0
    grad: bool | None = None
    items: tuple[str, ...] = ()
    made_by: str = ""
    line: int = 0

    @property
    def rank(self) -> int | None:
        """The number of axes."""
        return None if self.sizes is None else len(self.sizes)


UNKNOWN = Value()


class Names(dict[str, Value]):
    """What the names of a function hold at one place.

    ``memo`` keeps the answers about expressions by the identity of their nodes, so that a nested expression is
    evaluated once; it is emptied when the names change.
    """

    def __init__(self, known: Mapping[str, Value] | None = None) -> None:
        super().__init__(known or {})
        self.memo: dict[int, Value] = {}


HALF = frozenset({"float16", "bfloat16"})
FLOATING = frozenset({"float16", "bfloat16", "float32", "float64", "floating", "float8_e4m3fn", "float8_e5m2"})
INTEGERS = ("bool", "uint8", "int8", "int16", "int32", "int64")


def joined(values: Iterable[Value]) -> Value:
    """Return what several values have in common: what holds whichever of them it is."""
    one, *others = values
    for other in others:
        if one == other:
            continue
        if one.kind != other.kind:
            return UNKNOWN if one.backward is other.backward is False else Value(backward=None)
        sizes = None
        if one.sizes is not None and other.sizes is not None and len(one.sizes) == len(other.sizes):
            sizes = tuple(a if a == b else ANY for a, b in zip(one.sizes, other.sizes, strict=True))
        both = zip(one, other, strict=True)
        fields = [a if a == b else empty for (a, b), empty in zip(both, UNKNOWN, strict=True)]
        backward = one.backward if one.backward == other.backward else None
        one = Value._make(fields)._replace(kind=one.kind, sizes=sizes, backward=backward)
    return one


def promoted(first: str, second: str) -> str:
    """Return the dtype of an operation on two tensors with axes, of these dtypes; else nothing.

    https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc
    """
    if first == second or not (first and second):
        return first if first == second else ""
    if first in INTEGERS and second in FLOATING:
        return second
    if second in INTEGERS and first in FLOATING:
        return first
    if first in INTEGERS and second in INTEGERS and "uint8" not in {first, second}:
        return max(first, second, key=INTEGERS.index)
    if {first, second} <= {"float16", "float32", "float64"}:
        return max(first, second, key=("float16", "float32", "float64").index)
    return ""


def devices_differ(first: str, second: str) -> bool:
    """Return whether two devices are certainly not the same one."""
    if not first or not second or "@" in {first[0], second[0]} or "default" in {first, second}:
        return False
    (one, _, index), (other, _, number) = first.partition(":"), second.partition(":")
    return one != other or bool(index and number and index != number)
