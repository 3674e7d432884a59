"""``review-bot action``: what the container of the GitHub Action runs. Reviews, publishes, and gates by its exit code.

Whatever goes wrong ends red, with one sentence that says what happened and what to do: in the log as an annotation, on
the page of the job, and in the outputs.
"""

import argparse
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from random import Random
from types import FrameType
from typing import NoReturn

from review_bot.comments.model import Context
from review_bot.configuration.inputs import Inputs
from review_bot.context import coverage_input
from review_bot.errors import (
    ConfigError,
    Forbidden,
    ForgeError,
    IncompleteChange,
    NotFound,
    RateLimited,
    ReviewBotError,
    RuleError,
    Superseded,
    TokenRefused,
    UsageError,
)
from review_bot.forges.github import event
from review_bot.forges.github.client import LIMITS, Client, Limits
from review_bot.forges.github.clock import SYSTEM_CLOCK, Clock
from review_bot.forges.github.event import CommandTarget, MergeGroupTarget, NothingToDo, PullRequestTarget
from review_bot.forges.github.publisher import Outcome
from review_bot.forges.github.pull_requests import GitHubPullRequest
from review_bot.forges.github.statuses import CommitStatus
from review_bot.github_action import chat_commands, review_run, runner_environment
from review_bot.github_action.review_run import Examiner, GroupJob, Job
from review_bot.github_action.runner_environment import Runner
from review_bot.records import NamedTuple
from review_bot.reports import annotations, catalog, markdown, summary_comment, wording
from review_bot.reports.annotations import AlreadyPosted
from review_bot.reports.comments import settled
from review_bot.review.review import Review
from review_bot.sandbox import worker_client
from review_bot.text import console

STATUS = "https://www.githubstatus.com"

_PERMISSIONS = "`permissions: contents: read, pull-requests: write`."
_ADVICE: tuple[tuple[type[ReviewBotError] | tuple[type[ReviewBotError], ...], str], ...] = (
    (TokenRefused, f"The job needs {_PERMISSIONS}"),
    ((Forbidden, NotFound), f"Give the job {_PERMISSIONS}"),
    (
        (ConfigError, RuleError),
        "It is read from the branch that holds the policy, not from this change: a maintainer must fix it there.",
    ),
    (RateLimited, "Nothing needs to be cleaned up."),
    ((Superseded, IncompleteChange), ""),
    (
        ForgeError,
        f"Nothing needs to be cleaned up: run the job again; {STATUS} shows whether GitHub has an incident.",
    ),
)
_READ_ONLY = (
    "The full report is on this page. Under `pull_request`, the token of a pull request from a fork or of Dependabot "
    "is always read-only: this is expected, and there is nothing to do."
)
_UNWRITTEN = "The check fails because the review could not be posted completely: run the job again."


GRACE = 60
"""Seconds past the limit of a run. An answer whose head comes byte by byte holds a call up for longer than it may."""


class Dependencies(NamedTuple):
    """What a run takes from the machine; tests give a clock, limits, a client and a worker of their own."""

    environment: Mapping[str, str]
    clock: Clock = SYSTEM_CLOCK
    limits: Limits = LIMITS
    random: Random | None = None
    worker: Callable[[], AbstractContextManager[Examiner]] = worker_client.Worker
    client: type[Client] = Client


