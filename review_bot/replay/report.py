"""Figures to text: tables for a person, or one JSON document. The same replay gives the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from review_bot.forges.line_survival import DAYS
from review_bot.replay.comparison import Comparison, comparison_data
from review_bot.replay.figures import Figures, LaterFigures, Red, Share
from review_bot.replay.outcome import Outcome
from review_bot.replay.recorded import SCHEMA, Recorded, outcome_data
from review_bot.review.verdict import DECISION_WORDS
from review_bot.text.listing import count, first_of

_PLACED = {"inline": "line"}
"""The words of the output for placements, where they differ."""

MOST_NAMED = 10
"""Pull requests that a line names; the rest are counted."""


def render_terminal(figures: Figures, outcomes: Iterable[Outcome], *, list_findings: bool) -> str:
    """Return the figures as plain tables, behind every finding if they are to be listed."""
    parts = [_listing(outcomes)] if list_findings else []
    parts += [
        _rules(figures),
        _cards(figures),
        _later(figures.later),
        _verdicts(figures),
        _gaps(figures),
        _totals(figures),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def render_json(figures: Figures, replay: Recorded) -> str:
    """Return figures and outcomes as one JSON document."""
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "branch": replay.branch,
        "rules_digest": replay.rules_digest,
        "shard": str(replay.shard),
        "totals": {
            name: getattr(figures, name)
            for name in (
                "reviewed", "added", "median_added", "comments", "median_comments", "p90_comments",
                "comments_per_1000", "findings", "suppressed",
            )
        },
        "decisions": dict(figures.decisions),
        "red": [_red_data(each) for each in figures.red],
        "rules": [each._asdict() for each in figures.rules],
        "cards": [each._asdict() for each in figures.cards],
        "unreviewed": [
            {"pull_request": name, "path": entry.path, "reason": entry.reason} for name, entry in figures.unreviewed
        ],
        "failures": [{"pull_request": name, **entry._asdict()} for name, entry in figures.failures],
        "broken": [{"pull_request": name, "error": error} for name, error in figures.broken],
        "empty": list(figures.empty),
        "later": _later_data(figures.later),
        "skipped": [each._asdict() for each in figures.skipped],
        "pull_requests": [outcome_data(each) for each in replay.outcomes],
    }  # fmt: skip
    return json.dumps(document, indent=2) + "\n"


def _later_data(later: LaterFigures | None) -> dict[str, Any] | None:
    if later is None:
        return None
    return {
        "days": DAYS,
        "flagged": _share_data(later.flagged),
        "added": _share_data(later.added),
        "rules": {rule: _share_data(share) for rule, share in later.rules},
    }


def _share_data(share: Share) -> dict[str, Any]:
    return {**share._asdict(), "percent": share.percent}


def _red_data(red: Red) -> dict[str, Any]:
    return {**red._asdict(), "findings": [finding._asdict() for finding in red.findings]}


def _listing(outcomes: Iterable[Outcome]) -> str:
    lines = []
    for outcome in outcomes:
        if not outcome.findings:
            continue
        lines.append(f"{outcome.past.name} {outcome.past.head[:10]} +{outcome.added} {outcome.past.title}".rstrip())
        for finding in outcome.findings:
            mark = " (moved)" if finding.moved else " (counted)" if finding.counted else ""
            place = _PLACED.get(finding.placement, finding.placement)
            lines.append(f"  {finding.where}  {finding.severity} {place} {finding.rule}{mark}")
            lines.append(f"      {finding.message}")
    return "\n".join(lines)


def _rules(figures: Figures) -> str:
    head = ("rule", "severity", "hits", "PRs", "line", "file", "summary", "counted", "moved", "line/1k")
    rows = [
        (
            each.rule, "/".join(each.severities), str(each.hits), str(each.pull_requests), str(each.inline),
            str(each.in_file), str(each.summary), str(each.counted), str(each.moved), f"{each.per_1000:.2f}",
        )
        for each in figures.rules
    ]  # fmt: skip
    return _table(head, rows, left=2) if rows else "No findings."


def _cards(figures: Figures) -> str:
    head = ("card", "PRs", "%", "shown")
    rows = [(each.card, str(each.pull_requests), f"{each.percent:.1f}", str(each.shown)) for each in figures.cards]
    return _table(head, rows, left=1) if rows else ""


def _later(later: LaterFigures | None) -> str:
    if later is None:
        return ""
    head = (f"lines changed before the merge or within {DAYS} days", "lines", "changed", "%")
    every = [("all added lines", later.added), ("with a comment on a line", later.flagged)]
    every += [(f"  {rule}", share) for rule, share in later.rules]
    rows = [(name, f"{share.lines:,}", f"{share.changed:,}", f"{share.percent:.1f}") for name, share in every]
    return _table(head, rows, left=1)


def _verdicts(figures: Figures) -> str:
    words = [f"{DECISION_WORDS[name]}: {number}" for name, number in figures.decisions]  # type: ignore[index]  # the keys are decisions
    lines = ["Verdicts   " + " · ".join(words)]
    for red in figures.red:
        lines.append(f"  red  {red.name}  {'; '.join(red.reasons)}")
        lines += [f"       {finding.where}  {finding.rule}: {finding.message}" for finding in red.findings]
    return "\n".join(lines)


def _gaps(figures: Figures) -> str:
    lines = [f"  {name}  broken: {error}" for name, error in figures.broken]
    lines += [f"  {name}  rule failed: {e.rule} on {e.path}: {e.error}" for name, e in figures.failures]
    lines += [f"  {name}  unreviewed: {e.path}: {e.reason}" for name, e in figures.unreviewed]
    for reason in dict.fromkeys(each.reason for each in figures.skipped):
        lines.append(f"  skipped: {_named([e.name for e in figures.skipped if e.reason == reason])}: {reason}")
    if figures.empty:
        lines.append(f"  empty: {_named(figures.empty)}")
    return "\n".join(["Gaps", *lines]) if lines else ""


def _named(names: Sequence[str]) -> str:
    return first_of(names, MOST_NAMED)


def _totals(figures: Figures) -> str:
    empty, skipped, broken = len(figures.empty), len(figures.skipped), len(figures.broken)
    reviewed = count(figures.reviewed, "pull request")
    comments = count(figures.comments, "comment on a line", "comments on lines")
    lines = (
        f"Totals     {reviewed} reviewed; {empty} empty, {skipped} skipped, {broken} broken",
        f"           {figures.added:,} added lines, median {figures.median_added:g} per pull request",
        f"           {count(figures.findings, 'finding')}, {figures.suppressed} suppressed",
        f"           {comments}, {figures.comments_per_1000:.2f} per 1,000 added lines",
        f"           per pull request: median {figures.median_comments:g}, 90th percentile {figures.p90_comments:g}",
    )
    return "\n".join(lines)


def render_comparison(comparison: Comparison, revision: str, *, list_findings: bool) -> str:
    """Return what two versions of the rules say differently, as plain tables."""
    parts = []
    if list_findings:
        pairs = (("new", comparison.new), ("gone", comparison.gone))
        lines = [
            f"{word}  {each.pull_request} {each.finding.where}  {each.finding.severity} {each.finding.placement} "
            f"{each.finding.rule}\n      {each.finding.message}"
            for word, differences in pairs
            for each in differences
        ]
        parts.append("\n".join(lines))
    head = ("rule", f"hits at {revision}", "hits now", "new", "gone")
    rows = [(each.rule, *(str(number) for number in each[1:])) for each in comparison.rules]
    parts.append(_table(head, rows, left=1) if rows else "No differences.")
    parts += ["\n".join(f"  {each.pull_request}  {each.before} → {each.after}" for each in comparison.verdicts)]
    compared = count(comparison.compared, "pull request")
    verdicts = count(len(comparison.verdicts), "verdict")
    changes = f"{len(comparison.new)} findings new, {len(comparison.gone)} gone, {verdicts} changed"
    parts.append(f"Compared   {compared}: {changes}")
    return "\n\n".join(part for part in parts if part) + "\n"


def render_comparison_json(comparison: Comparison, revision: str) -> str:
    """Return the same as one JSON document."""
    return json.dumps(comparison_data(comparison, revision), indent=2) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], *, left: int) -> str:
    """Align columns; the first ``left`` ones to the left, the others to the right."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *rows)
    )
