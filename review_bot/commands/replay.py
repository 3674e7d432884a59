"""``review-bot replay``: the rules over the pull requests that a clone remembers."""

from __future__ import annotations

import argparse
import os
import time
from fnmatch import fnmatchcase

from review_bot.commands import sheets
from review_bot.configuration import rule_registry
from review_bot.errors import ReviewBotError, UsageError
from review_bot.evidence.files import EVIDENCE
from review_bot.files.policy_paths import RULES_FOLDER
from review_bot.forges.later_changes import LaterChanges
from review_bot.forges.local_git import LocalGit
from review_bot.forges.merged_pull_requests import History, PastPullRequest, Skipped, read_history
from review_bot.linters.delegation import Linters
from review_bot.pipeline import ReviewRequest, run_review
from review_bot.replay import comparison, earlier_rules, figures, recorded, report
from review_bot.replay.batches import replay_all
from review_bot.replay.outcome import Later, Outcome, outcome_of
from review_bot.replay.recorded import Recorded, Shard, read_shard
from review_bot.reports.wording import count
from review_bot.review.review import Review
from review_bot.rules.rulebook import Rulebook
from review_bot.text import console
from review_bot.text.near_names import did_you_mean


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.epilog = (
        "To give a clone its pull requests: git fetch origin '+refs/pull/*/head:refs/pull/*/head'.\n"
        "Without them the merges on the default branch are used."
    )
    parser.add_argument(
        "-C", dest="folder", default=".", metavar="DIR", help="the clone whose past to review (default: here)"
    )
    parser.add_argument(
        "--last", type=_count, default=50, metavar="N", help="the last N merged pull requests (default: 50; 0: all)"
    )
    parser.add_argument("--pr", metavar="N,N", help="these pull requests alone, merged or not")
    parser.add_argument("--unmerged", action="store_true", help="also pull requests that were not merged")
    parser.add_argument(
        "--rule", action="append", default=[], metavar="ID", help="this rule alone, or a pattern; repeatable"
    )
    parser.add_argument("--jobs", type=_processes, metavar="N", help="processes (default: one per core)")
    parser.add_argument("--format", choices=["terminal", "json"], default="terminal", help="what to print")
    parser.add_argument("--list", action="store_true", dest="list_findings", help="print every finding, to read")
    parser.add_argument(
        "--changed-later",
        action="store_true",
        help="review each as it was opened, and tell which of its lines were changed before the merge or soon after",
    )
    parser.add_argument(
        "--shard", type=read_shard, default=Shard(), metavar="I/N", help="part I of N of them, for one runner of many"
    )
    parser.add_argument(
        "--merge", nargs="+", metavar="FILE", help="add up the shards that --format json has written; review nothing"
    )
    parser.add_argument(
        "--against", metavar="REV", help="compare with Review Bot's rules as they were at a commit of its checkout"
    )
    sampling = parser.add_argument_group("a sheet of findings for people to judge (see docs/evidence.md)")
    sampling.add_argument("--sample", type=int, metavar="N", help="choose N findings that are not judged yet")
    sampling.add_argument("--sheet", metavar="FILE", help="write them there, and FILE.key.json beside it")
    sampling.add_argument("--seed", default="", metavar="TEXT", help="another text, another sample")
    sampling.add_argument("--inline", action="store_true", help="only findings that stand beside the code")
    sampling.add_argument("--repository", metavar="OWNER/NAME", help="how the clone is called (default: by its remote)")
    sampling.add_argument(
        "--evidence", default=EVIDENCE, metavar="DIR", help=f"the folder of marks (default: {EVIDENCE})"
    )


