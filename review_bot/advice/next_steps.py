"""Who does what next, and how long it takes; ``docs/scorecard.md`` tells the formulas.

What takes a quarter of an hour at most is for now; the rest comes after. A further finding of a rule in a file takes a
fifth of its time (``assessment.metrics``).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from review_bot.assessment.metrics import effort_minutes
from review_bot.findings import SEVERITIES, Finding
from review_bot.review.review import Review

NOW = 15
"""Minutes of a rule's findings, all together, that are settled at once."""

EFFORT_POINTS = (2, 7, 13, 23)
"""The most points that are effort 1, 2, 3 and 4."""

ANY_AREA = "any"
"""The area of all code, which tells nothing of a change."""

MOST_CARDS = 4
"""Cards that the step for reviewers names."""

Who = Literal["author", "reviewers", "maintainers"]
When = Literal["now", "then", ""]


class Step(NamedTuple):
    """Something to do: plain text, minutes if they are known, and the rules that ask for it.

    ``title``: what is to be settled, in a few words; empty where the text is as short.
    """

    who: Who
    when: When
    text: str
    minutes: int | None = None
    rules: tuple[str, ...] = ()
    title: str = ""

    @property
    def way(self) -> str:
        """What to do beyond the title; empty where the rule tells no more."""
        return self.text if self.text.rstrip(".") != self.title else ""


class Plan(NamedTuple):
    """``minutes`` to fix what must and should be fixed; ``lighter``: for the rest; ``effort`` to review, 1 to 5."""

    steps: tuple[Step, ...]
    minutes: int
    lighter: int
    effort: int


def next_steps(review: Review) -> Plan:
    """Return what is to be done, by whom, the most urgent first."""
    heavy = [each for each in review.listed if each.serious]
    light = [each for each in review.listed if not each.serious]
    return Plan(
        (*_author(heavy), *_reviewers(review), *_maintainers(review)),
        effort_minutes(heavy),
        effort_minutes(light),
        review_effort(review),
    )


def review_effort(review: Review) -> int:
    """Return the effort to review the change, 1 (minutes) to 5 (a day or more).

    Points: 1 for each started 100 changed lines up to 10, 1 for each area of the field, 1 for each card drawn, 2 for
    each must fix up to 3. Up to 2 points are effort 1; up to 7, 13 and 23 points are 2, 3 and 4.
    """
    change, assessment = review.pull_request, review.assessment
    errors = sum(each.severity == "error" for each in review.open)
    points = min(10, (change.added + change.removed + 99) // 100)
    points += sum(area.id != ANY_AREA for area in assessment.areas) + len(assessment.checklist) + 2 * min(errors, 3)
    return 1 + sum(points > most for most in EFFORT_POINTS)


def _author(heavy: list[Finding]) -> list[Step]:
    """Return one step for each rule: what is quick first, then by gravity; within both the quickest first."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in heavy:
        by_rule.setdefault(finding.rule, []).append(finding)
    ranked = []
    for rule, same in by_rule.items():
        first = min(same, key=lambda each: SEVERITIES.index(each.severity))
        minutes = effort_minutes(same)
        when: When = "now" if minutes <= NOW else "then"
        step = Step("author", when, first.instead or first.title, minutes, (rule,), first.title.rstrip("."))
        ranked.append(((when, SEVERITIES.index(first.severity), minutes, rule), step))
    return [step for _, step in sorted(ranked)]


def _reviewers(review: Review) -> list[Step]:
    cards = review.assessment.checklist
    if not cards:
        return []
    named = ", ".join(card.title for card in cards[:MOST_CARDS])
    rest = len(cards) - MOST_CARDS
    more = f" and {rest} more" if rest > 0 else ""
    return [Step("reviewers", "", f"Answer what no rule can: {named}{more}.")]


def _maintainers(review: Review) -> list[Step]:
    neighbours = review.context.overlaps
    steps = []
    if neighbours is not None and neighbours.order:
        order = ", ".join("this one" if number == 0 else f"#{number}" for number in neighbours.order)
        steps.append(Step("maintainers", "", f"Merge in this order: {order}."))
    silenced = len([entry for entry in review.suppressed if entry.by == "comment"])
    if silenced:
        findings = "1 finding was" if silenced == 1 else f"{silenced} findings were"
        steps.append(Step("maintainers", "", f"Read why {findings} suppressed in the code."))
    return steps
