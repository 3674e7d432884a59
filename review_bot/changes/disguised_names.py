r"""Names of Python that are not what they look like. ``\U0001d41eval(x)`` calls ``eval``.

Python brings identifiers into their NFKC form (https://docs.python.org/3/reference/lexical_analysis.html#identifiers).
Rules, search and people look for the ASCII name. No formatter or keyboard writes such names: in 4,285 Python files of
eight projects there are none. Comments and plain strings keep their characters, so ``# n²`` is nothing.

A name may also contain characters that show nothing, which Python keeps: two names that look the same are two names.
Source: Default_Ignorable_Code_Point and XID_Continue, https://www.unicode.org/reports/tr44/.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from review_bot.changes.usual_spelling import outside_code
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_RUN = LazyRegex(r"(?:\w|[^\x00-\x7f])+")
_BEYOND_ASCII = LazyRegex(r"[^\x00-\x7f]+")
_UNSHOWN = LazyRegex(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_LONGEST = 200
"""Code points of the longest name that is looked at; no longer one is a name of a library."""


class DisguisedName(NamedTuple):
    """A name that Python reads as ``name``, in ASCII, or one of which characters show nothing (None).

    ``line`` is 1-based.
    """

    line: int
    name: str | None


def disguised_names(text: str) -> Iterator[DisguisedName]:
    """Yield such names of a Python text, in order; in an f-string, those that may be in a replacement field."""
    if text.isascii():
        return
    found = {
        run.start(): name
        for run in _RUN.finditer(text)
        if (name := _as_ascii(run[0])) is not None or _hides_something(run[0])
    }
    line, counted = 1, 0
    for start in _in_code(text, found):
        line, counted = line + text.count("\n", counted, start), start
        yield DisguisedName(line, found[start])


def has_names_beyond_ascii(text: str) -> bool:
    """Return whether a Python text has characters beyond ASCII in its code, not only in comments and strings."""
    return any(True for _ in _in_code(text, (run.start() for run in _BEYOND_ASCII.finditer(text))))


def _in_code(text: str, places: Iterable[int]) -> Iterator[int]:
    """Yield those of some places, in order, that are in no comment or string, or may be in a replacement field."""
    spans: Iterator[tuple[int, int]] | None = None
    span = None
    for start in places:
        if spans is None:
            spans = outside_code(text)
            span = next(spans, None)
        while span is not None and span[1] <= start:
            span = next(spans, None)
        if span is None or start < span[0] or _may_be_field(text, start, span[0]):
            yield start


def _as_ascii(run: str) -> str | None:
    """Return the ASCII identifier that Python reads in place of a run of characters, or None."""
    if run.isascii() or len(run) > _LONGEST:
        return None
    read = unicodedata.normalize("NFKC", run)
    return read if read.isascii() and read.isidentifier() else None


def _hides_something(run: str) -> bool:
    """Return whether a run of characters is a name for Python and contains characters that show nothing."""
    if run.isascii() or _UNSHOWN.search(run) is None:
        return False
    return unicodedata.normalize("NFKC", run).isidentifier()


def _may_be_field(text: str, place: int, start: int) -> bool:
    """Return whether a place in what begins at ``start`` is in a replacement field of an f-string or t-string."""
    prefix = ""
    while len(prefix) < 2 and start > 0 and text[start - 1].isascii() and text[start - 1].isalpha():
        start -= 1
        prefix += text[start].lower()
    if not {"f", "t"} & {*prefix}:
        return False
    before = text[start:place].replace("{{", "").replace("}}", "")
    return before.count("{") > before.count("}")