def _count(text: str) -> int:
    """Return a number from 0. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0")
    return int(text)


def _processes(text: str) -> int:
    """Return a number from 1. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Review the past and print what it gave. The exit code is 0 whatever the rules saw."""
    started = time.monotonic()
    if options.merge:
        _print(recorded.merge(options.merge), options)
        return 0
    if options.against and options.shard.parts > 1:
        raise UsageError("--against compares whole replays; leave out --shard")
    order = _order(options)
    history = read_history(options.folder)
    chosen = options.shard.of(past := _choose(history, options))
    rulebook = _rulebook(options)
    jobs: int = options.jobs or os.cpu_count() or 1
    later = LaterChanges(options.folder) if options.changed_later else None

    def review(past: PastPullRequest) -> Outcome:
        return _keep(_review(options.folder, past, rulebook, later, in_full=order is not None), options.rule)

    with console.progress("Reviewing the past", len(chosen)) as done:
        outcomes = replay_all(chosen, review, jobs=jobs, done=done)
    skipped = () if options.pr else tuple(_skipped_among(past, history))
    replay = Recorded(history.branch, rulebook.digest, options.shard, tuple(outcomes), skipped)
    if options.against:
        _compare(replay, options, jobs)
    else:
        _print(replay, options)
    if order is not None:
        console.warn(sheets.write(order, options.folder, outcomes, rulebook.digest))
    processes = count(jobs, "process", "processes")
    console.warn(f"{count(len(chosen), 'pull request')} in {time.monotonic() - started:.1f} s, {processes}")
    return 0


def _print(replay: Recorded, options: argparse.Namespace) -> None:
    counted = figures.count(replay.outcomes, replay.skipped)
    if options.format == "json":
        text = report.render_json(counted, replay)
    else:
        text = report.render_terminal(counted, replay.outcomes, list_findings=options.list_findings)
    console.write(text)
    console.flush()


def _compare(replay: Recorded, options: argparse.Namespace, jobs: int) -> None:
    """Replay the same pull requests with the rules of another commit, and print the differences."""
    arguments = ["-C", os.path.abspath(options.folder), "--last", str(options.last), "--jobs", str(jobs)]
    arguments += ["--pr", options.pr] if options.pr else []
    arguments += ["--unmerged"] if options.unmerged else []
    before = earlier_rules.replay_at(options.against, arguments)
    kept = [_keep(outcome, options.rule) for outcome in before.outcomes]
    compared = comparison.compare(kept, replay.outcomes)
    if options.rule:  # a verdict over some of the rules is none
        compared = compared._replace(verdicts=())
    if options.format == "json":
        text = report.render_comparison_json(compared, options.against)
    else:
        text = report.render_comparison(compared, options.against, list_findings=options.list_findings)
    console.write(text)
    console.flush()


def _order(options: argparse.Namespace) -> sheets.Order | None:
    if options.sample is None and options.sheet is None:
        return None
    if options.sample is None or options.sheet is None or options.sample < 1 or options.changed_later:
        raise UsageError("--sample N and --sheet FILE go together, without --changed-later, and N is at least 1")
    repository = sheets.repository_name(options.folder, options.repository)
    return sheets.Order(
        options.sheet,
        options.sample,
        options.seed,
        options.inline,
        repository,
        options.evidence,
        counted=bool(options.rule),
    )


def _choose(history: History, options: argparse.Namespace) -> list[PastPullRequest]:
    known = history.pull_requests
    if options.pr:
        by_number = {past.number: past for past in known}
        try:
            numbers = [int(part) for part in options.pr.replace("#", "").split(",")]
        except ValueError as error:
            raise UsageError(f"--pr takes numbers with commas between, such as 15,19, not {options.pr!r}") from error
        skipped = {each.name: each.reason for each in history.skipped}
        for number in numbers:
            if number not in by_number:
                reason = skipped.get(f"#{number}", "neither a ref nor a merge of it is in this clone")
                raise UsageError(f"pull request {number} cannot be had: {reason}")
        return [by_number[number] for number in numbers]
    chosen = [past for past in known if past.merged or options.unmerged]
    if not chosen:
        raise UsageError(
            f"no merged pull request is to be seen on {history.branch}; fetch them with "
            "`git fetch origin '+refs/pull/*/head:refs/pull/*/head'`"
        )
    return chosen[: options.last] if options.last > 0 else chosen


def _skipped_among(chosen: list[PastPullRequest], history: History) -> list[Skipped]:
    """Return what was skipped among the chosen ones; of all of them, if all were chosen."""
    merged = sum(past.merged for past in chosen)
    every = merged == sum(past.merged for past in history.pull_requests)
    return [each for each in history.skipped if every or each.newer < merged]


def _rulebook(options: argparse.Namespace) -> Rulebook:
    source = LocalGit(options.folder)
    try:
        rulebook = rule_registry.with_own_rules(rule_registry.builtin_rulebook(), source.own_rules(RULES_FOLDER))
    finally:
        source.close()
    if not options.rule:
        return rulebook
    for pattern in options.rule:
        if not any(fnmatchcase(rule.id, pattern) for rule in rulebook.rules):
            near = did_you_mean(pattern, (rule.id for rule in rulebook.rules))
            raise UsageError(f"no rule is called {pattern!r}{near or '; see `review-bot rules list`'}")
    # Asked for by name, a rule speaks whatever the linters of that repository report.
    chosen = (rule._replace(mirror=False) for rule in rulebook.rules if _named(rule.id, options.rule))
    return rulebook._replace(rules=tuple(chosen))


def _named(rule: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(rule, pattern) for pattern in patterns)


def _review(
    folder: str, past: PastPullRequest, rulebook: Rulebook, later: LaterChanges | None, *, in_full: bool
) -> Outcome:
    source = None
    try:
        head = past.head if later is None else later.opened(past)
        source = LocalGit(folder, base=past.base, head=head)
        review = run_review(source, ReviewRequest(rulebook, linters=Linters(source.settings)))
        outcome = outcome_of(past, review, in_full=in_full)
        return outcome if later is None else _with_later(outcome, review, head, later)
    except ReviewBotError as error:
        return Outcome(past, error=str(error))
    except Exception as error:  # noqa: BLE001  # one broken pull request does not end the replay
        return Outcome(past, error=f"{type(error).__name__}: {error}")
    finally:
        if source is not None:
            source.close()


def _with_later(outcome: Outcome, review: Review, opened: str, later: LaterChanges) -> Outcome:
    """Tell of each line that was added, and of each finding on one, whether it was changed later."""
    end = later.end(outcome.past)
    if end is None:
        return outcome
    added = {file.path: frozenset(number for number, _ in file.added_lines()) for file in review.pull_request.files}
    changed = later.changed_lines(opened, end, added)

    def is_changed(path: str | None, line: int | None) -> bool | None:
        if path is None or line is None or line not in added.get(path, ()):
            return None
        lines = changed[path]
        return lines is None or line in lines

    gone = sum(bool(is_changed(path, line)) for path, lines in added.items() for line in lines)
    return outcome._replace(
        findings=tuple(seen._replace(changed=is_changed(seen.path, seen.line)) for seen in outcome.findings),
        later=Later(sum(map(len, added.values())), gone),
    )


def _keep(outcome: Outcome, patterns: list[str]) -> Outcome:
    """Leave out what rules that were not asked for say, such as a suppression that they alone would use."""
    if not patterns:
        return outcome
    return outcome._replace(
        findings=tuple(each for each in outcome.findings if _named(each.rule, patterns)),
        sightings=tuple(each for each in outcome.sightings if _named(each.finding.rule, patterns)),
        cards=(),
    )
