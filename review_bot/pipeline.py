"""The whole story: read the change, decide what to try, fetch what that needs, look, judge.

::

    source ── read ──────────────▶ PullRequest
    PullRequest × Rulebook ──────▶ Plan            which rules in which files, so which texts
    source ── read_new, read_old ▶ Texts           and the Repository, if a rule asks for the tree
    all of these ── examine ─────▶ Examination     what was seen
    Examination × Policy ── judge ▶ Review         what we think of it
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from review_bot.assessment.assessment import Guide
from review_bot.changes.pull_request import PullRequest, WholeTexts
from review_bot.changes.repository import Repository
from review_bot.coverage.added_lines import Coverage
from review_bot.engine.examination import Texts, examine
from review_bot.engine.file_examination import text_from_diff
from review_bot.engine.plan import Fixing, Plan, make_plan
from review_bot.engine.unread import unread
from review_bot.findings import Examination
from review_bot.linters.delegation import Linters, leave_to_linters
from review_bot.review.fixes import with_fixes
from review_bot.review.judge import judge
from review_bot.review.policy import Policy
from review_bot.review.review import Review
from review_bot.rules.rulebook import Rulebook

NO_BASELINE: Mapping[str, str] = MappingProxyType({})


class Source(Protocol):
    """Where a change comes from."""

    def read(self) -> PullRequest:
        """Return the change: files, hunks, and what could not be read."""

    def read_new(self, wanted: Iterable[int]) -> WholeTexts:
        """Return whole texts at the head, by index of the file."""

    def read_old(self, wanted: Iterable[int]) -> WholeTexts:
        """Return whole texts at the merge base, by index of the file."""

    def repository(self) -> Repository:
        """Return the tree around the change."""


class Examine(Protocol):
    """Looks at a change: in this process (``engine.examination.examine``), or in one that can be killed."""

    def __call__(
        self,
        pull_request: PullRequest,
        plan: Plan,
        texts: Texts,
        repository: Repository,
        rulebook: Rulebook,
        /,
        *,
        jobs: int,
        progress: Callable[[int], None],
    ) -> Examination:
        """Run every rule of the plan."""


class Sizes(Protocol):
    """Tells how large changed files are."""

    def __call__(self, pull_request: PullRequest, paths: Iterable[str], /) -> Mapping[str, int]:
        """Return bytes by path, of those files whose size is known."""


class Measure(Protocol):
    """Tells which added lines tests have run."""

    def __call__(self, change: PullRequest, /) -> Coverage | None:
        """Return what coverage reports say of a change; None without one."""


def no_coverage(_change: PullRequest, /) -> Coverage | None:
    """Know of no report."""
    return None


def no_sizes(_pull_request: PullRequest, _paths: Iterable[str], /) -> Mapping[str, int]:
    """Know no size."""
    return {}


class Progress(NamedTuple):
    """Whom to tell how far a review is: ``begin`` with the number of files, ``done`` with how many have ended."""

    begin: Callable[[int], None] = lambda _total: None
    done: Callable[[int], None] = lambda _count: None


def run(  # noqa: PLR0913  # the whole story has that many persons
    source: Source,
    rulebook: Rulebook,
    policy: Policy,
    *,
    baseline: Mapping[str, str] = NO_BASELINE,
    sizes: Sizes = no_sizes,
    jobs: int = 1,
    progress: Progress = Progress(),  # noqa: B008  # an immutable value
    examine: Examine = examine,
    linters: Linters = Linters(),  # noqa: B008  # it reads nothing
    prove_fixes: bool = False,
    fix_rules: frozenset[str] | None = None,
    coverage: Measure = no_coverage,
) -> Review:
    """Review one change. Raises ReviewBotError if it cannot be read.

    ``prove_fixes``: find out which suggestions can be applied together, of ``fix_rules`` or of all rules.
    """
    pull_request = source.read()
    plan = make_plan(pull_request, rulebook)
    if prove_fixes:
        plan = plan._replace(fixing=Fixing(fix_rules, frozenset(baseline)))
    progress.begin(len(plan.tasks))
    pull_request, texts = _read_texts(source, pull_request, plan)
    others = unread(pull_request, plan, texts.new, rulebook)
    pull_request = pull_request._replace(unreviewed=tuple(sorted({*pull_request.unreviewed, *others})))
    repository = source.repository() if plan.needs_tree else Repository()
    examination = examine(pull_request, plan, texts, repository, rulebook, jobs=jobs, progress=progress.done)
    examination = leave_to_linters(examination, rulebook.rules, linters)
    if any(allowance.max_bytes is not None for allowance in policy.unreviewed_ok):
        examination = _with_sizes(examination, pull_request, sizes)
    measured = coverage(pull_request)
    review = judge(
        pull_request,
        examination,
        policy,
        baseline,
        rules_digest=rulebook.digest,
        rules_run=_count_of_run(rulebook, examination),
        rules=frozenset(rule.id for rule in rulebook.rules) - rulebook.narrowed,
        guide=Guide(rulebook.focus, plan.aspects, coverage=measured),
    )
    review = review._replace(surroundings=review.surroundings._replace(coverage=measured))
    return review if examination.fixes is None else with_fixes(review, examination.fixes, _text_of(pull_request, texts))


def _count_of_run(rulebook: Rulebook, examination: Examination) -> int:
    """Return how many rules ran: none that failed, or lacked what it needs, in some file."""
    stopped = {entry.rule for entry in examination.not_run} | {failure.rule for failure in examination.failures}
    return sum(rule.id not in stopped for rule in rulebook.rules)


def _text_of(pull_request: PullRequest, texts: Texts) -> Callable[[str], str | None]:
    """Return who knows the whole text of a file at the head."""
    index_of = {file.path: index for index, file in enumerate(pull_request.files)}

    def text_of(path: str) -> str | None:
        text = texts.new.get(index_of[path])
        return text_from_diff(pull_request.files[index_of[path]]) if text is None else text

    return text_of


def _read_texts(source: Source, pull_request: PullRequest, plan: Plan) -> tuple[PullRequest, Texts]:
    """Fetch the whole texts that the plan asks for; what cannot be read is named in the pull request."""
    new = source.read_new(task.file for task in plan.tasks if task.needs_text)
    helpful = source.read_new(plan.helpful) if plan.helpful else WholeTexts({})
    old = source.read_old(task.file for task in plan.tasks if task.needs_old_text)
    unreviewed = {*pull_request.unreviewed, *new.unreviewed, *old.unreviewed}
    return pull_request._replace(unreviewed=tuple(sorted(unreviewed))), Texts({**helpful.texts, **new.texts}, old.texts)


def _with_sizes(examination: Examination, pull_request: PullRequest, sizes: Sizes) -> Examination:
    """Say how large the files are that could not be reviewed, for the allowances that ask."""
    known = sizes(pull_request, [entry.path for entry in examination.unreviewed])
    measured = tuple(entry._replace(size=known.get(entry.path)) for entry in examination.unreviewed)
    return examination._replace(unreviewed=measured)
