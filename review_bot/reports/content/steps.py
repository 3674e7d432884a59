"""The next steps, by person."""

from __future__ import annotations

from review_bot.advice.next_steps import Plan, Step
from review_bot.records import NamedTuple

_WHO = {
    ("author", "now"): "Author, quick fixes",
    ("author", "then"): "Author, longer fixes",
    ("reviewers", ""): "Reviewers",
    ("maintainers", ""): "Maintainers",
}


class StepGroup(NamedTuple):
    """Steps of a person; ``minutes`` is 0 if unknown."""

    heading: str
    minutes: int
    steps: tuple[Step, ...]


def step_groups(plan: Plan) -> tuple[StepGroup, ...]:
    """Return the steps by person; those of the author are one group if none of them is quick."""
    groups: list[StepGroup] = []
    for key, who in _WHO.items():
        steps = tuple(step for step in plan.steps if (step.who, step.when) == key)
        heading = "Author" if key == ("author", "then") and not groups else who
        if steps:
            groups.append(StepGroup(heading, sum(step.minutes or 0 for step in steps), steps))
    return tuple(groups)
