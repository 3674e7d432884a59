"""The measured strengths of a change: measures that meet their target, aspects without findings."""

from __future__ import annotations

from review_bot.assessment.metrics import Share
from review_bot.review.review import Review

FEWEST = 3
"""The smallest number of items for which a percentage is meaningful."""


def strengths(review: Review) -> tuple[str, ...]:
    """Return one sentence per strength; none for an incomplete review."""
    if review.verdict.decision == "incomplete":
        return ()
    metrics = review.assessment.metrics
    measured = (
        (metrics.type_hint_coverage, "of added parameters and return values have type hints"),
        (metrics.docstring_coverage, "of added public definitions have docstrings"),
        (metrics.coverage, "of measurable added lines are covered by tests"),
    )
    facts = [
        f"{share.percent} % {what} ({share.part} of {share.whole})."
        for share, what in measured
        if share is not None and reached(share)
    ]
    ratio = metrics.test_to_code_ratio
    if reached(ratio):
        facts.append(f"{ratio.part} lines of tests for {ratio.whole} lines of code.")
    clean = clean_aspects(review)
    if clean:
        named = " and ".join(filter(None, (", ".join(clean[:-1]), clean[-1])))
        facts.append(f"No findings in {named}.")
    return tuple(facts)


def reached(share: Share) -> bool:
    """Return whether a share meets its target and covers enough items to be meaningful."""
    return share.percent is not None and share.whole >= FEWEST and share.percent >= share.target


def clean_aspects(review: Review) -> tuple[str, ...]:
    """Return the aspects that rules cover and in which none reported anything; empty if there are no scores."""
    lowered = {finding.aspect for finding in review.open}
    aspects = review.assessment.scorecard.aspects
    return tuple(each.aspect for each in aspects if each.hundredths == 1000 and each.aspect not in lowered)