class ActionResult(NamedTuple):
    """How a run ended: the exit code, and the outputs for the runner."""

    code: int
    outputs: Mapping[str, str]
    summary: str
    log: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare no argument: an action takes inputs."""
    parser.epilog = (
        "It takes no arguments: GitHub passes inputs and event in the environment (docs/action.md).\n"
        "To try it, run `make demo` in a clone. To review one pull request: review-bot review --pr owner/name#19."
    )


def run(_options: argparse.Namespace) -> int:
    """Do what the event asks for, set the outputs, and return the exit code."""
    worker_client.protect_process()
    end_by_force_after(int(LIMITS.total) + GRACE)
    environment = dict(os.environ)
    runner_environment.forget_secrets(os.environ)
    return act(Dependencies(environment))


def act(dependencies: Dependencies) -> int:
    """Run the Action in an environment and return its exit code: 0, 1, 2 or 3."""
    runner = runner_environment.read_runner(dependencies.environment)
    try:
        result = _perform(dependencies, runner)
    except ReviewBotError as error:
        result = _failed(error)
    try:
        runner_environment.append_summary(runner.summary_path, result.summary)
        runner_environment.append_outputs(runner.output_path, result.outputs)
    except ReviewBotError as error:
        result = _failed(error)
    console.write(result.log)
    return result.code


def end_by_force_after(seconds: int) -> None:
    """Let this process end red after so long, wherever it hangs. For the main thread."""
    signal.signal(signal.SIGALRM, _end_by_force)
    signal.alarm(seconds)


def _end_by_force(_number: int, _frame: FrameType | None) -> NoReturn:
    said = "Review Bot exceeded its time limit and was terminated (E-NET). Run the job again."
    os.write(1, annotations.command("error", "Review incomplete", said).encode())
    os._exit(3)


def _perform(dependencies: Dependencies, runner: Runner) -> ActionResult:
    """Do what the event asks for. A status is pending before anything else is read, and never left as it was."""
    gate = runner_environment.read_gate(dependencies.environment)
    payload = event.read_payload(runner.event_path)
    target = event.target(runner.event, payload, runner.repository, gate.pr_number, command=f"/{gate.name}")
    if isinstance(target, NothingToDo):
        runner_environment.read_inputs(dependencies.environment)
        return _quiet(f"Nothing to do: {target.reason}.")
    trusted = event.is_trusted(runner.event, payload)
    if gate.require_trusted_trigger and not trusted and runner.event != "merge_group":
        chosen = " on a branch other than the default branch" if runner.event == "workflow_dispatch" else ""
        raise UsageError(
            f"require-trusted-trigger is set and this run was started by {runner.event}{chosen}, whose workflow file "
            "the change can edit; run on pull_request_target, or remove that input"
        )
    if not gate.token:
        raise TokenRefused("there is no token; remove the input github-token to use the job's own token, or set it")
    client = dependencies.client(
        runner.api_url,
        gate.token,
        graphql_url=runner.graphql_url,
        clock=dependencies.clock,
        limits=dependencies.limits,
        random=dependencies.random,
    )
    with client, _logged(client, debug=runner.debug):
        if isinstance(target, CommandTarget):
            overrides = runner_environment.read_inputs(dependencies.environment).overrides
            return _quiet(chat_commands.answer(client, target, gate.name, runner.server_url, overrides))
        status = CommitStatus(client, runner.repository, gate.name, runner.run_url or None) if gate.status else None
        try:
            with dependencies.worker() as worker:
                if status is not None:
                    _begin(status, target)
                inputs = runner_environment.read_inputs(dependencies.environment)
                if isinstance(target, MergeGroupTarget):
                    return _merge_group(client, runner, inputs, target, worker, status)
                return _pull_request(client, runner, inputs, target, worker, status, trusted=trusted)
        except (Exception, KeyboardInterrupt) as error:
            if status is not None:
                # An earlier run may have left a green status on this commit; what fails here must not keep it.
                with suppress(ForgeError):
                    _post_failure(client, status, target, error)
            raise


@contextmanager
def _logged(client: Client, *, debug: bool) -> Iterator[None]:
    """Log the calls of a run once it ends, where its owner asked for that (``ACTIONS_STEP_DEBUG``)."""
    try:
        yield
    finally:
        for call in client.calls if debug else ():
            said = (
                f"{call.method} {call.path}: {call.status or 'no response'} in {call.seconds:.2f} s, round {call.round}"
            )
            console.write(f"::debug::{annotations.plain(said)}\n")


def _begin(status: CommitStatus, target: PullRequestTarget | MergeGroupTarget) -> None:
    """Set the status to pending if the event itself contains commit and base of an open change."""
    is_open = isinstance(target, MergeGroupTarget) or target.is_open
    if is_open and target.head is not None and target.base_ref is not None:
        status.begin(target.head, target.base_ref, target.default_branch)


def _pull_request(
    client: Client,
    runner: Runner,
    inputs: Inputs,
    target: PullRequestTarget,
    worker: Examiner,
    status: CommitStatus | None,
    *,
    trusted: bool,
) -> ActionResult:
    job = Job(
        target.repository,
        target.number,
        target.head,
        target.base,
        inputs.overrides,
        inputs.posting,
        inputs.publication,
        trusted=trusted,
        writes=inputs.posting.comments != "off",
        server_url=runner.server_url,
        coverage=partial(coverage_input.open_below, runner.workspace, inputs.coverage),
        run=runner.run,
        begin=review_run.no_status if status is None else status.begin,
    )
    reviewed = review_run.review(client, job, worker)
    head = reviewed.overview.head_sha
    if runner.event == "workflow_dispatch" and not trusted and runner.commit not in {"", head}:
        raise UsageError(
            f"the check of this run belongs to commit `{runner.commit[:12]}`, which is not the head of pull request "
            f"{target.number}, `{head[:12]}`, and would count there; start the workflow on the default branch"
        )
    if reviewed.review is None:
        if reviewed.overview.state == "closed":
            # A green check would stay on the commit, and count from the moment that the pull request is opened again.
            raise Superseded(f"pull request {target.number} is closed; reopen it to have it reviewed")
        base = reviewed.overview.base
        if base is not reviewed.overview.default or (status is not None and status.begun):
            # A green check would count for another pull request of this commit, to a branch that does not have it.
            raise Superseded(f"pull request {target.number} is merged into `{base.name}`; there is nothing to review")
        return _quiet(f"Nothing to review: pull request {target.number} is {reviewed.overview.state}.")
    try:
        outcome = review_run.publish(client, job, reviewed)
    except Superseded:
        raise
    except ForgeError as error:  # the findings are known and in the reports, even if comments failed
        outcome = Outcome(problems=(f"Comments could not be posted ({error.code}): {error}",))
    context = reviewed.context._replace(
        withheld={entry.comment.fingerprints: entry.reason for entry in outcome.withheld}, problems=outcome.problems
    )
    return _ended(runner, inputs, reviewed.review, context, outcome, status)


def _merge_group(
    client: Client,
    runner: Runner,
    inputs: Inputs,
    target: MergeGroupTarget,
    worker: Examiner,
    status: CommitStatus | None,
) -> ActionResult:
    job = GroupJob(
        target.repository,
        target.base,
        target.head,
        target.base_ref,
        target.head_ref,
        inputs.overrides,
        partial(coverage_input.open_below, runner.workspace, inputs.coverage),
        begin=review_run.no_status if status is None else status.begin,
        name=inputs.publication.name,
    )
    review = review_run.review_merge_group(client, job, worker)
    notices = review_run.coverage_notices(review)
    context = Context(target.repository, None, target.head, runner.server_url, notices)
    return _ended(runner, inputs, review, context, Outcome(), status)


def _ended(
    runner: Runner, inputs: Inputs, review: Review, context: Context, outcome: Outcome, status: CommitStatus | None
) -> ActionResult:
    """Write the reports and the status, and combine everything into the result. A write that failed is never green."""
    code = review.verdict.exit_code
    problems = list(outcome.problems)
    if problems and not outcome.read_only:
        code = 3
    if status is not None:
        try:
            status.end(code, _sentence(review))
        except ForgeError as error:
            problems.append(f"The commit status could not be set ({error.code}): {error}")
            code = 3
    files = {
        name: runner_environment.write_report(runner.workspace, inputs.report_dir, name, text)
        for name, text in catalog.dossier(review)
    }
    posted = _already_posted(outcome)
    lines = [annotations.render(review, posted)]
    lines += [annotations.command("notice", "Review Bot", each) for each in review_run.coverage_notices(review)]
    lines += [annotations.command("error" if code == 3 else "warning", "Review Bot", problem) for problem in problems]
    if problems:
        problems.append(_READ_ONLY if outcome.read_only else _UNWRITTEN)
    context = context._replace(problems=tuple(problems))
    severities = [finding.severity for finding in review.listed]
    score = str(review.assessment.scorecard.score or "")
    outputs = {
        "verdict": review.verdict.decision,
        "passed": "true" if code == 0 else "false",
        "score": score,
        "findings": str(len(severities)),
        "errors": str(severities.count("error")),
        "warnings": str(severities.count("warning")),
        "report-file": files["report.json"],
        "sarif-file": files["report.sarif"],
        "summary-url": outcome.summary_url or "",
    }
    return ActionResult(code, outputs, summary_comment.job_summary(review, context), "".join(lines))


def _already_posted(outcome: Outcome) -> AlreadyPosted | None:
    """Return what the pull request says by now, None if it does not say all."""
    if outcome.problems or outcome.summary_url is None:
        return None
    still_open = [each for each in outcome.posted.comments if each.kind != "summary" and settled(each.body) is None]
    return AlreadyPosted(outcome.summary_url, frozenset(name for each in still_open for name in each.fingerprints))


def _post_failure(
    client: Client, status: CommitStatus, target: PullRequestTarget | MergeGroupTarget, error: BaseException
) -> None:
    """Set the status of a commit whose review failed. Raises ForgeError."""
    if not status.begun:
        _find_place(client, status, target, error)
    code = error.exit_code if isinstance(error, ReviewBotError) else 3
    status.end(code, str(error) if isinstance(error, ReviewBotError) else "The review failed.")


def _find_place(
    client: Client, status: CommitStatus, target: PullRequestTarget | MergeGroupTarget, error: BaseException
) -> None:
    """Name commit and context of a review that failed before it knew them. Raises ForgeError.

    A run that an event without a head started, and that was superseded, names none: the newer run decides.
    """
    if target.head is not None and target.base_ref is not None:
        status.at(target.head, target.base_ref, target.default_branch)
    elif target.head is not None or not isinstance(error, Superseded):
        now = GitHubPullRequest(client, target.repository, target.number).head_now()
        status.at(target.head or now.head_sha, now.base_ref, now.default_branch)


def _sentence(review: Review) -> str:
    return wording.empty(review) or wording.verdict(review)


def _quiet(sentence: str) -> ActionResult:
    """Return the result of a run that had nothing to judge."""
    outputs = {"verdict": "", "passed": "true", "score": "", "findings": "0", "errors": "0", "warnings": "0"}
    return ActionResult(0, outputs, f"{markdown.prose(sentence)}\n", annotations.plain(sentence) + "\n")


def _failed(error: ReviewBotError) -> ActionResult:
    """Return the result of a run that could not review: red, with what happened and what to do."""
    code = f" ({error.code})" if isinstance(error, ForgeError) else ""
    lines = [line if line.endswith("?") else f"{line.rstrip('.')}." for line in str(error).split("\n")]
    lines[0] = f"Review Bot could not complete this review{code}: {lines[0]}"
    advice = _advice(error)
    log = annotations.command("error", "Review incomplete", f"{' '.join(lines)} {advice}".strip())
    outputs = {"verdict": "incomplete", "passed": "false", "score": "", "findings": "0", "errors": "0", "warnings": "0"}
    summary = "\n\n".join(["## Review Bot: review incomplete", *map(markdown.prose, filter(None, [*lines, advice]))])
    return ActionResult(error.exit_code, outputs, summary + "\n", log)


def _advice(error: ReviewBotError) -> str:
    """Return what to do now, where the error itself does not say it."""
    return next((advice for kinds, advice in _ADVICE if isinstance(error, kinds)), "")
