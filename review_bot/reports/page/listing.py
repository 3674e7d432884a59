"""Which findings the page lists, in which order, and under which numbers."""

from __future__ import annotations

from review_bot.findings import Finding
from review_bot.records import NamedTuple
from review_bot.reports.content.topics import Topic, group
from review_bot.review.review import Review

MOST_LISTED = 10_000
"""Findings in the list; the JSON report has all of them."""


class Listing(NamedTuple):
    """``numbers``: of each finding that is listed, from 0, by its identity; ``left_out``: how many are not listed."""

    topics: tuple[Topic, ...]
    numbers: dict[int, int]
    left_out: int

    def number(self, finding: Finding) -> int | None:
        """Return the number of a finding of the review."""
        return self.numbers.get(id(finding))


def listing(review: Review) -> Listing:
    """Arrange what is open: by severity and rule, then by place. What is only counted is not listed."""
    shown = review.to_do
    topics: list[Topic] = []
    numbers: dict[int, int] = {}
    for topic in group(shown):
        room = MOST_LISTED - len(numbers)
        kept = topic.findings[: max(room, 0)]
        if not kept:
            break
        numbers |= {id(finding): number for number, finding in enumerate(kept, len(numbers))}
        topics.append(Topic(kept))
    return Listing(tuple(topics), numbers, len(shown) - len(numbers))
