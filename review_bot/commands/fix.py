"""``review-bot fix``: applies the suggestions that were proven together, or shows them as a patch."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from review_bot.changes import line_edits
from review_bot.changes.source import LocalSource
from review_bot.commands import flags, source_options, target
from review_bot.commands.target import Target
from review_bot.errors import UsageError
from review_bot.files.policy_paths import CONFIG_PATH
from review_bot.findings import Finding, Fix, Fixes, SkippedFix, order
from review_bot.forges.file_edits import CannotWrite, replace_text
from review_bot.forges.local_git import LocalGit
from review_bot.records import NamedTuple
from review_bot.reports.wording import one_line, places
from review_bot.review.review import Review
from review_bot.rules.rulebook import Rulebook, matches, named, patterns_in
from review_bot.text import console
from review_bot.text.listing import count

MOST_ROUNDS = 10
"""Reviews at most: what shares a line with another fix is proven in the next one."""

NO_FIXES = "No automatic fixes available."
INCOMPLETE = "Not everything could be reviewed; `review-bot review` lists what is missing."

MOST_NAMED = 10
"""Findings without a fix that are named."""


class Applied(NamedTuple):
    """What was done: fixes in the order of the files, files that could not be written, fixes that were skipped.

    ``manual``: open findings without an automatic fix.
    """

    fixes: tuple[Fix, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    skipped: tuple[SkippedFix, ...] = ()
    manual: tuple[Finding, ...] = ()
    incomplete: bool = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    target.add_arguments(parser, target.REVISIONS)
    parser.add_argument(
        "--select",
        dest="fixed_rules",
        action="extend",
        type=patterns_in,
        default=[],
        metavar="RULE",
        help="fix only findings of these rules, families or patterns, separated by commas; repeatable",
    )
    parser.add_argument("--dry-run", action="store_true", help="print the patch, for any head, and write nothing")
    parser.add_argument("--config", metavar="FILE", help=f"configuration to use instead of {CONFIG_PATH}")
    flags.add_running(parser)
    parser.set_defaults(select=[], ignore=[], coverage=[])  # all rules run, to prove the fixes


def run(options: argparse.Namespace) -> int:
    """Fix what is certain, say what was done, and return the exit code."""
    wanted = target.read(options)
    if wanted.paths:
        raise UsageError(f"fix applies fixes in all files; remove {wanted.paths[0]}, or choose rules with --select")
    if options.dry_run:
        return _show(options)
    if wanted._replace(base=None) != Target():
        raise UsageError("fix writes to the whole working tree; pass only a base, or use --dry-run")
    done = _apply(options)
    _print_result(done)
    return 3 if done.problems else 0


def _show(options: argparse.Namespace) -> int:
    source = target.read(options).open(options.folder)
    try:
        review = _review(options, source)
    finally:
        source.close()
    fixes = review.fixes
    proven, skipped = ((), ()) if fixes is None else (fixes.proven, fixes.skipped)
    if proven and sys.stdout.isatty():
        console.say(review.patch.rstrip("\n"))
    else:
        console.write(review.patch)
    files = count(len({fix.path for fix in proven}), "file")
    console.warn(f"{count(len(proven), 'fix', 'fixes')} in {files}." if proven else NO_FIXES)
    _print_remaining(skipped, _manual(review, options))
    if review.verdict.decision == "incomplete":
        console.warn(INCOMPLETE)
    return 0


def _apply(options: argparse.Namespace) -> Applied:
    """Review and write until nothing certain is left."""
    done: list[Fix] = []
    problems: tuple[tuple[str, str], ...] = ()
    skipped: tuple[SkippedFix, ...] = ()
    manual: tuple[Finding, ...] = ()
    incomplete = False
    for _ in range(MOST_ROUNDS):
        source = target.read(options).open(options.folder)
        try:
            if source.bare:
                raise UsageError("fix needs a working tree to write to; use --dry-run in a bare repository")
            review = _review(options, source)
            incomplete = review.verdict.decision == "incomplete"
            proven, skipped = ((), ()) if review.fixes is None else (review.fixes.proven, review.fixes.skipped)
            manual = _manual(review, options)
            written, problems = _write(source, review, proven)
        finally:
            source.close()
        done += written
        if not written or problems:
            break
    return Applied(tuple(sorted(done, key=lambda fix: fix.path)), problems, skipped, manual, incomplete)


def _review(options: argparse.Namespace, source: LocalSource) -> Review:
    def chosen(rulebook: Rulebook) -> frozenset[str] | None:
        return named(rulebook, "--select", options.fixed_rules) if options.fixed_rules else None

    return source_options.review(options, source, prove_fixes=True, fix_rules=chosen)


def _write(source: LocalGit, review: Review, proven: Sequence[Fix]) -> tuple[list[Fix], tuple[tuple[str, str], ...]]:
    """Write file by file; return what was applied, and (path, reason) of files that were left as they are."""
    index_of = {file.path: index for index, file in enumerate(review.pull_request.files)}
    by_path: dict[str, list[Fix]] = {}
    for fix in proven:
        by_path.setdefault(fix.path, []).append(fix)
    texts = source.read_new(index_of[path] for path in by_path).texts
    written: list[Fix] = []
    problems: list[tuple[str, str]] = []
    for path, fixes in by_path.items():
        text = texts.get(index_of[path])
        try:
            if text is None:
                problems.append((path, "its text could not be read"))
                continue
            replace_text(source.root, path, text, line_edits.apply(text, [fix.suggestion for fix in fixes]))
            written += fixes
        except CannotWrite as error:
            problems.append((path, str(error)))
    return written, tuple(problems)


def _print_result(done: Applied) -> None:
    by_path: dict[str, Counter[str]] = {}
    for fix in done.fixes:
        by_path.setdefault(fix.path, Counter())[fix.rule] += 1
    for path, rules in by_path.items():
        fixed = ", ".join(rule if number == 1 else f"{rule} ({number})" for rule, number in sorted(rules.items()))
        console.say(f"{console.disarm(path)}: {fixed}")
    files = count(len(by_path), "file")
    nothing = "No fix could be applied." if done.problems else NO_FIXES
    console.say(f"{count(len(done.fixes), 'fix', 'fixes')} applied in {files}." if by_path else nothing)
    _print_remaining(done.skipped, done.manual)
    for path, reason in done.problems:
        console.warn(f"not written: {console.disarm(path)}: {reason}")
    if done.incomplete:
        console.warn(INCOMPLETE)


def _manual(review: Review, options: argparse.Namespace) -> tuple[Finding, ...]:
    """Return the open findings that no fix settles, most severe first; of ``--select``, if it is given."""
    fixes = review.fixes or Fixes()
    settled = {each for fix in (*fixes.proven, *(each.fix for each in fixes.skipped)) for each in fix.fingerprints}
    left = [
        finding
        for finding in review.listed
        if finding.fingerprint not in settled
        and (not options.fixed_rules or any(map(partial(matches, finding.rule), options.fixed_rules)))
    ]
    return tuple(sorted(left, key=order))


def _print_remaining(skipped: Iterable[SkippedFix], manual: Sequence[Finding]) -> None:
    """Say on standard error which findings stay, and why."""
    for each in skipped:
        fix = each.fix
        console.warn(f"skipped: {console.disarm(fix.path)}:{fix.suggestion.start_line} {fix.rule}: {each.reason}")
    if manual:
        console.warn(f"{count(len(manual), 'finding needs', 'findings need')} a manual change; no fix is known:")
    for finding in manual[:MOST_NAMED]:
        way = f": {console.disarm(one_line(finding.instead))}" if finding.instead else ""
        console.warn(f"  {console.disarm(places(finding))} {finding.severity} {finding.rule}{way}")
    if len(manual) > MOST_NAMED:
        console.warn(f"  and {len(manual) - MOST_NAMED} more; `review-bot review` lists them")
