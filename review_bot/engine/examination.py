"""The engine: a pull request, the texts its rules asked for, and a rulebook give an ``Examination``.

Three looks: at each file by itself (in workers, when there is much to do), then with each rule that wants it at the
change as a whole, by small facts that the first look gathered, and at the files that these point to. The same input
gives the same examination, whatever the order of files, the number of workers, or who runs the tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

from review_bot.changes.pull_request import PullRequest
from review_bot.contracts import contract_store
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.file_examination import FileInput, FileResult
from review_bot.engine.inspection import Inspection, Run
from review_bot.engine.left_out import left_out_files
from review_bot.engine.plan import FileTask
from review_bot.engine.survey import Survey
from review_bot.engine.survey_tasks import CountTask, SettleTask
from review_bot.engine.texts import Texts
from review_bot.findings import Examination, NoText
from review_bot.processes import typed_json
from review_bot.processes.process_pool import run_in_process
from review_bot.rules.matchers import Checked
from review_bot.rules.rulebook import Rulebook

__all__ = ["Run", "Texts", "examine", "no_text"]

PARALLEL_FROM = 1_000
"""Added lines in files with work to do from which worker processes pay for themselves."""

TOGETHER_UP_TO = 100
"""Changed files up to which one process may do all of a small change: each file costs a message, whatever is in it."""


class Results(Protocol):
    """Keeps the results for files from one run to the next."""

    def recall(self, given: FileInput, /) -> Any:
        """Return the result for a file as parsed JSON, or None."""

    def keep(self, given: FileInput, result: FileResult, /) -> None:
        """Keep the result for a file; its ``file`` is 0."""


def examine(
    request: ExaminationRequest,
    *,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda _count: None,
    run: Run = run_in_process,
    on_findings: Callable[[Examination], None] = lambda _seen: None,
    results: Results | None = None,
    together: bool = True,
) -> Examination:
    """Run every rule of the plan. ``jobs``: worker processes to use when the change is large.

    ``together``: one process does all of a small change, as each must load and parse again what an earlier one had.
    Without it what is said of the whole change comes from a process that has read none of its files by itself.

    ``on_findings`` is called with all findings before any fix is tried, so that an unfinished proof costs only fixes.
    ``results``: of earlier runs; only the files without one are looked at, the change as a whole always is.
    """
    pull_request, plan, texts, repository, rulebook = request
    contract_store.use(rulebook.contracts)
    inspection = Inspection(pull_request, texts, repository, rulebook, run)
    earlier = {} if results is None else _recalled(inspection, plan.tasks, results)
    tasks = [task for task in plan.tasks if task.file not in earlier]
    counts = [CountTask(plan.counted)] if plan.counted else []
    large = sum(task.weight for task in tasks) >= PARALLEL_FROM
    together = together and not large and len(pull_request.files) <= TOGETHER_UP_TO
    survey = Survey(inspection, earlier, together=together)

    def done(count: int) -> None:
        if count <= len(tasks):
            progress(len(earlier) + count)

    if together:
        every_file = [SettleTask(index) for index in range(len(pull_request.files))]
        survey.run([*tasks, *counts, *survey.rules(tasks), *survey.doubtful(tasks), *every_file], done=done)
    else:
        if large and run is not run_in_process:
            _load_checks(rulebook, tasks)
        survey.run([*tasks, *counts], jobs=jobs if large else 1, done=done)
        survey.finish()
    if results is not None:
        for task in tasks:
            results.keep(inspection.input_of(task), survey.files[task.file].of_file(0).written_out())
    file_results = [survey.files[task.file] for task in plan.tasks]
    profiles = [result.profile for result in file_results if result.profile is not None]
    profiles += survey.counted
    seen = survey.examination()._replace(
        no_text=no_text(pull_request),
        ignored=tuple(sorted(plan.ignored)),
        left_out=left_out_files(pull_request, rulebook),
        profiles=tuple(sorted(profiles, key=lambda each: (pull_request.files[each.file].path, each.file))),
    )
    if plan.fixing is None:
        return seen
    from review_bot.engine.fixing import prove, untried  # most reviews prove no fixes

    on_findings(seen._replace(fixes=untried(inspection, plan.fixing, file_results, seen)))
    return seen._replace(fixes=prove(inspection, plan, plan.fixing, file_results, seen))


def _load_checks(rulebook: Rulebook, tasks: Sequence[FileTask]) -> None:
    """Import here what many processes would import each for itself."""
    for number in sorted({number for task in tasks for number in task.rules}):
        if isinstance(rulebook.rules[number].matcher, Checked):
            rulebook.check_of(rulebook.rules[number])


def _recalled(inspection: Inspection, tasks: Sequence[FileTask], results: Results) -> dict[int, FileResult]:
    """Return the results of earlier runs, by file, without those that this version cannot read."""
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
