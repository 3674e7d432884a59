"""What was open at each push, as columns of a picture and as a table."""

from __future__ import annotations

from review_bot.findings import Severity
from review_bot.records import NamedTuple
from review_bot.reports import wording
from review_bot.review.context import EarlierReview
from review_bot.review.review import Review
from review_bot.review.verdict import DECISION_WORDS
from review_bot.text.listing import count

HEIGHT = 120
"""Pixels of the picture."""

_MOST_REVIEWS = 40


class Bar(NamedTuple):
    """A part of a column, in pixels from the top."""

    kind: Severity
    y: int
    height: int


class Column(NamedTuple):
    """A review in the picture. ``x``, ``width`` and ``middle`` are shares of its width; no ``middle``: no number."""

    x: str
    width: str
    middle: str
    top: int
    total: int
    bars: list[Bar]


class Trend(NamedTuple):
    """The picture from left to right, and the same reviews for the table, newest first."""

    description: str
    columns: list[Column]
    reviews: list[EarlierReview]
    left_out: int
    height: int = HEIGHT


def trend(review: Review) -> Trend | None:
    """Return what was open at each push; None without earlier reports."""
    if not review.context.earlier:
        return None
    every = [*review.context.earlier, this_review(review)]
    shown = every[-_MOST_REVIEWS:]
    most = max([1, *(each.errors + each.warnings + each.lighter for each in shown)])
    step = min(1000 // len(shown), 120)
    first, last = _open(shown[0]), _open(shown[-1])
    return Trend(
        f"{len(shown)} reviews. First: {first}. Latest: {last}. The table below lists all of them.",
        [_column(index * step, step, each, most) for index, each in enumerate(shown)],
        [
            each._replace(
                head=wording.revision(each.head) if each.head else None,
                decision=DECISION_WORDS.get(each.decision, each.decision),  # type: ignore[call-overload]  # any text
            )
            for each in reversed(shown)
        ],
        len(every) - len(shown),
    )


def this_review(review: Review) -> EarlierReview:
    """Return a review as a later one will remember it."""
    still = [each.severity for each in review.listed]
    errors, warnings = still.count("error"), still.count("warning")
    return EarlierReview(
        review.pull_request.head,
        review.verdict.decision,
        review.assessment.scorecard.score,
        errors,
        warnings,
        len(still) - errors - warnings,
    )


def _open(review: EarlierReview) -> str:
    counts = (review.errors, "error"), (review.warnings, "warning"), (review.lighter, "other")
    return ", ".join(count(*each) for each in counts)


def _column(left: int, step: int, review: EarlierReview, most: int) -> Column:
    """Return the column of one review; ``left`` and ``step`` in thousandths of the width."""
    bars: list[Bar] = []
    top = HEIGHT - 1
    parts: tuple[tuple[Severity, int], ...] = (
        ("error", review.errors),
        ("warning", review.warnings),
        ("hint", review.lighter),
    )
    for kind, number in parts:
        height = (number * (HEIGHT - 24) + most - 1) // most
        if height:
            top -= height
            bars.append(Bar(kind, top, height))
    middle = f"{left / 10 + step * 7 / 200:.1f}%" if step >= 40 else ""
    total = review.errors + review.warnings + review.lighter
    return Column(f"{left / 10:.1f}%", f"{step * 7 / 100:.1f}%", middle, top, total, bars)
