"""The measures of a change; ``docs/scorecard.md`` documents each formula and its reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from review_bot.changes.profile import FileProfile
from review_bot.changes.pull_request import PullRequest
from review_bot.findings import Finding, at_least
from review_bot.records import NamedTuple

if TYPE_CHECKING:
    from review_bot.coverage.added_lines import Coverage

SMELLY = frozenset({"errors", "style", "api", "tensor", "precision", "memory"})
"""Families of rules whose findings are smells."""


class Share(NamedTuple):
    """``part`` of ``whole``; ``percent`` is rounded half up, None of nothing. ``target``: the percentage to reach."""

    part: int
    whole: int
    percent: int | None
    target: int


class Metrics(NamedTuple):
    """Measures of a change. ``coverage`` is None where no report was given: not measured, which is not 0."""

    lines_added: int
    lines_deleted: int
    code_lines_added: int
    docstring_coverage: Share
    type_hint_coverage: Share
    test_to_code_ratio: Share
    coverage: Share | None
    smells: int
    effort_minutes: int


def share(part: int, whole: int, target: int) -> Share:
    """Return a share with its percentage."""
    return Share(part, whole, (200 * part + whole) // (2 * whole) if whole else None, target)


def measure(
    pull_request: PullRequest,
    profiles: Sequence[FileProfile],
    findings: Sequence[Finding],
    coverage: Coverage | None = None,
) -> Metrics:
    """Measure a change by what was counted in its files and by what is open."""
    code = sum(each.code_lines for each in profiles)
    return Metrics(
        lines_added=pull_request.added,
        lines_deleted=pull_request.removed,
        code_lines_added=code,
        docstring_coverage=share(
            sum(each.documented for each in profiles), sum(each.definitions for each in profiles), 80
        ),
        type_hint_coverage=share(sum(each.annotated for each in profiles), sum(each.slots for each in profiles), 90),
        test_to_code_ratio=share(sum(each.test_lines for each in profiles), code, 50),
        coverage=share(coverage.covered, coverage.measurable, 80) if coverage and coverage.usable else None,
        smells=_smells(findings),
        effort_minutes=effort_minutes(findings),
    )


def effort_minutes(findings: Iterable[Finding]) -> int:
    """Return the minutes to fix the open findings: a further one of a rule in the same file adds a fifth of its effort.

    Findings that are only counted add nothing.
    """
    seen: set[tuple[str, str | None]] = set()
    fifths = 0
    for finding in findings:
        if not finding.listed:
            continue
        key = (finding.rule, finding.path)
        fifths += finding.effort_minutes * (1 if key in seen else 5)
        seen.add(key)
    return (2 * fifths + 5) // 10


def _smells(findings: Iterable[Finding]) -> int:
    """Count rules by file, where one of the families of ``smells`` has a finding above ``hint``."""
    return len(
        {
            (finding.rule, finding.path)
            for finding in findings
            if finding.rule.partition("/")[0] in SMELLY and at_least(finding.severity, "info")
        }
    )
