"""An ``Examination`` as JSON, and back: believed only where it fits the change, the plan and the rules.

What comes from a process that read hostile bytes may be anything. It cannot be kept from leaving findings out; but it
cannot name other files, invent rules, replace the texts of a rule, silence what may not be
silenced, place comments outside the diff, or pass over what was known to be unreviewed before.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from review_bot.changes.profile import FileProfile
from review_bot.changes.pull_request import ChangedFile
from review_bot.engine.examination import no_text
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.fixing import is_reason
from review_bot.engine.hit_findings import always_on_line, only_counted
from review_bot.engine.left_out import left_out_files
from review_bot.engine.suppression_filter import PROBLEMS
from review_bot.findings import LONGEST_SUGGESTION, Examination, Finding, at_least
from review_bot.fingerprints import is_fingerprint
from review_bot.processes import typed_json
from review_bot.rules.rule import Rule, place_of


class InvalidResponse(Exception):
    """The answer is not one that this request can have."""


def with_fixes(data: Any, fixes: Any) -> Any:
    """Return parsed JSON of an examination with other fixes. Raises InvalidResponse if it cannot be one."""
    _require(type(data) is list and len(data) == len(Examination._fields), "fixes of no examination")
    at = Examination._fields.index("fixes")
    return [*data[:at], fixes, *data[at + 1 :]]


def decode(data: Any, request: ExaminationRequest) -> Examination:
    """Return the examination that parsed JSON holds. Raises InvalidResponse."""
    try:
        examination: Examination = typed_json.decode(Examination, data)
    except typed_json.Mismatch as error:
        raise InvalidResponse(str(error)) from error
    validator = _Validator(request)
    for finding in examination.findings:
        validator.check(finding)
    for entry in examination.suppressed:
        validator.check(entry.finding)
        rule = validator.rule_of(entry.finding)
        in_code = entry.by in {"comment", "noqa"}
        _require(in_code and rule is not None and rule.suppressible, "a finding that cannot be silenced")
        _require(entry.finding.path is not None, "a silenced finding without a file")
        validator.check_line(str(entry.finding.path), entry.line, "RIGHT")
    _require(examination.no_text == no_text(request.pull_request), "other files without text")
    _require(examination.ignored == tuple(sorted(request.plan.ignored)), "other ignored files")
    left_out = left_out_files(request.pull_request, request.rulebook)
    _require(examination.left_out == left_out, "other files that are left out")
    _require({*request.pull_request.unreviewed} <= {*examination.unreviewed}, "an unreviewed file passed over")
    _require(
        all(entry.path in validator.paths for entry in examination.unreviewed), "an unreviewed file outside the change"
    )
    _require(all(entry.rule in validator.rules for entry in examination.not_run), "an unknown rule that did not run")
    for failure in examination.failures:
        _require(failure.rule in validator.rules, "an unknown rule that failed")
        _require(failure.path is None or failure.path in validator.paths, "a failure outside the change")
    validator.check_profiles(examination.profiles)
    validator.check_fixes(examination)
    return examination


class _Validator:
    def __init__(self, request: ExaminationRequest) -> None:
        files = request.pull_request.files
        self._request = request
        self._new: dict[str, list[int]] = {}
        self._old: dict[str, list[int]] = {}  # a name at the base can belong to two files: one renamed, one new
        for index, file in enumerate(files):
            self._new.setdefault(file.path, []).append(index)
            self._old.setdefault(file.base_path, []).append(index)
        self.paths = {*self._new, *self._old, *(entry.path for entry in request.pull_request.unreviewed)}
        self._known_paths = self.paths | request.repository.head_paths | request.repository.base_paths
        self.rules: dict[str, Rule] = {rule.id: rule for rule in request.rulebook.rules}
        self._last: dict[tuple[str, str], int] = {}

    def rule_of(self, finding: Finding) -> Rule | None:
        return self.rules.get(finding.rule)

    def check(self, finding: Finding) -> None:
        self._check_words(finding)
        _require(is_fingerprint(finding.fingerprint), "a broken fingerprint")
        self._check_entry(finding)
        if finding.path is None:
            place = (finding.line, finding.end_line, finding.column, finding.end_column, finding.suggestion)
            _require(set(place) == {None} and finding.placement == "summary", "a place without a file")
        else:
            self._check_place(finding, finding.path)
        _require(not finding.also_at, "another place")
        for other in finding.related:
            _require(other.path in self._known_paths and (other.line is None or other.line > 0), "an unknown place")

    def _check_words(self, finding: Finding) -> None:
        """Hold the words that a rule brings along against the rule."""
        rule = self.rule_of(finding)
        if rule is None:
            family, _, problem = finding.rule.partition("/")
            _require(family == "suppression" and problem in PROBLEMS, "a finding of an unknown rule")
            words = PROBLEMS[problem]
            _require((finding.title, finding.severity) == (words.title, words.severity), "another title or severity")
            _require(not (finding.counted or finding.always_on_line), "a finding that is counted, or is not")
            _require(finding.cause is None, "a finding with a shared cause")
            return
        texts = (finding.title, finding.confidence, finding.aspect, finding.why, finding.url, finding.effort_minutes)
        _require(texts == (rule.title, rule.confidence, rule.aspect, rule.why, rule.url, rule.effort), "a rule's words")
        _require(at_least(rule.severity, finding.severity), "a severity above the rule's")
        quiet = place_of(rule, finding.severity) != "line"
        _require(finding.placement == "summary" or not quiet, "a comment for a rule of the summary")
        _require(finding.always_on_line == always_on_line(rule), "a comment that the configuration does not ask for")
        counted = only_counted(rule, finding.severity, of_others=finding.path in self._request.rulebook.unseen)
        _require(finding.counted == counted, "a finding that is counted, or is not")
        _require(finding.cause is None or _is_cause(finding.cause, rule, finding), "a cause that its rule has not")

    def _check_entry(self, finding: Finding) -> None:
        """Hold the entry of the baseline against the finding: none accepts what cannot be silenced, or another."""
        if finding.baseline_entry is None:
            return
        rule, baseline = self.rule_of(finding), self._request.rulebook.baseline
        _require(rule is not None and rule.suppressible and baseline is not None, "an entry that no baseline has")
        _require(is_fingerprint(finding.baseline_entry), "a broken fingerprint")
        _require(finding.baseline_entry[:16] == finding.fingerprint[:16], "an entry for another finding")

    def _check_place(self, finding: Finding, path: str) -> None:
        files = self._files(path, finding.side)
        if finding.line is None:
            _require(finding.placement != "inline", "an inline comment without a line")
        else:
            _require(finding.placement != "file", "a file comment with a line")
            shown = any(file.commentable(finding.line, finding.side) for file in files)
            _require(shown or finding.placement == "summary", "an inline comment outside the diff")
        self.check_line(path, finding.line, finding.side)
        self.check_line(path, finding.end_line, finding.side)
        _require((finding.line or 0) <= (finding.end_line or finding.line or 0), "an end before the start")
        for column in (finding.column, finding.end_column):
            _require(column is None or 0 < column < sys.maxsize, "an impossible column")
        if finding.suggestion is not None:
            first, last, replacement = finding.suggestion
            _require(finding.side == "RIGHT" and 0 < first <= last, "a suggestion for no line")
            _require(
                any(file.commentable(first) and file.commentable(last) for file in files),
                "a suggestion outside the diff",
            )
            _require(last - first < self._last_line(path, "RIGHT"), "a suggestion outside the file")
            _require(replacement.count("\n") < LONGEST_SUGGESTION, "a suggestion that is too long")

    def check_profiles(self, profiles: tuple[FileProfile, ...]) -> None:
        """Hold counts against the lines that were counted."""
        files, triggers = self._request.pull_request.files, self._request.rulebook.focus.triggers
        _require(len({each.file for each in profiles}) == len(profiles), "a file counted twice")
        for each in profiles:
            _require(0 <= each.file < len(files), "counts of a file that is not in the change")
            file = files[each.file]
            _require(0 <= each.code_lines <= file.added and 0 <= each.test_lines <= file.added, "more lines than added")
            _require(0 <= each.documented <= each.definitions <= file.added + 1, "more definitions than lines")
            _require(0 <= each.annotated <= each.slots < sys.maxsize, "more type hints than places for them")
            _require(len(each.matches) <= len(triggers), "more matches than triggers")
            for match in each.matches:
                _require(0 <= match.trigger < len(triggers), "an unknown trigger")
                _require(0 < match.lines <= file.added + file.removed, "more matches than lines")
                self.check_line(file.path, match.line, "RIGHT")
                text = next((text for number, text in file.added_lines() if number == match.line), "")
                named = all(name and name in text for _, name in match.names)
                _require(named, "a name that the line does not hold")

    def check_fixes(self, examination: Examination) -> None:
        """Hold fixes against the findings: nothing is applied that no finding suggests."""
        fixing, fixes = self._request.plan.fixing, examination.fixes
        _require((fixing is None) == (fixes is None), "fixes, or none, unasked")
        if fixing is None or fixes is None:
            return
        known = {finding.fingerprint for finding in examination.findings}
        suggested: dict[tuple[str | None, Any], set[str]] = {}
        aside = fixing.set_aside(examination.findings, self._request.pull_request.files)
        for each in examination.findings:
            if each.suggestion is not None and each.fingerprint not in aside and not each.moved:
                suggested.setdefault((each.path, each.suggestion), set()).add(each.rule)
        for fix in (*fixes.proven, *(each.fix for each in fixes.skipped)):
            _require(fix.rule in suggested.get((fix.path, fix.suggestion), ()), "a fix that no finding suggests")
            _require(fixing.rules is None or fix.rule in fixing.rules, "a fix of a rule that was not asked for")
            _require(bool(fix.fingerprints) and known.issuperset(fix.fingerprints), "a fix of no known finding")
        for before, after in pairwise(fixes.proven):
            apart = before.path < after.path or before.suggestion.end_line < after.suggestion.start_line
            _require(before.path <= after.path and apart, "fixes of the same lines")
        _require(all(is_reason(each.reason, self.rules) for each in fixes.skipped), "a reason of its own")

    def check_line(self, path: str, line: int | None, side: str) -> None:
        _require(line is None or 0 < line <= self._last_line(path, side), "a line outside the file")

    def _files(self, path: str, side: str) -> list[ChangedFile]:
        return [self._request.pull_request.files[index] for index in self._indexes(path, side)]

    def _indexes(self, path: str, side: str) -> list[int]:
        known = self._new if side == "RIGHT" else self._old
        _require(path in known, "a finding in a file that is not in the change")
        return known[path]

    def _last_line(self, path: str, side: str) -> int:
        """Return the last line that a file can have on one side, as far as it is known."""
        key = (path, side)
        if key not in self._last:
            texts: Mapping[int, str | None] = self._request.texts.new if side == "RIGHT" else self._request.texts.old
            repository = self._request.repository
            other = repository.head_text(path) if side == "RIGHT" else repository.base_text(path)
            known = [other, *(texts.get(index) for index in self._indexes(path, side))]
            counts = [text.count("\n") + 1 for text in known if text is not None]
            hunks = [hunk for file in self._files(path, side) for hunk in file.hunks]
            if side == "RIGHT":
                counts += [hunk.new_start + hunk.new_count for hunk in hunks]
            else:
                counts += [hunk.old_start + hunk.old_count for hunk in hunks]
            self._last[key] = max(counts, default=0)
        return self._last[key]


def _require(holds: bool, otherwise: str) -> None:  # noqa: FBT001  # reads as a sentence
    if not holds:
        raise InvalidResponse(otherwise)


def _is_cause(cause: str, rule: Rule, finding: Finding) -> bool:
    """Return whether findings may be reported as one for this reason: see ``hit_findings``."""
    if rule.one_per == "message":
        return cause == finding.message
    place, _, line = cause.rpartition(":")
    if rule.one_per == "evidence":
        lines = "".join(f"{each.line}+" for each in finding.related)
        matches = f"{finding.path}:{lines}".startswith(f"{place}+")
    else:
        matches = rule.one_per == "function" and place == finding.path
    return matches and line.isdecimal() and int(line) <= (finding.line or 0)
