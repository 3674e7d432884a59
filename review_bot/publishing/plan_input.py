"""The input of the publication planner: the review, the settings, and the order of gravity."""

from __future__ import annotations

from collections.abc import Iterable

from review_bot.changes.pull_request import ChangedFile
from review_bot.comments import marker
from review_bot.comments.model import Context, PublicationSettings
from review_bot.findings import SEVERITIES, Finding
from review_bot.records import NamedTuple
from review_bot.review.redaction import Place
from review_bot.review.review import Review

_CONFIDENCES = ("high", "medium", "low")

_Order = tuple[int, int, str, int, int, str, str]


class PlanInput(NamedTuple):
    """All that a plan is made of, and what follows from it at once. ``declined``: fingerprints."""

    review: Review
    settings: PublicationSettings
    context: Context
    files: dict[str, ChangedFile]
    hidden: frozenset[Place]
    declined: frozenset[str]


def order(finding: Finding) -> _Order:
    """Return the sort key of findings: most severe and most certain first, then in reading order."""
    severity, confidence = SEVERITIES.index(finding.severity), _CONFIDENCES.index(finding.confidence)
    line, column = finding.line or 0, finding.column or 0
    return severity, confidence, finding.path or "", line, column, finding.rule, finding.fingerprint


def signed(given: PlanInput, text: str, kind: str, fingerprints: Iterable[str]) -> str:
    """Return a text with the marker that identifies it as ours."""
    return f"{text}\n{marker.write(given.settings.name, kind, fingerprints)}"
