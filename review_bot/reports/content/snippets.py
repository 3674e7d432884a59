"""The lines around a finding, as far as the diff of the change shows them, or the review holds them."""

from __future__ import annotations

from collections.abc import Sequence

from review_bot.changes.line_edits import common_ends
from review_bot.changes.pull_request import Hunk, PullRequest, Side
from review_bot.findings import CONFIDENTIAL, Finding, Related, Suggestion
from review_bot.records import NamedTuple
from review_bot.review.redaction import Redactor
from review_bot.review.review import Review
from review_bot.review.surrounding_code import LINES_AROUND, MOST_LINES

NOT_SHOWN = "(not shown: this line holds a credential)"
"""In place of a line that a ``CONFIDENTIAL`` rule found: a log may be read by more people, and for longer, than the
branch."""


ALL_SHOWN = Redactor()


class SnippetLine(NamedTuple):
    """A line of code without its end; ``marked`` if the finding means it."""

    number: int
    text: str
    marked: bool


class Snippet(NamedTuple):
    """Lines in a row, and how many of the marked ones were left out at the end."""

    lines: tuple[SnippetLine, ...]
    left_out: int


def cut(review: Review, finding: Finding, hidden: Redactor = ALL_SHOWN, head: Sequence[str] = ()) -> Snippet:
    """Return the lines of a finding with their neighbours, but for the texts of ``hidden`` lines.

    ``head``: the lines of the file at the head, if they are known, for what the review does not hold. No lines if
    neither holds them, or if they are confidential.
    """
    if finding.path is None or finding.line is None or finding.rule in CONFIDENTIAL:
        return Snippet((), 0)
    first, last = finding.line, finding.last_line
    right = finding.side == "RIGHT"
    shown_last = min(last, first + MOST_LINES - 1)
    start, stop = first - LINES_AROUND, shown_last + LINES_AROUND
    of_diff = (_numbered(hunk, finding.side, start, stop) for hunk in _hunks(review.pull_request, finding.path))
    known = next((lines for lines in of_diff if first in lines), {})
    if not known and right:
        known = dict(review.code.get(finding.path, {}))
    if first not in known and right:
        known = {number: head[number - 1] for number in range(max(start, 1), min(stop, len(head)) + 1)}
    if first not in known:
        return Snippet((), 0)
    after = LINES_AROUND if shown_last == last else 0
    lines = [
        SnippetLine(
            number,
            NOT_SHOWN if hidden.must_redact(finding.path, number if right else None, known[number]) else known[number],
            marked=first <= number <= last,
        )
        for number in range(start, shown_last + after + 1)
        if number in known
    ]
    while lines and _empty(lines[0]):
        lines.pop(0)
    while lines and _empty(lines[-1]):
        lines.pop()
    return Snippet(tuple(lines), last - shown_last)


def line_of(pull_request: PullRequest, place: Related, hidden: Redactor = ALL_SHOWN) -> Snippet:
    """Return the line of a related place, as far as the diff shows it."""
    if place.line is None:
        return Snippet((), 0)
    for hunk in _hunks(pull_request, place.path):
        known = _numbered(hunk, "RIGHT", place.line, place.line)
        if place.line in known:
            text = known[place.line]
            text = NOT_SHOWN if hidden.must_redact(place.path, place.line, text) else text
            return Snippet((SnippetLine(place.line, text, marked=True),), 0)
    return Snippet((), 0)


def change_lines(
    pull_request: PullRequest, path: str, suggestion: Suggestion, hidden: Redactor
) -> tuple[tuple[str, str], ...]:
    """Return a suggestion as a small diff: (``-``, ``+`` or blank, text) of each line.

    Nothing if a line is unknown, or must not be shown.
    """
    wanted = range(suggestion.start_line, suggestion.end_line + 1)
    if hidden.contains_secret(suggestion.replacement):
        return ()
    old: list[str] = []
    for hunk in _hunks(pull_request, path):
        known = _numbered(hunk, "RIGHT", suggestion.start_line, suggestion.end_line)
        if all(number in known for number in wanted):
            old = [known[number] for number in wanted]
            if any(hidden.must_redact(path, *line) for line in zip(wanted, old, strict=True)):
                return ()
            break
    else:
        return ()
    new = suggestion.replacement.split("\n") if suggestion.replacement else []
    same_before, same_after = common_ends(old, new)
    old_end, new_end = len(old) - same_after, len(new) - same_after
    return (
        *((" ", text) for text in old[:same_before]),
        *(("-", text) for text in old[same_before:old_end]),
        *(("+", text) for text in new[same_before:new_end]),
        *((" ", text) for text in old[old_end:]),
    )


def _empty(line: SnippetLine) -> bool:
    return not line.marked and not line.text.strip()


def _hunks(pull_request: PullRequest, path: str) -> tuple[Hunk, ...]:
    return next((file.hunks for file in pull_request.files if file.path == path), ())


def _numbered(hunk: Hunk, side: Side, first: int, last: int) -> dict[int, str]:
    """Return the lines of one side of a hunk from ``first`` to ``last``, as far as it has them, by number."""
    other, start, count = ("-", hunk.new_start, hunk.new_count)
    if side == "LEFT":
        other, start, count = ("+", hunk.old_start, hunk.old_count)
    if last < start or first >= start + count:
        return {}
    known: dict[int, str] = {}
    number, lines = start, hunk.lines
    if not (hunk.old_count if side == "RIGHT" else hunk.new_count):  # a new file, say: its lines are in a row
        number = max(start, first)
        lines = lines[number - start : last - start + 1]
    for line in lines:
        if line[:1] in {other, "\\"}:
            continue
        if first <= number <= last:
            known[number] = line[1:].removesuffix("\r")
        number += 1
        if number > last:
            break
    return known
