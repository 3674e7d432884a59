"""``review-bot action``: what the container of the GitHub Action runs. Reviews, publishes, and gates by its exit code.

Whatever goes wrong ends red, with one sentence that says what happened and what to do: in the log as an annotation, on
the page of the job, and in the outputs.
"""

import argparse
import gc
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from random import Random
from types import FrameType
from typing import NamedTuple, NoReturn

from review_bot import action_environment, comment_commands, console, remote_review
from review_bot.action_environment import Inputs, Runner
from review_bot.engine import isolation
from review_bot.errors import (
    Forbidden,
    ForgeError,
    IncompleteChange,
    NotFound,
    ReviewBotError,
    Superseded,
    TokenRefused,
    UsageError,
)
from review_bot.forges.github import event, statuses
from review_bot.forges.github.client import LIMITS, SYSTEM_CLOCK, Client, Clock, Limits
from review_bot.forges.github.event import CommandTarget, MergeGroupTarget, NothingToDo, PullRequestTarget
from review_bot.forges.github.publisher import Outcome
from review_bot.forges.github.pull_requests import GitHubPullRequest
from review_bot.publication import Context
from review_bot.remote_review import Examiner, Job
from review_bot.reports import annotations, catalog, markdown, summary_comment, wording
from review_bot.review.review import Review

STATUS = "https://www.githubstatus.com"


GRACE = 60
"""Seconds past the limit of a run. An answer whose head comes byte by byte holds a call up for longer than it may."""


class Machine(NamedTuple):
    """What a run takes from the machine; tests give a clock, limits, a client and a worker of their own."""

    environment: Mapping[str, str]
    clock: Clock = SYSTEM_CLOCK
    limits: Limits = LIMITS
    random: Random | None = None
    worker: Callable[[], AbstractContextManager[Examiner]] = isolation.Worker
    client: type[Client] = Client


class Ending(NamedTuple):
    """How a run ended: the exit code, and what to tell the runner."""

    code: int
    outputs: Mapping[str, str]
    summary: str
    log: str


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """Declare no argument: an action takes inputs."""


def run(_options: argparse.Namespace) -> int:
    """Do what the event asks for, tell the runner, and return the exit code."""
    gc.disable()  # one short run
    isolation.protect_process()
    signal.signal(signal.SIGTERM, _interrupt)  # as process 1 of a container it would be ignored
    end_by_force_after(int(LIMITS.total) + GRACE)
    environment = dict(os.environ)
    action_environment.forget_secrets(os.environ)
    return act(Machine(environment))


def act(machine: Machine) -> int:
    """Run the Action in an environment and return its exit code: 0, 1, 2 or 3."""
    runner = action_environment.read_runner(machine.environment)
    try:
        inputs = action_environment.read_inputs(machine.environment)
        ending = _perform(machine, runner, inputs)
    except ReviewBotError as error:
        ending = _failed(error)
    try:
        action_environment.append_summary(runner.summary_path, ending.summary)
        action_environment.append_outputs(runner.output_path, ending.outputs)
    except ReviewBotError as error:
        ending = _failed(error)
    console.write(ending.log)
    return ending.code


def end_by_force_after(seconds: int) -> None:
    """Let this process end red after so long, wherever it hangs. For the main thread."""
    signal.signal(signal.SIGALRM, _end_by_force)
    signal.alarm(seconds)


def _end_by_force(_number: int, _frame: FrameType | None) -> NoReturn:
    said = (
        "Review Bot was still at work long after the time of a run was over, and was ended (E-NET). Run the job again."
    )
    os.write(1, annotations.command("error", "Review incomplete", said).encode())
    os._exit(3)


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _perform(machine: Machine, runner: Runner, inputs: Inputs) -> Ending:
    payload = event.read_payload(runner.event_path)
    target = event.target(
        runner.event, payload, runner.repository, inputs.pr_number, command=f"/{inputs.publication.name}"
    )
    if isinstance(target, NothingToDo):
        return _quiet(f"Nothing to do: {target.reason}.")
    if inputs.require_trusted_trigger and runner.event not in (*event.TRUSTED_EVENTS, "merge_group"):
        raise UsageError(
            f"require-trusted-trigger is set and this run was started by {runner.event}, whose workflow file the "
            "change can edit; run on pull_request_target, or leave that input out"
        )
    if not inputs.token:
        raise TokenRefused(
            "there is no token; leave the input github-token out so that the job's own token is used, or set it"
        )
    with machine.worker() as worker:
        client = machine.client(
            runner.api_url,
            inputs.token,
            graphql_url=runner.graphql_url,
            clock=machine.clock,
            limits=machine.limits,
            random=machine.random,
        )
        with client:
            if isinstance(target, CommandTarget):
                return _quiet(comment_commands.answer(client, target, inputs.publication.name, runner.server_url))
            try:
                if isinstance(target, MergeGroupTarget):
                    return _merge_group(client, runner, inputs, target, worker)
                return _pull_request(client, runner, inputs, target, worker)
            except (Exception, KeyboardInterrupt) as error:
                if inputs.status:
                    # An earlier run may have left a green status on this commit; what fails here must not keep it.
                    with suppress(ForgeError):
                        _post_failure(client, runner, inputs, target, error)
                raise


