"""Findings that a person with write access accepted for exactly the commit under review.

An error is never accepted, nor a finding of a rule that nothing suppresses, nor one of several with the same
fingerprint: names of files can be chosen so that their findings share one, and a person has seen one of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from review_bot.changes.pull_request import PullRequest
from review_bot.findings import Examination, Finding, Suppressed
from review_bot.fingerprints import shared_fingerprints
from review_bot.records import NamedTuple
from review_bot.review.same_cause import SameCause


class Acceptance(NamedTuple):
    """Who accepted a finding, and why; both are texts of people."""

    by: str
    reason: str


NOTHING_ACCEPTED: Mapping[str, Acceptance] = {}


def with_accepted(
    change: PullRequest,
    examination: Examination,
    accepted: Mapping[str, Acceptance],
    unsuppressible: Collection[str],
    *,
    files: Collection[str] | None = None,
    declined: Collection[str] = (),
) -> Examination:
    """Return what was seen with accepted findings, by fingerprint, among the suppressed ones.

    ``unsuppressible``: ids of rules that nothing suppresses. To accept a finding accepts all that are reported with it,
    those in ``files`` alone if it was accepted for other texts of the rest. What is ``declined``, by fingerprint, is
    reported apart.
    """
    if not accepted:
        return examination
    shared = shared_fingerprints(each.fingerprint for each in examination.findings)
    accepted = {name: each for name, each in accepted.items() if name not in shared}
    of_group: dict[Finding, Acceptance] = {}
    for group in SameCause(change, declined).groups(examination.findings):
        first = next((accepted[each.fingerprint] for each in group if each.fingerprint in accepted), None)
        of_group |= (
            {}
            if first is None
            else dict.fromkeys((each for each in group if files is None or each.path in files), first)
        )
    moved: list[Suppressed] = []
    kept: list[Finding] = []
    for finding in examination.findings:
        acceptance = accepted.get(finding.fingerprint, of_group.get(finding))
        if acceptance is None or not may_be_accepted(finding, unsuppressible):
            kept.append(finding)
        else:
            moved.append(Suppressed(finding, "accepted", f"{acceptance.by}: {acceptance.reason}", None))
    return examination._replace(
        findings=tuple(kept),
        suppressed=(*examination.suppressed, *moved),
    )


def may_be_accepted(finding: Finding, unsuppressible: Collection[str]) -> bool:
    """Return whether a comment may let a finding pass the gate."""
    return finding.severity != "error" and finding.rule not in unsuppressible
