"""What a coverage report says of the lines that someone asked about; plain data, which may come from another process.

A report is hostile: the code under review may have written it. Readers of it take its bytes one piece after the other,
keep nothing but lines that were asked for, and stop at the first thing that is not as it should be.
"""

from __future__ import annotations

from collections.abc import Mapping

from review_bot.records import NamedTuple

LARGEST = 100_000_000
"""Bytes of one report; of a larger one nothing is believed."""

PIECE = 65_536
"""Bytes that are read at once."""

LONGEST = 1_000_000
"""Bytes of one line, or of one tag."""

LONGEST_NAME = 4_096
"""Characters of a path; a longer one cannot be a file's."""

MOST_NAMESAKES = 10_000
"""Files of a report that may be called like a changed file."""

DIGITS = 40
"""Digits of a count; with more of them it counts nothing."""

MOST_SOURCES = 100
"""Root folders that a report may name."""

Wanted = Mapping[str, frozenset[int]]
"""File name without folders → line numbers (1-based) that are asked about, in any file of that name."""


class Unusable(Exception):
    """A report cannot be used; the text goes on a sentence that begins with its name."""


class ReportedFile(NamedTuple):
    """What a report says of one file: ``name`` as it writes it, and the lines (1-based) that ran or did not."""

    name: str
    covered: frozenset[int]
    missed: frozenset[int]


class Reported(NamedTuple):
    """Files with a wanted name. ``sources``: folders below which the names may lie.

    ``named``: how many files the report names in all; ``odd``: lines that make no sense and were passed over.
    """

    files: tuple[ReportedFile, ...] = ()
    sources: tuple[str, ...] = ()
    named: int = 0
    odd: int = 0


class Collector:
    """Keeps what was asked for while a report is read."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._found: dict[str, dict[int, bool]] = {}
        self._named = 0
        self._lines: dict[int, bool] | None = None
        self._numbers: frozenset[int] = frozenset()
        self._odd = 0

    @property
    def listening(self) -> bool:
        """Return whether lines of the file are wanted."""
        return self._lines is not None

    def file(self, name: str) -> None:
        """Begin a file; a name that comes again goes on."""
        self._named += 1
        self._numbers = self._wanted.get(name.replace("\\", "/").rpartition("/")[2], frozenset())
        self._lines = self._found.setdefault(name, {}) if self._numbers and len(name) <= LONGEST_NAME else None
        if len(self._found) > MOST_NAMESAKES:
            raise Unusable(f"names more than {MOST_NAMESAKES:,} files with the name of a changed file")

    def end_file(self) -> None:
        """End the file."""
        self._lines = None

    def line(self, number: str, hits: str) -> None:
        """Note how often a line of the file ran. A line that ran in one part of a report has run."""
        if self._lines is None:
            return
        ran = _ran(hits)
        if ran is None or not (number.isascii() and number.isdigit() and len(number) < 10):
            self._odd += 1
        elif int(number) in self._numbers:
            self._lines[int(number)] = self._lines.get(int(number), False) or ran

    def reported(self, sources: tuple[str, ...] = ()) -> Reported:
        """Return what was collected."""
        files = tuple(
            ReportedFile(
                name,
                frozenset(number for number, ran in lines.items() if ran),
                frozenset(number for number, ran in lines.items() if not ran),
            )
            for name, lines in sorted(self._found.items())
        )
        return Reported(files, sources, self._named, self._odd)


def _ran(hits: str) -> bool | None:
    """Return whether a count is above 0, or None if it is not one; no number is made, however many digits it has."""
    if not hits.isascii() or not hits.isdigit() or len(hits) > DIGITS:
        return None
    return hits.strip("0") != ""
