r"""Python that the interpreter reads otherwise than git, GitHub and a reader do.

::

    # a note\rimport os              a lone carriage return ends a line for Python, and for nobody else
    # coding: utf-7                  the rest may hold lines and quotes that do not look like any

Rules see the text as git does, so what runs there was not reviewed. Sources:
https://docs.python.org/3/reference/lexical_analysis.html#physical-lines and #encoding-declarations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from review_bot.changes.pull_request import ChangedFile, PullRequest, Unreviewed
from review_bot.late_pattern import LatePattern
from review_bot.rules.scope import is_python

_DECLARATION = LatePattern(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_PLAIN = LatePattern(
    r"(?i)(?:utf[-_]?8|u8|(?:us[-_]?)?ascii|latin[-_]?\d+|l1|iso[-_]?8859[-_]?\d+|(?:cp|windows[-_]?)125\d|koi8[-_][ru])"
    r"(?:[-_](?:sig|unix|dos|mac))?"
)
"""Encodings in which every byte of ASCII is itself and stands alone."""


def unreviewed(pull_request: PullRequest, ignored: Collection[str]) -> Iterator[Unreviewed]:
    """Yield the files, but for ignored ones, in which Python reads other code than stands there."""
    for file in pull_request.files:
        if file.kind == "text" and file.status != "deleted" and is_python(file.path) and file.path not in ignored:
            reason = _reason(file)
            if reason is not None:
                yield Unreviewed(file.path, reason)


def _reason(file: ChangedFile) -> str | None:
    for hunk in file.hunks:
        number = hunk.new_start
        for line in hunk.lines:
            if line[0] not in {"+", " "}:
                continue
            if "\r" in line and line[0] == "+" and "\r" in line.rstrip("\r\n"):
                return f"line {number} holds a carriage return, which ends a line for Python and for nobody else"
            if number <= 2 and (found := _DECLARATION.search(line[1:])) and not _PLAIN.fullmatch(found[1]):
                return f"Python reads it as {found[1][:40]}, in which the code may be another than stands there"
            number += 1
    return None
