"""What must not be repeated: the credentials that a change holds.

A rule may say what it has found, so any message may hold code of its line. Where a credential was found on that line,
its words are taken out before anybody is told.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from review_bot.changes.pull_request import PullRequest
from review_bot.findings import CONFIDENTIAL, Examination, Finding

NOT_TOLD = "[not shown]"

_LONG_WORD = r"[A-Za-z0-9_+/-]{16,}=*"
"""Credentials are longer than most names; a long name on such a line is not told either."""


def without_secrets(pull_request: PullRequest, examination: Examination) -> Examination:
    """Return what was seen, the words of lines with a credential taken out of messages, notes and suggestions."""
    places = {(f.path, f.line) for f in examination.findings if f.rule in CONFIDENTIAL}
    places |= {(s.finding.path, s.finding.line) for s in examination.suppressed if s.finding.rule in CONFIDENTIAL}
    if not places:
        return examination
    words = secret_words(pull_request, places)
    if not words:
        return examination
    pattern = re.compile("|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))))
    return examination._replace(
        findings=tuple(_told(finding, pattern) for finding in examination.findings),
        suppressed=tuple(each._replace(finding=_told(each.finding, pattern)) for each in examination.suppressed),
    )


def secret_words(pull_request: PullRequest, places: Collection[tuple[str | None, int | None]]) -> frozenset[str]:
    """Return the long words of added lines at ``places`` (path, line); some may be mere names."""
    paths = {path for path, _ in places}
    return frozenset(
        word
        for file in pull_request.files
        if file.path in paths
        for number, line in file.added_lines()
        if (file.path, number) in places
        for word in re.findall(_LONG_WORD, line)
    )


def _told(finding: Finding, secrets: re.Pattern[str]) -> Finding:
    suggestion = finding.suggestion
    if suggestion is not None and secrets.search(suggestion.replacement):
        suggestion = None
    return finding._replace(
        message=secrets.sub(NOT_TOLD, finding.message),
        related=tuple(each._replace(note=secrets.sub(NOT_TOLD, each.note)) for each in finding.related),
        suggestion=suggestion,
    )
