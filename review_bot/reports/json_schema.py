"""The JSON Schema of report version 1, made from the records that the report is made of.

It is written to ``docs/report-v1.schema.json`` by ``review-bot config schema --write``. A review does not import it.
"""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

from review_bot.advice.checklist import Check
from review_bot.advice.merge_criteria import Criterion
from review_bot.advice.next_steps import Plan
from review_bot.assessment.metrics import Metrics
from review_bot.assessment.review_areas import AreaSeen, SelectedQuestion
from review_bot.assessment.scorecard import Scorecard
from review_bot.findings import INTERNAL, Finding, Fix, Fixes, LeftOut, NoText, SkippedFix, Suppressed
from review_bot.records import NamedTuple
from review_bot.reports.json_v1 import SCHEMA
from review_bot.review.context import CoveringTest, DeclinedFinding, OverlapReport, Owners, PullRequestStatus
from review_bot.review.policy import FailOn
from review_bot.review.reach import Reach
from review_bot.review.verdict import Decision

_FINDING = {
    "rule": "Id of the rule, <family>/<name>.",
    "title": "What the rule reports, in a few words.",
    "severity": "error: must fix; warning: should fix; info: consider; hint: nit.",
    "confidence": "How certain the rule is. It does not affect the verdict.",
    "aspect": "The aspect of the scorecard that the rule belongs to.",
    "path": "Path at the head, from the root of the repository; null: about the whole change. A byte that is not UTF-8 "
    "is one code point from U+DC80 to U+DCFF.",
    "line": "First line, 1-based; null: about the whole file or change.",
    "end_line": "Last line, 1-based.",
    "column": "First column, 1-based, in code points.",
    "end_column": "The column after the last one, 1-based, in code points.",
    "side": "RIGHT: lines of the head; LEFT: lines of the merge base, deleted by the change.",
    "placement": "Where it is shown: on the line, on the file, or only in the summary.",
    "moved": "Whether the change only moved or reformatted the code; the finding then does not affect the verdict.",
    "message": "What is wrong here.",
    "why": "The consequence.",
    "instead": "What to do instead.",
    "effort_minutes": "Minutes to fix it.",
    "fingerprint": "Identifies the finding across pushes, line shifts and renames.",
    "url": "Page of the rule; empty if it has none.",
    "related": "Related places, such as the other copy of duplicated code, and the steps that lead to the finding, in "
    "their order.",
    "suggestion": "Replacement lines that resolve the finding.",
    "counted": "Whether reports for people only count it; it then affects neither the verdict nor the "
    "effort_minutes of the whole change.",
    "start_line": "First line to replace, 1-based.",
    "replacement": "The replacement lines, without the last line end.",
    "note": "How this place is related, or what happens at this step.",
    "holds": "What places hold after this step; null: this place is no step.",
    "place": "A name, an attribute or a condition, as the code writes it.",
    "value": "What it holds, in words.",
}
_ASSESSMENT = {
    "lines_added": "Added lines of all text files.",
    "lines_deleted": "Deleted lines of all text files.",
    "code_lines_added": "Added lines of Python library code, without blank lines and comments.",
    "docstring_coverage": "Added public modules, classes and functions, and how many have a docstring.",
    "type_hint_coverage": "Parameters and return values of added functions, and how many have a type hint.",
    "test_to_code_ratio": "Added lines of test code compared with added lines of code.",
    "coverage": "Added lines that can be run, and how many the tests run; null: not measured, which is not 0.",
    "smells": "Pairs of a rule and a file with a finding above hint, in the families errors, style, api, tensor, "
    "precision and memory.",
    "effort_minutes": "Minutes to fix all open findings.",
    "percent": "Rounded half up; null: there was nothing to measure.",
    "target": "The target, in per cent.",
    "score": "1 to 10, rounded half up; null: no score.",
    "reason": "Why there is no score.",
    "basis": "How much of the change the score is based on; empty if there is no score.",
    "weight": "Weight of the aspect in the overall score.",
    "hundredths": "The score before rounding, in hundredths of a point.",
    "limit": "Why the score is capped, whatever the findings.",
    "rules": "Rules whose findings lowered the score.",
    "sections": "Always empty.",
    "lines": "Lines that matched.",
    "paths": "The files with these lines, most lines first.",
    "line": "The first line that matched, at the head; null: the file as a whole.",
    "quote": "The added line at the first place, which the question is about.",
    "name": "What that line defines, sets or calls.",
    "places": "The quoted line first, then the files in which most lines matched.",
    "files": "Files in which lines matched.",
    "findings": "Rules with findings on the same subject.",
}
_REACH = {
    "languages": "Languages with rules, most files first.",
    "data_files": "Changed JSON, CSV, plain text and lock files; only rules for any text looked at them.",
    "without_rules": "Changed text files in languages without rules; rules for any text did look at them.",
    "language": "As people write it; other: the suffix is not known.",
    "files": "Changed text files that rules for the language looked at.",
    "rules": "Rules that ran on at least one of them.",
    "path": "Path at the head.",
}
_DOSSIER = {
    "id": "Id of the condition, the same in every report.",
    "met": "null: only a person can decide.",
    "proof": "Evidence for a condition that is met; empty for others.",
    "open": "What is still missing.",
    "steps": "The most urgent first; those of the author, then of reviewers, then of maintainers.",
    "minutes": "Minutes, if known; of the plan: to fix errors and warnings.",
    "lighter": "Minutes to fix info findings and hints.",
    "effort": "Effort to review the change, 1 (minutes) to 5 (a day or more).",
    "when": "now: takes a quarter of an hour at most; then: takes longer; empty: at any time.",
    "rules": "The rules that require it.",
    "title": "What to do, in a few words; of a pull request: its title.",
    "proven": "By path and line; no two change the same lines, and applying all of them causes no new finding.",
    "skipped": "Suggestions that cannot be applied together with the others.",
    "fingerprints": "The findings that it resolves.",
    "reason": "Why it is skipped.",
    "source": "The file that names the owners.",
    "owned": "Changed files by owner.",
    "owners": "As the file writes them: @user, @org/team.",
    "unowned": "Changed files without an owner.",
    "problems": "Lines of the file that could not be parsed.",
    "covers": "The changed files that it tests.",
    "changed": "Whether this change adds or edits it.",
    "looked_at": "Open pull requests that were compared.",
    "known": "All open pull requests.",
    "order": "Pull request numbers in an order that satisfies their dependencies, this one as 0; empty: any order.",
    "limits": "What was not compared.",
    "relation": "adds-module, adds-name: adds what this change imports; removes-used: removes what is imported here; "
    "removes-changed: removes a file, function or class that is edited here; "
    "changes-removed: edits one that is removed here; "
    "same-file: both add it, with other contents; same-function: both change it.",
    "also": "Numbers of other open pull requests that add the same.",
    "cycles": "Numbers of pull requests with circular dependencies, this one as 0.",
    "subject": "The module, name or function.",
    "path": "Path at the head of this change.",
    "line": "1-based line of this change, at its head.",
    "their_path": "Path in the other pull request.",
    "their_line": "1-based line at their head, or at the base for what they remove.",
    "ci": "null: not known.",
    "failing": "Names of checks that failed.",
    "unresolved": "Unresolved conversations of others; null: not known.",
    "approved_by": "People with write access who approved exactly this head; null: not known.",
}


