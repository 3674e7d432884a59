"""Which findings someone declined.

What is declined is a statement in a file: its fingerprint, or, where that is not there any more, the same rule and
statement in that file by whatever name. Another statement is another finding. One that is declined has no comment that
shows, no row among the open ones, and no fix; for the verdict it is open. Findings with one fingerprint stay open:
names of files can be chosen so that they share it, and a person has seen one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from review_bot.changes.pull_request import ChangedFile
from review_bot.comments.model import Declined
from review_bot.findings import Finding
from review_bot.fingerprints import shared_fingerprints, statement_part
from review_bot.review.context import DeclinedFinding
from review_bot.review.review import Review


def declined_findings(
    findings: Iterable[Finding], records: Iterable[Declined], files: Iterable[ChangedFile]
) -> dict[str, Declined]:
    """Return the records of declined findings by fingerprint, in the order of the findings; the newest wins.

    A finding is declined with any of its places.
    """
    records = sorted(records, key=lambda each: each.id)
    if not records:
        return {}
    present = {file.path: file for file in files}
    places = [(place, finding.fingerprint) for finding in findings for place in finding.places]
    shared = shared_fingerprints(place.fingerprint for place, _ in places)
    there = {place.fingerprint: place.path for place, _ in places if place.fingerprint not in shared}
    found = {name: record for record in records for name in record.fingerprints if name in there}
    left: dict[str, list[str]] = {}
    for name in there:
        if name not in found:
            left.setdefault(statement_part(name), []).append(name)
    for record in records:
        for name in dict.fromkeys(record.fingerprints):
            same = [each for each in left.get(statement_part(name), []) if _in_file(record.path, there[each], present)]
            if name not in there and name not in shared and same:
                left[statement_part(name)].remove(same[0])
                found[same[0]] = record
    return {reported: found[place.fingerprint] for place, reported in places if place.fingerprint in found}


def with_declined(review: Review, declined: Mapping[str, Declined]) -> Review:
    """Return a review whose context names those of its findings that are declined, with who and why."""
    by_name = {each.fingerprint: declined[each.fingerprint] for each in review.findings if each.fingerprint in declined}
    named = tuple(DeclinedFinding(name, record.by, record.reason) for name, record in by_name.items())
    return review._replace(context=review.context._replace(declined=named))


def _in_file(before: str | None, now: str | None, present: Mapping[str, ChangedFile]) -> bool:
    return before is not None and (before == now or renamed(before, now, present))


def renamed(before: str | None, now: str | None, present: Mapping[str, ChangedFile]) -> bool:
    """Return whether a file may have been renamed since an earlier push: the old path is gone, the new one added."""
    if before is None or now is None or now not in present:
        return False
    is_new = present[now].status not in {"modified", "retyped", "deleted"}
    is_gone = before not in present or present[before].status == "deleted"
    return is_new and is_gone
