"""Compares what was found in a change with what is found once fixes are applied.

A finding is known again by its rule, its path and its statement, as across pushes, or by its place in lines that a fix
has written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from review_bot.engine.file_examination import FileResult
from review_bot.findings import Examination, Finding, Fix, Suppressed
from review_bot.records import NamedTuple

REMAINS = "it does not resolve its finding"
ANOTHER = "it would cause a new finding"


def new_finding_of(rule: str) -> str:
    """Return the reason why a fix does not hold that brings a finding of a rule."""
    return f"{ANOTHER} of `{rule}`"


Key = tuple[str, str | None, str, bool, bool, str]


def is_worse(before: FileResult | Examination, after: FileResult | Examination) -> bool:
    """Return whether less was examined, in a file or in the change, than before: more failed, or did not run."""
    return (
        not {each.rule for each in after.failures} <= {each.rule for each in before.failures}
        or not {*after.unreviewed} <= {*before.unreviewed}
        or not {each.rule for each in after.not_run} <= {each.rule for each in before.not_run}
    )


class Occurrence(NamedTuple):
    """A finding, and whether it is suppressed."""

    finding: Finding
    suppressed: bool

    @property
    def key(self) -> Key:
        """What identifies it wherever it is in its file."""
        each = self.finding
        return each.rule, each.path, each.side, each.moved, self.suppressed, each.fingerprint[:16]


def occurrences(findings: Iterable[Finding], suppressed: Iterable[Suppressed]) -> list[Occurrence]:
    """Return the findings that are open and those that are suppressed, to compare."""
    return [*(Occurrence(each, False) for each in findings), *(Occurrence(each.finding, True) for each in suppressed)]


def compare(
    before: Sequence[Occurrence], after: Sequence[Occurrence], fixes: Iterable[Fix]
) -> tuple[str | None, list[Finding], list[Finding]]:
    """Return why fixes do not hold together (None: they do), what else appears, and what else goes."""
    by_path: dict[str, list[Fix]] = {}
    for fix in fixes:
        by_path.setdefault(fix.path, []).append(fix)
    named = {name for group in by_path.values() for fix in group for name in fix.fingerprints}
    settled = {each.key for each in before if each.finding.fingerprint in named}
    gone = [each for each in before if each.finding.fingerprint not in named]
    left = Counter(each.key for each in gone)
    appeared: list[Occurrence] = []
    for each in after:
        if left[each.key] > 0:
            left[each.key] -= 1
        else:
            appeared.append(each)
    gone = [each for each in gone if _counts_down(left, each.key)]
    for each in list(appeared):
        group = by_path.get(each.finding.path or "", [])
        same = next((other for other in gone if _is_rewritten(other, each, group)), None)
        if same is not None:
            gone.remove(same)
            appeared.remove(each)
    reason = None
    if appeared:
        remains = any(each.key in settled for each in appeared)
        reason = REMAINS if remains else new_finding_of(min(each.finding.rule for each in appeared))
    return reason, [each.finding for each in appeared], [each.finding for each in gone if not each.suppressed]


def _counts_down(left: Counter[Key], key: Key) -> bool:
    left[key] -= 1
    return left[key] >= 0


def _is_rewritten(before: Occurrence, after: Occurrence, fixes: Sequence[Fix]) -> bool:
    """Return whether two findings are one, of which a fix has rewritten the statement."""
    if before.key[:-1] != after.key[:-1] or before.finding.line is None or after.finding.line is None:
        return False
    shift = 0
    for fix in fixes:
        first, last, replacement = fix.suggestion
        lines = replacement.count("\n") + 1 if replacement else 0
        if first <= before.finding.line <= last and first <= after.finding.line - shift < first + lines:
            return True
        shift += lines - (last - first + 1)
    return False
