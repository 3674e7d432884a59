"""Writes plain data as JSON text of many lines, the bytes of ``json.dumps(data, indent=2)`` and a line end.

The standard library's own writer with ``indent`` holds each bracket and comma of a report as a string of its own before
it joins them: of a large review that takes three times the room of the text.
"""

import json
from collections.abc import Iterator
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

_LEVELS = 2
"""Levels whose values are written one by one: the parts of a report, and the findings in them."""

_SEQUENCES = (list, tuple)


def written(data: Any) -> str:
    """Return plain data (keys are strings) as ASCII text, two blanks a level. Raises TypeError for what is no data."""
    return "".join([*_pieces(data, "\n", _LEVELS), "\n"])


def _pieces(data: Any, line: str, levels: int) -> Iterator[str]:
    """Yield the text of a value; ``line`` is the line end and the blanks before what closes it."""
    if not levels or not data or not isinstance(data, (dict, *_SEQUENCES)):
        yield _whole(data, line)
        return
    keyed = isinstance(data, dict)
    inner = line + "  "
    before = ("{" if keyed else "[") + inner
    for entry in data:
        yield f"{before}{quoted(entry)}: " if keyed else before
        yield from _pieces(data[entry] if keyed else entry, inner, levels - 1)
        before = "," + inner
    yield line + ("}" if keyed else "]")


def _whole(data: Any, line: str) -> str:
    kind = data.__class__
    if kind is str:
        return quoted(data)
    if data is None:
        return "null"
    if kind is int:
        return repr(data)
    inner = line + "  "
    if kind is dict:
        entries = [f"{quoted(key)}: {_whole(value, inner)}" for key, value in data.items()]
        return f"{{{inner}{(',' + inner).join(entries)}{line}}}" if entries else "{}"
    if isinstance(data, _SEQUENCES):
        values = [_whole(value, inner) for value in data]
        return f"[{inner}{(',' + inner).join(values)}{line}]" if values else "[]"
    return json.dumps(data)
