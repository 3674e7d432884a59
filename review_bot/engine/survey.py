"""Surveys a change, task by task: each file by itself, then each rule about the whole, then its findings in each file.

A task needs the results of the tasks before it. They are recorded where a task is performed, and where the result of
another process is read, so that the next process, which is forked from this one, can go on where one has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

from review_bot.changes.codebase import Codebase
from review_bot.changes.profile import FileProfile
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.python_parsing import keep_trees
from review_bot.engine import file_examination, relations, written_text
from review_bot.engine.doubt import Claim, Doubt, after_doubts, doubts, is_doubted, may_be_doubted, may_be_habit
from review_bot.engine.file_examination import FileResult
from review_bot.engine.hit_bounds import OutsideFile, in_file
from review_bot.engine.hit_findings import severity_of, to_findings
from review_bot.engine.inspection import Inspection, gathers, own
from review_bot.engine.plan import FileTask, entered_rules
from review_bot.engine.profiling import profile
from review_bot.engine.suggestions import Proof
from review_bot.engine.suppression_filter import SuppressionFilter
from review_bot.engine.survey_tasks import (
    CountTask,
    DoubtResult,
    DoubtTask,
    RuleResult,
    RuleTask,
    SettleTask,
    Task,
    weight,
)
from review_bot.findings import ONLY_DIFF_KNOWN, Examination, Failure, Finding, NotRun
from review_bot.processes import typed_json
from review_bot.rules import structural_pattern
from review_bot.rules.check import ChangeCheck
from review_bot.rules.matchers import PullRequestText
from review_bot.rules.rule import Hit, Rule

_Groups: TypeAlias = dict[int, list[tuple[tuple[int, Hit], ...]]]
"""What rules about the whole change saw in each file, by the paths that they gave."""


class Survey:
    """What is known of one change so far. ``files``: the results for files, by index.

    ``together``: a process goes on from a file to what is about the whole, and so remembers what it has seen. Without
    it, a process is done with a file once it has given the result, and keeps nothing of it, however many there are.
    """

    def __init__(self, inspection: Inspection, files: Mapping[int, FileResult], *, together: bool = True) -> None:
        self._inspection = inspection
        self._together = together
        keep_trees(many=together)
        self.files = dict(files)
        self.counted: tuple[FileProfile, ...] = ()
        self._related: dict[int, RuleResult] = {}
        self._doubted = DoubtResult()
        self._settled: dict[int, FileResult] = {}
        self._facts: dict[int, list[tuple[FileResult, Any]]] | None = None
        self._hits: tuple[_Groups, list[tuple[int, Hit]]] | None = None

    def run(
        self,
        tasks: Sequence[Task],
        *,
        jobs: int = 1,
        done: Callable[[int], None] = lambda _count: None,
    ) -> None:
        """Perform tasks. Those on files come first in each process, and what is heavy first of all."""
        results = self._inspection.run(
            tasks, self._perform, self._lose, jobs=jobs, weight=weight, done=done, read=self._read
        )
        if not self._together:
            for task, result in zip(tasks, results, strict=True):
                self._note(task, result)

    def finish(self) -> None:
        """Look at the change as a whole, at what that leaves in doubt, and at the files that it leaves to settle."""
        self.run(self.rules())
        self.run(self.doubtful())
        self.run(self.unsettled())

    def rules(self, to_come: Iterable[FileTask] = ()) -> list[RuleTask]:
        """Return the rules that look at the whole change, or may do so once some files have been looked at."""
        change, rules = self._inspection.pull_request, self._inspection.rulebook.rules
        asked = {number for result in self.files.values() for number, _ in result.facts}
        asked |= {number for task in to_come for number in task.rules if gathers(rules[number])}
        paths = {file.path for file in change.files}
        if not paths or not paths <= self._inspection.rulebook.left_out.keys():  # else checked for errors only
            asked |= {number for number, rule in enumerate(rules) if rule.is_about_all}
        return [RuleTask(number) for number in sorted(asked)]

    def doubtful(self, to_come: Iterable[FileTask] = ()) -> list[DoubtTask]:
        """Return the task to ask the base about what rules said, or may say yet; nothing where none is to be asked."""
        rules = self._inspection.rulebook.rules
        found = {finding.rule for result in self.files.values() for finding in result.findings}
        asked = {number for task in to_come for number in task.rules}
        asked |= {number for number, result in self._related.items() if result.hits}
        asked |= {number for result in self.files.values() for number, _ in result.facts}
        asked |= {number for number, rule in enumerate(rules) if rule.id in found}
        asked = {number for number in asked if may_be_doubted(rules[number]) or may_be_habit(rules[number])}
        return [DoubtTask(tuple(sorted(asked)))] if asked else []

    def unsettled(self) -> list[SettleTask]:
        """Return the files to settle, now that every rule has looked."""
        return [SettleTask(index) for index in sorted(self._by_file()[0])]

    def examination(self) -> Examination:
        """Return all that was seen; what is known without looking is left to the caller."""
        rules, pull_request = self._inspection.rulebook.rules, self._inspection.pull_request
        results = [*_in_order(self.files), *_in_order(self._settled)]
        related = _in_order(self._related)
        findings = [finding for result in results for finding in result.findings]
        findings += relations.whole_findings([(rules[number], hit) for number, hit in self._by_file()[1]])
        findings = after_doubts(findings, self._doubted.doubts)
        not_run = [entry for result in results for entry in result.not_run]
        not_run += [entry for each in related for entry in each.not_run]
        failures = [failure for result in results for failure in result.failures]
        failures += [failure for each in related for failure in each.failures]
        not_run += self._doubted.not_run
        failures += self._doubted.failures
        unreviewed = (entry for result in results for entry in result.unreviewed)
        return Examination(
            findings=tuple(sorted(findings, key=_order)),
            suppressed=tuple(sorted((s for r in results for s in r.suppressed), key=lambda s: _order(s.finding))),
            unreviewed=tuple(sorted({*pull_request.unreviewed, *unreviewed})),
            not_run=tuple(_merge_not_run(not_run)),
            failures=tuple(sorted({*failures}, key=str)),
        )

    def _perform(self, task: Task) -> Any:
        try:
            result = self._result_of(task)
        except BaseException as error:  # what is lost is known here too
            if not isinstance(error, MemoryError):
                self._lose(task, type(error).__name__)
            raise
        if self._together:
            self._note(task, result)
        elif isinstance(task, FileTask | SettleTask):
            self._inspection.forget_files()
        return result.written_out() if isinstance(result, FileResult) else result

    def _result_of(self, task: Task) -> Any:
        match task:
            case FileTask():
                return self._inspection.examine_file(task)
            case CountTask(files):
                focus = self._inspection.rulebook.focus
                return tuple(profile(index, self._inspection.source_of(index), focus) for index in files)
            case RuleTask(number):
                return self._relate(number)
            case DoubtTask(numbers):
                return self._doubt(numbers)
            case SettleTask(index):
                return self._settle(index)

    def _lose(self, task: Task, reason: str) -> Any:
        """Return what is known where a task has ended early."""
        lost: Any
        match task:
            case FileTask(file=index) | SettleTask(index):
                lost = self._inspection.file_failed(index, reason)
            case CountTask():
                lost = ()  # no rule has anything to say there: the review lacks nothing
            case RuleTask(number):
                rule = self._inspection.rulebook.rules[number]
                lost = RuleResult(number, failures=(Failure(rule.id, None, reason),))
            case DoubtTask(numbers):
                words = f"whether the base has the same was not found out, so its findings stay as they are: {reason}"
                rules = self._inspection.rulebook.rules
                lost = DoubtResult(not_run=tuple(NotRun(rules[n].id, words) for n in self._claims(numbers)))
        self._note(task, lost)
        return lost

    def _read(self, task: Task, data: Any) -> Any:
        """Return what another process gave for a task. Raises Mismatch."""
        result: Any
        match task:
            case FileTask(file=index) | SettleTask(index):
                result = own(self._inspection.read_result(data), index, self._inspection.file_failed)
            case CountTask():
                result = typed_json.decode(tuple[FileProfile, ...], data)
            case RuleTask(number):
                result = typed_json.decode(RuleResult, data)
                if result.rule != number:
                    raise typed_json.Mismatch("a result of another rule")
            case DoubtTask():
                result = typed_json.decode(DoubtResult, data)
        self._note(task, result)
        return result

    def _note(self, task: Task, result: Any) -> None:
        match task:
            case FileTask(file=index):
                self.files[index] = result
                self._facts = self._hits = None
            case CountTask():
                self.counted = result
            case RuleTask(number):
                self._related[number] = result
                self._hits = None
            case DoubtTask():
                self._doubted = result
            case SettleTask(index):
                self._settled[index] = result

    def _facts_of(self, number: int) -> dict[str, Any]:
        """Return what was gathered for a rule, by path. Raises Mismatch if another process gave something else."""
        files = self._inspection.pull_request.files
        if self._facts is None:
            self._facts = {}
            for result in sorted(self.files.values(), key=lambda each: files[each.file].path):
                for rule, fact in result.facts:
                    self._facts.setdefault(rule, []).append((result, fact))
        read = partial(self._inspection.fact, number)
        gathered = self._facts.get(number, ())
        return {files[each.file].path: read(fact) if each.written else fact for each, fact in gathered}

    def _relate(self, number: int) -> RuleResult:
        """Run one rule that looks at the whole change."""
        inspection = self._inspection
        rule = inspection.rulebook.rules[number]
        pull_request, codebase = inspection.pull_request, inspection.codebase
        try:
            facts = self._facts_of(number)
            if not facts and not rule.is_about_all:
                return RuleResult(number)
            check = inspection.rulebook.check_of(rule)
            lacking = _lacks(rule, codebase, works_without_tree=check is not None and check.traits.works_without_tree)
            written = isinstance(rule.matcher, PullRequestText)
            if written:
                lacking = written_text.lacking(rule, pull_request)
            if lacking:
                return RuleResult(number, not_run=(NotRun(rule.id, lacking),))
            if isinstance(check, ChangeCheck):
                found = list(check.relate(facts, pull_request, codebase, inspection.rulebook.options_of(rule)))
            elif written:
                found = list(written_text.examine(rule, pull_request))
            else:
                found = list(relations.examine(rule, pull_request, inspection.rulebook))
        except Exception as error:  # a rule that crashes is a recorded failure; the run goes on
            if isinstance(error, MemoryError):
                raise
            return RuleResult(number, failures=(Failure(rule.id, None, f"{type(error).__name__}: {error}"),))
        return RuleResult(number, tuple(hit._replace(values=dict(hit.values)) for hit in found))

    def _doubt(self, numbers: Iterable[int]) -> DoubtResult:
        """Ask the base about what rules said of lines at the head."""
        inspection, codebase = self._inspection, self._inspection.codebase
        found: list[Doubt] = []
        failures: list[Failure] = []
        known = codebase.available and codebase.texts_available
        for number, claims in self._claims(numbers).items() if known else ():
            rule = inspection.rulebook.rules[number]
            try:
                found += doubts(rule, claims, inspection.pull_request, codebase, inspection.rulebook, inspection.known)
            except BaseException as error:  # the claims stay; ast-grep panics outside Exception
                if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
                    raise
                failures.append(Failure(rule.id, None, f"asked about the base: {structural_pattern.named(error)}"))
        return DoubtResult(tuple(found), tuple(failures))

    def _claims(self, numbers: Iterable[int]) -> dict[int, list[Claim]]:
        """Return what some rules (by index) said of lines at the head, without rules that said nothing."""
        said: dict[str, list[Finding]] = {}
        for finding in (each for result in self.files.values() for each in result.findings if each.side == "RIGHT"):
            said.setdefault(finding.rule, []).append(finding)
        claims: dict[int, list[Claim]] = {}
        for number in numbers:
            rule = self._inspection.rulebook.rules[number]
            claims[number] = [
                Claim(rule.id, each.path, each.line, None, each.severity, each.message)
                if is_doubted(rule)
                else Claim(rule.id, each.path, each.line, each.message, each.severity)
                for each in said.get(rule.id, ())
                if each.path is not None
            ]
            hits = self._related[number].hits if number in self._related else ()
            claims[number] += [
                Claim(rule.id, hit.path, hit.line, hit.subject, severity_of(rule, hit))
                for hit in hits
                if hit.path and hit.side == "RIGHT"
            ]
        return {number: each for number, each in claims.items() if each}

    def _settle(self, index: int) -> FileResult:
        """Judge what the whole change says of one file, and name those of its suppressions that do not count."""
        groups = self._by_file()[0].get(index)
        if groups is None:
            return FileResult(index)
        inspection, rules = self._inspection, self._inspection.rulebook.rules
        source, before = inspection.source_of(index), self.files.get(index, FileResult(index))
        base = inspection.base_of(index)
        entered = frozenset(rules[number].id for number in entered_rules(source.change, inspection.rulebook))
        comments = SuppressionFilter(source, inspection.known, base.findings, entered)
        kept: list[Finding] = []
        suppressed = []
        failures: list[Failure] = []
        untried: list[NotRun] = []
        for group in groups:
            pairs = []
            for number, hit in group:
                try:
                    in_file([hit], source)
                except OutsideFile as error:
                    failures.append(Failure(rules[number].id, source.path, f"OutsideFile: {error}"))
                else:
                    pairs.append((rules[number], hit))
            proof = Proof(source, partial(file_examination.look_again, inspection.rulebook), untried)
            found = to_findings(pairs, source, base, inspection.rulebook, proof, entered=entered)
            open_here, suppressed_here = comments.apply(found, {rule.id: rule for rule, _ in pairs})
            kept += open_here
            suppressed += suppressed_here
        if before.has_directives:  # whether one is in use is known only after every rule has looked
            related = self._related.values()
            undecided = {failure.rule for each in related for failure in each.failures}
            undecided |= {entry.rule for each in related for entry in each.not_run}
            not_tried = inspection.known.rules if before.unreviewed else before.not_tried | undecided
            kept += comments.problems({*before.used, *comments.used}, not_tried)
        return FileResult(
            index,
            findings=tuple(kept),
            suppressed=tuple(suppressed),
            failures=(*failures, *base.failures),
            not_run=tuple(untried),
        )

    def _by_file(self) -> tuple[_Groups, list[tuple[int, Hit]]]:
        """Return what rules about the whole change saw in each file to settle, and the hits about no file."""
        if self._hits is None:
            self._hits = _by_file(self._inspection.pull_request, self.files.values(), _in_order(self._related))
        return self._hits


def surveyed(inspection: Inspection, files: Iterable[FileResult]) -> Examination:
    """Look at the change as a whole, now that each file has been looked at, and return all that was seen."""
    survey = Survey(inspection, {result.file: result for result in files})
    survey.finish()
    return survey.examination()


_Entry = TypeVar("_Entry")


def _in_order(results: Mapping[int, _Entry]) -> list[_Entry]:
    return [results[number] for number in sorted(results)]


def _order(finding: Finding) -> tuple[str, int, str, int, str, str, str]:
    place = (finding.path or "", finding.line or 0, finding.rule, finding.column or 0)
    return (*place, finding.message, finding.side, finding.fingerprint)


def _merge_not_run(entries: list[NotRun]) -> list[NotRun]:
    counts: dict[NotRun, int] = {}
    for entry in entries:
        counts[entry] = counts.get(entry, 0) + 1
    return [
        entry if count == 1 else NotRun(entry.rule, f"{entry.reason} (in {count} files)")
        for entry, count in sorted(counts.items())
    ]


def _lacks(rule: Rule, codebase: Codebase, *, works_without_tree: bool) -> str | None:
    if rule.needs and not codebase.available and not works_without_tree:
        return f"needs the tree of the repository, but {ONLY_DIFF_KNOWN}"
    if "text" in rule.needs and not codebase.texts_available:
        return "needs the texts of the repository, but only its paths are known"
    return None


def _by_file(
    pull_request: PullRequest, results: Iterable[FileResult], related: Iterable[RuleResult]
) -> tuple[_Groups, list[tuple[int, Hit]]]:
    hits: dict[str | None, list[tuple[int, Hit]]] = {}
    for each in related:
        for hit in each.hits:
            hits.setdefault(hit.path, []).append((each.rule, hit))
    index_of = {file.path: index for index, file in enumerate(pull_request.files)}
    index_of |= {f.old_path: n for n, f in enumerate(pull_request.files) if f.old_path and f.old_path not in index_of}
    groups: _Groups = {r.file: [] for r in results if r.has_directives}
    about_all: list[tuple[int, Hit]] = []
    for path, pairs in hits.items():
        index = index_of.get(path) if path is not None else None
        if index is None:
            about_all += pairs
        else:
            groups.setdefault(index, []).append(tuple(pairs))
    return groups, about_all
