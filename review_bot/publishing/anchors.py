"""On which lines of the diff a comment is placed, and whether it may contain a suggestion to commit.

GitHub takes a comment only on lines inside one hunk, ``start_line`` before ``line``, and refuses the whole review if
one anchor is wrong: https://docs.github.com/rest/pulls/reviews#create-a-review-for-a-pull-request. A suggestion
replaces exactly the lines that its comment is on.
"""

from __future__ import annotations

from collections.abc import Collection

from review_bot.changes.pull_request import ChangedFile, Hunk, Side
from review_bot.findings import CONFIDENTIAL, LONGEST_SUGGESTION, Finding, Suggestion
from review_bot.records import NamedTuple
from review_bot.review.redaction import Place
from review_bot.text.console import disarm
from review_bot.text.globs import matches_any

TALLEST = 30
"""A comment marks at most so many lines above its last one."""

LONGEST_LINE = 100_000
"""Longest line that gets a comment: GitHub shows the line with each comment."""

LARGEST_SUGGESTION = 10_000
"""Characters of a suggestion."""

GUARDED = (
    ".github/**",
    "**/CODEOWNERS",
    "**/*.lock",
    "**/*.lockb",
    "**/package-lock.json",
    "**/npm-shrinkwrap.json",
    "**/pnpm-lock.yaml",
    "**/go.sum",
)
"""Files in which we never offer a commit with a maintainer's name on it: what guards the gate, and lock files."""


class Anchor(NamedTuple):
    """Lines of one hunk; ``start_line`` is None for a single line."""

    line: int
    start_line: int | None
    side: Side


def is_in_diff(file: ChangedFile, finding: Finding) -> bool:
    """Return whether the diff that the forge shows holds a line of a finding."""
    if finding.line is None or not file.shown:
        return False
    first, last = finding.line, finding.last_line
    spans = ((h.new_start, h.new_count) if finding.side == "RIGHT" else (h.old_start, h.old_count) for h in file.hunks)
    return any(start <= last and first < start + count for start, count in spans)


def anchor(file: ChangedFile, finding: Finding) -> Anchor | None:
    """Return where the comment about a finding is placed: on added or deleted lines, where there are any.

    None if the diff that the forge shows holds no line of the finding of at most ``LONGEST_LINE`` characters.
    """
    if finding.line is None or not is_in_diff(file, finding):
        return None
    first, last = finding.line, finding.last_line
    spans = [_span(hunk, first, last, finding.side) for hunk in file.hunks]
    found = [span for span in spans if span is not None]
    if not found:
        return None
    start, end, changed = next((span for span in found if span.changed is not None), found[0])
    if changed is None:
        return Anchor(start, None, finding.side)
    if end - start > TALLEST:
        return Anchor(changed, None, finding.side)
    return Anchor(end, start if start < end else None, finding.side)


def offered(file: ChangedFile, finding: Finding, hidden: Collection[Place]) -> Suggestion | None:
    """Return the suggestion of a finding if it may be posted as one that a click commits.

    ``hidden``: (path, line) of what must never be shown.
    """
    suggestion = finding.suggestion
    if suggestion is None or finding.side != "RIGHT" or finding.rule in CONFIDENTIAL or not file.shown:
        return None
    first, last = suggestion.start_line, suggestion.end_line
    old = next((lines for hunk in file.hunks if (lines := _lines(hunk, first, last))), None)
    new = suggestion.replacement.split("\n")
    refused = (
        old is None
        or last - first > TALLEST
        or len(new) > LONGEST_SUGGESTION
        or len(suggestion.replacement) > LARGEST_SUGGESTION
        or old == new
        or "```" in suggestion.replacement
        or "<!--" in suggestion.replacement
        or any(disarm(line.replace("\t", " ")) != line.replace("\t", " ") for line in new)
        or any(line.endswith("\r") for hunk in file.hunks for line in hunk.lines)
        or matches_any(GUARDED, file.path)
        or any((file.path, line) in hidden for line in range(first, last + 1))
    )
    return None if refused else suggestion


class _Span(NamedTuple):
    """What a hunk shows of some lines: from the first one to the last changed one; and the first changed one."""

    start: int
    end: int
    changed: int | None


def _span(hunk: Hunk, first: int, last: int, side: Side) -> _Span | None:
    other, mine, number = ("-", "+", hunk.new_start) if side == "RIGHT" else ("+", "-", hunk.old_start)
    shown: list[int] = []
    changed: list[int] = []
    for line in hunk.lines:
        marker = line[:1]
        if marker in {other, "\\"}:
            continue
        if first <= number <= last and len(line) <= LONGEST_LINE:
            shown.append(number)
            if marker == mine:
                changed.append(number)
        number += 1
    if not shown:
        return None
    return _Span(shown[0], (changed or shown)[-1], changed[0] if changed else None)


def _lines(hunk: Hunk, first: int, last: int) -> list[str] | None:
    """Return lines of the head, None if the hunk does not show all of them."""
    number, found = hunk.new_start, []
    for line in hunk.lines:
        if line[:1] in {"-", "\\"}:
            continue
        if first <= number <= last:
            found.append(line[1:])
        number += 1
    return found if len(found) == last - first + 1 else None
