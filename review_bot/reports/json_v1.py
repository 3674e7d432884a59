"""The machine-readable report, version 1: see ``docs/report-v1.schema.json``. Same review in, same bytes out."""

from __future__ import annotations

import json
from typing import Any

from review_bot.advice.checklist import checks
from review_bot.advice.merge_criteria import criteria
from review_bot.advice.next_steps import next_steps
from review_bot.advice.strengths import strengths
from review_bot.assessment.assessment import Assessment
from review_bot.assessment.metrics import Share
from review_bot.changes.pull_request import Unreviewed
from review_bot.findings import INTERNAL, Finding, Fix, Fixes, Related, Suppressed
from review_bot.review.review import Review
from review_bot.version import VERSION

SCHEMA = "review-bot/report/v1"


def render(review: Review) -> str:
    """Return the report as one JSON document."""
    data = document(review)
    text = json.dumps(data, indent=2) + "\n"
    if "\\ud" in text:  # half a surrogate pair is a byte that is not UTF-8, and strict readers reject it
        text = json.dumps(_as_characters(data), indent=2) + "\n"
    return text


def document(review: Review) -> dict[str, Any]:
    """Return the report as plain data."""
    change, verdict, policy = review.pull_request, review.verdict, review.policy
    return {
        "schema": SCHEMA,
        "tool": {"name": "review-bot", "version": VERSION, "rules_digest": review.rules_digest},
        "policy": {"source": policy.source, "sha": policy.sha, "digest": policy.digest},
        "change": {
            "repository": change.repository,
            "number": change.number,
            "base": change.base,
            "merge_base": change.merge_base,
            "head": change.head,
            "title": change.title,
            "files": len(change.files),
            "added": change.added,
            "removed": change.removed,
        },
        "verdict": {
            "decision": verdict.decision,
            "passed": verdict.passed,
            "fail_on": verdict.fail_on,
            "reasons": list(verdict.reasons),
            "score": review.assessment.scorecard.score,
        },
        "findings": [finding_data(finding) for finding in review.findings],
        "suppressed": [suppressed_data(entry) for entry in review.suppressed],
        "no_text": [entry._asdict() for entry in review.examination.no_text],
        "unreviewed": [unreviewed_data(entry, allowed=False) for entry in review.unreviewed]
        + [unreviewed_data(entry, allowed=True) for entry in review.allowed_unreviewed],
        "ignored": list(review.examination.ignored),
        "left_out": [entry._asdict() for entry in review.examination.left_out],
        "reach": {
            "languages": [each._asdict() for each in review.reach.languages],
            "without_rules": [each._asdict() for each in review.reach.without_rules],
            "data_files": list(review.reach.data_files),
        },
        "not_run": [entry._asdict() for entry in review.examination.not_run],
        "failures": [entry._asdict() for entry in review.examination.failures],
        "effort_minutes": review.minutes,
        **assessment_data(review.assessment),
        **dossier_data(review),
    }


def dossier_data(review: Review) -> dict[str, Any]:
    """Return what follows from the review, and its context; what was not requested is None."""
    plan, around = next_steps(review), review.context
    return {
        "criteria": [each._asdict() for each in criteria(review)],
        "checks": [each._asdict() for each in checks(review)],
        "plan": plan._asdict() | {"steps": [step._asdict() for step in plan.steps]},
        "strengths": list(strengths(review)),
        "fixes": None if review.fixes is None else fixes_data(review.fixes),
        "owners": None
        if around.owners is None
        else around.owners._asdict() | {"owned": [each._asdict() for each in around.owners.owned]},
        "tests": None if around.tests is None else [each._asdict() for each in around.tests],
        "overlaps": None
        if around.overlaps is None
        else around.overlaps._asdict() | {"found": [each._asdict() for each in around.overlaps.found]},
        "pull_request_status": None if around.status is None else around.status._asdict(),
        "declined": [each._asdict() for each in around.declined],
    }


def fixes_data(fixes: Fixes) -> dict[str, Any]:
    """Return the fixes that can be applied together, and the skipped ones, as plain data."""
    return {
        "proven": [_fix(each) for each in fixes.proven],
        "skipped": [{"fix": _fix(each.fix), "reason": each.reason} for each in fixes.skipped],
    }


def _fix(fix: Fix) -> dict[str, Any]:
    return fix._asdict() | {"suggestion": fix.suggestion._asdict()}


def assessment_data(assessment: Assessment) -> dict[str, Any]:
    """Return measures, scores, areas and cards as plain data."""
    metrics, scorecard = assessment.metrics, assessment.scorecard
    return {
        "metrics": {
            name: value._asdict() if isinstance(value, Share) else value for name, value in metrics._asdict().items()
        },
        "scorecard": {
            "score": scorecard.score,
            "reason": scorecard.reason,
            "aspects": [aspect._asdict() for aspect in scorecard.aspects],
            "basis": scorecard.basis,
        },
        "focus": [area._asdict() for area in assessment.areas],
        "checklist": [
            card._asdict() | {"places": [place._asdict() for place in card.places]} for card in assessment.checklist
        ],
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """Return one finding as plain data."""
    data = {name: value for name, value in finding._asdict().items() if name not in INTERNAL}
    data["related"] = [_related(place) for place in (*finding.related, *finding.same_elsewhere)]
    data["suggestion"] = finding.suggestion._asdict() if finding.suggestion is not None else None
    return data


def _related(place: Related) -> dict[str, Any]:
    holds = None if place.holds is None else [each._asdict() for each in place.holds]
    return place._asdict() | {"holds": holds}


def suppressed_data(entry: Suppressed) -> dict[str, Any]:
    """Return one suppressed finding as plain data, with who silenced it and why."""
    return {
        **finding_data(entry.finding),
        "suppressed_by": entry.by,
        "reason": entry.reason,
        "suppressed_line": entry.line,
    }


def unreviewed_data(entry: Unreviewed, *, allowed: bool) -> dict[str, Any]:
    """Return one file whose text was not read as plain data, with whether the policy lets it pass."""
    return {"path": entry.path, "reason": entry.reason, "allowed": allowed}


def _as_characters(data: Any) -> Any:
    r"""Return plain data in which a byte that is not UTF-8 is written as ``\xNN``."""
    if isinstance(data, dict):
        return {key: _as_characters(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_as_characters(value) for value in data]
    if isinstance(data, str) and not data.isascii():
        try:
            return data.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        except UnicodeEncodeError:  # half a pair that stands for no byte, such as a string in the code under review
            return data.encode("utf-8", "backslashreplace").decode()
    return data
