"""Reports the findings of a rule that have one cause as one: a person decides about them, and fixes them, together."""

from __future__ import annotations

from collections.abc import Iterable

from review_bot.findings import Finding, Placement, Related, Severity
from review_bot.records import NamedTuple


class Cause(NamedTuple):
    """What findings of a rule share that are reported as one: the function around them, or their message."""

    rule: str
    shared: str


class _Kind(NamedTuple):
    """What findings must share to be reported as one."""

    cause: Cause
    severity: Severity
    placement: Placement


def cause_of(finding: Finding) -> Cause | None:
    """Return the cause of which a rule reports all findings as one; None for a finding that is reported alone."""
    return None if finding.cause is None else Cause(finding.rule, finding.cause)


def one_per_cause(findings: Iterable[Finding]) -> list[Finding]:
    """Return the first finding of each cause, with the others as related places, and all other findings.

    Moved, counted and fixable findings stay alone, and so do those that differ in severity or placement. Findings of
    the summary that share a message stay alone too: its row lists the places of all.
    """
    kept: list[Finding] = []
    first: dict[_Kind, int] = {}
    for finding in findings:
        cause = cause_of(finding)
        in_row = finding.placement == "summary" and finding.cause == finding.message
        if cause is None or in_row or not finding.listed or finding.suggestion is not None or finding.path is None:
            kept.append(finding)
            continue
        kind = _Kind(cause, finding.severity, finding.placement)
        if kind in first:
            leader = kept[first[kind]]
            place = Related(finding.path, finding.line, "same problem")
            kept[first[kind]] = leader._replace(related=(*leader.related, place))
        else:
            first[kind] = len(kept)
            kept.append(finding)
    return kept
