"""The bar that a rule must reach to comment on lines, to be listed in the summary, or to fail the gate.

The bar is described in docs/evidence.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from review_bot.findings import Severity
from review_bot.rules.precision import NOT_MEASURED, Precision
from review_bot.rules.rule import Show

USEFUL = 0.90
"""Share of the judged findings of an inline rule that must be useful."""

USEFUL_ROW = 0.70
"""Share of the judged findings of a rule that the summary lists that must be useful."""

FEWEST = 10
"""With fewer judged findings a share is not meaningful: the rule comments on lines only if its fact is provable."""

FEWEST_AGAINST = 5
"""So many judged comments are enough to show that they are useful too seldom."""

FEWEST_OF_AN_ERROR = 20
TRUE_OF_AN_ERROR = 0.95
"""A rule that fails the gate needs a provable fact, or this many judged findings with this share true."""


class RulePlacement(NamedTuple):
    """Where a rule reports, and with which severity. ``provable``: its fact follows from the text."""

    rule: str
    show: Show
    severity: Severity
    provable: bool


def placement_problems(rules: Iterable[RulePlacement], measured: dict[str, Precision]) -> list[str]:
    """Return a sentence for each rule whose place, or whose severity, is above the bar that it reaches."""
    problems: list[str] = []
    for rule in rules:
        found = measured.get(rule.rule, NOT_MEASURED)
        if rule.show == "line" and (problem := _inline_problem(rule, found)):
            problems.append(f"{rule.rule}: {problem}")
        if rule.show == "summary" and found.judged >= FEWEST and found.useful < USEFUL_ROW * found.judged:
            shares = f"{found.useful} of {found.judged} judged findings are useful; the bar is {USEFUL_ROW:.2f}"
            problems.append(f"{rule.rule}: {shares} for the summary")
        if rule.severity == "error" and not rule.provable and not _certain(found):
            needs = f"a provable fact, or {FEWEST_OF_AN_ERROR} judged findings with {TRUE_OF_AN_ERROR:.2f} true"
            problems.append(f"{rule.rule}: `error` needs {needs}; {found.true} of {found.judged} judged are true")
    return problems


def _inline_problem(rule: RulePlacement, found: Precision) -> str:
    """Return what is missing, if anything: a provable fact makes up for few labels, not for bad ones."""
    if rule.provable and found.true < found.judged:
        return f"its fact is declared provable, but {found.judged - found.true} of {found.judged} judged are not true"
    if found.shown >= FEWEST_AGAINST and found.shown_useful < USEFUL * found.shown:
        return f"{found.shown_useful} of {found.shown} judged comments are useful; the bar is {USEFUL:.2f}"
    if found.shown < FEWEST and not rule.provable:
        return f"{found.shown} judged comments; it needs {FEWEST}, or a fact that is provable from the text"
    return ""


def _certain(found: Precision) -> bool:
    return found.judged >= FEWEST_OF_AN_ERROR and found.true / found.judged >= TRUE_OF_AN_ERROR
