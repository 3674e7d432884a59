"""``NamedTuple``, made in a tenth of the time that ``typing.NamedTuple`` takes.

A review creates two hundred classes of records before it reads a file. The standard library compiles a constructor for
each of them from text, and an annotation that is text for each of their fields; that was a tenth of a small review.
Here constructors of the same number of fields share one compiled body, of which each gets a copy with the names of its
own parameters; the other methods are shared by all records; annotations stay as they were written, and
``get_type_hints`` resolves them. Everything else is as in ``typing``: plain subclasses of ``tuple``, which
``tests/test_records.py`` compares with its own.

Type checkers see ``typing.NamedTuple`` and reject what it forbids, such as a field without a default after one with it.
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple

__all__ = ["NamedTuple"]


@cache
def _constructor(count: int) -> Any:
    """Return a constructor of ``count`` fields."""
    fields = "".join(f"_{number}, " for number in range(count))
    return eval(f"lambda _cls, {fields}: new(_cls, ({fields}))", {"new": tuple.__new__})  # noqa: S307  # our own text


@cache
def _field(number: int) -> Any:
    """Return the descriptor of the field at a position."""
    return _tuplegetter(number, f"Alias for field number {number}")


def _make(cls: Any, values: Iterable[Any]) -> Any:
    """Make a record of the values of all its fields."""
    made = tuple.__new__(cls, values)
    if len(made) != len(cls._fields):
        raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
    return made


def _replace(self: Any, /, **changed: Any) -> Any:
    """Return a copy with other values in the named fields."""
    made = tuple.__new__(self.__class__, map(changed.pop, self._fields, self))
    if changed:
        raise TypeError(f"Got unexpected field names: {list(changed)!r}")
    return made


def _asdict(self: Any) -> dict[str, Any]:
    """Return the value of each field by its name."""
    return dict(zip(self._fields, self, strict=True))


def _repr(self: Any) -> str:
    fields = ", ".join([f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True)])
    return f"{self.__class__.__name__}({fields})"


def _newargs(self: Any) -> tuple[Any, ...]:
    return tuple(self)


_SHARED = {
    "__slots__": (),
    "__repr__": _repr,
    "__getnewargs__": _newargs,
    "__replace__": _replace,
    "_make": classmethod(_make),
    "_replace": _replace,
    "_asdict": _asdict,
}


class _RecordMaker(type):
    """Makes a subclass of ``tuple`` from the body of a class. It is not the metaclass of what it makes."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Self | type:  # type: ignore[misc]
        """Return a class of records."""
        if not bases:  # ``NamedTuple`` itself
            return super().__new__(cls, name, bases, body)
        annotate = body.get("__annotate_func__")  # from Python 3.14 on, annotations wait until they are asked for
        fields = tuple(body.get("__annotations__", ()) if annotate is None else annotate(1))
        defaults = {field: body[field] for field in fields if field in body}
        shared = _constructor(len(fields))
        code = shared.__code__.replace(co_varnames=("_cls", *fields), co_name="__new__")
        constructor = FunctionType(code, shared.__globals__, "__new__", tuple(defaults.values()))
        constructor.__qualname__ = f"{name}.__new__"
        made: dict[str, Any] = {
            **_SHARED,
            **body,
            **{field: _field(number) for number, field in enumerate(fields)},
            "__new__": constructor,
            "__match_args__": fields,
            "_fields": fields,
            "_field_defaults": defaults,
        }
        return type(name, tuple(tuple if base is NamedTuple else base for base in bases), made)


if not TYPE_CHECKING:

    class NamedTuple(metaclass=_RecordMaker):
        """The base to write, as with ``typing.NamedTuple``; no record has it as a base."""
