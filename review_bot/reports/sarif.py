"""The report as SARIF 2.1.0, for code scanning and for editors.

What code scanning asks for beyond the standard is kept: every result has a location with a line, addresses are
percent-encoded and relative to ``%SRCROOT%``. Lines and columns are those of the head of the change: a result on a
deleted line is at the line that took its place, and its message names the line of the base. The results are the
findings of the JSON report with the suppressed ones, up to the number that code scanning accepts; what a person
declined is suppressed too, so that it comes back in no tool. Source:
https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from review_bot.findings import Finding, Related, Severity, Suggestion, Suppressed
from review_bot.reports import wording
from review_bot.reports.content.deleted_lines import HeadPlace, place_at_head
from review_bot.review.context import DeclinedFinding
from review_bot.review.review import Review
from review_bot.text.file_name import to_bytes
from review_bot.version import VERSION

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
FINGERPRINT = "reviewBotFingerprint/v1"
MOST_RESULTS = 25_000
"""Results of a run; code scanning refuses a file with more."""

_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note", "hint": "note"}
_PROBLEM_SEVERITIES: dict[Severity, str] = {
    "error": "error",
    "warning": "warning",
    "info": "recommendation",
    "hint": "recommendation",
}


def render(review: Review) -> str:
    """Return the report as one JSON document."""
    return json.dumps(document(review), indent=2) + "\n"


def document(review: Review) -> dict[str, Any]:
    """Return the report as plain data."""
    reported: list[tuple[Finding, Suppressed | None]] = [(finding, None) for finding in review.findings]
    reported += [(entry.finding, entry) for entry in review.suppressed]
    cut = max(len(reported) - MOST_RESULTS, 0)
    if cut:
        reported = sorted(reported, key=lambda entry: (entry[1] is not None, entry[0].rank))
        reported = reported[:MOST_RESULTS]
    place = _place_of_the_whole(review)
    speakers = {finding.rule: finding for finding, _ in reversed(reported)}
    declined = {each.fingerprint: each for each in review.context.declined}
    index = {rule: number for number, rule in enumerate(sorted(speakers))}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Review Bot",
                        "semanticVersion": VERSION,
                        "rules": [_rule(speakers[rule]) for rule in sorted(speakers)],
                    }
                },
                "automationDetails": {"id": "review-bot/"},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the reviewed repository."}}},
                "invocations": [_invocation(review, cut)],
                "results": [
                    _result(
                        finding,
                        _suppression(finding, entry, declined),
                        index[finding.rule],
                        place_at_head(review.pull_request, finding) or _place(finding, place),
                    )
                    for finding, entry in reported
                ],
                "properties": {"rulesDigest": review.rules_digest, "decision": review.verdict.decision},
            }
        ],
    }


def _rule(finding: Finding) -> dict[str, Any]:
    """Return a rule as one of its findings describes it."""
    help_text = " ".join(part for part in (finding.why, finding.instead) if part) or finding.title
    rule: dict[str, Any] = {
        "id": _text(finding.rule),
        "name": _text(finding.title),
        "shortDescription": {"text": _text(finding.title)},
        "fullDescription": {"text": _text(finding.why or finding.title)},
        "help": {"text": _text(help_text)},
        "defaultConfiguration": {"level": _LEVELS[finding.severity]},
        "properties": {
            "tags": [finding.aspect],
            "precision": finding.confidence,
            "problem.severity": _PROBLEM_SEVERITIES[finding.severity],
        },
    }
    if finding.url.startswith("https://"):
        rule["helpUri"] = quote(finding.url, safe=":/?#[]@!$&'()*+,;=%-._~", errors="replace")
    return rule


def _place_of_the_whole(review: Review) -> str | None:
    """Return the file that represents the whole change: the first that exists at the head.

    Code scanning refuses a result without a location, and shows none at a file that does not exist.
    """
    return min((file.path for file in review.pull_request.files if file.status != "deleted"), default=None)


def _suppression(
    finding: Finding, entry: Suppressed | None, declined: Mapping[str, DeclinedFinding]
) -> dict[str, str] | None:
    """Return why a finding is no work, None if it is: it was suppressed, accepted or declined."""
    if entry is not None:
        kind, justification = "inSource" if entry.by in {"comment", "noqa"} else "external", entry.reason
    elif finding.fingerprint in declined:
        by = declined[finding.fingerprint]
        kind, justification = "external", f"{by.by}: {by.reason}"
    else:
        return None
    return {"kind": kind, "status": "accepted", "justification": _text(justification)}


def _place(finding: Finding, whole: str | None) -> HeadPlace | None:
    path = whole if finding.path is None else finding.path
    return None if path is None else HeadPlace(path, finding.line or 1)


def _result(finding: Finding, suppression: dict[str, str] | None, rule: int, where: HeadPlace | None) -> dict[str, Any]:
    deleted = f" (Deleted line {finding.line} of the base.)" if finding.side == "LEFT" and finding.line else ""
    result: dict[str, Any] = {
        "ruleId": _text(finding.rule),
        "ruleIndex": rule,
        "level": "note" if finding.moved else _LEVELS[finding.severity],
        "message": {"text": _message(finding.message + deleted)},
        "locations": [] if where is None else [_location(finding, where)],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "properties": {
            "severity": finding.severity,
            "confidence": finding.confidence,
            "placement": finding.placement,
            "moved": finding.moved,
            "counted": finding.counted,
            "side": finding.side,
            "effortMinutes": finding.effort_minutes,
        },
    }
    related = (*finding.same_elsewhere, *finding.see_also)
    if related:
        result["relatedLocations"] = [
            {"id": number, **_related(place, "See also.")} for number, place in enumerate(related, 1)
        ]
    if finding.steps and where is not None:
        result["codeFlows"] = [{"threadFlows": [{"locations": _steps(finding, where)}]}]
    if finding.suggestion is not None and finding.path is not None:
        result["fixes"] = [_fix(finding.path, finding.suggestion, finding.instead or finding.title)]
    if suppression is not None:
        result["suppressions"] = [suppression]
    return result


def _location(finding: Finding, where: HeadPlace) -> dict[str, Any]:
    region: dict[str, int] = {"startLine": where.line}
    if finding.line is not None and finding.side == "RIGHT":
        if finding.column is not None:
            region["startColumn"] = finding.column
        if finding.end_line is not None and finding.end_line >= finding.line:
            region["endLine"] = finding.end_line
        if finding.column is not None and finding.end_column is not None:
            region["endColumn"] = finding.end_column
    return {"physicalLocation": {"artifactLocation": _artifact(where.path), "region": region}}


def _related(place: Related, unsaid: str) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(place.path),
            "region": {"startLine": max(place.line or 1, 1)},
        },
        "message": {"text": _message(place.note or unsaid)},
    }


def _steps(finding: Finding, where: HeadPlace) -> list[dict[str, Any]]:
    """Return the steps of a finding as the locations of a thread flow, which ends at the finding (section 3.36)."""
    steps: list[dict[str, Any]] = []
    for step in finding.steps:
        steps.append({"location": _related(step, "Step."), "importance": "essential"})
        if step.holds:
            steps[-1]["state"] = {_text(each.place): {"text": _message(each.value)} for each in step.holds}
    end = {**_location(finding, where), "message": {"text": _message(finding.title)}}
    return [*steps, {"location": end, "importance": "essential"}]


def _artifact(path: str) -> dict[str, str]:
    return {"uri": quote(to_bytes(path), safe="/-._~"), "uriBaseId": ROOT}


def _fix(path: str, suggestion: Suggestion, description: str) -> dict[str, Any]:
    """Return a suggestion as a fix: without columns a region is its whole lines, without the last line end."""
    first, last, replacement = suggestion
    change: dict[str, Any] = {"deletedRegion": {"startLine": first, "endLine": last}}
    if replacement:
        change["insertedContent"] = {"text": _text(replacement)}
    else:
        change["deletedRegion"] = {"startLine": first, "startColumn": 1, "endLine": last + 1, "endColumn": 1}
    return {
        "description": {"text": _message(description)},
        "artifactChanges": [{"artifactLocation": _artifact(path), "replacements": [change]}],
    }


def _invocation(review: Review, cut: int) -> dict[str, Any]:
    said = [_notification("error", f"Not reviewed: {e.reason}", path=e.path) for e in review.unreviewed]
    said += [
        _notification("error", f"Rule failed: {e.error}", rule=e.rule, path=e.path) for e in review.examination.failures
    ]
    said += [
        _notification("note", f"No language-specific rule ran on this file ({e.language})", path=e.path)
        for e in review.reach.without_rules
    ]
    said += [_notification("note", f"Rule not run: {e.reason}", rule=e.rule) for e in review.examination.not_run]
    if cut:
        said.append(_notification("warning", f"{cut} results omitted; see report.json."))
    return {
        "executionSuccessful": review.verdict.decision != "incomplete",
        "exitCode": review.verdict.exit_code,
        "toolExecutionNotifications": said,
    }


def _notification(level: str, text: str, *, rule: str | None = None, path: str | None = None) -> dict[str, Any]:
    notification: dict[str, Any] = {"level": level, "message": {"text": _message(text)}}
    if rule is not None:
        notification["associatedRule"] = {"id": _text(rule)}
    if path is not None:
        notification["locations"] = [{"physicalLocation": {"artifactLocation": _artifact(path)}}]
    return notification


def _message(text: str) -> str:
    """Return a message in which no reader sees a link: SARIF reads ``[text](address)`` as one."""
    text = _text(wording.one_line(text)) or "."
    if "](" in text:
        text = text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return text


def _text(text: str) -> str:
    """Return text that every JSON reader takes: half a surrogate pair is not a character."""
    return text.encode("utf-8", "backslashreplace").decode()
