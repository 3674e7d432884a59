"""The change that a command looks at: the arguments that name it, and its review."""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from review_bot import pipeline
from review_bot.commands import flags, target
from review_bot.comments.model import PostingOverrides, PublicationSettings
from review_bot.configuration import effective_config
from review_bot.configuration.effective_config import EffectiveConfig
from review_bot.configuration.inputs import Overrides
from review_bot.errors import UsageError
from review_bot.files import cache_folder
from review_bot.files.cache_folder import CacheFolder
from review_bot.files.policy_paths import CONFIG_PATH
from review_bot.forges.folder import read_named
from review_bot.forges.local_git import LocalGit
from review_bot.forges.repository_root import find_root
from review_bot.processes import confinement
from review_bot.processes.process_pool import Bounds, ProcessPool
from review_bot.records import NamedTuple
from review_bot.review.review import Review
from review_bot.rules.rulebook import Rulebook, named, patterns_in
from review_bot.setting import declared
from review_bot.text import console

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from review_bot.changes.pull_request import PullRequest
    from review_bot.changes.source import LocalSource
    from review_bot.context.coverage_input import Opened
    from review_bot.forges.github.client import Client
    from review_bot.forges.github.publisher import Outcome
    from review_bot.github_action.review_run import Job, Reviewed
    from review_bot.review.context import EarlierReview

    Earlier = Callable[[PullRequest], tuple[EarlierReview, ...]]

FILE_SECONDS = 30.0
TOTAL_SECONDS = 600.0
MEMORY = 2 * 1024**3
"""What the review of a local change may take: for one file, in all, and bytes of memory in each process."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what names the change."""
    target.add_arguments(parser)
    parser.add_argument(
        "--diff", metavar="FILE", help="review a unified diff from FILE, or from standard input if FILE is -"
    )
    parser.add_argument("--source", metavar="DIR", help="with --diff: the folder with the new files")
    parser.add_argument(
        "--pr",
        "--pr-number",
        metavar="PR",
        help="review a pull request on GitHub: 19, owner/name#19 or its URL; a private repository needs a token in "
        "GITHUB_TOKEN or GH_TOKEN",
    )


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Declare what says how the change is reviewed."""
    parser.add_argument("--config", metavar="FILE", help=f"configuration to use instead of {CONFIG_PATH}")
    flags.add(parser, (each for each in declared(Overrides) if each.field != "config"))
    parser.add_argument(
        "--coverage",
        action="append",
        default=[],
        metavar="FILE",
        help="a coverage report of the head, Cobertura XML or LCOV; does not affect the verdict; repeatable",
    )
    parser.add_argument(
        "--select",
        action="extend",
        type=patterns_in,
        default=[],
        metavar="RULE",
        help="run only these rules, families or patterns, separated by commas; repeatable",
    )
    parser.add_argument(
        "--ignore",
        action="extend",
        type=patterns_in,
        default=[],
        metavar="RULE",
        help="do not run these rules, families or patterns; repeatable",
    )
    flags.add_running(parser)


def open_source(options: argparse.Namespace) -> LocalSource:
    """Return the repository or the diff that the arguments name; the caller closes it. Raises UsageError."""
    if options.diff is not None:
        target.refuse(options, "--diff reviews the diff as it is")
        from review_bot.forges.diff_text import DiffText

        return DiffText(_read_diff(options.diff), source=options.source)
    if options.source is not None:
        raise UsageError("--source only works with --diff; a repository already has the files")
    return target.read(options).open(options.folder)


def paths_of(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the files and folders to report on, from the root of the repository; empty: all."""
    return () if options.diff is not None else target.read(options).paths


