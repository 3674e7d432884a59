"""Two replays of the same past, with two versions of the rules: what is new, what is gone, whose verdict changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from review_bot.records import NamedTuple
from review_bot.replay.outcome import Outcome, Seen

Place = tuple[str, str, str | None, int | None, str]
"""Pull request, rule, path, line and placement of a finding."""


class Difference(NamedTuple):
    """A finding of one version alone."""

    pull_request: str
    finding: Seen


class RuleChange(NamedTuple):
    """How many findings a rule had, and has; how many of them the other version does not have."""

    rule: str
    before: int
    after: int
    new: int
    gone: int


class VerdictChange(NamedTuple):
    """A pull request that the two versions judge differently."""

    pull_request: str
    before: str
    after: str


class Comparison(NamedTuple):
    """Only rules that differ are listed. ``compared``: pull requests that both versions reviewed."""

    compared: int
    rules: tuple[RuleChange, ...]
    verdicts: tuple[VerdictChange, ...]
    new: tuple[Difference, ...]
    gone: tuple[Difference, ...]


def compare(before: Sequence[Outcome], after: Sequence[Outcome]) -> Comparison:
    """Compare what two versions said of the pull requests that both could review."""
    earlier = {outcome.past.name: outcome for outcome in before if outcome.error is None}
    both = [
        (earlier[outcome.past.name], outcome)
        for outcome in after
        if outcome.error is None and outcome.past.name in earlier
    ]
    old, now = (_findings(side) for side in zip(*both, strict=True)) if both else ({}, {})
    new = _only_in(now, old)
    gone = _only_in(old, now)
    counts = [Counter(place[1] for place in _each(side)) for side in (old, now)]
    changed = [Counter(each.finding.rule for each in side) for side in (new, gone)]
    rules = tuple(
        RuleChange(rule, counts[0][rule], counts[1][rule], changed[0][rule], changed[1][rule])
        for rule in sorted({*changed[0], *changed[1]})
    )
    verdicts = tuple(
        VerdictChange(after.past.name, before.decision, after.decision)
        for before, after in both
        if before.decision != after.decision
    )
    return Comparison(len(both), rules, verdicts, new, gone)


def comparison_data(comparison: Comparison, revision: str) -> dict[str, Any]:
    """Return a comparison as plain data."""
    return {
        "against": revision,
        "compared": comparison.compared,
        "rules": [each._asdict() for each in comparison.rules],
        "verdicts": [each._asdict() for each in comparison.verdicts],
        "new": [{"pull_request": each.pull_request, **each.finding._asdict()} for each in comparison.new],
        "gone": [{"pull_request": each.pull_request, **each.finding._asdict()} for each in comparison.gone],
    }


def _findings(outcomes: Iterable[Outcome]) -> dict[Place, list[Seen]]:
    found: dict[Place, list[Seen]] = {}
    for outcome in outcomes:
        for seen in outcome.findings:
            found.setdefault((outcome.past.name, seen.rule, seen.path, seen.line, seen.placement), []).append(seen)
    return found


def _each(side: dict[Place, list[Seen]]) -> Iterable[Place]:
    return (place for place, seen in side.items() for _ in seen)


def _only_in(side: dict[Place, list[Seen]], other: dict[Place, list[Seen]]) -> tuple[Difference, ...]:
    return tuple(
        Difference(place[0], finding) for place, found in side.items() for finding in found[len(other.get(place, ())) :]
    )
