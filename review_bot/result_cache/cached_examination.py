"""Examines a local change, but computes nothing that an earlier run has computed from the same values.

::

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
from review_bot.engine.plan import Plan
from review_bot.engine.texts import Texts
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
"""Bytes of an examination that is kept."""

_PREFIX = "results-"


class CachedExamination:
    """Has the signature of ``engine.examination.examine``. ``name``: of the repository; ``run``: runs what is left."""

    def __init__(self, folder: CacheFolder, name: str, run: Run) -> None:
        self._folder = folder
        self._name = name
        self._run = run

    def __call__(
        self,
        pull_request: PullRequest,
        plan: Plan,
        texts: Texts,
        repository: Repository,
        rulebook: Rulebook,
        *,
        jobs: int = 1,
        progress: Callable[[int], None] = lambda _count: None,
    ) -> Examination:
        """Run every rule of the plan, or recall what it found."""
        asked = (pull_request, plan, texts, repository, rulebook)
        code = code_stamp()
        if code is None:
            return examine_here(*asked, jobs=jobs, progress=progress, run=self._run)
        rules = keys.of_rulebook(rulebook, code)
        trees = "" if repository == Repository() else repository.identity
        name = None if trees is None else f"{_PREFIX}change-{keys.digest([rules, pull_request, plan, texts, trees])}"
        recalled = None if name is None else self._recall(name)
        if recalled is not None:
            progress(len(plan.tasks))
            return recalled
        run = _Watched(self._run)
        results = FileResults(self._folder, f"{_PREFIX}files-{keys.digest(self._name)}", keys.FileKeys(rules))
        seen = examine_here(*asked, jobs=jobs, progress=progress, run=run, results=results)
        results.write()
        if name is not None and not run.lost and not seen.failures and {*seen.unreviewed} <= {*pull_request.unreviewed}:
            content = typed_json.encode(seen).encode("ascii")
            if len(content) <= LARGEST:
                self._folder.write(name, content)
        self._folder.trim(_PREFIX, most_files=MOST_FILES, most_bytes=MOST_BYTES)
        return seen

    def _recall(self, name: str) -> Examination | None:
        content = self._folder.read(name, LARGEST + 100)
        with suppress(typed_json.Mismatch):
            found: Examination | None = None if content is None else typed_json.decode(Examination, parsed(content))
            return found
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
        read: Callable[[Any], Result],
    ) -> list[Result]:
        """Return what the other runner returns."""

        def note(task: Task, reason: str) -> Result:
            self.lost = True
            return lost(task, reason)

        return self._run(tasks, work, note, jobs=jobs, weight=weight, done=done, read=read)
