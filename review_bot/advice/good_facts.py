"""What is good about a change, where that is a fact: a measure that reaches its target, an aspect without a finding."""

from __future__ import annotations

from review_bot.assessment.metrics import Share
from review_bot.review.review import Review

FEWEST = 3
"""Things to count from which a share tells something."""


def good_facts(review: Review) -> tuple[str, ...]:
    """Return sentences that the measures prove; none for an incomplete review."""
    if review.verdict.decision == "incomplete":
        return ()
    metrics = review.assessment.metrics
    told = (
        (metrics.type_hint_coverage, "of the parameters and return values that it adds have type hints"),
        (metrics.docstring_coverage, "of the public definitions that it adds have docstrings"),
        (metrics.coverage, "of the added lines that can be measured are run by tests"),
    )
    facts = [
        f"{share.percent} % {said} ({share.part} of {share.whole})."
        for share, said in told
        if share is not None and reached(share)
    ]
    ratio = metrics.test_to_code_ratio
    if reached(ratio):
        facts.append(f"{ratio.part} lines of test come with {ratio.whole} lines of code.")
    clean = clean_aspects(review)
    if clean:
        named = " and ".join(filter(None, (", ".join(clean[:-1]), clean[-1])))
        facts.append(f"The rules found nothing in {named}.")
    return tuple(facts)


def reached(share: Share) -> bool:
    """Tell whether a share reaches its target, and is of enough things to say so."""
    return share.percent is not None and share.whole >= FEWEST and share.percent >= share.target


def clean_aspects(review: Review) -> tuple[str, ...]:
    """Return the aspects that rules looked at and found nothing in, not even a nit; none where no scores are given."""
    lowered = {finding.aspect for finding in review.open}
    aspects = review.assessment.scorecard.aspects
    return tuple(each.aspect for each in aspects if each.hundredths == 1000 and each.aspect not in lowered)