class Tool(NamedTuple):
    """What made the report."""

    name: Literal["review-bot"]
    version: str
    rules_digest: str


class PolicyData(NamedTuple):
    """The policy that the verdict obeyed."""

    source: str
    sha: str | None
    digest: str | None


class ChangeData(NamedTuple):
    """What was reviewed; ``files``, ``added`` and ``removed`` are counts."""

    repository: str | None
    number: int | None
    base: str | None
    merge_base: str | None
    head: str | None
    title: str | None
    files: int
    added: int
    removed: int


class VerdictData(NamedTuple):
    """The decision, and whether the gate passes."""

    decision: Decision
    passed: bool
    fail_on: FailOn
    reasons: tuple[str, ...]
    score: int | None


class SuppressionData(NamedTuple):
    """The keys of a suppressed finding besides those of a finding."""

    suppressed_by: Literal["comment", "baseline", "noqa", "accepted"]
    reason: str
    suppressed_line: int | None


class UnreviewedData(NamedTuple):
    """A file whose text was not read."""

    path: str
    reason: str
    allowed: bool


class NotRunData(NamedTuple):
    """A rule that lacked what it needs."""

    rule: str
    reason: str


class FailureData(NamedTuple):
    """A rule that crashed."""

    rule: str
    path: str | None
    error: str


