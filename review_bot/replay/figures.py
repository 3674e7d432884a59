"""Outcomes to figures: pure counting, for rules, verdicts and the whole."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from review_bot.assessment.review_areas import MOST_QUESTIONS
from review_bot.changes.pull_request import Unreviewed
from review_bot.findings import Failure, Severity
from review_bot.forges.merged_pull_requests import Skipped
from review_bot.records import NamedTuple
from review_bot.replay.outcome import Outcome, Seen


class RuleFigures(NamedTuple):
    """What one rule saw. ``moved`` hits are in none of the four placements; ``counted`` ones are in no list.

    ``per_1000`` is inline comments per 1,000 added lines.
    """

    rule: str
    severities: tuple[Severity, ...]
    hits: int
    pull_requests: int
    inline: int
    in_file: int
    summary: int
    counted: int
    moved: int
    per_1000: float


class CardFigures(NamedTuple):
    """How many pull requests drew a card, how many percent that is, and in how many a summary shows it."""

    card: str
    pull_requests: int
    percent: float
    shown: int


class Red(NamedTuple):
    """A pull request that the gate would have stopped, with the findings that did it."""

    name: str
    decision: str
    reasons: tuple[str, ...]
    findings: tuple[Seen, ...]


class Share(NamedTuple):
    """Of ``lines`` (1 or more), how many were changed before the merge or soon after."""

    lines: int
    changed: int

    @property
    def percent(self) -> float:
        """The changed ones in a hundred."""
        return round(100 * self.changed / self.lines, 1) if self.lines else 0.0


class LaterFigures(NamedTuple):
    """What became of lines with an inline comment, by rule and in all, and of all added lines."""

    flagged: Share
    added: Share
    rules: tuple[tuple[str, Share], ...]


class Figures(NamedTuple):
    """A replay, counted. Counts per pull request are over the ones reviewed: neither empty nor broken."""

    reviewed: int
    empty: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    broken: tuple[tuple[str, str], ...]
    added: int
    median_added: float
    comments: int
    median_comments: float
    p90_comments: float
    comments_per_1000: float
    findings: int
    suppressed: int
    decisions: tuple[tuple[str, int], ...]
    red: tuple[Red, ...]
    rules: tuple[RuleFigures, ...]
    unreviewed: tuple[tuple[str, Unreviewed], ...]
    failures: tuple[tuple[str, Failure], ...]
    later: LaterFigures | None = None
    cards: tuple[CardFigures, ...] = ()


DECISIONS = ("no-findings", "comments", "changes-required", "incomplete")


def count(outcomes: Sequence[Outcome], skipped: Iterable[Skipped] = ()) -> Figures:
    """Count a replay."""
    reviewed = [each for each in outcomes if each.error is None and not each.is_empty]
    comments = [each.comments for each in reviewed]
    added = sum(each.added for each in reviewed)
    return Figures(
        reviewed=len(reviewed),
        empty=tuple(each.past.name for each in outcomes if each.is_empty),
        skipped=tuple(skipped),
        broken=tuple((each.past.name, each.error) for each in outcomes if each.error is not None),
        added=added,
        median_added=quantile([each.added for each in reviewed], 0.5),
        comments=sum(comments),
        median_comments=quantile(comments, 0.5),
        p90_comments=quantile(comments, 0.9),
        comments_per_1000=_per_1000(sum(comments), added),
        findings=sum(len(each.findings) for each in reviewed),
        suppressed=sum(each.suppressed for each in reviewed),
        decisions=tuple((name, sum(each.decision == name for each in reviewed)) for name in DECISIONS),
        red=tuple(_red(each) for each in reviewed if not each.passed),
        rules=_by_rule(reviewed, added),
        unreviewed=tuple((each.past.name, entry) for each in reviewed for entry in each.unreviewed),
        failures=tuple((each.past.name, entry) for each in reviewed for entry in each.failures),
        later=_later(reviewed),
        cards=_cards(reviewed),
    )


def quantile(values: Iterable[int], share: float) -> float:
    """Return the value below which ``share`` (0 to 1) of the values lie, interpolated; 0 for no values."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    place = share * (len(ordered) - 1)
    low, high = math.floor(place), math.ceil(place)
    return round(ordered[low] + (ordered[high] - ordered[low]) * (place - low), 2)


def _per_1000(number: int, lines: int) -> float:
    return round(1000 * number / lines, 3) if lines else 0.0


def _red(outcome: Outcome) -> Red:
    grave = [finding for finding in outcome.findings if finding.severity == "error" and not finding.moved]
    return Red(outcome.past.name, outcome.decision, outcome.reasons, tuple(grave))


def _cards(outcomes: Sequence[Outcome]) -> tuple[CardFigures, ...]:
    drawn = Counter(card for outcome in outcomes for card in outcome.cards)
    shown = Counter(card for outcome in outcomes for card in outcome.cards[:MOST_QUESTIONS])
    found = [CardFigures(card, n, round(100 * n / len(outcomes), 1), shown[card]) for card, n in drawn.items()]
    return tuple(sorted(found, key=lambda each: (-each.pull_requests, each.card)))


def _later(outcomes: Sequence[Outcome]) -> LaterFigures | None:
    """Count each line once, however many comments it has; by rule, once for each rule."""
    known = [(each, each.later) for each in outcomes if each.later is not None]
    if not known:
        return None
    flagged: dict[tuple[str, str | None, int | None], bool] = {}
    by_rule: dict[str, dict[tuple[str, str | None, int | None], bool]] = {}
    for outcome, _ in known:
        for finding in outcome.findings:
            if finding.is_comment and finding.changed is not None:
                place = (outcome.past.name, finding.path, finding.line)
                flagged[place] = by_rule.setdefault(finding.rule, {})[place] = finding.changed
    return LaterFigures(
        flagged=_share(flagged.values()),
        added=Share(sum(later.added for _, later in known), sum(later.changed for _, later in known)),
        rules=tuple((rule, _share(places.values())) for rule, places in sorted(by_rule.items())),
    )


def _share(changed: Iterable[bool]) -> Share:
    each = list(changed)
    return Share(len(each), sum(each))


def _by_rule(outcomes: Iterable[Outcome], added: int) -> tuple[RuleFigures, ...]:
    seen: dict[str, list[tuple[str, Seen]]] = {}
    for outcome in outcomes:
        for finding in outcome.findings:
            seen.setdefault(finding.rule, []).append((outcome.past.name, finding))
    result = []
    for rule, pairs in seen.items():
        findings = [finding for _, finding in pairs]
        placed = ["counted" if finding.counted else finding.placement for finding in findings if not finding.moved]
        severities = {finding.severity for finding in findings}
        result.append(
            RuleFigures(
                rule=rule,
                severities=tuple(sorted(severities)),
                hits=len(findings),
                pull_requests=len({name for name, _ in pairs}),
                inline=placed.count("inline"),
                in_file=placed.count("file"),
                summary=placed.count("summary"),
                counted=placed.count("counted"),
                moved=len(findings) - len(placed),
                per_1000=_per_1000(placed.count("inline"), added),
            )
        )
    return tuple(sorted(result, key=lambda each: (-each.inline, -each.hits, each.rule)))
