"""Reads a coverage report of either kind."""

from __future__ import annotations

from io import BufferedReader

from review_bot.coverage import lcov
from review_bot.coverage.reported import Reported, Unusable, Wanted

_BOM = b"\xef\xbb\xbf"
_LCOV = (b"TN:", b"SF:", b"VER:", b"#")


def read(stream: BufferedReader, wanted: Wanted) -> Reported:
    """Return what a report says of the wanted lines, whichever kind it is. Raises Unusable, OSError."""
    if stream.peek(len(_BOM)).startswith(_BOM):
        stream.read(len(_BOM))
    start = stream.peek(256).lstrip()
    if not start:
        raise Unusable("is empty")
    if start.startswith(b"<"):
        from review_bot.coverage import cobertura

        return cobertura.read(stream, wanted)
    if start.startswith(_LCOV):
        return lcov.read(stream, wanted)
    if start.startswith(b"SQLite format 3"):
        raise Unusable("is the data file of coverage.py; write a report with `coverage xml` or `coverage lcov`")
    raise Unusable("is neither Cobertura XML nor LCOV")
