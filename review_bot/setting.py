"""How a setting is declared: once, as an annotated field of the record that it belongs to.

::

    class PublicationSettings(NamedTuple):
        max_comments: Annotated[int, Setting("Most new comments on lines in one run.", least=0, most=100)] = 30

The field gives name (``max-comments``), type and default, ``Setting`` the documentation and the bounds. The key of the
configuration with its schema (``configuration/config_file.py``), the input of the Action, the flag of the command line
and the tables of the documentation (``configuration/reference.py``) follow from it.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from review_bot.records import NamedTuple


class Setting(NamedTuple):
    """What the type of a field does not say. A field without ``doc`` is not a setting.

    ``name``: if it is not the name of the field with hyphens. ``least`` and ``most`` bound a number, or the length of a
    text. ``order``: the values from the most lenient one, if the strictest of several applies. ``check`` raises
    ValueError, which says what is wrong with a value. ``example``: YAML that ``review-bot init`` writes as a comment.
    ``refused``: words that one could expect among the values, and why they are not. ``resolved``: a record that a run
    fills in, which is not a setting itself.
    """

    doc: str = ""
    name: str = ""
    least: int | None = None
    most: int | None = None
    order: tuple[str, ...] = ()
    check: Callable[[Any], object] | None = None
    example: str = ""
    refused: tuple[tuple[str, str], ...] = ()
    resolved: bool = False


Text = Annotated[str, Setting(least=1)]

REQUIRED: Any = object()
"""The default of a setting that has none."""


class Declared(NamedTuple):
    """A setting as it was declared. ``field``: its field in the record; ``marks``: all that bounds it."""

    field: str
    name: str
    hint: Any
    doc: str
    default: Any
    marks: tuple[Setting, ...]

    @property
    def kind(self) -> Any:
        """The type without annotations and without None."""
        return bare(self.hint)

    @property
    def required(self) -> bool:
        """Whether the setting has no default."""
        return self.default is REQUIRED

    @property
    def words(self) -> tuple[str, ...]:
        """The values of a setting that is one of some words; else empty."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    @property
    def example(self) -> str:
        """A value as YAML; empty if the default is example enough."""
        return next((mark.example for mark in self.marks if mark.example), "")

    @property
    def order(self) -> tuple[str, ...]:
        """The values from the most lenient one, if the strictest of several applies; else empty."""
        return next((mark.order for mark in self.marks if mark.order), ())

    def strictest(self, *values: Any) -> Any:
        """Return the strictest of the values that are set; None if none is."""
        return max((value for value in values if value is not None), key=self.order.index, default=None)


@cache
def declared(record: type) -> tuple[Declared, ...]:
    """Return the settings of a record, in its order."""
    defaults = getattr(record, "_field_defaults", {})
    found = []
    for field, hint in get_type_hints(record, include_extras=True).items():
        marks = tuple(marks_of(hint))
        doc = next((mark.doc for mark in reversed(marks) if mark.doc), "")
        if doc:
            name = next((mark.name for mark in marks if mark.name), field.replace("_", "-"))
            found.append(Declared(field, name, hint, doc, defaults.get(field, REQUIRED), marks))
    return tuple(found)


def all_declared(record: type) -> tuple[Declared, ...]:
    """Return the settings of a record and of the records that it is composed of."""
    own = {each.field: (each,) for each in declared(record)}
    inner = {field: all_declared(part) for field, part in _parts(record).items()}
    return tuple(each for field in get_type_hints(record) for each in (own | inner).get(field, ()))


def make(record: type, value_of: Callable[[Declared], Any]) -> Any:
    """Return a record of the values of its settings. One that is None stays at its default."""
    values = {each.field: value_of(each) for each in declared(record)}
    values |= {field: make(part, value_of) for field, part in _parts(record).items()}
    return record(**{field: value for field, value in values.items() if value is not None})


@cache
def _parts(record: type) -> dict[str, type]:
    """Return the fields that are records and no settings themselves."""
    settings = {each.field for each in declared(record)}
    hints = get_type_hints(record, include_extras=True)
    return {
        field: bare(hint)
        for field, hint in hints.items()
        if is_record(bare(hint)) and field not in settings and not any(mark.resolved for mark in marks_of(hint))
    }


def marks_of(hint: Any) -> list[Setting]:
    """Return what a type is annotated with, itself or next to None."""
    if get_origin(hint) is Annotated:
        return [mark for mark in hint.__metadata__ if isinstance(mark, Setting)]
    return [mark for part in get_args(hint) for mark in marks_of(part)] if is_union(hint) else []


def bare(hint: Any) -> Any:
    """Return a type without annotations and without None."""
    if get_origin(hint) is Annotated:
        return bare(hint.__origin__)
    parts = [part for part in get_args(hint) if part is not types.NoneType] if is_union(hint) else ()
    return bare(parts[0]) if len(parts) == 1 else hint


def is_union(hint: Any) -> bool:
    """Return whether a type is a union."""
    return get_origin(hint) in {Union, types.UnionType}


def is_record(kind: Any) -> bool:
    """Return whether a type is a NamedTuple."""
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_make")


def parse(setting: Declared, text: str) -> Any:
    """Return the value of a setting that a flag or an input gives as text. Raises ValueError."""
    kind = setting.kind
    if setting.words or kind is bool:
        words = setting.words or ("true", "false")
        check_refused(text, setting.marks)
        if text not in words:
            raise ValueError(f"{text!r} is not one of {', '.join(words)}")
        return text if setting.words else text == "true"
    if kind is int:
        return _number(setting, text)
    if get_origin(kind) is tuple:
        values = tuple(part.strip() for part in text.replace(",", "\n").splitlines() if part.strip())
        return tuple(_checked(value, marks_of(get_args(kind)[0])) for value in values)
    return _checked(text, setting.marks)


def check_refused(value: Any, marks: Iterable[Setting]) -> Any:
    """Return a value. Raises ValueError if it is a word that a mark refuses."""
    for mark in marks:
        for word, reason in mark.refused:
            if value == word:
                raise ValueError(reason)
    return value


def _number(setting: Declared, text: str) -> int:
    [mark] = (mark for mark in setting.marks if mark.most is not None)
    least, most = mark.least or 0, mark.most or 0
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        raise ValueError(f"must be a number from {least} to {most}, not {text!r}")
    return int(text)


def _checked(text: str, marks: Any) -> str:
    for mark in marks:
        if mark.check is not None:
            mark.check(text)
    return text
