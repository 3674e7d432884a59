"""Reports the findings of a rule in one function as one: they have one cause, and a person fixes them together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from review_bot.findings import Finding, Placement, Related, Severity


class Function(NamedTuple):
    """A function as one rule reports on it; line 0 is the code outside functions."""

    rule: str
    path: str | None
    line: int


class _Kind(NamedTuple):
    """What findings must share to be reported as one."""

    function: Function
    severity: Severity
    placement: Placement


def function_of(finding: Finding) -> Function | None:
    """Return the function of which a rule reports all findings as one; None for a finding that is reported alone."""
    if finding.function_line is None:
        return None
    return Function(finding.rule, finding.path, finding.function_line)


def one_per_function(findings: Iterable[Finding]) -> list[Finding]:
    """Return the first finding of each rule in a function, with the others as related places, and all other findings.

    Moved, counted and fixable findings stay alone, and so do those that differ in severity or placement.
    """
    kept: list[Finding] = []
    first: dict[_Kind, int] = {}
    for finding in findings:
        function = function_of(finding)
        if function is None or not finding.listed or finding.suggestion is not None or finding.path is None:
            kept.append(finding)
            continue
        kind = _Kind(function, finding.severity, finding.placement)
        if kind in first:
            leader = kept[first[kind]]
            place = Related(finding.path, finding.line, "same problem")
            kept[first[kind]] = leader._replace(related=(*leader.related, place))
        else:
            first[kind] = len(kept)
            kept.append(finding)
    return kept
