"""The report for a person at a terminal."""

from __future__ import annotations

from review_bot.findings import SEVERITY_WORDS
from review_bot.review.review import Review
from review_bot.review.verdict import DECISION_WORDS


def render(review: Review) -> str:
    """Return the report as plain text."""
    if not review.pull_request.files and not review.unreviewed:
        return "Nothing to review: the change is empty.\n"
    lines = []
    for finding in review.findings:
        where = f"{finding.path}:{finding.line}" if finding.line else finding.path or "whole change"
        moved = " (moved)" if finding.moved else ""
        lines.append(f"{where}  {SEVERITY_WORDS[finding.severity]}  {finding.rule}{moved}")
        lines.append(f"    {finding.message}")
    lines += [f"{entry.path}: not reviewed: {entry.reason}" for entry in review.unreviewed]
    lines += [f"{entry.rule} failed on {entry.path}: {entry.error}" for entry in review.failures]
    lines.append("")
    lines.append(f"{DECISION_WORDS[review.verdict.decision]}: {'; '.join(review.verdict.reasons) or 'nothing found'}")
    return "\n".join(lines) + "\n"