def _pull_request(
    client: Client, runner: Runner, inputs: Inputs, target: PullRequestTarget, worker: Examiner
) -> Ending:
    job = Job(
        target.repository,
        target.number,
        target.head,
        target.base,
        inputs.wishes,
        inputs.publication,
        inputs.drafts_quiet,
        trusted=runner.event in event.TRUSTED_EVENTS,
        server_url=runner.server_url,
    )
    reviewed = remote_review.review(client, job, worker)
    if reviewed.review is None:
        return _quiet(f"Nothing to review: pull request {target.number} is {reviewed.overview.state}.")
    try:
        outcome = remote_review.publish(client, job, reviewed)
    except Superseded:
        raise
    except ForgeError as error:  # the findings are known and stand in the reports, whatever became of the comments
        outcome = Outcome(problems=(f"Comments could not be written ({error.code}): {error}",))
    head = reviewed.overview.head_sha
    context = reviewed.context._replace(
        withheld={entry.comment.fingerprints: entry.reason for entry in outcome.withheld}, problems=outcome.problems
    )
    return _ended(client, runner, inputs, reviewed.review, context, outcome, head)


def _merge_group(client: Client, runner: Runner, inputs: Inputs, target: MergeGroupTarget, worker: Examiner) -> Ending:
    review = remote_review.review_merge_group(
        client, target.repository, target.base, target.head, target.base_ref, inputs.wishes, worker
    )
    context = Context(target.repository, None, target.head, runner.server_url)
    return _ended(client, runner, inputs, review, context, Outcome(), target.head)


def _ended(
    client: Client, runner: Runner, inputs: Inputs, review: Review, context: Context, outcome: Outcome, head: str
) -> Ending:
    """Write the reports and the status, and fold everything into an ending. A write that failed is never green."""
    code = review.verdict.exit_code
    problems = list(outcome.problems)
    if problems and not outcome.read_only:
        code = 3
    if inputs.status:
        try:
            _post_status(client, runner, inputs, head, code, _sentence(review))
        except ForgeError as error:
            problems.append(f"The commit status could not be set ({error.code}): {error}")
            code = 3
    report, sarif = (
        action_environment.write_report(
            runner.workspace, inputs.report_dir, name, catalog.render(catalog.format_of(name), review)
        )
        for name in ("report.json", "report.sarif")
    )
    context = context._replace(problems=tuple(problems))
    counted = [finding.severity for finding in review.findings if not finding.moved]
    outputs = {
        "verdict": review.verdict.decision,
        "passed": "true" if code == 0 else "false",
        "findings": str(len(counted)),
        "errors": str(counted.count("error")),
        "warnings": str(counted.count("warning")),
        "report-file": report,
        "sarif-file": sarif,
        "summary-url": outcome.summary_url or "",
    }
    lines = [annotations.render(review)]
    lines += [annotations.command("warning", "Review Bot", problem) for problem in problems]
    return Ending(code, outputs, summary_comment.job_summary(review, context), "".join(lines))


def _post_status(client: Client, runner: Runner, inputs: Inputs, head: str, code: int, sentence: str) -> None:
    statuses.post(client, runner.repository, head, inputs.publication.name, code, sentence, runner.run_url or None)


def _post_failure(
    client: Client,
    runner: Runner,
    inputs: Inputs,
    target: PullRequestTarget | MergeGroupTarget,
    error: BaseException,
) -> None:
    """Set the status of a commit whose review failed. Raises ForgeError."""
    head = target.head
    if isinstance(target, PullRequestTarget) and head is None and not isinstance(error, Superseded):
        head = GitHubPullRequest(client, target.repository, target.number).head_now().head_sha
    if head is not None:  # else another run decides on the newer commit
        code = error.exit_code if isinstance(error, ReviewBotError) else 3
        sentence = str(error) if isinstance(error, ReviewBotError) else "The review broke off."
        _post_status(client, runner, inputs, head, code, sentence)


def _sentence(review: Review) -> str:
    return wording.empty(review) or wording.verdict(review)


def _quiet(sentence: str) -> Ending:
    """Return the ending of a run that had nothing to judge."""
    outputs = {"verdict": "", "passed": "true", "findings": "0", "errors": "0", "warnings": "0"}
    return Ending(0, outputs, f"{markdown.prose(sentence)}\n", annotations.plain(sentence) + "\n")


def _failed(error: ReviewBotError) -> Ending:
    """Return the ending of a run that could not review: red, with what happened and what to do."""
    code = f" ({error.code})" if isinstance(error, ForgeError) else ""
    sentence = f"Review Bot could not complete this review{code}: {str(error).rstrip('.')}."
    advice = _advice(error)
    log = annotations.command("error", "Review incomplete", f"{sentence} {advice}".strip())
    outputs = {"verdict": "incomplete", "passed": "false", "findings": "0", "errors": "0", "warnings": "0"}
    summary = f"## Review Bot: review incomplete\n\n{markdown.prose(sentence)}\n\n{markdown.prose(advice)}\n"
    return Ending(error.exit_code, outputs, summary, log)


def _advice(error: ReviewBotError) -> str:
    if isinstance(error, TokenRefused):
        return "The job needs `permissions: contents: read, pull-requests: write`."
    if isinstance(error, Forbidden | NotFound):
        return "Give the job `permissions: contents: read, pull-requests: write`."
    if isinstance(error, ForgeError) and not isinstance(error, Superseded | IncompleteChange):
        return f"Nothing needs to be cleaned up: run the job again; {STATUS} tells whether GitHub has trouble."
    return ""
