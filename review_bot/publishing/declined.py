"""Which findings someone declined.

What is declined is a statement in a file: its fingerprint, or, where that is not there any more, the same rule and
statement in that file by whatever name. Another statement is another finding. One that is declined has no comment that
shows, and no row among the open ones; for the verdict it is open. Findings with one fingerprint stay open: names of
files can be chosen so that they share it, and a person has seen one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from review_bot.changes.pull_request import ChangedFile
from review_bot.comments.model import Declined
from review_bot.findings import Finding
from review_bot.fingerprints import statement_part
from review_bot.publishing.matching import renamed
from review_bot.review.acceptance import shared_fingerprints
from review_bot.review.context import DeclinedFinding
from review_bot.review.review import Review


def with_declined(review: Review, records: Iterable[Declined]) -> Review:
    """Return a review whose context names its declined findings."""
    files = {file.path: file for file in review.pull_request.files}
    found = declined_findings(review.findings, records, files)
    declined = tuple(DeclinedFinding(name, record.by, record.reason) for name, (_, record) in found.items())
    return review._replace(context=review.context._replace(declined=declined))


def declined_findings(
    findings: Iterable[Finding], records: Iterable[Declined], files: Mapping[str, ChangedFile]
) -> dict[str, tuple[Finding, Declined]]:
    """Return declined findings and their records by fingerprint, in the order of the findings; the newest wins."""
    findings = list(findings)
    shared = shared_fingerprints(findings)
    there = {finding.fingerprint: finding for finding in findings if finding.fingerprint not in shared}
    records = sorted(records, key=lambda each: each.id)
    found = {name: (there[name], record) for record in records for name in record.fingerprints if name in there}
    left: dict[str, list[Finding]] = {}
    for name, finding in there.items():
        if name not in found:
            left.setdefault(statement_part(name), []).append(finding)
    for record in records:
        for name in dict.fromkeys(record.fingerprints):
            same = [each for each in left.get(statement_part(name), []) if _in_file(record.path, each.path, files)]
            if name not in there and name not in shared and same:
                left[statement_part(name)].remove(same[0])
                found[same[0].fingerprint] = (same[0], record)
    return {name: found[name] for name in there if name in found}


def _in_file(before: str | None, now: str | None, files: Mapping[str, ChangedFile]) -> bool:
    return before is not None and (before == now or renamed(before, now, files))