def review(
    options: argparse.Namespace,
    source: LocalSource,
    *,
    prove_fixes: bool = False,
    fix_rules: Callable[[Rulebook], frozenset[str] | None] = lambda _rulebook: None,
    writes_baseline: bool = False,
    with_context: bool = False,
    earlier: Earlier = pipeline.no_earlier,
    paths: Sequence[str] = (),
) -> Review:
    """Review the change of a source. Raises ReviewBotError if it cannot be read.

    ``writes_baseline``: what is open will be written to the baseline.
    ``fix_rules`` chooses the rules of which suggestions are proven, by id; None: all. ``paths``: report on these alone.
    """
    cache = None if options.no_cache else cache_folder.find()
    rules = _effective_config(options, source, cache)
    rules = rules._replace(rulebook=_narrowed(rules.rulebook, options))
    if rules.baseline or writes_baseline:  # the baseline of the working tree is edited with the change
        rules = rules._replace(rulebook=rules.rulebook.with_baseline(rules.baseline, of_base=False))
    request = pipeline.ReviewRequest(
        rules.rulebook,
        rules.policy,
        rules.baseline,
        rules.linters,
        prove_fixes=prove_fixes,
        fix_rules=fix_rules(rules.rulebook),
        with_context=with_context,
        earlier=earlier,
        paths=paths,
    )
    coverage = _coverage(_coverage_reports(options), source)
    jobs = options.jobs or os.cpu_count() or 1
    bar = console.LateProgress("Reviewing")
    environment = _within_limits(source, cache)._replace(
        jobs=jobs, progress=pipeline.Progress(bar.begin, bar.done), coverage=coverage
    )
    try:
        return pipeline.run_review(source, request, environment)
    finally:
        bar.end()


def _narrowed(rulebook: Rulebook, options: argparse.Namespace) -> Rulebook:
    """Return the rulebook with the rules that the command line leaves. Raises UsageError if there are none."""
    if not (options.select or options.ignore):
        return rulebook
    wanted = named(rulebook, "--select", options.select) if options.select else {rule.id for rule in rulebook.rules}
    wanted -= named(rulebook, "--ignore", options.ignore)
    if not wanted:
        raise UsageError("--select and --ignore leave no rule to run")
    return rulebook._replace(rules=tuple(rule for rule in rulebook.rules if rule.id in wanted))


def _within_limits(source: LocalSource, cache: CacheFolder | None) -> pipeline.Environment:
    """Return how a local change is examined: within limits, so that no file can block a hook forever.

    They are wider than those of the Action, as a machine that people work on may be busy. What an earlier run found is
    not computed again.
    """
    bounds = Bounds(FILE_SECONDS, time.monotonic() + TOTAL_SECONDS, TOTAL_SECONDS, MEMORY)
    pool = ProcessPool(bounds, _confine)
    if cache is None:
        return pipeline.Environment(partial(pipeline.examine_here, run=pool))
    from review_bot.result_cache.cached_examination import CachedExamination

    cached = CachedExamination(cache, source.root if isinstance(source, LocalGit) else "", pool)
    return pipeline.Environment(cached, plan=cached.plan)


def _confine() -> None:
    """Limit a forked process; what this program takes already is not counted against its memory."""
    memory = confinement.address_space() + MEMORY
    confinement.limit_resources(memory=memory, cpu_seconds=int(TOTAL_SECONDS) + 5, descriptors=256)


def warn_about_paths(review: Review, paths: Sequence[str]) -> None:
    """Say on standard error that the report is limited to some paths, and which of them have not changed."""
    changed = [file.path for file in review.pull_request.files]
    for path in paths:
        if not any(each == path or each.startswith(f"{path}/") for each in changed):
            console.warn(f"{console.disarm(path)}: nothing to review, it has no changes")
    if paths:
        console.warn(f"Findings outside {', '.join(map(console.disarm, paths))} are not reported and do not count.")


def print_coverage_notices(review: Review) -> None:
    """Say on standard error what is wrong with the coverage reports."""
    coverage = review.context.coverage
    for notice in coverage.notices if coverage is not None else ():
        console.warn(notice)


def _coverage_reports(options: argparse.Namespace) -> Sequence[Opened]:
    """Open what ``--coverage`` names. Raises UsageError."""
    if not options.coverage:
        return ()
    from review_bot.context import coverage_input

    return coverage_input.open_here(options.coverage)


def _coverage(reports: Sequence[Opened], source: LocalSource) -> pipeline.Measure:
    if not reports:
        return pipeline.no_coverage
    from review_bot.context import coverage_input

    return coverage_input.CoverageInput(lambda: reports, coverage_input.read_here, source.head_paths)


