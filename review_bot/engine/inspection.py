"""Looks at a change: at each file by itself, then at the whole of it, by the facts that the first look gathered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Protocol, TypeVar, get_type_hints

from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest, Unreviewed
from review_bot.changes.repository import Repository, with_changed_links
from review_bot.changes.source_file import SourceFile
from review_bot.engine import file_examination, relations, written_text
from review_bot.engine.base_findings import BaseFindings
from review_bot.engine.file_examination import FileInput, FileResult, FileTexts
from review_bot.engine.hit_findings import Base, Moved, OtherPlace, to_findings
from review_bot.engine.moved_code import MovedLines, find_moved
from review_bot.engine.plan import FileTask, entered_rules
from review_bot.engine.suppression_filter import SuppressionFilter
from review_bot.engine.suppressions import Known
from review_bot.engine.texts import Texts, text_from_diff
from review_bot.findings import Examination, Failure, Finding, NotRun
from review_bot.processes import typed_json
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck
from review_bot.rules.matchers import PullRequestText
from review_bot.rules.rule import Hit, Rule
from review_bot.rules.rulebook import Rulebook

Task = TypeVar("Task")
Result = TypeVar("Result")


class Run(Protocol):
    """Runs tasks: ``run_in_process``, or a ``ProcessPool``, in which each dies alone (``processes.process_pool``)."""

    def __call__(
        self,
        tasks: Sequence[Task],
        work: Callable[[Task], Result],
        lost: Callable[[Task, str], Result],
        /,
        *,
        jobs: int = 1,
        weight: Callable[[Task], int] = ...,
        done: Callable[[int], None] = ...,
        read: Callable[[Any], Result],
    ) -> list[Result]:
        """Return ``work(task)``, or ``lost(task, reason)``, for each task in the order of the tasks.

        ``read`` makes a result of its parsed JSON, where it comes from a process that read hostile bytes. It raises
        ``typed_json.Mismatch`` for what no result can be.
        """


class RuleResult(NamedTuple):
    """What one rule saw in the change as a whole."""

    rule: int
    hits: tuple[Hit, ...] = ()
    failures: tuple[Failure, ...] = ()
    not_run: tuple[NotRun, ...] = ()


class Whole(NamedTuple):
    """A file to settle: what rules about the whole change saw in it, by the path that they gave."""

    file: int
    groups: tuple[tuple[tuple[int, Hit], ...], ...]


class Inspection:
    """Looks at one change: at each file, then at the change as a whole."""

    def __init__(
        self,
        pull_request: PullRequest,
        texts: Texts,
        repository: Repository,
        rulebook: Rulebook,
        run: Run,
        *,
        moved: MovedLines | None = None,
    ) -> None:
        self.pull_request = pull_request
        self.texts = texts
        self.repository = with_changed_links(repository, pull_request.files)
        self.codebase = Codebase(self.repository, pull_request)
        self.rulebook = rulebook
        self.run = run
        self.moved = find_moved(pull_request.files) if moved is None else moved
        self._base: dict[int, BaseFindings] = {}
        self._files: dict[int, FileTexts] = {}
        locked = frozenset(rule.id for rule in rulebook.rules if not rule.suppressible)
        self._known = Known(rulebook.known_ids, locked, pull_request.base_date, rulebook.suppressions, rulebook.vouched)

    def lines_moved(self, index: int) -> Moved:
        """Return the lines of a file that only moved, with the other places."""
        files, moved = self.pull_request.files, self.moved
        added = {
            line: OtherPlace(there, files[there].base_path, old_line)
            for line, (there, old_line) in moved.added.get(index, {}).items()
        }
        removed = {
            line: OtherPlace(there, files[there].path, new_line)
            for line, (there, new_line) in moved.removed.get(index, {}).items()
        }
        return Moved(added, removed)

    def base_of(self, index: int) -> Base:
        """Return what was at the base, as seen from one file."""
        return Base(self.findings_at_base(index), self.lines_moved(index), self.findings_at_base)

    def findings_at_base(self, index: int) -> BaseFindings:
        """Return what the rules find in a file at the base, when they are asked."""
        if index not in self._base:
            self._base[index] = file_examination.findings_at_base(self._texts_of(index), self.rulebook)
        return self._base[index]

    def _texts_of(self, index: int) -> FileTexts:
        if index not in self._files:  # once, so that a file that lines moved to or from is one object in all inputs
            texts = self.text_of(index), self.texts.old.get(index)
            self._files[index] = FileTexts(self.pull_request.files[index], *texts)
        return self._files[index]

    def add_old_text(self, index: int, text: str) -> None:
        """Add the text of a file at the base, which had not been read."""
        self.texts = self.texts._replace(old={**self.texts.old, index: text})
        self._files.pop(index, None)
        self._base.pop(index, None)

    def source_of(self, index: int) -> SourceFile:
        """Return a file with the texts that are known."""
        return SourceFile(self.pull_request.files[index], self.text_of(index), self.texts.old.get(index))

    def text_of(self, index: int) -> str | None:
        """Return the whole new text of a file as it is, or None where only a part of it is known."""
        text = self.texts.new.get(index)
        return text_from_diff(self.pull_request.files[index]) if text is None else text

    def input_of(self, task: FileTask, *, suggests: bool = True) -> FileInput:
        """Return all that the result for the file of a task depends on, besides the rulebook."""
        moved = self.lines_moved(task.file)
        others = {place.file for lines in moved for place in lines.values()} - {task.file}
        files = [task.file, *sorted(others)]
        position = {index: number for number, index in enumerate(files)}

        def here(lines: Mapping[int, OtherPlace]) -> dict[int, OtherPlace]:
            return {line: place._replace(file=position[place.file]) for line, place in lines.items()}

        return FileInput(
            task._replace(file=0),
            tuple(map(self._texts_of, files)),
            Moved(here(moved.added), here(moved.removed)),
            self._known,
            suggests,
        )

    def examine_file(self, task: FileTask, *, suggests: bool = True) -> FileResult:
        """Try the rules of a task on its file."""
        found = file_examination.examine_file(self.input_of(task, suggests=suggests), self.rulebook)
        return found.of_file(task.file)

    def read_result(self, data: Any) -> FileResult:
        """Return a result of one file from its parsed JSON. Raises Mismatch."""
        return self.with_facts(typed_json.decode(FileResult, data))

    def with_facts(self, result: FileResult) -> FileResult:
        """Return a result with its facts, which are still parsed JSON, as the checks declare them. Raises Mismatch."""
        return result._replace(facts=tuple((number, self._fact(number, fact)) for number, fact in result.facts))

    def _fact(self, number: int, data: Any) -> Any:
        rules = self.rulebook.rules
        if not 0 <= number < len(rules) or rules[number].kind != "check":
            raise typed_json.Mismatch("a fact of no check")
        check = self.rulebook.check_of(rules[number])
        if not isinstance(check, ChangeCheck):
            raise typed_json.Mismatch("a fact of a check that gathers none")
        return typed_json.decode(_type_of_facts(check.gather), data)

    def file_failed(self, index: int, reason: str) -> FileResult:
        """Return what is known of a file that could not be looked at."""
        return FileResult(index, unreviewed=(Unreviewed(self.pull_request.files[index].path, reason),))

    def aggregate(self, results: Sequence[FileResult]) -> Examination:
        """Look at the change as a whole, and return all that was seen; profiles and names are left to the caller."""
        pull_request, rules = self.pull_request, self.rulebook.rules
        facts = _facts(pull_request, results)
        paths = {file.path for file in pull_request.files}
        skipped = bool(paths) and paths <= self.rulebook.left_out.keys()  # checked for errors only
        numbers = [
            number for number, rule in enumerate(rules) if number in facts or (rule.is_about_all and not skipped)
        ]
        related = self.run(
            numbers,
            lambda number: _relate(number, facts, pull_request, self.codebase, self.rulebook),
            lambda number, reason: RuleResult(number, failures=(Failure(rules[number].id, None, reason),)),
            read=typed_json.reader(RuleResult),
        )
        whole_failures = [failure for each in related for failure in each.failures]
        whole_not_run = [entry for each in related for entry in each.not_run]
        undecided = frozenset([failure.rule for failure in whole_failures] + [entry.rule for entry in whole_not_run])
        wholes, about_all = _by_file(pull_request, results, related)
        by_file = {result.file: result for result in results}

        def settle(whole: Whole) -> FileResult:
            """Judge what the whole change says of one file, and name those of its suppressions that do not count."""
            source, before = self.source_of(whole.file), by_file.get(whole.file, FileResult(whole.file))
            base = self.base_of(whole.file)
            entered = frozenset(rules[number].id for number in entered_rules(source.change, self.rulebook))
            comments = SuppressionFilter(source, self._known, base.findings, entered)
            kept: list[Finding] = []
            suppressed = []
            failures: list[Failure] = []
            for group in whole.groups:
                pairs = []
                for number, hit in group:
                    try:
                        file_examination.in_file([hit], source)
                    except file_examination.OutsideFile as error:
                        failures.append(Failure(rules[number].id, source.path, f"OutsideFile: {error}"))
                    else:
                        pairs.append((rules[number], hit))
                again = partial(file_examination.look_again, self.rulebook)
                found = to_findings(pairs, source, base, self.rulebook, again, entered=entered)
                open_here, suppressed_here = comments.apply(found, {rule.id: rule for rule, _ in pairs})
                kept += open_here
                suppressed += suppressed_here
            if before.has_directives:  # whether one is in use is known only after every rule has looked
                not_tried = self._known.rules if before.unreviewed else before.not_tried | undecided
                kept += comments.problems({*before.used, *comments.used}, not_tried)
            return FileResult(whole.file, findings=tuple(kept), suppressed=tuple(suppressed), failures=tuple(failures))

        settled = self.run(
            wholes, settle, lambda whole, reason: self.file_failed(whole.file, reason), read=self.read_result
        )
        settled = [own(each, whole.file, self.file_failed) for whole, each in zip(wholes, settled, strict=True)]
        everything = [*results, *settled]
        findings = [finding for result in everything for finding in result.findings]
        findings += relations.whole_findings([(rules[number], hit) for number, hit in about_all])
        not_run = [entry for result in everything for entry in result.not_run] + whole_not_run
        return Examination(
            findings=tuple(sorted(findings, key=_order)),
            suppressed=tuple(sorted((s for r in everything for s in r.suppressed), key=lambda s: _order(s.finding))),
            unreviewed=tuple(sorted({*pull_request.unreviewed, *(u for r in everything for u in r.unreviewed)})),
            not_run=tuple(_merge_not_run(not_run)),
            failures=tuple(sorted([f for r in everything for f in r.failures] + whole_failures, key=str)),
        )


@cache
def _type_of_facts(gather: Any) -> Any:
    return get_type_hints(gather)["return"]


def own(result: FileResult, index: int, lost: Callable[[int, str], FileResult]) -> FileResult:
    """Refuse a result that is about another file than the one that was asked for."""
    return result if result.file == index else lost(index, "returned a result for another file")


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


def _facts(pull_request: PullRequest, results: Sequence[FileResult]) -> dict[int, dict[str, Any]]:
    """Return what was gathered, by rule and path."""
    facts: dict[int, dict[str, Any]] = {}
    for result in sorted(results, key=lambda each: pull_request.files[each.file].path):
        for number, fact in result.facts:
            facts.setdefault(number, {})[pull_request.files[result.file].path] = fact
    return facts


def _relate(
    number: int,
    facts: Mapping[int, dict[str, Any]],
    pull_request: PullRequest,
    codebase: Codebase,
    rulebook: Rulebook,
) -> RuleResult:
    """Run one rule that looks at the whole change."""
    rule = rulebook.rules[number]
    check = rulebook.check_of(rule)
    lacking = _lacks(rule, codebase, works_without_tree=check is not None and check.traits.works_without_tree)
    written = isinstance(rule.matcher, PullRequestText)
    if written:
        lacking = written_text.lacking(rule, pull_request)
    if lacking:
        return RuleResult(number, not_run=(NotRun(rule.id, lacking),))
    try:
        if not isinstance(check, ChangeCheck):
            found = list(
                written_text.examine(rule, pull_request) if written else relations.examine(rule, pull_request, rulebook)
            )
        else:
            found = list(check.relate(facts[number], pull_request, codebase, rulebook.options_of(rule)))
    except Exception as error:  # noqa: BLE001  # a rule that crashes is a recorded failure; the run goes on
        return RuleResult(number, failures=(Failure(rule.id, None, f"{type(error).__name__}: {error}"),))
    return RuleResult(number, tuple(hit._replace(values=dict(hit.values)) for hit in found))


def _lacks(rule: Rule, codebase: Codebase, *, works_without_tree: bool) -> str | None:
    if rule.needs and not codebase.available and not works_without_tree:
        return "needs the tree of the repository, but only the diff is known"
    if "text" in rule.needs and not codebase.texts_available:
        return "needs the texts of the repository, but only its paths are known"
    return None


def _by_file(
    pull_request: PullRequest, results: Sequence[FileResult], related: list[RuleResult]
) -> tuple[list[Whole], list[tuple[int, Hit]]]:
    """Return the files that are still to be settled, and the hits about no file of the change."""
    hits: dict[str | None, list[tuple[int, Hit]]] = {}
    for each in related:
        for hit in each.hits:
            hits.setdefault(hit.path, []).append((each.rule, hit))
    index_of = {file.path: index for index, file in enumerate(pull_request.files)}
    index_of |= {f.old_path: n for n, f in enumerate(pull_request.files) if f.old_path and f.old_path not in index_of}
    groups: dict[int, list[tuple[tuple[int, Hit], ...]]] = {r.file: [] for r in results if r.has_directives}
    about_all: list[tuple[int, Hit]] = []
    for path, pairs in hits.items():
        index = index_of.get(path) if path is not None else None
        if index is None:
            about_all += pairs
        else:
            groups.setdefault(index, []).append(tuple(pairs))
    return [Whole(index, tuple(found)) for index, found in sorted(groups.items())], about_all
