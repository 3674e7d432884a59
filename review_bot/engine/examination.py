"""The engine: a pull request, the texts its rules asked for, and a rulebook give an ``Examination``.

Two looks: at each file by itself (in workers, when there is much to do), then at the change as a whole, with small
facts that the first look gathered. The same input gives the same examination, whatever the order of files or the
number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from review_bot.changes.pull_request import PullRequest, Unreviewed
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import SourceFile
from review_bot.engine import file_examination, processes, relations
from review_bot.engine.file_examination import FileResult
from review_bot.engine.moved_code import find_moved
from review_bot.engine.plan import FileTask, Plan
from review_bot.engine.silencing import Silencer
from review_bot.engine.suppressions import Known
from review_bot.findings import Examination, Failure, Finding, NotRun
from review_bot.rules.rule import Hit, Rule
from review_bot.rules.rulebook import Rulebook

PARALLEL_FROM = 4_000
"""Added lines in files with work to do from which worker processes pay for themselves."""

NOTHING: frozenset[int] = frozenset()


class Texts(NamedTuple):
    """Whole texts by index of the file in the pull request: at the head, and at the merge base."""

    new: Mapping[int, str | None]
    old: Mapping[int, str | None]


def examine(
    pull_request: PullRequest,
    plan: Plan,
    texts: Texts,
    repository: Repository,
    rulebook: Rulebook,
    *,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda _count: None,
) -> Examination:
    """Run every rule of the plan. ``jobs``: worker processes to use when the change is large."""
    moved = find_moved(pull_request.files)
    locked = frozenset(rule.id for rule in rulebook.rules if not rule.suppressible)
    known = Known(rulebook.known_ids, locked, pull_request.base_date, rulebook.suppressions)

    def lines_moved(index: int) -> tuple[frozenset[int], frozenset[int]]:
        return frozenset(moved.added.get(index, NOTHING)), frozenset(moved.removed.get(index, NOTHING))

    def source_of(index: int) -> SourceFile:
        change, text = pull_request.files[index], texts.new.get(index)
        if text is None:
            text = file_examination.text_from_diff(change)
        return SourceFile(change, text, texts.old.get(index))

    def work(task: FileTask) -> FileResult:
        source = source_of(task.file)
        return file_examination.examine_file(
            task.file,
            source.change,
            source.text if task.needs_text else None,
            source.old_text,
            task.rules,
            rulebook,
            lines_moved(task.file),
            known,
        )

    def lost(task: FileTask, reason: str) -> FileResult:
        return FileResult(task.file, unreviewed=(Unreviewed(pull_request.files[task.file].path, reason),))

    large = sum(task.weight for task in plan.tasks) >= PARALLEL_FROM
    results = processes.run_all(
        plan.tasks, work, lost, jobs=jobs if large else 1, weight=lambda task: task.weight, done=progress
    )
    whole_change, whole_failures, whole_not_run = _relate(
        pull_request, results, repository, rulebook, source_of, lines_moved, known
    )
    undecided = frozenset([failure.rule for failure in whole_failures] + [entry.rule for entry in whole_not_run])
    everything = [*results, *whole_change]
    findings = [finding for result in everything for finding in result.findings]
    findings += _suppression_problems(results, whole_change, source_of, known, undecided)
    not_run = [entry for result in everything for entry in result.not_run] + whole_not_run
    return Examination(
        findings=tuple(sorted(findings, key=_order)),
        suppressed=tuple(sorted((s for r in everything for s in r.suppressed), key=lambda s: _order(s.finding))),
        unreviewed=tuple(sorted({*pull_request.unreviewed, *(u for r in everything for u in r.unreviewed)})),
        no_text=tuple(sorted((file.path, file.kind) for file in pull_request.files if file.kind != "text")),
        ignored=tuple(sorted(plan.ignored)),
        not_run=tuple(_merge_not_run(not_run)),
        failures=tuple(sorted([f for r in everything for f in r.failures] + whole_failures, key=str)),
    )


def _order(finding: Finding) -> tuple[str, int, str, int, str, str, str]:
    place = (finding.path or "", finding.line or 0, finding.rule, finding.column or 0)
    return (*place, finding.message, finding.side, finding.fingerprint)


def _suppression_problems(
    results: list[FileResult],
    whole_change: list[FileResult],
    source_of: Callable[[int], SourceFile],
    known: Known,
    undecided: frozenset[str],
) -> list[Finding]:
    """Name the suppressions that do not count; whether one is in use is known only after every rule has looked."""
    used: dict[int, set[tuple[int, str]]] = {}
    for result in (*results, *whole_change):
        used.setdefault(result.file, set()).update(result.used)
    problems: list[Finding] = []
    for result in results:
        if result.has_directives:
            not_tried = known.rules if result.unreviewed else result.not_tried | undecided
            problems += Silencer(source_of(result.file), known).problems(used[result.file], not_tried)
    return problems


def _merge_not_run(entries: list[NotRun]) -> list[NotRun]:
    counts: dict[NotRun, int] = {}
    for entry in entries:
        counts[entry] = counts.get(entry, 0) + 1
    return [
        entry if count == 1 else NotRun(entry.rule, f"{entry.reason} (in {count} files)")
        for entry, count in sorted(counts.items())
    ]


def _relate(
    pull_request: PullRequest,
    results: list[FileResult],
    repository: Repository,
    rulebook: Rulebook,
    source_of: Callable[[int], SourceFile],
    lines_moved: Callable[[int], tuple[frozenset[int], frozenset[int]]],
    known: Known,
) -> tuple[list[FileResult], list[Failure], list[NotRun]]:
    """Run the rules that look at the whole change and sort what they saw by file."""
    facts: dict[int, dict[str, Any]] = {}
    for result in sorted(results, key=lambda each: pull_request.files[each.file].path):
        for number, fact in result.facts:
            facts.setdefault(number, {})[pull_request.files[result.file].path] = fact
    hits: dict[str | None, list[tuple[Rule, Hit]]] = {}
    failures: list[Failure] = []
    not_run: list[NotRun] = []
    for number, rule in enumerate(rulebook.rules):
        if rule.kind == "check" and number not in facts:
            continue
        if rule.kind not in {"check", "pull_request"}:
            continue
        module = rulebook.load_check(rule.matcher["name"]) if rule.kind == "check" else None
        lacking = _lacks(rule, repository, works_without_tree=getattr(module, "WORKS_WITHOUT_TREE", False))
        if lacking:
            not_run.append(NotRun(rule.id, lacking))
            continue
        try:
            if module is None:
                found = list(relations.examine(rule, pull_request))
            else:
                found = list(module.relate(facts[number], pull_request, repository, rule.matcher["options"]))
        except Exception as error:  # noqa: BLE001  # a rule that crashes is a recorded failure; the run goes on
            failures.append(Failure(rule.id, None, f"{type(error).__name__}: {error}"))
            continue
        for hit in found:
            hits.setdefault(hit.path, []).append((rule, hit))
    by_path = {file.path: index for index, file in enumerate(pull_request.files)}
    by_path |= {f.old_path: n for n, f in enumerate(pull_request.files) if f.old_path and f.old_path not in by_path}
    file_results: list[FileResult] = []
    for path, pairs in hits.items():
        index = by_path.get(path) if path is not None else None
        if index is None:
            file_results.append(FileResult(-1, findings=tuple(relations.whole_findings(pairs))))
            continue
        source = source_of(index)
        found_here = file_examination.to_findings(pairs, source, lines_moved(index), rulebook)
        silencer = Silencer(source, known)
        kept, suppressed = silencer.divide(found_here, {rule.id: rule for rule, _ in pairs})
        used = frozenset(silencer.used)
        file_results.append(FileResult(index, findings=tuple(kept), suppressed=tuple(suppressed), used=used))
    return file_results, failures, not_run


def _lacks(rule: Rule, repository: Repository, *, works_without_tree: bool) -> str | None:
    if rule.needs and not repository.available and not works_without_tree:
        return "needs the tree of the repository, and only the diff is known"
    if "text" in rule.needs and not repository.texts_available:
        return "needs the texts of the repository, and only its paths are known"
    return None
