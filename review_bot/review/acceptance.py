"""Findings that a person with write access accepted for exactly the commit under review.

An error is never accepted, nor a finding of a rule that nothing suppresses.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from review_bot.findings import Examination, Finding, Suppressed


class Acceptance(NamedTuple):
    """Who accepted a finding, and why; both are texts of people."""

    by: str
    reason: str


NOTHING_ACCEPTED: Mapping[str, Acceptance] = {}


def with_accepted(examination: Examination, accepted: Mapping[str, Acceptance], locked: Collection[str]) -> Examination:
    """Return what was seen with accepted findings, by fingerprint, among the suppressed ones.

    ``locked``: ids of rules that nothing suppresses.
    """
    chosen = [each for each in examination.findings if each.fingerprint in accepted and may_be_accepted(each, locked)]
    moved = []
    for finding in chosen:
        by, reason = accepted[finding.fingerprint]
        moved.append(Suppressed(finding, "accepted", f"{by}: {reason}", None))
    return examination._replace(
        findings=tuple(each for each in examination.findings if each not in chosen),
        suppressed=(*examination.suppressed, *moved),
    )


def may_be_accepted(finding: Finding, locked: Collection[str]) -> bool:
    """Return whether a comment may let a finding pass the gate."""
    return finding.severity != "error" and finding.rule not in locked
