"""The fixes that were verified together, and the suggestions that were skipped."""

from __future__ import annotations

from review_bot.findings import Finding, Fix
from review_bot.records import NamedTuple
from review_bot.reports import wording
from review_bot.reports.content.items import Item
from review_bot.review.review import Review


class VerifiedFix(NamedTuple):
    """A fix, the findings that it resolves (at least one), and the place of the first."""

    fix: Fix
    findings: tuple[Finding, ...]
    place: str


class FixList(NamedTuple):
    """``skipped``: place and rule of suggestions that are in no fix, and why."""

    verified: tuple[VerifiedFix, ...] = ()
    skipped: tuple[Item, ...] = ()


def fix_list(review: Review) -> FixList:
    """Return the fixes of a review; none if they were not asked for."""
    if review.fixes is None:
        return FixList()
    known = {finding.fingerprint: finding for finding in review.findings}
    declined = {each.fingerprint for each in review.context.declined}
    verified = tuple(
        VerifiedFix(
            fix, tuple(known[each] for each in fix.fingerprints if each in known), wording.fix_place(fix, known)
        )
        for fix in review.fixes.proven
        if not declined.issuperset(fix.fingerprints)
    )
    skipped = tuple(
        Item(f"{wording.fix_place(each.fix, known)} {each.fix.rule}", each.reason)
        for each in review.fixes.skipped
        if not declined.issuperset(each.fix.fingerprints)
    )
    return FixList(verified, skipped)
