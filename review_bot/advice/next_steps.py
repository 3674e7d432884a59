"""Who does what next, and how long it takes; ``docs/scorecard.md`` documents the formulas.

Steps of at most 15 minutes come first. Each further finding of a rule in a file takes a fifth of its time
(``assessment.metrics``).
"""

from __future__ import annotations

from typing import Literal

from review_bot.assessment.metrics import effort_minutes
from review_bot.findings import Finding, order
from review_bot.records import NamedTuple
from review_bot.review.review import Review

NOW = 15
"""Minutes that all findings of a rule take together, up to which their step comes first."""

EFFORT_POINTS = (2, 7, 13, 23)
"""The most points that are effort 1, 2, 3 and 4."""

ANY_AREA = "any"
"""The area of all code, which is not specific to a change."""

Who = Literal["author", "reviewers", "maintainers"]
When = Literal["now", "then", ""]


class Step(NamedTuple):
    """Something to do: plain text, minutes if known, and the rules that ask for it.

    ``title``: what to resolve, in a few words; empty if the text is as short.
    """

    who: Who
    when: When
    text: str
    minutes: int | None = None
    rules: tuple[str, ...] = ()
    title: str = ""

    @property
    def way(self) -> str:
        """What to do beyond the title; empty if the rule adds nothing."""
        return self.text if self.text.rstrip(".") != self.title else ""


class Plan(NamedTuple):
    """``minutes`` to fix errors and warnings; ``lighter``: for the rest; ``effort`` to review, 1 to 5."""

    steps: tuple[Step, ...]
    minutes: int
    lighter: int
    effort: int


def next_steps(review: Review) -> Plan:
    """Return what to do, by whom, most urgent first."""
    heavy = [each for each in review.to_do if each.serious]
    light = [each for each in review.to_do if not each.serious]
    return Plan(
        (*_author(heavy), *_reviewers(review), *_maintainers(review)),
        effort_minutes(heavy),
        effort_minutes(light),
        review_effort(review),
    )


def review_effort(review: Review) -> int:
    """Return the effort to review the change, 1 (minutes) to 5 (a day or more).

    Points: 1 for each started 100 changed lines up to 1,000, 1 for each further 1,000 lines, 1 for each area touched,
    1 for each question card, 2 for each error up to 3. Up to 2 points are effort 1; up to 7, 13 and 23 points are 2, 3
    and 4.
    """
    change, assessment = review.pull_request, review.assessment
    errors = sum(each.severity == "error" for each in review.listed)
    lines = change.added + change.removed
    points = min(10, (lines + 99) // 100) + max(lines - 1, 0) // 1000
    points += sum(area.id != ANY_AREA for area in assessment.areas) + len(assessment.checklist) + 2 * min(errors, 3)
    return 1 + sum(points > most for most in EFFORT_POINTS)


def _author(heavy: list[Finding]) -> list[Step]:
    """Return one step per rule: quick ones first, then by severity; within both the quickest first."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in heavy:
        by_rule.setdefault(finding.rule, []).append(finding)
    ranked = []
    for rule, same in by_rule.items():
        first = min(same, key=order)
        minutes = effort_minutes(same)
        when: When = "now" if minutes <= NOW else "then"
        step = Step("author", when, first.instead or first.title, minutes, (rule,), first.title.rstrip("."))
        ranked.append(((when, first.rank, minutes, rule), step))
    return [step for _, step in sorted(ranked)]


def _reviewers(review: Review) -> list[Step]:
    cards = review.assessment.checklist
    if not cards:
        return []
    named = ", ".join(card.title for card in cards)
    return [Step("reviewers", "", f"Answer the manual review questions: {named}.")]


def _maintainers(review: Review) -> list[Step]:
    overlaps = review.context.overlaps
    steps = []
    if overlaps is not None and overlaps.order:
        order = ", ".join("this one" if number == 0 else f"#{number}" for number in overlaps.order)
        steps.append(Step("maintainers", "", f"Merge in this order: {order}."))
    silenced = len([entry for entry in review.suppressed if entry.by == "comment"])
    if silenced:
        what = "reason for 1 finding" if silenced == 1 else f"reasons for {silenced} findings"
        steps.append(Step("maintainers", "", f"Check the {what} suppressed in the code."))
    return steps
