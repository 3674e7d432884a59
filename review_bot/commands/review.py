"""``review-bot review``: a branch, a range, a working tree or a diff."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from typing import TYPE_CHECKING

from review_bot import console, ground_rules, pipeline
from review_bot.errors import ConfigError, ReviewBotError, UsageError
from review_bot.findings import SEVERITIES
from review_bot.forges.local_git import LocalGit
from review_bot.ground_rules import BASELINE_PATH, CONFIG_PATH, GroundRules, Wishes
from review_bot.reports import catalog
from review_bot.review.review import Review

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from review_bot.changes.pull_request import PullRequest
    from review_bot.forges.diff_text import DiffText


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("range", nargs="?", metavar="BASE..HEAD", help="the commits to review, as one argument")
    parser.add_argument(
        "--base", metavar="REV", help="what the change grew from (default: the remote's default branch)"
    )
    parser.add_argument("--head", metavar="REV", help="the tip of the change (default: the working tree)")
    parser.add_argument(
        "-C", dest="folder", default=".", metavar="DIR", help="the repository to review (default: here)"
    )
    parser.add_argument("--diff", metavar="FILE", help="review a unified diff from FILE, or from standard input with -")
    parser.add_argument("--source", metavar="DIR", help="with --diff: the folder that holds the new files")
    parser.add_argument(
        "--pr",
        "--pr-number",
        metavar="PR",
        help="review a pull request of GitHub: 19, owner/name#19 or its address; needs GITHUB_TOKEN or GH_TOKEN",
    )
    parser.add_argument("--post", action="store_true", help="with --pr: comment there; without it nothing is written")
    parser.add_argument(
        "--format", choices=catalog.FORMATS, default="terminal", help="what to print (default: terminal)"
    )
    parser.add_argument(
        "--output",
        action="append",
        default=[],
        metavar="FILE",
        help="also write a report; the format follows the suffix",
    )
    parser.add_argument(
        "--export",
        metavar="DIR",
        help="write the whole dossier into a folder; a name with the suffix of a format is taken as --output",
    )
    parser.add_argument("--config", metavar="FILE", help=f"configuration to use in place of {CONFIG_PATH}")
    parser.add_argument("--fail-on", choices=[*SEVERITIES, "never"], help="lowest severity that fails the gate")
    parser.add_argument("--on-incomplete", choices=["fail", "warn"], help="whether an incomplete review fails")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="worker processes (default: one per core)")
    parser.add_argument("--write-baseline", action="store_true", help=f"accept what is open now, in {BASELINE_PATH}")


def run(options: argparse.Namespace) -> int:
    """Review, report, and return the exit code."""
    gc.disable()  # one short run: the collector would only walk syntax trees
    if options.export is not None and catalog.has_format(options.export):
        options.output, options.export = [*options.output, options.export], None
    for path in options.output:
        catalog.format_of(path)
    if options.pr is not None:
        return _run_remote(options)
    if options.post:
        raise UsageError("--post goes with --pr: it comments on a pull request of GitHub")
    source = _source(options)
    try:
        rules = _ground_rules(options, source)
        jobs = options.jobs if options.jobs > 0 else os.cpu_count() or 1
        bar = console.LateProgress("Reviewing")
        try:
            progress = pipeline.Progress(bar.begin, bar.done)
            review = pipeline.run(
                source,
                rules.rulebook,
                rules.policy,
                baseline=rules.baseline,
                sizes=_sizes(options, source),
                jobs=jobs,
                progress=progress,
                linters=rules.linters,
            )
        finally:
            bar.end()
        if options.write_baseline:
            return _write_baseline(source, review)
        if wants_dossier(options):
            from review_bot import surroundings  # a report for machines, or on the terminal, does not tell of them

            review = surroundings.gather(review, source)
        _report(options, review)
        return review.verdict.exit_code
    finally:
        source.close()


def wants_dossier(options: argparse.Namespace) -> bool:
    """Tell whether a report is wanted that says what stands around the change."""
    formats = {options.format, *(catalog.format_of(path) for path in options.output)}
    return options.export is not None or not formats.isdisjoint(catalog.DOSSIER_FORMATS)


def _report(options: argparse.Namespace, review: Review) -> None:
    console.write(catalog.render(options.format, review, console.find_display()))
    for path in options.output:
        _write(path, catalog.render(catalog.format_of(path), review))
    if options.export is not None:
        _export(options.export, review)


def _export(folder: str, review: Review) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ReviewBotError(f"--export {folder}: {error.strerror}; name a folder that can be made") from error
    for name, text in catalog.dossier(review):
        _write(os.path.join(folder, name), text)


def _run_remote(options: argparse.Namespace) -> int:
    """Review a pull request of GitHub by its API alone; what stands in this folder has no say."""
    from review_bot import remote_review  # and with it all that speaks to GitHub
    from review_bot.action_environment import forget_secrets, read_runner
    from review_bot.engine.isolation import Worker
    from review_bot.forges.github.client import Client

    for name in ("range", "base", "head", "diff", "source"):
        if getattr(options, name) is not None:
            raise UsageError(f"--pr knows what to review; leave out {'--' if name != 'range' else ''}{name}")
    if options.write_baseline:
        raise UsageError("--write-baseline writes to a working tree; leave out --pr")
    runner = read_runner(os.environ)
    repository, number = _pull_request(options, runner.repository, runner.server_url)
    token = os.environ.get("GITHUB_TOKEN") or os.environ.get("GH_TOKEN") or ""
    if not token:
        raise UsageError("--pr needs a token that may read the repository, in GITHUB_TOKEN or GH_TOKEN")
    forget_secrets(os.environ)
    job = remote_review.Job(
        repository,
        number,
        wishes=Wishes(options.fail_on, options.on_incomplete, options.config),
        writes=options.post,
        server_url=runner.server_url,
    )
    with Worker() as worker, Client(runner.api_url, token, graphql_url=runner.graphql_url) as client:
        reviewed = remote_review.review(client, job, worker)
        if reviewed.review is None:
            console.say(f"Nothing to review: pull request {number} is {reviewed.overview.state}.")
            return 0
        _report(options, reviewed.review)
        outcome = remote_review.publish(client, job, reviewed)
        for problem in outcome.problems:
            console.warn(problem)
        if outcome.summary_url:
            console.warn(f"Summary: {outcome.summary_url}")
        return 3 if outcome.problems else reviewed.review.verdict.exit_code


def _pull_request(options: argparse.Namespace, repository: str, server_url: str) -> tuple[str, int]:
    """Return repository and number; a bare number takes ``GITHUB_REPOSITORY``, then the remote ``origin``."""
    from review_bot.forges import git_process
    from review_bot.forges.github import address

    found = address.parse(options.pr, server_url)
    if found.repository is None and not repository:
        origin = git_process.run(options.folder, "remote", "get-url", "origin").output.decode("utf-8", "replace")
        repository = address.repository_of_remote(origin, server_url) or ""
    if found.repository is None and not repository:
        raise UsageError(f"--pr {options.pr}: which repository? Write owner/name#{found.number}")
    return found.repository or repository, found.number


def _source(options: argparse.Namespace) -> LocalGit | DiffText:
    if options.diff is not None:
        for name in ("range", "base", "head"):
            if getattr(options, name) is not None:
                raise UsageError(f"--diff reviews the diff as it is; leave out {'--' if name != 'range' else ''}{name}")
        from review_bot.forges.diff_text import DiffText

        return DiffText(_read_diff(options.diff), source=options.source)
    if options.source is not None:
        raise UsageError("--source goes with --diff; in a repository the files are known")
    base, head = options.base, options.head
    if options.range is not None:
        if base is not None or head is not None:
            raise UsageError("give either BASE..HEAD or --base and --head")
        base, dots, head = options.range.partition("..")
        if not dots:
            raise UsageError(f"{options.range!r} is not BASE..HEAD; for one revision use --base or --head")
        base, head = base or None, head.removeprefix(".") or "HEAD"
    return LocalGit(options.folder, base=base, head=head)


def _sizes(options: argparse.Namespace, source: LocalGit | DiffText) -> pipeline.Sizes:
    """Return who knows how large files are: the repository, the folder beside a diff, or nobody."""

    def sizes(change: PullRequest, paths: Iterable[str], /) -> Mapping[str, int]:
        from review_bot.forges import file_sizes  # only where a file could not be reviewed

        if isinstance(source, LocalGit):
            return file_sizes.in_repository(source.root, change, paths)
        return file_sizes.in_folder(options.source, paths) if options.source is not None else {}

    return sizes


def _read_diff(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        with open(name, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise UsageError(f"--diff {name}: {error.strerror}; name a file that holds a unified diff, or -") from error


def _ground_rules(options: argparse.Namespace, source: LocalGit | DiffText) -> GroundRules:
    """Return what holds for this run; ``--config`` names a file of this machine, not of the repository."""
    wishes = Wishes(options.fail_on, options.on_incomplete)
    if options.config is None:
        return ground_rules.read(source, wishes)
    return ground_rules.read(source, wishes._replace(config=options.config), _read_config(options.config))


def _read_config(path: str) -> str:
    from review_bot.forges.folder import decode_settings

    try:
        with open(path, "rb") as stream:
            return decode_settings(stream.read(), path)
    except OSError as error:
        raise ConfigError(f"it cannot be read: {error.strerror}", path=path) from error


def _write_baseline(source: LocalGit | DiffText, review: Review) -> int:
    from review_bot.reports.wording import count
    from review_bot.review import baseline

    if not isinstance(source, LocalGit) or source.bare:
        raise UsageError("--write-baseline needs a working tree to write to")
    path = os.path.join(source.root, BASELINE_PATH)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    before = source.settings(BASELINE_PATH)
    _write(path, baseline.render(review.findings, before, BASELINE_PATH))
    beside = f", beside {len(baseline.read(before, BASELINE_PATH))} accepted before" if before is not None else ""
    console.say(f"{count(len(review.findings), 'finding')} accepted in {BASELINE_PATH}{beside}")
    if review.verdict.decision != "incomplete":
        return 0
    console.warn(
        "Not everything could be reviewed, so the baseline may lack something; `review-bot review` names what."
    )
    return 3 if review.verdict.exit_code == 3 else 0


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except OSError as error:
        raise ReviewBotError(f"cannot write {path}: {error.strerror}") from error
