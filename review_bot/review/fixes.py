"""The proven fixes of a review, and the one patch that applies them; made from our own texts, which nobody parses."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from review_bot.changes import line_edits
from review_bot.findings import CONFIDENTIAL, Finding, Fix, Fixes, HeldFix
from review_bot.review.confidentiality import secret_words
from review_bot.review.review import Review

BESIDE_A_CREDENTIAL = "a patch would repeat the credential that stands beside it; take that out first"
UNFIT = "its lines are not those of the file"


def with_fixes(review: Review, fixes: Fixes, text_of: Callable[[str], str | None]) -> Review:
    """Return a review with the fixes of its open findings, and the patch from the head that applies them in order.

    ``text_of`` returns the whole text of a changed file at the head. What a linter or the baseline has taken out of the
    findings is not fixed, a line with a credential is in no patch, and a fix that holds one is told nowhere.
    """
    still = {finding.fingerprint for finding in review.findings}
    told = (*review.findings, *(entry.finding for entry in review.suppressed))
    secrets = [finding for finding in told if finding.rule in CONFIDENTIAL]
    words = secret_words(review.pull_request, {(each.path, each.line) for each in secrets})

    def may_be_told(fix: Fix) -> bool:
        return fix.fingerprints[0] in still and not any(word in fix.suggestion.replacement for word in words)

    held = [each for each in fixes.held if may_be_told(each.fix)]
    proven: list[Fix] = []
    parts: list[str] = []
    by_path: dict[str, list[Fix]] = {}
    for fix in fixes.proven:
        if not may_be_told(fix):
            continue
        names = tuple(name for name in fix.fingerprints if name in still)
        if _is_beside(fix, secrets):
            held.append(HeldFix(fix._replace(fingerprints=names), BESIDE_A_CREDENTIAL))
        else:
            by_path.setdefault(fix.path, []).append(fix._replace(fingerprints=names))
    for path, group in sorted(by_path.items()):
        try:
            parts.append(line_edits.unified_diff(path, text_of(path) or "", [fix.suggestion for fix in group]))
            proven += group
        except ValueError:  # a process that reads hostile bytes has named these lines
            held += [HeldFix(fix, UNFIT) for fix in group]
    held.sort(key=lambda each: (each.fix.path, each.fix.suggestion, each.reason))
    return review._replace(fixes=Fixes(tuple(proven), tuple(held)), patch="".join(parts))


def _is_beside(fix: Fix, secrets: Iterable[Finding]) -> bool:
    first, last, _ = fix.suggestion
    return any(
        each.path == fix.path
        and each.line is not None
        and first - line_edits.CONTEXT <= (each.end_line or each.line)
        and each.line <= last + line_edits.CONTEXT
        for each in secrets
    )