class OnGitHub(NamedTuple):
    """A pull request of GitHub with its review."""

    client: Client
    job: Job
    reviewed: Reviewed

    @property
    def closed(self) -> str:
        """What to say where the pull request is not open, and there is no review."""
        return f"Nothing to review: pull request {self.job.number} is {self.reviewed.overview.state}."

    def publish(self) -> Outcome:
        """Say in the pull request what was found."""
        from review_bot.github_action import review_run

        return review_run.publish(self.client, self.job, self.reviewed)


@contextmanager
def on_github(
    options: argparse.Namespace, *, writes: bool, earlier: Earlier = pipeline.no_earlier
) -> Iterator[OnGitHub]:
    """Review a pull request of GitHub by its API alone; the contents of this folder have no effect."""
    from review_bot.forges.github import wire
    from review_bot.forges.github.client import Client
    from review_bot.github_action import review_run  # and with it everything that calls GitHub's API
    from review_bot.github_action.runner_environment import forget_secrets, read_runner
    from review_bot.sandbox.worker_client import Worker

    target.refuse(options, "--pr selects the change")
    for name in ("diff", "source"):
        if getattr(options, name):
            raise UsageError(f"--pr selects the change; remove --{name}")
    if writes and (options.select or options.ignore):
        raise UsageError("--post posts the whole review; remove --select and --ignore")
    runner = read_runner(os.environ)
    repository, number = _pull_request(options, runner.repository, runner.server_url)
    token = os.environ.get("GITHUB_TOKEN") or os.environ.get("GH_TOKEN")
    if not token and writes:
        raise UsageError(f"--post needs a token that can write to pull requests; {wire.HOW_TO_AUTHENTICATE}")
    if not token:
        console.warn(
            "Reading without a token: only public repositories, and GitHub allows 60 requests an hour. For more, "
            f"{wire.HOW_TO_AUTHENTICATE}."
        )
    forget_secrets(os.environ)
    reports = _coverage_reports(options)
    posting: PostingOverrides = flags.read(options, PostingOverrides)
    job = review_run.Job(
        repository,
        number,
        overrides=flags.read(options, Overrides),
        posting=posting,
        publication=flags.read(options, PublicationSettings),
        writes=writes and posting.comments != "off",
        server_url=runner.server_url,
        coverage=lambda: reports,
        earlier=earlier,
        narrow=partial(_narrowed, options=options),
    )
    with Worker() as worker, Client(runner.api_url, token or None, graphql_url=runner.graphql_url) as client:
        yield OnGitHub(client, job, review_run.review(client, job, worker))


def _pull_request(options: argparse.Namespace, repository: str, server_url: str) -> tuple[str, int]:
    """Return repository and number; a bare number takes ``GITHUB_REPOSITORY``, then the remote ``origin``."""
    from review_bot.forges import git_process
    from review_bot.forges.github import pull_request_ref

    found = pull_request_ref.parse(options.pr, server_url)
    if found.repository is None and not repository:
        with suppress(UsageError):  # outside of a repository there is no remote
            root, _ = find_root(options.folder)
            origin = git_process.run(root, "remote", "get-url", "origin").output.decode("utf-8", "replace")
            repository = pull_request_ref.repository_of_remote(origin, server_url) or ""
    if found.repository is None and not repository:
        raise UsageError(f"--pr {options.pr}: no repository given; write owner/name#{found.number}")
    return found.repository or repository, found.number


def _read_diff(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        with open(name, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise UsageError(f"--diff {name}: {error.strerror}; pass a file with a unified diff, or -") from error


def _effective_config(options: argparse.Namespace, source: LocalSource, cache: CacheFolder | None) -> EffectiveConfig:
    """Return what holds for this run; ``--config`` names a file of this machine, not of the repository."""
    text = None if options.config is None else read_named(options.config)
    overrides: Overrides = flags.read(options, Overrides)
    found = effective_config.read(source, overrides, text, cache=cache)
    for setting in declared(Overrides):
        wanted, used = (getattr(each, setting.field, None) for each in (overrides, found.policy))
        if setting.order and wanted not in {None, used}:
            console.warn(
                f"--{setting.name} {wanted} has no effect: {found.policy.source} sets the stricter {used!r}; "
                "a flag can only be stricter than the configuration."
            )
    return found
