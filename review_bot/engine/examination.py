"""The engine: a pull request, the texts its rules asked for, and a rulebook give an ``Examination``.

Three looks: at each file by itself (in workers, when there is much to do), then with each rule that wants it at the
change as a whole, by small facts that the first look gathered, and at the files that these point to. The same input
gives the same examination, whatever the order of files, the number of workers, or who runs the tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

from review_bot.changes.profile import FileProfile
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import SourceFile
from review_bot.engine.file_examination import FileInput, FileResult
from review_bot.engine.fixing import prove, untried
from review_bot.engine.inspection import Inspection, Run, own
from review_bot.engine.left_out import left_out_files
from review_bot.engine.plan import FileTask, Plan
from review_bot.engine.profiling import profile
from review_bot.engine.texts import Texts
from review_bot.findings import Examination, NoText
from review_bot.processes import typed_json
from review_bot.processes.process_pool import run_in_process
from review_bot.rules.matchers import Checked
from review_bot.rules.rulebook import Rulebook

__all__ = ["Run", "Texts", "examine", "no_text"]

PARALLEL_FROM = 1_000
"""Added lines in files with work to do from which worker processes pay for themselves."""


class Results(Protocol):
    """Keeps the results for files from one run to the next."""

    def recall(self, given: FileInput, /) -> Any:
        """Return the result for a file as parsed JSON, or None."""

    def keep(self, given: FileInput, result: FileResult, /) -> None:
        """Keep the result for a file; its ``file`` is 0."""


def examine(  # noqa: PLR0913  # what is asked, and how to run it
    pull_request: PullRequest,
    plan: Plan,
    texts: Texts,
    repository: Repository,
    rulebook: Rulebook,
    *,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda _count: None,
    run: Run = run_in_process,
    on_findings: Callable[[Examination], None] = lambda _seen: None,
    results: Results | None = None,
) -> Examination:
    """Run every rule of the plan. ``jobs``: worker processes to use when the change is large.

    ``on_findings`` is called with all findings before any fix is tried, so that an unfinished proof costs only fixes.
    ``results``: of earlier runs; only the files without one are looked at, the change as a whole always is.
    """
    inspection = Inspection(pull_request, texts, repository, rulebook, run)
    earlier = {} if results is None else _recalled(inspection, plan.tasks, results)
    tasks = [task for task in plan.tasks if task.file not in earlier]
    large = sum(task.weight for task in tasks) >= PARALLEL_FROM
    if run is not run_in_process:
        for rule in (rulebook.rules[number] for number in sorted({number for task in tasks for number in task.rules})):
            # Facts are read here by the types that their checks declare; one process can import other checks by itself.
            if isinstance(rule.matcher, Checked) and (large or not rule.matcher.per_file):
                rulebook.check_of(rule)
    found = run(
        tasks,
        inspection.examine_file,
        lambda task, reason: inspection.file_failed(task.file, reason),
        jobs=jobs if large else 1,
        weight=lambda task: task.weight,
        done=lambda count: progress(len(earlier) + count),
        read=inspection.read_result,
    )
    now = {task.file: own(result, task.file, inspection.file_failed) for task, result in zip(tasks, found, strict=True)}
    if results is not None:
        for task in tasks:
            results.keep(inspection.input_of(task), now[task.file].of_file(0))
    by_file = earlier | now
    file_results = [by_file[task.file] for task in plan.tasks]
    profiles = [result.profile for result in file_results if result.profile is not None]
    profiles += _count(plan.counted, inspection.source_of, rulebook, run)
    seen = inspection.aggregate(file_results)._replace(
        no_text=no_text(pull_request),
        ignored=tuple(sorted(plan.ignored)),
        left_out=left_out_files(pull_request, rulebook),
        profiles=tuple(sorted(profiles, key=lambda each: (pull_request.files[each.file].path, each.file))),
    )
    if plan.fixing is None:
        return seen
    on_findings(seen._replace(fixes=untried(inspection, plan.fixing, file_results)))
    return seen._replace(fixes=prove(inspection, plan, plan.fixing, file_results, seen))


def _recalled(inspection: Inspection, tasks: Sequence[FileTask], results: Results) -> dict[int, FileResult]:
    """Return the results of earlier runs, by file; one that this version cannot read is none."""
    found: dict[int, FileResult] = {}
    for task in tasks:
        data = results.recall(inspection.input_of(task))
        if data is not None:
            with suppress(typed_json.Mismatch):
                found[task.file] = inspection.read_result(data).of_file(task.file)
    return found


def no_text(pull_request: PullRequest) -> tuple[NoText, ...]:
    """Return the files without text of their own."""
    return tuple(sorted(NoText(file.path, file.kind) for file in pull_request.files if file.kind != "text"))


def _count(
    files: Sequence[int], source_of: Callable[[int], SourceFile], rulebook: Rulebook, run: Run
) -> list[FileProfile]:
    """Count what is added to the files that no rule looks at; all of them in one task, as it is little work."""

    def count(indexes: Sequence[int]) -> list[FileProfile]:
        return [profile(index, source_of(index), rulebook.focus) for index in indexes]

    def uncounted(_indexes: Sequence[int], _reason: str) -> list[FileProfile]:
        return []  # no rule has anything to say there: the review lacks nothing

    tasks = [files] if files else []
    return [
        each for counted in run(tasks, count, uncounted, read=typed_json.reader(list[FileProfile])) for each in counted
    ]
