"""Scores of a change by aspect, from 1 to 10, and one for all of it; ``docs/scorecard.md`` gives the reasons.

All in whole hundredths of a point: no float, no clock, nothing random, so that the same review has the same scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from review_bot.assessment.metrics import Metrics, Share
from review_bot.findings import ASPECTS, SEVERITIES, Finding, Severity
from review_bot.records import NamedTuple

WEIGHTS: dict[str, int] = {
    "Architecture & Design": 15,
    "Code Quality": 15,
    "Functional Correctness": 25,
    "Testing": 20,
    "Documentation": 10,
    "Security": 10,
    "Performance": 5,
}
"""What an aspect counts for in the score of the whole."""

COSTS: dict[Severity, int] = {"error": 300, "warning": 150, "info": 50, "hint": 10}
"""Hundredths of a point that a rule with findings costs."""

FEWEST_CODE_LINES = 30
"""Added lines of code from which a change gets scores."""

MOST_FURTHER = 3
"""Further findings of a rule that cost a tenth of it each."""

MOST_FOR_NITS = 100
"""Hundredths that the nits of an aspect cost together."""

WITHOUT_TESTS = 200
"""Hundredths that Testing has at most when code comes without any test."""

BY_COVERAGE = "coverage of the added lines"
"""What limits Testing where a coverage report was given."""

WITH_ERRORS = 6
"""The score that a change with an open error has at most."""

IN_PART = 9
"""The score that a change has at most of which some aspect was not assessed."""

FEWEST_DEFINITIONS = 3
FEWEST_SLOTS = 5
"""Definitions, and places for type hints, from which a share of them is meaningful."""

_SAME = {"api/missing-name-import": "api/missing-module-import"}
"""Rules about the same mistake: an import that cannot work."""

_REPORTED_BY_DOCSTRINGS = frozenset({"docs/module-docstring", "docs/public-docstring"})
_REPORTED_BY_HINTS = frozenset({"style/missing-type-hints"})
_NO_TESTS = "testing/code-without-tests"


class AspectScore(NamedTuple):
    """The score of one aspect, 1 to 10, None without evidence; ``rules`` lowered it.

    ``hundredths``: the score before rounding. ``limit``: what it could be at most, before findings or after them.
    """

    aspect: str
    weight: int
    score: int | None
    hundredths: int | None
    limit: str | None
    rules: tuple[str, ...]


class Scorecard(NamedTuple):
    """``score`` of the whole, 1 to 10, or None; ``reason`` then says why.

    ``basis``: a sentence on how much of the change the score rests on.
    """

    score: int | None
    reason: str | None
    aspects: tuple[AspectScore, ...] = ()
    basis: str = ""


def score(findings: Sequence[Finding], metrics: Metrics, judged: Iterable[str], *, complete: bool) -> Scorecard:
    """Score a change by its open findings. ``complete``: all of the change was reviewed.

    ``judged``: the aspects in which some rule had something of its own to look at. An aspect is assessed if it is one
    of them, if it has findings, or if it is measured; without any added test, silence about tests is no evidence.
    """
    if metrics.code_lines_added < FEWEST_CODE_LINES:
        return Scorecard(None, f"fewer than {FEWEST_CODE_LINES} lines of Python library code added")
    if not complete:
        return Scorecard(None, "the review is incomplete")
    silent = set() if metrics.test_to_code_ratio.part else {"Testing"}
    evident = ({*judged} - silent) | {*(finding.aspect for finding in findings), *_measured(metrics)}
    aspects = tuple(
        _aspect(aspect, [finding for finding in findings if finding.aspect == aspect], metrics)
        if aspect in evident
        else AspectScore(aspect, WEIGHTS[aspect], None, None, None, ())
        for aspect in ASPECTS
    )
    scored = [(each.weight, each.hundredths) for each in aspects if each.hundredths is not None]
    weight = sum(each for each, _ in scored)
    if not weight:
        return Scorecard(None, "no rule could judge anything in this change")
    overall = _rounded(sum(each * hundredths for each, hundredths in scored), weight)
    if weight < sum(WEIGHTS.values()):
        overall = min(overall, IN_PART)
    if any(finding.severity == "error" for finding in findings):
        overall = min(overall, WITH_ERRORS)
    return Scorecard(overall, None, aspects, _basis(len(scored), weight, metrics))


def _measured(metrics: Metrics) -> Iterator[str]:
    """Yield the aspects of which a measure is known that limits their score."""
    if metrics.docstring_coverage.whole >= FEWEST_DEFINITIONS:
        yield "Documentation"
    if metrics.type_hint_coverage.whole >= FEWEST_SLOTS:
        yield "Code Quality"
    if metrics.coverage is not None and metrics.coverage.whole:
        yield "Testing"


def _basis(assessed: int, weight: int, metrics: Metrics) -> str:
    python = metrics.code_lines_added + metrics.test_to_code_ratio.part
    return (
        f"It rests on {assessed} of {len(ASPECTS)} aspects ({weight} % of the weight) and on {python:,} of "
        f"{metrics.lines_added:,} added lines: Python code and tests. A person has to judge the rest."
    )


def _aspect(aspect: str, findings: Sequence[Finding], metrics: Metrics) -> AspectScore:
    hundredths, most, limit = 1000, 1000, None
    reported: frozenset[str] = frozenset()
    if aspect == "Documentation" and metrics.docstring_coverage.whole >= FEWEST_DEFINITIONS:
        hundredths, reported = of_target(metrics.docstring_coverage), _REPORTED_BY_DOCSTRINGS
        limit = "docstring coverage" if hundredths < 1000 else None
    elif aspect == "Code Quality" and metrics.type_hint_coverage.whole >= FEWEST_SLOTS:
        most, reported = of_target(metrics.type_hint_coverage), _REPORTED_BY_HINTS
        limit = "type-hint coverage" if most < 1000 else None
    elif aspect == "Testing":
        most, limit = _limit_of_testing(findings, metrics)
    by_rule: dict[str, list[Severity]] = {}
    for finding in findings:
        if finding.rule not in reported:
            by_rule.setdefault(_SAME.get(finding.rule, finding.rule), []).append(finding.severity)
    hundredths -= _cost(by_rule.values())
    hundredths = max(100, min(hundredths, most))
    return AspectScore(aspect, WEIGHTS[aspect], _rounded(hundredths, 1), hundredths, limit, tuple(sorted(by_rule)))


def _rounded(hundredths: int, weight: int) -> int:
    """Return a score from a weighted sum, rounded half up; 10 only where nothing was deducted."""
    return 10 if hundredths >= 1000 * weight else min(9, (hundredths + 50 * weight) // (100 * weight))


def _limit_of_testing(findings: Sequence[Finding], metrics: Metrics) -> tuple[int, str | None]:
    """Return the most that Testing can have, and what keeps it there."""
    limits: list[tuple[int, str | None]] = [(1000, None)]
    if metrics.coverage is not None and metrics.coverage.whole:
        limits.append((of_target(metrics.coverage), BY_COVERAGE))
    if any(finding.rule == _NO_TESTS for finding in findings):
        limits.append((WITHOUT_TESTS, "code without tests"))
    return min(limits, key=lambda each: each[0])


def of_target(measured: Share) -> int:
    """Return hundredths of ten points: all of them where the target is reached."""
    return min(1000, 100_000 * measured.part // (measured.target * measured.whole))


def _cost(rules: Iterable[Sequence[Severity]]) -> int:
    """Return hundredths that rules cost, given the severities of each one's findings."""
    total = nits = 0
    for severities in rules:
        cost = _cost_of_rule(severities)
        if min(severities, key=SEVERITIES.index) == "hint":
            nits += cost
        else:
            total += cost
    return total + min(nits, MOST_FOR_NITS)


def _cost_of_rule(severities: Sequence[Severity]) -> int:
    cost = COSTS[min(severities, key=SEVERITIES.index)]
    return cost + cost * min(len(severities) - 1, MOST_FURTHER) // 10


class Deduction(NamedTuple):
    """What the findings of a rule cost in their aspect; ``hundredths`` before the nits of the aspect are capped."""

    rule: str
    findings: int
    hundredths: int
    nit: bool


def deductions(findings: Iterable[Finding], aspect: AspectScore) -> tuple[Deduction, ...]:
    """Return which open findings lowered the score of an aspect, the largest deduction first."""
    by_rule: dict[str, list[Severity]] = {}
    for finding in findings:
        rule = _SAME.get(finding.rule, finding.rule)
        if finding.aspect == aspect.aspect and rule in aspect.rules:
            by_rule.setdefault(rule, []).append(finding.severity)
    made = []
    for rule, severities in by_rule.items():
        gravest = min(severities, key=SEVERITIES.index)
        made.append(Deduction(rule, len(severities), _cost_of_rule(severities), gravest == "hint"))
    return tuple(sorted(made, key=lambda each: (-each.hundredths, each.rule)))
