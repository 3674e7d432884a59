"""The fields of a text for ``str.format``."""

from __future__ import annotations

from collections.abc import Iterator


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
