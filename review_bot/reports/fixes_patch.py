"""``fixes.patch``: all proven fixes as one unified diff from the head, for ``git apply``; empty if there is none."""

from __future__ import annotations

from review_bot.review.review import Review


def render(review: Review) -> str:
    """Return the patch."""
    return review.patch
