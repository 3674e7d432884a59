"""``review-bot replay``: the rules over the pull requests that a clone remembers."""

from __future__ import annotations

import argparse
import gc
import os
import time

from review_bot.errors import UsageError
from review_bot.forges.line_survival import LineSurvival
from review_bot.forges.merged_pull_requests import History, MergedPullRequest, Skipped, read_history
from review_bot.replay import comparison, earlier_rules, figures, recorded, report, selection
from review_bot.replay.outcome import Later, Outcome, outcome_of
from review_bot.replay.past_review import review_commits, review_each
from review_bot.replay.recorded import Recorded, Shard, read_shard
from review_bot.replay.selection import Selection
from review_bot.review.review import Review
from review_bot.text import console
from review_bot.text.listing import count


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    selection.add_arguments(parser)
    parser.add_argument("--format", choices=["terminal", "json"], default="terminal", help="what to print")
    parser.add_argument("--list", action="store_true", dest="list_findings", help="print every finding")
    parser.add_argument(
        "--changed-later",
        action="store_true",
        help="review each as it was opened, and report which of its lines were changed before the merge or soon after",
    )
    parser.add_argument(
        "--shard",
        type=read_shard,
        default=Shard(),
        metavar="I/N",
        help="review part I of N, to share the work among runners",
    )
    parser.add_argument(
        "--merge", nargs="+", metavar="FILE", help="merge shards written with --format json; review nothing"
    )
    parser.add_argument(
        "--against", metavar="REV", help="compare with Review Bot's rules at another commit of its checkout"
    )


def run(options: argparse.Namespace) -> int:
    """Review the past and print what it gave. The exit code is 0 whatever the rules saw."""
    gc.enable()  # many reviews in one process; the trees of each refer to one another
    started = time.monotonic()
    if options.merge:
        _print(recorded.merge(options.merge), options)
        return 0
    if options.against and options.shard.parts > 1:
        raise UsageError("--against compares whole replays; remove --shard")
    wanted = selection.selected(options)
    history = read_history(wanted.folder)
    chosen = options.shard.of(past := selection.pull_requests(history, wanted))
    rulebook = selection.rulebook(wanted)
    later = LineSurvival(wanted.folder) if options.changed_later else None

    def review(past: MergedPullRequest) -> Outcome:
        head = past.head if later is None else later.opened(past)
        review = review_commits(wanted.folder, past.base, head, rulebook)
        outcome = outcome_of(past, review)
        return _narrowed(outcome if later is None else _with_later(outcome, review, head, later), wanted)

    with console.progress("Reviewing pull requests", len(chosen)) as done:
        outcomes = review_each(chosen, review, _broken, jobs=wanted.jobs, done=done)
    skipped = () if options.pr else tuple(_skipped_among(past, history))
    replay = Recorded(history.branch, rulebook.digest, options.shard, tuple(outcomes), skipped)
    if options.against:
        _compare(replay, options, wanted)
    else:
        _print(replay, options)
    processes = count(wanted.jobs, "process", "processes")
    console.warn(f"{count(len(chosen), 'pull request')} in {time.monotonic() - started:.1f} s, {processes}")
    return 0


def _broken(past: MergedPullRequest, error: str) -> Outcome:
    return Outcome(past, error=error)


def _print(replay: Recorded, options: argparse.Namespace) -> None:
    counted = figures.count(replay.outcomes, replay.skipped)
    if options.format == "json":
        text = report.render_json(counted, replay)
    else:
        text = report.render_terminal(counted, replay.outcomes, list_findings=options.list_findings)
    console.write(text)
    console.flush()


def _compare(replay: Recorded, options: argparse.Namespace, wanted: Selection) -> None:
    """Replay the same pull requests with the rules of another commit, and print the differences."""
    arguments = ["-C", os.path.abspath(options.folder), "--last", str(options.last), "--jobs", str(wanted.jobs)]
    arguments += ["--pr", options.pr] if options.pr else []
    arguments += ["--unmerged"] if options.unmerged else []
    before = earlier_rules.replay_at(options.against, arguments)
    kept = [_narrowed(outcome, wanted) for outcome in before.outcomes]
    compared = comparison.compare(kept, replay.outcomes)
    if options.rules:  # a verdict based on some of the rules is meaningless
        compared = compared._replace(verdicts=())
    if options.format == "json":
        text = report.render_comparison_json(compared, options.against)
    else:
        text = report.render_comparison(compared, options.against, list_findings=options.list_findings)
    console.write(text)
    console.flush()


def _skipped_among(chosen: list[MergedPullRequest], history: History) -> list[Skipped]:
    """Return what was skipped among the chosen ones; of all of them, if all were chosen."""
    merged = sum(past.merged for past in chosen)
    every = merged == sum(past.merged for past in history.pull_requests)
    return [each for each in history.skipped if every or each.newer < merged]


def _with_later(outcome: Outcome, review: Review, opened: str, later: LineSurvival) -> Outcome:
    """Determine for each added line, and each finding on one, whether it was changed later."""
    end = later.end(outcome.past)
    if end is None:
        return outcome
    added = review.pull_request.added_numbers()
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


def _narrowed(outcome: Outcome, wanted: Selection) -> Outcome:
    """Return an outcome without findings of rules that are not selected, such as unused suppressions."""
    if not wanted.rules:
        return outcome
    return outcome._replace(findings=tuple(each for each in outcome.findings if wanted.includes(each.rule)), cards=())
