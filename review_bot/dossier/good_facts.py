"""What is good about a change, where that is a fact: a measure that reaches its target."""

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
        if share is not None and _reached(share)
    ]
    ratio = metrics.test_to_code_ratio
    if _reached(ratio):
        facts.append(f"{ratio.part} lines of test come with {ratio.whole} lines of code.")
    return tuple(facts)


def _reached(share: Share) -> bool:
    return share.percent is not None and share.whole >= FEWEST and share.percent >= share.target
