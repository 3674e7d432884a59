"""The review of a pull request that lives on GitHub, from the first call to the last write.

::

    client ── open ────────▶ Overview, Conversation     round 1: who, what, configuration at the base, what is there
    Overview ── configuration ▶ Rulebook, Policy         never from the change itself
    rows ── plan, prefetch ▶ trees, texts, archive      rounds 2 and 3
    pipeline.run_review ───▶ Review                     examined in a process without token (SECURITY.md)
    Review × Posted ───────▶ PublicationPlan ─▶ writes  only if the head is still the one that was read

The verdict is made before any comment is written; only the status is set before, to pending. Apart from its commits, a
pull request affects its verdict in three ways, which the base's configuration controls: an approval by a person with
write access lets the suppressions of a fork count, such a person can accept a finding (``accept``), and ``skip`` can
name its author or a label.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from review_bot import pipeline
from review_bot.changes.pull_request import PullRequest
from review_bot.comments.model import Context, Posted, PostingOverrides, PublicationPlan, PublicationSettings
from review_bot.configuration import effective_config
from review_bot.configuration.effective_config import EffectiveConfig
from review_bot.configuration.inputs import Overrides
from review_bot.context import coverage_input
from review_bot.engine.plan import files_with_suppressions, make_plan
from review_bot.errors import Forbidden, ForgeError, Superseded
from review_bot.forges.github import conversation, labels, merge_group, publisher
from review_bot.forges.github.client import Client
from review_bot.forges.github.conversation import Conversation
from review_bot.forges.github.overview import Overview
from review_bot.forges.github.publisher import Outcome, Place
from review_bot.forges.github.pull_request_status import Own, status_of
from review_bot.forges.github.pull_requests import GitHubPullRequest, GitHubRange
from review_bot.forges.github.source import GitHubSource
from review_bot.github_action import notices, settings_edits
from review_bot.github_action.acceptances import Acceptances, queued_acceptances, read_acceptances, refused
from review_bot.github_action.settings_edits import Edit
from review_bot.publishing.plan import plan
from review_bot.records import NamedTuple
from review_bot.review.context import EarlierReview, PullRequestStatus
from review_bot.review.policy import Policy
from review_bot.review.review import Review
from review_bot.rules.rulebook import Rulebook
from review_bot.sandbox import coverage_worker
from review_bot.text.globs import matches_any


class Examiner(Protocol):
    """Who looks at the change: a worker process, or this one."""

    @property
    def examine(self) -> pipeline.Examine:
        """Return what examines."""


Begin = Callable[[str, str, str], None]
"""Takes the head, the base branch and the default branch of an open change, once they are known and before the rest."""


def no_status(_head: str, _base: str, _default: str, /) -> None:
    """Set no status."""


class Job(NamedTuple):
    """A pull request to review. ``head``, ``base``: the commits that the caller expects, if it knows them.

    ``trusted``: the change cannot edit the workflow that runs us. ``writes``: comments will be read, and written.
    ``coverage``: opens the coverage reports of this run; they are read in a process of their own.
    ``run``: the number of the workflow run that this is, if it is one. ``begin``: sets the status to pending.
    ``earlier``: returns earlier reviews of the same change. ``narrow``: returns the rules of the policy to run.
    """

    repository: str
    number: int
    head: str | None = None
    base: str | None = None
    overrides: Overrides = Overrides()
    posting: PostingOverrides = PostingOverrides()
    publication: PublicationSettings = PublicationSettings()
    trusted: bool = True
    writes: bool = True
    server_url: str = "https://github.com"
    coverage: coverage_input.Open = coverage_input.no_reports
    run: str = ""
    begin: Begin = no_status
    earlier: Callable[[PullRequest], tuple[EarlierReview, ...]] = pipeline.no_earlier
    narrow: Callable[[Rulebook], Rulebook] = lambda rulebook: rulebook


class GroupJob(NamedTuple):
    """A merge group to review: what ``head`` adds to ``base`` for the branch ``base_ref``.

    ``head_ref``: the group's own branch, which names the pull request whose suppressions may count. ``name``: of this
    installation.
    """

    repository: str
    base: str
    head: str
    base_ref: str
    head_ref: str = ""
    overrides: Overrides = Overrides()
    coverage: coverage_input.Open = coverage_input.no_reports
    begin: Begin = no_status
    name: str = PublicationSettings().name


class Reviewed(NamedTuple):
    """A pull request as it was found, and its review, or None if it is closed."""

    source: GitHubPullRequest
    overview: Overview
    talk: Conversation | None
    review: Review | None
    context: Context
    settings: PublicationSettings


def review(client: Client, job: Job, worker: Examiner) -> Reviewed:
    """Read and review. Raises Superseded if the head is not the expected one, ForgeError if it cannot be read."""
    source = GitHubPullRequest(client, job.repository, job.number, expected_head=job.head, expected_base=job.base)
    overview, talk = _open(client, job, source)
    settings = job.publication._replace(quiet=job.publication.drafts == "quiet" and overview.draft)
    context = Context(job.repository, job.number, overview.head_sha, job.server_url)
    if overview.state != "open":
        return Reviewed(source, overview, talk, None, context, settings)
    if job.head is not None and job.head != overview.head_sha:
        raise _moved(job.head, overview.head_sha)
    job.begin(overview.head_sha, overview.base.name, overview.default.name)
    rules = _effective_config(source, job.overrides, overview)
    rules = rules._replace(rulebook=job.narrow(rules.rulebook))
    settings = settings._replace(posting=job.posting.applied(rules.settings.posting))
    request = _request(source, rules)
    edit = _edit(source, overview, job.overrides.config)
    accepted = _accepted(client, job, rules.policy, overview, talk)
    request = request._replace(
        status=_status(job, overview, talk),
        earlier=job.earlier,
        declined=() if talk is None else talk.ours(overview.viewer_id, overview.viewer_login, settings.name).declined,
        accepted=accepted.findings,
    )
    judged = pipeline.run_review(source, request, _environment(source, edit, worker, job.coverage))
    judge = overview.base if rules.policy.sha == overview.base.tip else overview.default
    edits = (
        *notices.of_workflows(judged.pull_request, trusted=job.trusted),
        *notices.of_policy(edit, job.overrides.config, judge.name),
        *notices.of_attributes(judged.pull_request, rules.rulebook),
    )
    said = (
        *edits,
        *notices.of_base(overview.base.name, judge.name),
        *coverage_notices(judged),
        *accepted.notices,
        *refused(judged, accepted.findings),
    )
    context = context._replace(
        notices=said,
        edits_gate=bool(edits),
        rules=frozenset(rule.id for rule in rules.rulebook.rules),
        unsuppressible=rules.rulebook.unsuppressible,
    )
    return Reviewed(source, overview, talk, judged, context, settings)


def review_merge_group(client: Client, job: GroupJob, worker: Examiner) -> Review:
    """Review what a merge group adds to its base. Raises ForgeError."""
    source = GitHubRange(client, job.repository, job.base, job.head, job.base_ref)
    overview = source.open()
    job.begin(overview.head_sha, overview.base.name, overview.default.name)
    rules = read_policy(source, job.overrides, overview)
    if rules.rulebook.suppressions == "head":
        paths = files_with_suppressions(source.provisional().files)
        vouched = merge_group.vouched_files(client, job.repository, job.head, job.head_ref, paths)
        rules = rules._replace(rulebook=rules.rulebook._replace(suppressions="queue", vouched=vouched))
    request = _request(source, rules)
    if rules.policy.accept == "on":
        accepted = queued_acceptances(client, job.repository, job.name, (job.head, job.head_ref), source.read())
        request = request._replace(accepted=accepted.findings, accepted_in=accepted.files, declined=accepted.declined)
    edit = _edit(source, overview, job.overrides.config)
    return pipeline.run_review(source, request, _environment(source, edit, worker, job.coverage))


def publish(client: Client, job: Job, reviewed: Reviewed) -> Outcome:
    """Say in the pull request what the review found, if anything is to be said.

    Raises Superseded if its head has moved since it was read, also where nothing is said: the check would be green.
    """
    if reviewed.review is None:
        return Outcome()
    still_head(reviewed)
    if reviewed.talk is None:
        return Outcome()
    outcome = _post(client, job, reviewed, reviewed.review, reviewed.talk)
    if not reviewed.settings.labels or reviewed.settings.quiet or outcome.read_only:
        return outcome
    try:
        _label(client, job, reviewed, reviewed.review.verdict.decision)
    except Superseded:
        raise
    except ForgeError as error:
        problem = f"The label could not be set, which needs `pull-requests: write` ({error.code}): {error}"
        read_only = isinstance(error, Forbidden) and not outcome.problems
        return outcome._replace(problems=(*outcome.problems, problem), read_only=read_only)
    return outcome


def _label(client: Client, job: Job, reviewed: Reviewed, decision: str) -> None:
    added, removed = labels.outdated(reviewed.settings.name, decision, reviewed.overview.labels)
    if added or removed:
        still_head(reviewed)
        labels.change(client, job.repository, job.number, added, removed)


def _post(client: Client, job: Job, reviewed: Reviewed, result: Review, talk: Conversation) -> Outcome:
    """Write the comments that are missing or say something else by now."""
    overview = reviewed.overview
    place = Place(job.repository, job.number)

    def ours(found: Conversation) -> Posted:
        return found.ours(overview.viewer_id, overview.viewer_login, reviewed.settings.name)

    def plan_of(posted: Posted, withheld: Mapping[tuple[str, ...], str]) -> PublicationPlan:
        return plan(result, posted, reviewed.settings, reviewed.context._replace(withheld=withheld))

    posted = ours(talk)
    if reviewed.settings.posting.comments == "off":
        return Outcome(posted=posted)
    missing = plan_of(posted, {})
    if missing.empty:
        summary = next((comment.url for comment in posted.comments if comment.kind == "summary"), None)
        return Outcome(posted=posted, summary_url=summary)
    return publisher.Publication(
        client,
        place,
        overview.head_sha,
        posted,
        missing,
        plan_of,
        lambda: ours(_fetch(client, job)),
        lambda: still_head(reviewed),
    ).run()


def still_head(reviewed: Reviewed) -> bool:
    """Return True if the pull request is still open, on the same base branch, at the commit that was reviewed.

    Raises Superseded with what has changed, and ForgeError if GitHub does not say.
    """
    now, before = reviewed.source.head_now(), reviewed.overview
    if now.state != before.state:
        raise Superseded(f"the pull request was {now.state} during this run; nothing more was posted")
    if now.base_ref != before.base.name:
        raise Superseded(
            f"the base of the pull request was changed from {before.base.name} to {now.base_ref} during this "
            "run; nothing more was posted; run the review again"
        )
    if now.head_sha != before.head_sha:
        raise _moved(before.head_sha, now.head_sha)
    return True


def _open(client: Client, job: Job, source: GitHubPullRequest) -> tuple[Overview, Conversation | None]:
    if not job.writes:
        return source.open(), None
    overview, talk = client.together(source.open, lambda: _fetch(client, job))
    return overview, talk


def _fetch(client: Client, job: Job) -> Conversation:
    return conversation.fetch(
        client,
        job.repository,
        job.number,
        threads=job.publication.resolve_threads,
        requests=job.publication.request_changes,
    )


def _effective_config(source: GitHubPullRequest, overrides: Overrides, overview: Overview) -> EffectiveConfig:
    """Return what holds; suppressions that a fork brings are requests until someone who may push has approved."""
    rules = read_policy(source, overrides, overview)
    rulebook = rules.rulebook
    if rulebook.suppressions == "head" and not overview.same_repository and not overview.approved_by:
        rulebook = rulebook._replace(suppressions="requested")
    return rules._replace(rulebook=rulebook)


def read_policy(source: GitHubSource, overrides: Overrides, overview: Overview) -> EffectiveConfig:
    """Return the rules on the default branch, or on the base if the default branch names it in ``own-policy``.

    Raises ConfigError, RuleError.

    Anyone who may push can make a base branch; were its settings believed, a change could bring its own judge.
    """
    branch, base = overview.default, overview.base
    if base is not branch:
        found = effective_config.read_configuration(source.settings_on(branch), overrides)
        if found is not None and matches_any(found.settings.policy.own_policy, base.name):
            branch = base
    rules = effective_config.read(source.settings_on(branch), overrides)
    of = "" if branch is base else f" of {branch.name}"
    said = f"{rules.policy.source}{of} at {branch.tip[:12]}" if rules.found else rules.policy.source
    return rules._replace(policy=rules.policy._replace(source=said, sha=branch.tip))


def _accepted(client: Client, job: Job, policy: Policy, overview: Overview, talk: Conversation | None) -> Acceptances:
    """Return the acceptances that count for the head, where the base's configuration allows any."""
    if policy.accept != "on" or client.anonymous:  # without an account nothing is ours
        return Acceptances()
    return read_acceptances(client, job.repository, job.publication.name, overview, talk or _fetch(client, job))


