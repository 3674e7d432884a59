"""The JSON Schema of report version 1, made from the records that the report is made of.

It is written to ``docs/report-v1.schema.json`` by ``review-bot config schema --write``. A review does not import it.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from review_bot.advice.checklist import Check
from review_bot.advice.merge_criteria import Criterion
from review_bot.advice.next_steps import Plan
from review_bot.assessment.metrics import Metrics
from review_bot.assessment.review_areas import AreaSeen, SelectedQuestion
from review_bot.assessment.scorecard import Scorecard
from review_bot.findings import INTERNAL, Finding, Fix, Fixes, LeftOut, NoText, SkippedFix, Suppressed
from review_bot.reports.json_v1 import SCHEMA
from review_bot.review.context import CoveringTest, DeclinedFinding, OverlapReport, Owners, PullRequestStatus
from review_bot.review.policy import FailOn
from review_bot.review.reach import Reach
from review_bot.review.verdict import Decision

_FINDING = {
    "rule": "Id of the rule, <family>/<name>.",
    "title": "What the rule reports, in a few words.",
    "severity": "error: must fix; warning: should fix; info: consider; hint: nit.",
    "confidence": "How sure the rule is. It has no part in the verdict.",
    "aspect": "The aspect of the scorecard that the rule belongs to.",
    "path": "Path at the head, from the root of the repository; null: about the whole change. A byte that is not UTF-8 "
    "is one code point from U+DC80 to U+DCFF.",
    "line": "First line, 1-based; null: about the whole file or change.",
    "end_line": "Last line, 1-based.",
    "column": "First column, 1-based, in code points.",
    "end_column": "The column after the last one, 1-based, in code points.",
    "side": "RIGHT: lines of the head; LEFT: lines of the merge base, deleted by the change.",
    "placement": "Where it is shown: on the line, on the file, or only in the summary.",
    "moved": "Whether the change only moved the code; then it counts for nothing.",
    "message": "What is wrong here.",
    "why": "What it leads to.",
    "instead": "What to do instead.",
    "effort_minutes": "Minutes to fix it.",
    "fingerprint": "Identifies the finding across pushes, line shifts and renames.",
    "url": "Page of the rule; empty if it has none.",
    "related": "Other places that belong to it.",
    "suggestion": "Lines that would settle it.",
    "counted": "Whether reports for people only count it; then it does not affect the verdict or "
    "effort_minutes of the whole.",
    "start_line": "First line to replace, 1-based.",
    "replacement": "The lines that take their place, without the last line end.",
    "note": "What is at this place.",
}
_ASSESSMENT = {
    "lines_added": "Added lines of all text files.",
    "lines_deleted": "Deleted lines of all text files.",
    "code_lines_added": "Added lines of Python that users run, not blank and no comment.",
    "docstring_coverage": "Added public modules, classes and functions with a docstring, of all of them.",
    "type_hint_coverage": "Parameters and return values of added functions with a type hint, of all of them.",
    "test_to_code_ratio": "Added lines of test code, of added lines of code.",
    "coverage": "Added lines that tests run, of those that can be run; null: not measured, which is not 0.",
    "smells": "Rules by file with a finding that is no nit, of the families errors, style, api, tensor, precision and "
    "memory.",
    "effort_minutes": "Minutes to settle what is open.",
    "percent": "Rounded half up; null: a share of nothing.",
    "target": "The percentage to reach.",
    "score": "1 to 10, rounded half up; null: none is given.",
    "reason": "Why there is no score.",
    "basis": "How much of the change the score rests on; empty where there is none.",
    "weight": "What the aspect counts for in the score of the whole.",
    "hundredths": "The score before rounding, in hundredths of a point.",
    "limit": "What keeps the score down, whatever was found.",
    "rules": "Rules whose findings lowered the score.",
    "sections": "Always empty.",
    "lines": "Lines that matched.",
    "paths": "The files in which they are, most lines first.",
    "line": "The first line that matched, at the head; null: the file as a whole.",
    "quote": "The added line at the first place, that it asks about.",
    "name": "What that line defines, sets or calls.",
    "places": "The quoted line first, then the files in which most lines matched.",
    "files": "Files in which lines matched.",
    "findings": "Rules that found something of the same matter.",
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
    "id": "Name of the condition, the same in every report.",
    "met": "null: only a person can decide.",
    "proof": "What proved a line that is met; empty for others.",
    "open": "What is still lacking.",
    "steps": "The most urgent first; those of the author, then of reviewers, then of maintainers.",
    "minutes": "Minutes, where they are known; of the plan: to fix what must and should be fixed.",
    "lighter": "Minutes for what is to be considered, and nits.",
    "effort": "Effort to review the change, 1 (minutes) to 5 (a day or more).",
    "when": "now: in a quarter of an hour at most; then: after that; empty: at no certain time.",
    "rules": "The rules that ask for it.",
    "title": "What is to be settled, in a few words; of a pull request: its title.",
    "proven": "In the order of path and line; no two touch the same lines, and with all of them no finding comes.",
    "held": "Suggestions that are not applied together with the others.",
    "fingerprints": "The findings that are gone with it.",
    "reason": "Why it is held back.",
    "source": "The file that says so.",
    "owned": "Changed files by who owns them.",
    "owners": "As the file writes them: @user, @org/team.",
    "unowned": "Changed files without an owner.",
    "problems": "Lines of the file that are broken.",
    "covers": "The changed files that it tests.",
    "changed": "Whether the change itself adds or edits it.",
    "looked_at": "Open pull requests that were compared.",
    "known": "Open pull requests that there are.",
    "order": "Numbers in an order in which each finds what it needs, this one as 0; empty: any order will do.",
    "limits": "What was not compared.",
    "relation": "adds-module, adds-name: brings what this change imports; removes-used: removes what is imported here; "
    "removes-changed: removes a file that is edited here; changes-removed: edits a file that is removed here; "
    "same-file: both add it, with other contents; same-function: both change it.",
    "also": "Numbers of other open pull requests that bring the same.",
    "cycles": "Numbers of those that need each other, this one as 0; no order serves them all.",
    "subject": "The module, name or function.",
    "path": "Path at the head; of a neighbour: in this change.",
    "line": "1-based line of this change, at its head.",
    "their_path": "Path in the other pull request.",
    "their_line": "1-based line at their head, or at the base for what they remove.",
    "ci": "null: not known.",
    "failing": "Names of checks that failed.",
    "unresolved": "Open conversations that are not ours; null: not known.",
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
    "findings": (tuple[Finding, ...], "What is open, by path and line."),
    "suppressed": (tuple[Any, ...], "Findings that a comment, the baseline or noqa silences."),
    "no_text": (tuple[NoText, ...], "Changed files without text; rules on names and modes did run."),
    "unreviewed": (tuple[UnreviewedData, ...], "Text that should have been read; allowed: the policy lets it pass."),
    "ignored": (tuple[str, ...], "Paths that the configuration leaves out."),
    "left_out": (
        tuple[LeftOut, ...],
        "Files that are generated, vendored or skipped, checked for errors only.",
    ),
    "reach": (Reach, "How much of the change the rules can judge."),
    "not_run": (tuple[NotRunData, ...], "Rules that lacked what they need; no reason to fail."),
    "failures": (tuple[FailureData, ...], "Rules that crashed; they make the verdict incomplete."),
    "effort_minutes": (int, "Minutes to settle what is open."),
    "metrics": (Metrics, "Measures of what the change adds."),
    "scorecard": (Scorecard, "Scores by aspect; where there is none, reason says why."),
    "focus": (tuple[AreaSeen, ...], "The areas of the field that the change touches, most lines first."),
    "checklist": (
        tuple[SelectedQuestion, ...],
        "Questions for a person about lines of this change, at most three, the most important first.",
    ),
    "criteria": (tuple[Criterion, ...], "When the pull request can be merged; they decide nothing."),
    "checks": (tuple[Check, ...], "What was proven for every added line; what was not is absent."),
    "plan": (Plan, "Who does what next, and how long it takes."),
    "good_facts": (tuple[str, ...], "Measures that reach their target; that no rule reported anything is none."),
    "fixes": (Fixes | None, "Suggestions that can be applied together; null: not requested."),
    "owners": (Owners | None, "Who owns the changed files; null: not requested, or no CODEOWNERS file."),
    "tests": (tuple[CoveringTest, ...] | None, "Test files to try the change with; null: not asked for, or not known."),
    "neighbours": (OverlapReport | None, "Other open pull requests that overlap with this one; null: not requested."),
    "standing": (
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
