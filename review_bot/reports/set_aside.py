"""Files and rules that take no part in the verdict, by the reason why; plain text, not yet escaped."""

from __future__ import annotations

from typing import NamedTuple

from review_bot.reports.wording import count
from review_bot.review.review import Review


class SetAside(NamedTuple):
    """Files or rules of one kind: a heading with their number; of each its path or id, and a reason or nothing."""

    heading: str
    entries: tuple[tuple[str, str], ...]


def set_aside(review: Review) -> tuple[SetAside, ...]:
    """Return each kind, also where there is none of it."""
    seen = review.examination
    allowed = [(each.path, each.reason) for each in review.allowed_unreviewed]
    return (
        _kind("file", "not reviewed, allowed by the configuration", allowed),
        _kind("rule", "not run", [(each.rule, each.reason) for each in seen.not_run]),
        _kind("file", "without text", [(each.path, each.kind) for each in seen.no_text]),
        _kind("file", "ignored by the configuration", [(path, "") for path in seen.ignored]),
    )


def _kind(noun: str, rest: str, entries: list[tuple[str, str]]) -> SetAside:
    return SetAside(f"{count(len(entries), noun)} {rest}", tuple(entries))