def _status(job: Job, overview: Overview, talk: Conversation | None) -> PullRequestStatus:
    """Return the status of the pull request; which conversations are ours is known only where they were read."""
    name, found = job.publication.name, overview.reported
    if talk is None:
        return status_of(found._replace(threads=None), Own(name, job.run), overview.approved_by)
    ours = talk.ours(overview.viewer_id, overview.viewer_login, name).comments
    own = Own(name, job.run, frozenset(comment.id for comment in ours))
    return status_of(found, own, overview.approved_by)


def _edit(source: GitHubSource, overview: Overview, config: str | None) -> Edit:
    """Return what the next run would make of the change's edit of the settings, if it has one."""
    changed = settings_edits.edited(source.read().files, config)
    if not changed:
        return Edit()
    before = source.settings_files_on(overview.base, config)
    now = settings_edits.after(before, changed, source.settings_at_head(changed), config)
    return settings_edits.compare(before, now, config, changed)


def _request(source: GitHubSource, rules: EffectiveConfig) -> pipeline.ReviewRequest:
    """Fetch the change and all that its rules need, and return how it is reviewed."""
    request = pipeline.ReviewRequest(rules.rulebook, rules.policy, rules.baseline, rules.linters, prove_fixes=True)
    plan = source.prepare(lambda change: make_plan(change, pipeline.for_change(source, rules.rulebook, change)))
    return request._replace(with_context=True, plan=plan)


def _environment(
    source: GitHubSource, edit: Edit, worker: Examiner, coverage: coverage_input.Open
) -> pipeline.Environment:
    read = partial(coverage_input.read_apart, command=coverage_worker.COMMAND)
    measure = coverage_input.CoverageInput(coverage, read, source.head_paths)
    return pipeline.Environment(settings_edits.examine_with(worker.examine, edit), jobs=2, coverage=measure)


def coverage_notices(review: Review) -> tuple[str, ...]:
    """Return what is to be said of the coverage reports that were given."""
    coverage = review.context.coverage
    return coverage.notices if coverage is not None else ()


def _moved(expected: str, found: str) -> Superseded:
    return Superseded(
        f"the pull request has moved on from `{expected[:12]}` to `{found[:12]}` during this run; nothing "
        "more was posted, and the run for the newer commit decides"
    )
