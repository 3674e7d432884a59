"""Records as JSON, and back by the types of their fields.

JSON comes from processes that read hostile bytes. Parsing it makes numbers, texts, lists and dicts, nothing else, and
each of them must have exactly the type that the field of the record declares. ``NamedTuple``, ``tuple``, ``list`` and
``frozenset`` are lists in JSON.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from sys import intern
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

_Read = Callable[[Any], Any]

_SCALARS = frozenset({int, float, bool})


class Mismatch(Exception):
    """Data is not of the declared type; the text names the type."""


def encode(value: Any) -> str:
    """Return plain data as one line of JSON. Raises TypeError for anything else."""
    return json.dumps(value, separators=(",", ":"), default=_plain)


def decode_text(shape: Any, text: str) -> Any:
    """Return the text of JSON as a value of a type. Raises Mismatch."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Mismatch("no JSON") from error
    return decode(shape, data)


def decode(shape: Any, data: Any) -> Any:
    """Return parsed JSON as a value of a type. Raises Mismatch."""
    return reader(shape)(data)


@cache
def reader(shape: Any) -> _Read:
    """Return the function that reads values of a type from parsed JSON. Raises TypeError for a type without one.

    ``Any`` is left as it was parsed: its reader must be chosen by what else is known.
    """
    if shape is Any:
        return lambda data: data
    if shape is str:
        return _text
    if shape in _SCALARS:
        return _exactly(shape)
    make = _GENERIC.get(get_origin(shape))
    if make is not None:
        return make(*get_args(shape))
    if isinstance(shape, type) and issubclass(shape, tuple) and hasattr(shape, "_make"):
        fields = [reader(each) for each in get_type_hints(shape).values()]
        return _fixed(fields, shape.__name__, shape._make)
    raise TypeError(f"{shape} has no form in JSON")


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset | set):
        return sorted(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _text(data: Any) -> str:
    """Read a text; equal ones are one object: what a rule says of thousands of lines is kept once."""
    if type(data) is not str:
        raise Mismatch("no str")
    return intern(data)


def _exactly(shape: type) -> _Read:
    def read(data: Any) -> Any:
        if type(data) is not shape:
            raise Mismatch(f"no {shape.__name__}")
        return data

    return read


def _one_of(*words: Any) -> _Read:
    known = frozenset(words)

    def read(data: Any) -> Any:
        if type(data) is not str or data not in known:
            raise Mismatch("an unknown word")
        return data

    return read


def _union(*shapes: Any) -> _Read:
    readers = [reader(each) for each in shapes if each is not types.NoneType]
    optional = types.NoneType in shapes

    def read(data: Any) -> Any:
        if data is None and optional:
            return None
        for read_one in readers[:-1]:
            with suppress(Mismatch):
                return read_one(data)
        return readers[-1](data)

    return read


def _sequence(make: Callable[[Any], Any], read_each: _Read) -> _Read:
    def read(data: Any) -> Any:
        if type(data) is not list:
            raise Mismatch("no list")
        return make(map(read_each, data))

    return read


def _fixed(readers: list[_Read], name: str, make: Callable[[Any], Any]) -> _Read:
    def read(data: Any) -> Any:
        if type(data) is not list or len(data) != len(readers):
            raise Mismatch(f"no {name}")
        return make([read_field(field) for read_field, field in zip(readers, data, strict=True)])

    return read


def _mapping(key: Any, value: Any) -> _Read:
    if key not in {str, int}:
        raise TypeError(f"a dict by {key} has no form in JSON")
    read_value = reader(value)

    def read_key(text: str) -> Any:
        if key is str:
            return text
        if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 20:
            raise Mismatch("no number")
        return int(text)

    def read(data: Any) -> Any:
        if type(data) is not dict:
            raise Mismatch("no dict")
        return {read_key(name): read_value(each) for name, each in data.items()}

    return read


def _tuple(*shapes: Any) -> _Read:
    if len(shapes) == 2 and shapes[1] is Ellipsis:
        return _sequence(tuple, reader(shapes[0]))
    return _fixed([reader(each) for each in shapes], "tuple", tuple)


_GENERIC: dict[Any, Callable[..., _Read]] = {
    Literal: _one_of,
    Union: _union,
    types.UnionType: _union,
    tuple: _tuple,
    list: lambda shape: _sequence(list, reader(shape)),
    frozenset: lambda shape: _sequence(frozenset, reader(shape)),
    dict: _mapping,
    Mapping: _mapping,
}