_TOP: dict[str, tuple[Any, str]] = {
    "tool": (Tool, "What made the report; rules_digest identifies the set of rules."),
    "policy": (PolicyData, "Where the policy was read, at which commit, and the digest of its text."),
    "change": (ChangeData, "What was reviewed."),
    "verdict": (VerdictData, "incomplete takes precedence; passed depends only on fail_on."),
    "findings": (tuple[Finding, ...], "Open findings, by path and line."),
    "suppressed": (tuple[Any, ...], "Findings that a comment, the baseline or noqa silences."),
    "no_text": (tuple[NoText, ...], "Changed files without text; only rules about names and modes ran."),
    "unreviewed": (
        tuple[UnreviewedData, ...],
        "Text that should have been read and was not; allowed: the policy accepts this.",
    ),
    "ignored": (tuple[str, ...], "Paths that the configuration leaves out."),
    "left_out": (
        tuple[LeftOut, ...],
        "Files that are generated, vendored or skipped, checked for errors only.",
    ),
    "reach": (Reach, "How much of the change the rules can judge."),
    "not_run": (tuple[NotRunData, ...], "Rules that lacked something they need; this does not fail the gate."),
    "failures": (tuple[FailureData, ...], "Rules that crashed; they make the verdict incomplete."),
    "effort_minutes": (int, "Minutes to fix all open findings."),
    "metrics": (Metrics, "Measures of what the change adds."),
    "scorecard": (Scorecard, "Scores by aspect; if there are none, reason says why."),
    "focus": (tuple[AreaSeen, ...], "The subject areas that the change touches, most lines first."),
    "checklist": (
        tuple[SelectedQuestion, ...],
        "Questions for a person about lines of this change, at most three, the most important first.",
    ),
    "criteria": (tuple[Criterion, ...], "Conditions for merging; they do not affect the verdict."),
    "checks": (tuple[Check, ...], "What was proven for every added line; unproven checks are omitted."),
    "plan": (Plan, "Who does what next, and how long it takes."),
    "strengths": (tuple[str, ...], "Measures that reach their target; the mere absence of findings is not listed."),
    "fixes": (Fixes | None, "Suggestions that can be applied together; null: not requested."),
    "owners": (
        Owners | None,
        "Who owns the changed files; null: not requested, or no CODEOWNERS file that can be read.",
    ),
    "tests": (tuple[CoveringTest, ...] | None, "Test files to run for this change; null: not requested, or not known."),
    "overlaps": (OverlapReport | None, "Other open pull requests that overlap with this one; null: not requested."),
    "pull_request_status": (
        PullRequestStatus | None,
        "The state of the pull request on GitHub apart from this review; null: not known.",
    ),
    "declined": (
        tuple[DeclinedFinding, ...],
        "Findings that a person with write access declined, by fingerprint; they still count in the verdict.",
    ),
}


def schema() -> dict[str, Any]:
    """Return the JSON Schema, draft 2020-12. Keys may be added to version 1; none goes and none changes its meaning."""
    definitions: dict[str, Any] = {}
    properties: dict[str, Any] = {"schema": {"const": SCHEMA}}
    for name, (kind, description) in _TOP.items():
        properties[name] = {"description": description, **_schema_of(kind, definitions)}
    finding = _record(Finding, definitions)
    own = _record(SuppressionData, definitions)
    definitions["Finding"] = finding
    definitions["Suppressed"] = {
        **finding,
        "description": _sentence(Suppressed),
        "properties": {**finding["properties"], **own["properties"]},
        "required": [*finding["required"], *own["required"]],
    }
    properties["suppressed"]["items"] = {"$ref": "#/$defs/Suppressed"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Review Bot report, version 1",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "$defs": dict(sorted(definitions.items())),
    }


def _record(record: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    properties = {}
    for name, kind in get_type_hints(record).items():
        if record is Finding and name in INTERNAL:
            continue
        words = _words(record)
        described = {"description": words[name]} if record.__module__ != __name__ and name in words else {}
        properties[name] = {**described, **_schema_of(kind, definitions)}
    return {
        "type": "object",
        "description": _sentence(record),
        "properties": properties,
        "required": list(properties),
    }


def _words(record: Any) -> dict[str, str]:
    """Return what the fields of a record mean."""
    module = record.__module__
    if module == "review_bot.review.reach":
        return _REACH
    if module.startswith("review_bot.assessment."):
        return _ASSESSMENT
    dossier = module.startswith("review_bot.advice.") or module == "review_bot.review.context"
    return _DOSSIER if dossier or record in {Fix, SkippedFix, Fixes} else _FINDING


def _schema_of(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    plain: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", type(None): "null"}
    if kind in plain:
        return {"type": plain[kind]}
    if kind is Any:
        return {}
    arguments = get_args(kind)
    if get_origin(kind) is Literal:
        return {"enum": list(arguments)}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _schema_of(arguments[0], definitions)}
    if arguments and get_origin(kind) is not None:
        return _choice(arguments, definitions)
    name = kind.__name__.removesuffix("Data")
    if name not in definitions:
        definitions[name] = {}  # a name for records that hold each other
        definitions[name] = _record(kind, definitions)
    return {"$ref": f"#/$defs/{name}"}


def _choice(arguments: tuple[Any, ...], definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one type among several: words are gathered, simple types share a list."""
    literals = [word for each in arguments if get_origin(each) is Literal for word in get_args(each)]
    others = [_schema_of(each, definitions) for each in arguments if get_origin(each) is not Literal]
    if literals and not others:
        return {"enum": literals}
    if not literals and all(list(each) == ["type"] for each in others):
        return {"type": [each["type"] for each in others]}
    return {"anyOf": [*({"enum": literals} for _ in literals[:1]), *others]}


def _sentence(record: Any) -> str:
    return str(record.__doc__).split("\n", 1)[0].replace("``", "")
