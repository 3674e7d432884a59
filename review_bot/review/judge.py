"""Findings and a policy give a review."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from review_bot.assessment.assessment import Guide, assess
from review_bot.changes.pull_request import PullRequest, Unreviewed
from review_bot.findings import Examination, Finding, Suppressed
from review_bot.records import NamedTuple
from review_bot.review.policy import Allowance, Policy
from review_bot.review.redaction import redactor, without_secrets
from review_bot.review.review import Review
from review_bot.review.same_cause import SameCause
from review_bot.review.verdict import decide
from review_bot.text.globs import matches_any

NO_BASELINE: Mapping[str, str] = MappingProxyType({})


class Decided(NamedTuple):
    """What people decided about findings: the ``baseline``, and what is ``declined``, by fingerprint, which counts."""

    baseline: Mapping[str, str] = NO_BASELINE
    declined: frozenset[str] = frozenset()


def judge(
    pull_request: PullRequest,
    examination: Examination,
    policy: Policy,
    decided: Decided,
    *,
    rules_digest: str,
    rules_run: int,
    rules: frozenset[str],
    guide: Guide,
) -> Review:
    """Set aside what the baseline knows and what may stay unreviewed, then decide, and assess the rest."""
    examination = without_secrets(pull_request, examination)
    old: list[Suppressed] = []
    open_findings: list[Finding] = []
    for finding in examination.findings:
        reason = None if finding.baseline_entry is None else decided.baseline.get(finding.baseline_entry)
        if reason is None:
            open_findings.append(finding)
        else:
            old.append(Suppressed(finding, "baseline", reason, None))
    open_findings = SameCause(pull_request, decided.declined).one_of_each(open_findings)
    allowed: list[Unreviewed] = []
    still_unreviewed: list[Unreviewed] = []
    for entry in examination.unreviewed:
        may_stay = any(_covers(each, entry) for each in policy.unreviewed_ok)
        (allowed if may_stay else still_unreviewed).append(entry)
    verdict = decide(open_findings, still_unreviewed, examination.failures, policy)
    review = Review(
        pull_request=pull_request,
        verdict=verdict,
        policy=policy,
        rules_digest=rules_digest,
        assessment=assess(
            pull_request,
            examination.profiles,
            [finding for finding in open_findings if not finding.moved],
            guide,
            complete=verdict.decision != "incomplete",
            silenced=[each.finding for each in (*examination.suppressed, *old)],
        ),
        examination=examination,
        findings=tuple(open_findings),
        suppressed=(*examination.suppressed, *old),
        unreviewed=tuple(still_unreviewed),
        allowed_unreviewed=tuple(allowed),
        rules_run=rules_run,
        rules=rules,
    )
    hidden = redactor(review)
    cards = review.assessment.checklist
    shown = tuple(
        each for each in cards if not hidden.must_redact(each.places[0].path, each.places[0].line, each.quote)
    )
    return review._replace(assessment=review.assessment._replace(checklist=shown))


def _covers(allowance: Allowance, entry: Unreviewed) -> bool:
    """Return whether a file may stay unreviewed. Where a largest size is set, a file of unknown size may not."""
    if not matches_any((allowance.path,), entry.path):
        return False
    return allowance.max_bytes is None or (entry.size is not None and entry.size <= allowance.max_bytes)
