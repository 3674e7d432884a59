"""What could not be reviewed, and the consequence."""

from __future__ import annotations

from review_bot.reports.content.items import Item
from review_bot.review.review import Review
from review_bot.text.console import disarm


def unreviewed(review: Review) -> tuple[Item, ...]:
    """Return the files that could not be reviewed, then the rules that failed."""
    files = [Item(each.path, each.reason) for each in review.unreviewed]
    rules = [
        Item(
            each.rule, f"failed on {disarm(each.path)}: {each.error}" if each.path else f"failed: {each.error}", "rule"
        )
        for each in review.examination.failures
    ]
    return (*files, *rules)


def consequence(review: Review) -> str:
    """Return what an incomplete review means for the check; an empty text for a complete one."""
    if review.verdict.decision != "incomplete":
        return ""
    if review.verdict.passed:
        return "The check passes because the configuration allows incomplete reviews."
    return "The check fails because the review is incomplete."
