"""Lines of the review checklist that the bot ticks: what a rule that reads every added line proves.

A rule that reports in certain cases alone proves nothing by its silence, so most rules tick no line.
"""

from __future__ import annotations

from review_bot.records import NamedTuple
from review_bot.review.review import Review


class Check(NamedTuple):
    """A line of the checklist that holds for the whole change; ``proof``: what proved it.

    ``met`` is true and ``rules`` empty: unproven lines are omitted.
    """

    id: str
    text: str
    met: bool
    rules: tuple[str, ...]
    proof: str


class _Line(NamedTuple):
    id: str
    text: str
    rule: str


CHECKS = (
    _Line("secrets", "no added line holds a credential in a known format", "security/hardcoded-secret"),
    _Line("hidden-characters", "no added line holds hidden characters", "security/hidden-characters"),
    _Line("conflict-markers", "no added line is a conflict marker", "style/conflict-marker"),
)
"""The lines, each with the rule that reads every added line for it."""


def checks(review: Review) -> tuple[Check, ...]:
    """Return the lines that are proven; none if some text of the change was not read, or if no line is added.

    Suppressed, moved and accepted findings disprove a line too.
    """
    added = review.pull_request.added
    if not added or not read_whole(review):
        return ()
    seen = review.examination
    stopped = {each.rule for each in seen.not_run} | {each.rule for each in seen.failures}
    lines = f"{added:,} added line{'s' if added > 1 else ''}"
    return tuple(
        Check(line.id, line.text, met=True, rules=(), proof=f"{line.rule} read {lines}")
        for line in CHECKS
        if line.rule in review.rules and line.rule not in stopped | review.rules_with_findings
    )


def read_whole(review: Review) -> bool:
    """Return whether all text of the change was read: no file is left out or without text."""
    seen = review.examination
    return not (
        review.verdict.decision == "incomplete"
        or review.unreviewed
        or review.allowed_unreviewed
        or seen.ignored
        or seen.left_out
        or seen.no_text
    )
