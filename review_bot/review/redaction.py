"""What must not be repeated: the credentials that a change holds.

A rule may say what it has found, so any message may hold code of its line. Where a credential was found on that line,
its text is removed before anything is reported.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.findings import CONFIDENTIAL, Examination, Finding, Held, Related
from review_bot.records import NamedTuple
from review_bot.review.review import Review
from review_bot.text.lazy_regex import LazyRegex

REDACTED = "[not shown]"

_LONG_WORD = r"[A-Za-z0-9_+/-]{16,}=*"
"""Credentials are longer than most names; a long name on such a line is not reported either."""

_KEY_LINE = LazyRegex(r"""[\s"'`#*,+-]*[A-Za-z0-9+/]{16,}={0,2}(?:\\n)?[\s"'`,+\\]*""")
"""A line of a key in the form of PEM, which is written over many lines, whatever quotes each has."""

Place = tuple[str | None, int | None]
"""Path and line at the head."""


class Redactor(NamedTuple):
    """Knows the lines of a change that hold a credential, and by its words every other line that repeats one."""

    places: frozenset[Place] = frozenset()
    words: frozenset[str] = frozenset()

    def must_redact(self, path: str | None, number: int | None, line: str) -> bool:
        """Return whether a line must not be shown; ``number``: its number at the head, None for a deleted line."""
        return bool(self.places) and ((path, number) in self.places or self.contains_secret(line))

    def contains_secret(self, text: str) -> bool:
        """Return whether a text holds a credential of this change."""
        return bool(self.words) and any(word in text for word in self.words)


def redactor(review: Review) -> Redactor:
    """Return what of a review's change must not be shown."""
    return _redactor(review.pull_request, (*review.findings, *(entry.finding for entry in review.suppressed)))


def without_secrets(pull_request: PullRequest, examination: Examination) -> Examination:
    """Return what was seen; no message, note, suggestion or reason has the words of lines with a credential."""
    found = (*examination.findings, *(entry.finding for entry in examination.suppressed))
    words = _redactor(pull_request, found).words
    if not words:
        return examination
    pattern = re.compile("|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))))

    def shown(text: str) -> str:
        return pattern.sub(REDACTED, text)

    return examination._replace(
        findings=tuple(_redacted(finding, pattern) for finding in examination.findings),
        suppressed=tuple(each._replace(finding=_redacted(each.finding, pattern)) for each in examination.suppressed),
        unreviewed=tuple(each._replace(reason=shown(each.reason)) for each in examination.unreviewed),
        not_run=tuple(each._replace(reason=shown(each.reason)) for each in examination.not_run),
        failures=tuple(each._replace(error=shown(each.error)) for each in examination.failures),
    )


def _redactor(pull_request: PullRequest, findings: Iterable[Finding]) -> Redactor:
    found = {(each.path, each.line) for each in findings if each.rule in CONFIDENTIAL and each.line}
    if not found:
        return Redactor()
    places: set[Place] = set(found)
    words: set[str] = set()
    paths = {path for path, _ in found}
    for file in pull_request.files:
        if file.path in paths:
            held = _held_by(file, found)
            places.update((file.path, number) for number in held)
            words.update(word for line in held.values() for word in re.findall(_LONG_WORD, line))
    return Redactor(frozenset(places), frozenset(words))


def _held_by(file: ChangedFile, found: Collection[Place]) -> dict[int, str]:
    """Return the added lines that hold a credential, by number; a key goes on below the line that was found."""
    held: dict[int, str] = {}
    for number, line in file.added_lines():
        if (file.path, number) in found or (number - 1 in held and _KEY_LINE.fullmatch(line)):
            held[number] = line
    return held


def _redacted(finding: Finding, secrets: re.Pattern[str]) -> Finding:
    suggestion = finding.suggestion
    if suggestion is not None and secrets.search(suggestion.replacement):
        suggestion = None
    return finding._replace(
        message=secrets.sub(REDACTED, finding.message),
        related=tuple(_noted(each, secrets) for each in finding.related),
        suggestion=suggestion,
    )


def _noted(place: Related, secrets: re.Pattern[str]) -> Related:
    holds = place.holds
    if holds is not None:
        holds = tuple(Held(*(secrets.sub(REDACTED, text) for text in each)) for each in holds)
    return place._replace(note=secrets.sub(REDACTED, place.note), holds=holds)
