"""The placeholders of a text: fields for ``str.format``, and conversions for ``%``."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_CONVERSION = LazyRegex(
    r"(?s)%(?P<name>\([^()]*\))?[-+ #0]*(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d+)?)?[hlL]?(?P<kind>.|$)"
)
_KINDS = frozenset("diouxXeEfFgGcrsa")


class Conversion(NamedTuple):
    """A placeholder of ``%``: its text, how many values it takes, and whether it names its value, and is one at all."""

    text: str
    values: int
    named: bool
    valid: bool


def conversions(text: str) -> Iterator[Conversion]:
    """Yield what each ``%`` of a text begins, ``%%`` aside.

    Source: https://docs.python.org/3/library/stdtypes.html#printf-style-string-formatting
    """
    for each in _CONVERSION.finditer(text):
        if each["kind"] != "%":
            values = 1 + (each["width"] == "*") + (each["precision"] == "*")
            yield Conversion(each[0].strip(), values, each["name"] is not None, each["kind"] in _KINDS)


def field_names(text: str) -> Iterator[str]:
    """Yield what each field of a text takes, fields in the form of other fields too.

    It is a name, a number, or nothing for the next argument: ``""``, ``"1"`` and ``"name"`` for ``{}``, ``{1[0]}`` and
    ``{name.size:>4}``. Raises ValueError if a text is none for ``str.format``.
    """
    from string import Formatter  # most reviews have no such text

    for _before, field, form, _conversion in Formatter().parse(text):
        if field is not None:
            yield field.partition(".")[0].partition("[")[0]
        for _text, inner, _form, _inner_conversion in Formatter().parse(form or ""):
            if inner is not None:
                yield inner.partition(".")[0].partition("[")[0]
