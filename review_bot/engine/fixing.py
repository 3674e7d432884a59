"""Proves that suggestions can be applied together, by a second review of the change with all of them in it.

::

    findings with a suggestion ── no two on one line ─▶ fixes
    fixes of a file ── parsed, its rules run again ───▶ those of which only their own findings go away
    all files with their fixes ── the whole again ────▶ proven; what fails is skipped, with the reason

The files without a fix are not examined again: what was found there holds.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from review_bot.changes import line_edits, patching
from review_bot.changes.repository import Repository
from review_bot.engine.file_examination import FileResult
from review_bot.engine.fix_comparison import ANOTHER, REMAINS, compare, is_worse, new_finding_of, occurrences
from review_bot.engine.inspection import Inspection, own
from review_bot.engine.plan import FileTask, Fixing, Plan, make_plan
from review_bot.engine.suggestions import Parsing
from review_bot.engine.survey import surveyed
from review_bot.engine.texts import Texts
from review_bot.findings import Examination, Finding, Fix, Fixes, SkippedFix, Suggestion
from review_bot.processes import typed_json
from review_bot.records import NamedTuple

OVERLAP = "another fix changes the same lines; apply that one, then review again"
BROKEN = "the file would no longer parse with it"
FAILED = "a rule could not examine the file with it"
UNTRIED = "it could not be tried within the limits of a run"

_REASONS = frozenset({OVERLAP, BROKEN, REMAINS, ANOTHER, FAILED, UNTRIED})

MOST_TRIALS = 24
"""Times that one file is examined again."""

MOST_ROUNDS = 8
"""Times that the whole change is examined again."""


def is_reason(text: str, rules: Collection[str]) -> bool:
    """Return whether the engine skips a fix for this reason, given the ids of all rules; a worker may give no other."""
    return text in _REASONS or any(text == new_finding_of(rule) for rule in rules)


class _Trial(NamedTuple):
    """The fixes of one file, in the order of their lines, and what was found in the file without them.

    ``conflicting``: positions of those that share a line with another, which is tried first.
    """

    file: int
    fixes: tuple[Fix, ...]
    conflicting: frozenset[int]
    before: FileResult


class _Tried(NamedTuple):
    """Which fixes of a file hold, by position, and what was found with them.

    ``skipped``: positions of the others, each with a reason.
    """

    file: int
    accepted: tuple[int, ...]
    skipped: tuple[tuple[int, str], ...]
    result: FileResult


def prove(
    inspection: Inspection, plan: Plan, fixing: Fixing, results: Sequence[FileResult], seen: Examination
) -> Fixes:
    """Return the suggestions that were proven together, and those that were not."""
    trials = _trials(inspection, fixing, results, seen)
    if not trials:
        return Fixes()

    def read(_trial: _Trial, data: Any) -> _Tried:
        tried: _Tried = typed_json.decode(_Tried, data)
        return tried._replace(result=inspection.checked(tried.result))

    tried = inspection.run(
        trials, lambda trial: _try(inspection, trial), lambda trial, _reason: _untried(trial), read=read
    )
    done = {
        trial.file: _checked(trial, each, inspection.known.rules) for trial, each in zip(trials, tried, strict=True)
    }
    by_file = {trial.file: trial.fixes for trial in trials}
    skipped: list[SkippedFix] = []
    for file, each in done.items():
        skipped += [SkippedFix(by_file[file][position], reason) for position, reason in each.skipped]
    whole = _Whole(inspection, plan, results, seen, by_file, done)
    files = whole.largest()
    kept: list[Fix] = []
    for file, each in done.items():
        fixes = [by_file[file][position] for position in each.accepted]
        if file in files:
            kept += fixes
        else:
            skipped += [SkippedFix(fix, whole.reasons.get(file, ANOTHER)) for fix in fixes]
    kept = _with_all_that_goes(kept, whole.gone(files))
    settled = {name for fix in kept for name in fix.fingerprints}
    skipped = [each for each in skipped if not settled.issuperset(each.fix.fingerprints)]
    return Fixes(tuple(sorted(kept, key=_place)), tuple(sorted(skipped, key=_skipped_place)))


def untried(inspection: Inspection, fixing: Fixing, results: Sequence[FileResult], seen: Examination) -> Fixes:
    """Return the suggestions as they are before one was tried: all of them are skipped."""
    fixes = sorted((fix for trial in _trials(inspection, fixing, results, seen) for fix in trial.fixes), key=_place)
    return Fixes((), tuple(SkippedFix(fix, UNTRIED) for fix in fixes))


def _trials(inspection: Inspection, fixing: Fixing, results: Sequence[FileResult], seen: Examination) -> list[_Trial]:
    trials: list[_Trial] = []
    aside = fixing.set_aside(seen.findings, inspection.pull_request.files)
    for result in results:
        groups: dict[Suggestion, list[Finding]] = {}
        for finding in result.findings:
            if finding.suggestion is not None and finding.fingerprint not in aside and _is_wanted(finding, fixing):
                groups.setdefault(finding.suggestion, []).append(finding)
        path = inspection.pull_request.files[result.file].path
        fixes: list[Fix] = []
        conflicting: set[Suggestion] = set()
        taken: list[tuple[int, int]] = []  # lines of the others: in order, none shared
        for suggestion, findings in sorted(groups.items(), key=_most_severe_first):
            first, last, _ = suggestion
            before = bisect_right(taken, (last, sys.maxsize))
            if before and taken[before - 1][1] >= first:
                conflicting.add(suggestion)
            else:
                taken.insert(before, (first, last))
            names = tuple(each.fingerprint for each in findings)
            fixes.append(Fix(path, findings[0].rule, names, suggestion))
        fixes.sort(key=_place)
        positions = frozenset(number for number, fix in enumerate(fixes) if fix.suggestion in conflicting)
        trials += [_Trial(result.file, tuple(fixes), positions, result)] if fixes else []
    return trials


def _is_wanted(finding: Finding, fixing: Fixing) -> bool:
    is_asked = fixing.rules is None or finding.rule in fixing.rules
    return is_asked and not finding.moved and finding.side == "RIGHT"


def _most_severe_first(group: tuple[Suggestion, list[Finding]]) -> tuple[int, int, int, int, str]:
    """Return what to order by: of two for the same lines the longer comes first, as it may settle the other too."""
    first, last, text = group[0]
    return min(each.rank for each in group[1]), first, last, -len(text), text


def _overlap(one: Suggestion, other: Suggestion) -> bool:
    return one.start_line <= other.end_line and other.start_line <= one.end_line


def _try(inspection: Inspection, trial: _Trial) -> _Tried:
    """Find the fixes of one file that hold together: all of them, or by halves those that do."""
    source = inspection.source_of(trial.file)
    parsing = Parsing(source.path, source.text or "")
    before = occurrences(trial.before.findings, trial.before.suppressed)
    left = MOST_TRIALS
    accepted: list[int] = []
    skipped: list[tuple[int, str]] = []
    best = trial.before

    def attempt(positions: Iterable[int]) -> tuple[str | None, FileResult]:
        fixes = [trial.fixes[position] for position in sorted(positions)]
        try:
            one = _with(inspection, {trial.file: [fix.suggestion for fix in fixes]})
        except ValueError:  # an edit outside the text or the diff
            return BROKEN, trial.before
        if not parsing.holds(one.source_of(trial.file)):
            return BROKEN, trial.before
        result = _look(one, trial.file)
        if is_worse(trial.before, result):
            return FAILED, result
        return compare(before, occurrences(result.findings, result.suppressed), fixes)[0], result

    waiting = [tuple(n for n in range(len(trial.fixes)) if n not in trial.conflicting)]
    waiting += [(position,) for position in sorted(trial.conflicting)]
    while waiting:
        group = waiting.pop(0)
        suggestion = trial.fixes[group[0]].suggestion
        if any(_overlap(suggestion, trial.fixes[n].suggestion) for n in accepted if group[0] in trial.conflicting):
            skipped.append((group[0], OVERLAP))
            continue
        if not left:
            skipped += [(position, UNTRIED) for position in group]
            continue
        left -= 1
        reason, result = attempt([*accepted, *group])
        if reason is None:
            accepted += group
            best = result
        elif len(group) == 1:
            skipped.append((group[0], reason))
        else:
            middle = len(group) // 2
            waiting[:0] = [group[:middle], group[middle:]]
    return _Tried(trial.file, tuple(sorted(accepted)), tuple(sorted(skipped)), best.written_out())


def _look(inspection: Inspection, file: int) -> FileResult:
    """Look at one file, with the rules that can match in it as it is now."""
    change = inspection.pull_request.files[file]
    alone = inspection.pull_request._replace(files=(change,))
    for task in make_plan(alone, inspection.rulebook).tasks:
        if task.needs_old_text and inspection.texts.old.get(file) is None and change.status != "added":
            inspection.add_old_text(file, patching.undo(inspection.texts.new[file] or "", change.hunks))
        return inspection.examine_file(task._replace(file=file), suggests=False)
    return FileResult(file)


def _with(inspection: Inspection, edits: Mapping[int, Sequence[Suggestion]]) -> Inspection:
    """Return what looks at the change with edits in some of its files. Raises ValueError if one does not fit."""
    files = list(inspection.pull_request.files)
    new = dict(inspection.texts.new)
    texts: dict[str, str] = {}
    for index, suggestions in edits.items():
        text = inspection.text_of(index)
        change = line_edits.carried(files[index], suggestions)
        if text is None or change is None:
            raise ValueError("the edit is outside the diff")
        new[index] = texts[change.path] = line_edits.apply(text, suggestions)
        files[index] = change
    same_moves = not any(index in inspection.moved.added or index in inspection.moved.removed for index in edits)
    return Inspection(
        inspection.pull_request._replace(files=tuple(files)),
        Texts(new, inspection.texts.old),
        _over(inspection.repository, texts),
        inspection.rulebook,
        inspection.run,
        moved=inspection.moved if same_moves and len(edits) == 1 else None,
    )


def _over(repository: Repository, texts: Mapping[str, str]) -> Repository:
    """Return a repository in which some files have another text at the head."""
    read = repository.read_head
    return repository._replace(read_head=lambda path: texts[path] if path in texts else read(path))


def _untried(trial: _Trial) -> _Tried:
    skipped = tuple((position, UNTRIED) for position in range(len(trial.fixes)))
    return _Tried(trial.file, (), skipped, trial.before)


def _checked(trial: _Trial, tried: _Tried, rules: Collection[str]) -> _Tried:
    """Return what a process answered if it is about its own file and each of its fixes once."""
    positions = [*tried.accepted, *(position for position, _ in tried.skipped)]
    fits = tried.file == tried.result.file == trial.file and sorted(positions) == list(range(len(trial.fixes)))
    return tried if fits and all(is_reason(reason, rules) for _, reason in tried.skipped) else _untried(trial)


class _Whole:
    """Looks at the whole change again, with the fixes of some files."""

    def __init__(  # all that was seen, and all that was tried
        self,
        inspection: Inspection,
        plan: Plan,
        results: Sequence[FileResult],
        seen: Examination,
        fixes: Mapping[int, tuple[Fix, ...]],
        tried: Mapping[int, _Tried],
    ) -> None:
        self._inspection = inspection
        self._tasks: dict[int, FileTask] = {task.file: task for task in plan.tasks}
        self._results = results
        self._seen = seen
        self._fixes = fixes
        self._tried = tried
        self._looked: dict[frozenset[int], tuple[str | None, list[Finding], list[Finding]]] = {}
        self.reasons: dict[int, str] = {}

    def largest(self) -> frozenset[int]:
        """Return files whose fixes all hold together; for others the reason is noted."""
        files = frozenset(file for file, each in self._tried.items() if each.accepted)
        paths = {file: self._inspection.pull_request.files[file].path for file in files}
        while files and len(self._looked) < MOST_ROUNDS // 2:
            reason, appeared, _ = self._look(files)
            if reason is None:
                return files
            culprits = {file for file in files for finding in appeared if finding.path == paths[file]}
            self.reasons.update(dict.fromkeys(culprits, reason))
            if not culprits:
                break
            files -= culprits
        if not files:
            return files
        good: frozenset[int] = frozenset()
        for file in sorted(files):
            if len(self._looked) >= MOST_ROUNDS:
                self.reasons[file] = UNTRIED
                continue
            reason, _, _ = self._look(good | {file})
            if reason is None:
                good |= {file}
            else:
                self.reasons[file] = reason
        return good

    def gone(self, files: frozenset[int]) -> list[Finding]:
        """Return which other findings disappear with the fixes of these files."""
        return self._look(files)[2] if files else []

    def _look(self, files: frozenset[int]) -> tuple[str | None, list[Finding], list[Finding]]:
        """Return why these do not hold together (None: they do), what appears, and which other findings disappear."""
        if files not in self._looked:
            self._looked[files] = self._look_again(files)
        return self._looked[files]

    def _look_again(self, files: frozenset[int]) -> tuple[str | None, list[Finding], list[Finding]]:
        chosen = {file: self._chosen(file) for file in files}
        again = _with(self._inspection, {file: [fix.suggestion for fix in fixes] for file, fixes in chosen.items()})
        results = [
            self._tried[result.file].result if result.file in files else self._unless_moved(again, result)
            for result in self._results
        ]
        after = surveyed(again, results)
        fixes = [fix for group in chosen.values() for fix in group]
        before = occurrences(self._seen.findings, self._seen.suppressed)
        reason, appeared, gone = compare(before, occurrences(after.findings, after.suppressed), fixes)
        if reason is None and is_worse(self._seen, after):
            reason = FAILED
        return reason, appeared, gone

    def _chosen(self, file: int) -> list[Fix]:
        return [self._fixes[file][position] for position in self._tried[file].accepted]

    def _unless_moved(self, again: Inspection, result: FileResult) -> FileResult:
        """Return what was seen in a file without fixes, looked at again if other lines count as moved now."""
        if again.lines_moved(result.file) == self._inspection.lines_moved(result.file):
            return result
        task = self._tasks[result.file]
        return own(again.examine_file(task, suggests=False), result.file, again.file_failed)


def _with_all_that_goes(fixes: list[Fix], gone: Iterable[Finding]) -> list[Fix]:
    """Add the other findings that disappear with a fix to the fix that is nearest to them."""
    for finding in gone:
        near = [number for number, fix in enumerate(fixes) if fix.path == finding.path] or range(len(fixes))
        nearest = min(near, key=lambda number: abs(fixes[number].suggestion.start_line - (finding.line or 0)))
        names = (*fixes[nearest].fingerprints, finding.fingerprint)
        fixes[nearest] = fixes[nearest]._replace(fingerprints=names)
    return fixes


def _place(fix: Fix) -> tuple[str, Suggestion]:
    return fix.path, fix.suggestion


def _skipped_place(skipped: SkippedFix) -> tuple[str, Suggestion, str]:
    return skipped.fix.path, skipped.fix.suggestion, skipped.reason
