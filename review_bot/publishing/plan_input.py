"""The input of the publication planner: the review and the settings."""

from __future__ import annotations

from collections.abc import Iterable

from review_bot.changes.pull_request import ChangedFile
from review_bot.comments import marker
from review_bot.comments.model import Context, PublicationSettings
from review_bot.records import NamedTuple
from review_bot.review.redaction import Place
from review_bot.review.review import Review


class PlanInput(NamedTuple):
    """All that a plan is made of, and what follows from it at once. ``declined``: fingerprints."""

    review: Review
    settings: PublicationSettings
    context: Context
    files: dict[str, ChangedFile]
    hidden: frozenset[Place]
    declined: frozenset[str]


def signed(given: PlanInput, text: str, kind: str, fingerprints: Iterable[str]) -> str:
    """Return a text with the marker that identifies it as ours."""
    return f"{text}\n{marker.write(given.settings.name, kind, fingerprints)}"
