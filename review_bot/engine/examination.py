"""The engine: a pull request, the texts its rules asked for, and a rulebook give an ``Examination``.

Three looks: at each file by itself (in workers, when there is much to do), then with each rule that wants it at the
change as a whole, by small facts that the first look gathered, and at the files that these point to. The same input
gives the same examination, whatever the order of files, the number of workers, or who runs the tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from review_bot.changes.profile import FileProfile
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import SourceFile
from review_bot.engine.fixing import prove, untried
from review_bot.engine.inspection import Inspection, Run, Texts, own
from review_bot.engine.left_out import left_out_files
from review_bot.engine.plan import Plan
from review_bot.engine.profiling import profile
from review_bot.findings import Examination, NoText
from review_bot.processes import typed_json
from review_bot.processes.process_pool import run_in_process
from review_bot.rules.rulebook import Rulebook

__all__ = ["Run", "Texts", "examine", "no_text"]

PARALLEL_FROM = 4_000
"""Added lines in files with work to do from which worker processes pay for themselves."""


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
) -> Examination:
    """Run every rule of the plan. ``jobs``: worker processes to use when the change is large.

    ``on_findings`` is called with all findings before any fix is tried, so that an unfinished proof costs only fixes.
    """
    inspection = Inspection(pull_request, texts, repository, rulebook, run)
    if run is not run_in_process:  # the records that its processes answer with are those of checks
        for number in sorted({number for task in plan.tasks for number in task.rules}):
            if rulebook.rules[number].kind == "check":
                rulebook.check_of(rulebook.rules[number])
    large = sum(task.weight for task in plan.tasks) >= PARALLEL_FROM
    results = run(
        plan.tasks,
        inspection.examine_file,
        lambda task, reason: inspection.file_failed(task.file, reason),
        jobs=jobs if large else 1,
        weight=lambda task: task.weight,
        done=progress,
        read=inspection.read_result,
    )
    results = [own(result, task.file, inspection.file_failed) for task, result in zip(plan.tasks, results, strict=True)]
    profiles = [result.profile for result in results if result.profile is not None]
    profiles += _count(plan.counted, inspection.source_of, rulebook, run)
    seen = inspection.aggregate(results)._replace(
        no_text=no_text(pull_request),
        ignored=tuple(sorted(plan.ignored)),
        left_out=left_out_files(pull_request, rulebook),
        profiles=tuple(sorted(profiles, key=lambda each: (pull_request.files[each.file].path, each.file))),
    )
    if plan.fixing is None:
        return seen
    on_findings(seen._replace(fixes=untried(inspection, plan.fixing, results)))
    return seen._replace(fixes=prove(inspection, plan, plan.fixing, results, seen))


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
