"""Every step of a review: read the change, choose the rules, fetch what they need, run them, judge.

::

    source ── read ──────────────▶ PullRequest
    PullRequest × Rulebook ──────▶ Plan            which rules in which files, so which texts
    source ── read_new, read_old ▶ Texts           and the Repository, if a rule asks for the tree
    all of these ── examine ─────▶ Examination     what was found
    Examination × Policy ── judge ▶ Review         findings and verdict
    Review × Source ── gather ───▶ ReviewContext   what reports show next to it
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from review_bot.assessment.assessment import Guide
from review_bot.changes.pull_request import PullRequest, WholeTexts
from review_bot.changes.repository import Repository
from review_bot.changes.source import Source
from review_bot.comments.model import Declined
from review_bot.coverage.added_lines import Coverage
from review_bot.engine import left_out
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import Fixing, Plan, make_plan
from review_bot.engine.reach import reach_of
from review_bot.engine.texts import Texts, text_from_diff
from review_bot.engine.unread import unread
from review_bot.errors import ConfigError, ForgeError
from review_bot.findings import Examination, within
from review_bot.linters.delegation import Linters, leave_to_linters
from review_bot.records import NamedTuple
from review_bot.review.acceptance import NOTHING_ACCEPTED, Acceptance, with_accepted
from review_bot.review.context import EarlierReview, PullRequestStatus, ReviewContext
from review_bot.review.declined import declined_findings, with_declined
from review_bot.review.fixes import with_fixes
from review_bot.review.judge import NO_BASELINE, Decided, judge
from review_bot.review.policy import Policy
from review_bot.review.review import Review
from review_bot.review.surrounding_code import surrounding_code
from review_bot.rules.matchers import PullRequestText
from review_bot.rules.rulebook import Rulebook


class Examine(Protocol):
    """Looks at a change: in this process (``examine_here``), or in one that can be killed."""

    def __call__(self, request: ExaminationRequest, /, *, jobs: int, progress: Callable[[int], None]) -> Examination:
        """Run every rule of the plan."""


class Measure(Protocol):
    """Returns which added lines tests have run."""

    def __call__(self, change: PullRequest, /) -> Coverage | None:
        """Return the coverage of a change; None without a report."""


def examine_here(request: ExaminationRequest, /, **options: Any) -> Examination:
    """Run every rule of the plan, with the options of ``engine.examination.examine``."""
    from review_bot.engine.examination import examine  # a review of which all results are kept needs no engine

    return examine(request, **options)


def no_coverage(_change: PullRequest, /) -> Coverage | None:
    """Return None, for a review without coverage reports."""
    return None


def no_earlier(_change: PullRequest, /) -> tuple[EarlierReview, ...]:
    """Return nothing, for a review without earlier ones."""
    return ()


class Progress(NamedTuple):
    """Callbacks for the progress of a review: ``begin`` with the number of files, ``done`` with how many have ended."""

    begin: Callable[[int], None] = lambda _total: None
    done: Callable[[int], None] = lambda _count: None


class ReviewRequest(NamedTuple):
    """How to review a change, and what its reports need.

    ``prove_fixes``: find out which suggestions can be applied together, of ``fix_rules`` or of all rules.
    ``with_context``: gather owners, related tests and other open pull requests. ``earlier``: returns earlier reviews of
    the same change. ``status``: of the pull request on GitHub. ``plan``: of what ``read`` returns, if the source had to
    make it. ``paths``: files or folders to report on; empty: all. ``declined``: what people declined, which is not
    fixed, nor reported as one with others. ``accepted``: findings, by fingerprint, that a person accepted for this very
    head, and ``accepted_in`` the files in which this counts for others of the same cause, if not in all.
    """

    rulebook: Rulebook
    policy: Policy = Policy()
    baseline: Mapping[str, str] = NO_BASELINE
    linters: Linters = Linters()
    prove_fixes: bool = False
    fix_rules: frozenset[str] | None = None
    with_context: bool = False
    earlier: Callable[[PullRequest], tuple[EarlierReview, ...]] = no_earlier
    status: PullRequestStatus | None = None
    plan: Plan | None = None
    paths: Sequence[str] = ()
    declined: tuple[Declined, ...] = ()
    accepted: Mapping[str, Acceptance] = NOTHING_ACCEPTED
    accepted_in: frozenset[str] | None = None


class Environment(NamedTuple):
    """What a review runs with: the examiner, its processes, the progress callbacks, and the reader of coverage.

    ``plan``: decides which rules to try in which files.
    """

    examine: Examine = examine_here
    jobs: int = 1
    progress: Progress = Progress()
    coverage: Measure = no_coverage
    plan: Callable[[PullRequest, Rulebook], Plan] = make_plan


def run_review(source: Source, request: ReviewRequest, environment: Environment | None = None) -> Review:
    """Review one change. Raises ReviewBotError if it cannot be read."""
    rulebook, policy, baseline = request.rulebook, request.policy, request.baseline
    examine, jobs, progress, coverage, make_plan = environment or Environment()
    pull_request = source.read()
    rulebook = for_change(source, rulebook, pull_request)
    plan = request.plan or make_plan(pull_request, rulebook)
    pull_request, texts = _read_texts(source, pull_request, plan)
    rulebook = left_out.with_new_generated(rulebook, pull_request, texts.new)
    marked = left_out.marked_generated(rulebook, pull_request, texts.new)
    if marked:
        rulebook = left_out.with_generated(rulebook, pull_request, source.read_old(marked).texts)
        plan = make_plan(pull_request, rulebook)
    if request.prove_fixes:
        plan = plan._replace(
            fixing=Fixing(
                request.fix_rules,
                frozenset(baseline),
                frozenset(request.accepted),
                request.declined,
            )
        )
    progress.begin(len(plan.tasks))
    if any(isinstance(rule.matcher, PullRequestText) and rule.matcher.where == "commit" for rule in rulebook.rules):
        pull_request = pull_request._replace(commits=source.commits())
    others = unread(pull_request, plan, texts.new, rulebook)
    pull_request = pull_request._replace(unreviewed=tuple(sorted({*pull_request.unreviewed, *others})))
    repository = source.repository() if plan.needs_tree else Repository()
    asked = ExaminationRequest(pull_request, plan, texts, repository, rulebook)
    examination = examine(asked, jobs=jobs, progress=progress.done)
    examination = leave_to_linters(examination, rulebook.rules, request.linters)
    declined = declined_findings(examination.findings, request.declined, pull_request.files)
    examination = with_accepted(
        pull_request,
        examination,
        request.accepted,
        rulebook.unsuppressible,
        files=request.accepted_in,
        declined=declined,
    )
    if request.paths:
        examination = within(examination, request.paths, [file.path for file in pull_request.files])
    if any(allowance.max_bytes is not None for allowance in policy.unreviewed_ok):
        examination = _with_sizes(examination, source)
    measured = coverage(pull_request)
    review = judge(
        pull_request,
        examination,
        policy,
        Decided(baseline, frozenset(declined)),
        rules_digest=rulebook.digest,
        rules_run=_count_of_run(rulebook, examination),
        rules=frozenset() if request.paths else frozenset(rule.id for rule in rulebook.rules) - rulebook.narrowed,
        guide=Guide(rulebook.focus, plan.aspects, coverage=measured),
    )
    context = ReviewContext(status=request.status, earlier=request.earlier(pull_request), coverage=measured)
    if request.with_context:
        from review_bot.context.gather import gather  # reports for machines and the terminal do not show it

        context = gather(review, source, context)
    reach, text_of = reach_of(pull_request, examination, rulebook.rules, request.paths), _text_of(pull_request, texts)
    code = surrounding_code(pull_request, review.findings, text_of)
    review = with_declined(review._replace(context=context, reach=reach, code=code), declined)
    return review if examination.fixes is None else with_fixes(review, examination.fixes, text_of)


def for_change(source: Source, rulebook: Rulebook, change: PullRequest) -> Rulebook:
    """Return a rulebook that leaves out the files which the base declares generated or vendored, and skipped changes.

    A ``.gitattributes`` that cannot be read declares nothing.
    """
    try:
        attributes = source.base_file(left_out.ATTRIBUTES_FILE)
    except (ConfigError, ForgeError):
        attributes = None
    return left_out.applied(rulebook, change, attributes)


def _count_of_run(rulebook: Rulebook, examination: Examination) -> int:
    """Return how many rules ran: none that failed, or lacked what it needs, in some file."""
    stopped = {entry.rule for entry in examination.not_run} | {failure.rule for failure in examination.failures}
    return sum(rule.id not in stopped for rule in rulebook.rules)


def _text_of(pull_request: PullRequest, texts: Texts) -> Callable[[str], str | None]:
    """Return the function that gives the whole text of a file at the head, or None if it is not known."""
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


def _with_sizes(examination: Examination, source: Source) -> Examination:
    """Add the sizes of the files that could not be reviewed, for the allowances that limit them."""
    known = source.sizes([entry.path for entry in examination.unreviewed])
    measured = tuple(entry._replace(size=known.get(entry.path)) for entry in examination.unreviewed)
    return examination._replace(unreviewed=measured)
