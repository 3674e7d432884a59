"""Examines a local change, but computes nothing that an earlier run has computed from the same values.

::

    change, rules ── key ─▶ the plan
    change, plan, texts, rules, both trees ── key ─▶ the examination of the whole change
    otherwise, for each file: its input, rules ── key ─▶ what rules saw in that file

Only what depends on its key alone is kept: no result of a process that ended early, none of a rule that failed, and no
examination of a change whose trees have no identity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import Repository
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import Plan, make_plan
from review_bot.files.cache_folder import CacheFolder
from review_bot.findings import Examination
from review_bot.pipeline import examine_here
from review_bot.processes import typed_json
from review_bot.result_cache import keys
from review_bot.result_cache.code_stamp import code_stamp
from review_bot.result_cache.file_results import FileResults, parsed
from review_bot.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from review_bot.engine.inspection import Result, Run, Task

MOST_FILES = 1_000
MOST_BYTES = 200_000_000
"""Files and bytes of results in the cache folder, over all repositories; those used longest ago are removed."""

LARGEST = 50_000_000
"""Bytes of a plan or an examination that is kept."""

_PREFIX = "results-"


class CachedExamination:
    """Is an ``Examine`` of the pipeline. ``name``: of the repository; ``run``: runs what is left."""

    def __init__(self, folder: CacheFolder, name: str, run: Run) -> None:
        self._folder = folder
        self._name = name
        self._run = run
        self._code: str | None = None
        self._rules: tuple[Rulebook, str] | None = None

    def plan(self, pull_request: PullRequest, rulebook: Rulebook) -> Plan:
        """Decide which rules to try in which files, like ``engine.plan.make_plan``, or recall it."""
        rules = self._key_of(rulebook)
        if rules is None:
            return make_plan(pull_request, rulebook)
        name = f"{_PREFIX}plan-{keys.digest([rules, pull_request])}"
        recalled: Plan | None = self._recall(name, Plan)
        if recalled is not None:
            return recalled
        made = make_plan(pull_request, rulebook)
        self._keep(name, made)
        return made

    def __call__(
        self,
        request: ExaminationRequest,
        /,
        *,
        jobs: int = 1,
        progress: Callable[[int], None] = lambda _count: None,
    ) -> Examination:
        """Run every rule of the plan, or recall what it found."""
        pull_request, plan, texts, repository, rulebook = request
        rules = self._key_of(rulebook)
        if rules is None:
            return examine_here(request, jobs=jobs, progress=progress, run=self._run)
        trees = "" if repository == Repository() else repository.identity
        name = None if trees is None else f"{_PREFIX}change-{keys.digest([rules, pull_request, plan, texts, trees])}"
        recalled: Examination | None = None if name is None else self._recall(name, Examination)
        if recalled is not None:
            progress(len(plan.tasks))
            return recalled
        run = _Watched(self._run)
        results = FileResults(self._folder, f"{_PREFIX}files-{keys.digest(self._name)}", keys.FileKeys(rules))
        seen = examine_here(request, jobs=jobs, progress=progress, run=run, results=results)
        results.write()
        if name is not None and not run.lost and not seen.failures and {*seen.unreviewed} <= {*pull_request.unreviewed}:
            self._keep(name, seen)
        self._folder.trim(_PREFIX, most_files=MOST_FILES, most_bytes=MOST_BYTES)
        return seen

    def _key_of(self, rulebook: Rulebook) -> str | None:
        """Return the key of the rules and the code, None if the code cannot be identified."""
        if self._rules is None or self._rules[0] is not rulebook:
            self._code = self._code or code_stamp()
            if self._code is None:
                return None
            self._rules = rulebook, keys.of_rulebook(rulebook, self._code)
        return self._rules[1]

    def _keep(self, name: str, value: Any) -> None:
        content = typed_json.encode(value).encode("ascii")
        if len(content) <= LARGEST:
            self._folder.write(name, content)

    def _recall(self, name: str, shape: type) -> Any:
        content = self._folder.read(name, LARGEST + 100)
        with suppress(typed_json.Mismatch):
            return None if content is None else typed_json.decode(shape, parsed(content))
        return None


class _Watched:
    """Runs tasks with another runner. ``lost``: whether one of them has ended early."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.lost = False

    def __call__(
        self,
        tasks: Sequence[Task],
        work: Callable[[Task], Result],
        lost: Callable[[Task, str], Result],
        *,
        jobs: int = 1,
        weight: Callable[[Task], int] = lambda _task: 1,
        done: Callable[[int], None] = lambda _count: None,
        read: Callable[[Task, Any], Result],
    ) -> list[Result]:
        """Return what the other runner returns."""

        def note(task: Task, reason: str) -> Result:
            self.lost = True
            return lost(task, reason)

        return self._run(tasks, work, note, jobs=jobs, weight=weight, done=done, read=read)
