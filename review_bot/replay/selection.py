"""Which pull requests of a clone are replayed, and with which rules."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from review_bot.configuration.effective_config import read_rules
from review_bot.errors import UsageError
from review_bot.forges.local_git import LocalGit
from review_bot.forges.merged_pull_requests import History, MergedPullRequest
from review_bot.records import NamedTuple
from review_bot.rules.rulebook import Rulebook, matches, patterns_in
from review_bot.text.near_names import did_you_mean


class Selection(NamedTuple):
    """Pull requests of the clone ``folder``, the rules to run, and the number of processes.

    ``last``: the newest ones, 0 for all. ``numbers``: only these, such as ``15,19``. ``rules``: ids or patterns; all
    rules if empty.
    """

    folder: str
    last: int
    numbers: str | None
    unmerged: bool
    rules: Sequence[str]
    jobs: int

    def includes(self, rule: str) -> bool:
        """Return whether a rule is to run."""
        return not self.rules or any(matches(rule, pattern) for pattern in self.rules)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of a selection."""
    parser.epilog = (
        "To fetch the pull requests of a clone: git fetch origin '+refs/pull/*/head:refs/pull/*/head'.\n"
        "Without them the merges on the default branch are used."
    )
    parser.add_argument(
        "-C",
        dest="folder",
        default=".",
        metavar="DIR",
        help="the clone whose history to review (default: the current folder)",
    )
    parser.add_argument(
        "--last",
        type=_number_from_0,
        default=50,
        metavar="N",
        help="the last N merged pull requests (default: 50; 0: all)",
    )
    parser.add_argument("--pr", metavar="N,N", help="only these pull requests, merged or not")
    parser.add_argument("--unmerged", action="store_true", help="also pull requests that were not merged")
    parser.add_argument(
        "--select",
        dest="rules",
        action="extend",
        type=patterns_in,
        default=[],
        metavar="RULE",
        help="only these rules, families or patterns such as 'style/*', separated by commas; repeatable",
    )
    parser.add_argument("--jobs", type=number_from_1, metavar="N", help="processes (default: one per core)")


def selected(options: argparse.Namespace) -> Selection:
    """Return the selection of a command line."""
    jobs = options.jobs or os.cpu_count() or 1
    return Selection(options.folder, options.last, options.pr, options.unmerged, options.rules, jobs)


def _number_from_0(text: str) -> int:
    """Return a number from 0. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"must be 0 or more, not {text!r}")
    return int(text)


def number_from_1(text: str) -> int:
    """Return a number from 1. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text!r}")
    return int(text)


def pull_requests(history: History, selection: Selection) -> list[MergedPullRequest]:
    """Return the selected pull requests. Raises UsageError if one is not in the clone, or if there is none."""
    known = history.pull_requests
    if selection.numbers:
        by_number = {past.number: past for past in known}
        try:
            numbers = [int(part) for part in selection.numbers.replace("#", "").split(",")]
        except ValueError as error:
            raise UsageError(
                f"--pr takes numbers separated by commas, such as 15,19, not {selection.numbers!r}"
            ) from error
        skipped = {each.name: each.reason for each in history.skipped}
        for number in numbers:
            if number not in by_number:
                reason = skipped.get(f"#{number}", "this clone has neither a ref nor a merge of it")
                raise UsageError(f"pull request {number} cannot be reviewed: {reason}")
        return [by_number[number] for number in numbers]
    chosen = [past for past in known if past.merged or selection.unmerged]
    if not chosen:
        raise UsageError(
            f"no merged pull requests found on {history.branch}; fetch them with "
            "`git fetch origin '+refs/pull/*/head:refs/pull/*/head'`"
        )
    return chosen[: selection.last] if selection.last > 0 else chosen


def rulebook(selection: Selection) -> Rulebook:
    """Return the selected rules: the built-in ones and the clone's own. Raises UsageError if a pattern matches none.

    Rules that are off until a configuration names them are left out, unless they are selected.
    """
    source = LocalGit(selection.folder)
    try:
        every = read_rules(source)
    finally:
        source.close()
    if not selection.rules:
        return every._replace(rules=tuple(rule for rule in every.rules if not rule.opt_in))
    for pattern in selection.rules:
        if not any(matches(rule.id, pattern) for rule in every.rules):
            near = did_you_mean(pattern, (rule.id for rule in every.rules))
            raise UsageError(f"there is no rule {pattern!r}{near or '; see `review-bot rules list`'}")
    # A rule that is selected by name reports also what the linters of that repository report.
    chosen = (rule._replace(mirror=False) for rule in every.rules if selection.includes(rule.id))
    return every._replace(rules=tuple(chosen))
