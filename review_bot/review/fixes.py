"""The proven fixes of a review, and the one patch that applies them; made from our own texts; it is not parsed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from review_bot.changes import line_edits
from review_bot.changes.patching import split_lines
from review_bot.findings import Fix, Fixes, SkippedFix
from review_bot.review.redaction import Redactor, redactor
from review_bot.review.review import Review

BESIDE_A_CREDENTIAL = "the patch would repeat a credential on a neighbouring line; remove that first"
UNFIT = "its lines differ from the file"


def with_fixes(review: Review, fixes: Fixes, text_of: Callable[[str], str | None]) -> Review:
    """Return a review with the fixes of its open findings, and the patch from the head that applies them in order.

    ``text_of`` returns the whole text of a changed file at the head. What a linter or the baseline has taken out of the
    findings is not fixed, a line with a credential is in no patch, and a fix that contains one is not reported.
    """
    still = {finding.fingerprint for finding in review.findings}
    hidden = redactor(review)
    lines_of = cache(lambda path: split_lines(text_of(path) or ""))

    def may_be_shown(fix: Fix) -> bool:
        return fix.fingerprints[0] in still and not hidden.contains_secret(fix.suggestion.replacement)

    skipped = [each for each in fixes.skipped if may_be_shown(each.fix)]
    proven: list[Fix] = []
    parts: list[str] = []
    by_path: dict[str, list[Fix]] = {}
    for fix in fixes.proven:
        if not may_be_shown(fix):
            continue
        names = tuple(name for name in fix.fingerprints if name in still)
        if hidden.places and _repeats(fix, lines_of(fix.path), hidden):
            skipped.append(SkippedFix(fix._replace(fingerprints=names), BESIDE_A_CREDENTIAL))
        else:
            by_path.setdefault(fix.path, []).append(fix._replace(fingerprints=names))
    for path, group in sorted(by_path.items()):
        try:
            parts.append(line_edits.unified_diff(path, text_of(path) or "", [fix.suggestion for fix in group]))
            proven += group
        except ValueError:  # a process that reads hostile bytes has named these lines
            skipped += [SkippedFix(fix, UNFIT) for fix in group]
    skipped.sort(key=lambda each: (each.fix.path, each.fix.suggestion, each.reason))
    return review._replace(fixes=Fixes(tuple(proven), tuple(skipped)), patch="".join(parts))


def _repeats(fix: Fix, lines: list[str], hidden: Redactor) -> bool:
    """Return whether a patch with a fix would hold a line that must not be shown."""
    first, last, _ = fix.suggestion
    start = max(1, first - line_edits.CONTEXT)
    around = lines[start - 1 : last + line_edits.CONTEXT]
    return any(hidden.must_redact(fix.path, at, line) for at, line in enumerate(around, start))
