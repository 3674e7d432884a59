"""``review-bot explain``: findings of a review in full, with what places hold at each step that leads to them.

They are chosen by fingerprint, by place (``path:line``, from the root of the repository as the reports print it, or
from the current folder), or by rule.
"""

from __future__ import annotations

import argparse
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from review_bot.commands import source_options, target
from review_bot.errors import UsageError
from review_bot.findings import Finding
from review_bot.forges.local_git import LocalGit
from review_bot.reports import explanation, wording
from review_bot.reports.content.deleted_lines import place_at_head
from review_bot.reports.wording import listed_few
from review_bot.review.review import Review
from review_bot.text import console
from review_bot.text.listing import first_of
from review_bot.text.near_names import did_you_mean

if TYPE_CHECKING:
    from review_bot.changes.source import LocalSource

MOST_NAMED = 5
"""Findings, lines or rules that are named where none or several fit."""

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>[1-9]\d{0,8})(?::\d+)?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "fingerprint",
        metavar="FINDING",
        help="PATH:LINE or a rule, as reports print them; or the ID of a comment (`fingerprint` in report.json), of "
        "which the start suffices",
    )
    source_options.add_arguments(parser)
    source_options.add_settings(parser)
    parser.epilog = (
        "exit code: 0 if the finding was found, 2 if there is none such or the\n"
        "command line or the configuration is wrong, 3 if the change cannot be read."
    )


def run(options: argparse.Namespace) -> int:
    """Review, print one finding, and return the exit code."""
    if options.pr is not None:
        with source_options.on_github(options, writes=False) as found:
            if found.reviewed.review is None:
                console.say(found.closed)
            else:
                _print(found.reviewed.review, select(found.reviewed.review, options.fingerprint), {})
        return 0
    _put_finding_first(options)
    paths = source_options.paths_of(options)
    source = source_options.open_source(options)
    try:
        review = source_options.review(options, source, paths=paths)
        findings = select(review, options.fingerprint, folder=_folder(options, source))
        _print(review, findings, _texts(source, review, findings))
    finally:
        source.close()
    return 0


def _put_finding_first(options: argparse.Namespace) -> None:
    """Accept the revision or range before the finding, as in ``review BASE PATH``."""
    if options.diff is not None or not options.what:
        return
    first, second = options.fingerprint, options.what[0]
    if target.is_change(options.folder, first) and not target.names_something(options.folder, second):
        options.fingerprint, options.what = second, [first, *options.what[1:]]


def _folder(options: argparse.Namespace, source: LocalSource) -> str:
    """Return the folder from which places are written, from the root of the repository; empty at the root."""
    if not isinstance(source, LocalGit):
        return ""
    below = target.from_root(source.root, options.folder, ".")
    return "" if below == "." else below


def select(review: Review, wanted: str, *, folder: str = "") -> list[Finding]:
    """Return the findings at a place, of a rule, or of the one fingerprint that starts with ``wanted``.

    A path without findings is read from ``folder``. Raises UsageError.
    """
    every = [*review.findings, *(entry.finding for entry in review.suppressed)]
    if place := _PLACE.fullmatch(wanted):
        return _at(review, every, _meant(review, every, place["path"], folder), int(place["line"]))
    of_rule = [each for each in every if each.rule == wanted]
    if of_rule:
        return of_rule
    begin = wanted.lower()
    fitting = [each for each in every if wanted and any(name.fingerprint.startswith(begin) for name in each.places)]
    fingerprints = sorted({each.fingerprint for each in fitting})
    if not fitting:
        if not every:
            raise UsageError(f"{wanted}: the review{_of(review)} has no findings")
        if lines := _lines_in(_meant(review, every, wanted, folder), every):
            some = listed_few([str(line) for line in sorted(lines)], MOST_NAMED)
            raise UsageError(
                f"{wanted}: add the line of a finding, such as {wanted}:{min(lines)}; this file has findings on: {some}"
            )
        rules = {each.rule for each in every}
        near = did_you_mean(wanted, {each.fingerprint for each in every} | rules)
        named = f"; it has findings of {listed_few(sorted(rules), MOST_NAMED)}"
        raise UsageError(f"{wanted}: no finding of the review{_of(review)} has this fingerprint or rule{near or named}")
    if len(fingerprints) > 1:
        named = first_of((f"{each} ({_about(fitting, each)})" for each in fingerprints), MOST_NAMED)
        raise UsageError(f"{wanted}: {len(fingerprints)} findings start with it: {named}")
    return fitting


def _at(review: Review, findings: Sequence[Finding], path: str, line: int) -> list[Finding]:
    """Return the findings on a line. Raises UsageError that names the nearest lines of the file if there are none."""
    found = []
    for each in findings:
        for place in each.places:
            there = place_at_head(review.pull_request, place)
            has_line = place.path == path and place.line is not None and place.line <= line <= place.last_line
            if has_line or (there is not None and there == (path, line)):
                found.append(each)
                break
    if found:
        return found
    lines = sorted(_lines_in(path, findings), key=lambda each: (abs(each - line), each))
    if lines:
        nearest = listed_few([str(each) for each in sorted(lines[:MOST_NAMED])], MOST_NAMED)
        raise UsageError(
            f"{path}:{line}: no finding of the review{_of(review)} is on this line; the nearest in this file: {nearest}"
        )
    paths = sorted({place.path for each in findings for place in each.places if place.path is not None})
    ending = [each for each in paths if each.endswith(f"/{path}")]
    if ending:
        meant = listed_few([f"{each}:{line}" for each in ending], MOST_NAMED)
        raise UsageError(f"{path}:{line}: write the path from the root of the repository: {meant}")
    range_ = "; for a review with another base, pass it after the place" if _of(review) else ""
    raise UsageError(
        f"{path}:{line}: no finding of the review{_of(review)} is on a line of this file"
        f"{did_you_mean(path, paths) or range_}"
    )


def _of(review: Review) -> str:
    """Return the range of the review after a blank, such as `` against main (merge base 8db19032b1f5)``, or nothing."""
    against = wording.base(review)
    return f" {against}" if against else ""


def _meant(review: Review, findings: Sequence[Finding], path: str, folder: str) -> str:
    """Return the path from the root of the repository that a person means, who may have written it from ``folder``."""
    plain = path.removeprefix("./")
    if not folder:
        return plain
    here = posixpath.normpath(posixpath.join(folder, path))
    with_findings = {place.path for each in findings for place in each.places}
    changed = {file.path for file in review.pull_request.files}
    for known in (with_findings, changed):
        for each in (plain, here):
            if each in known:
                return each
    return plain


def _lines_in(path: str, findings: Iterable[Finding]) -> set[int]:
    return {place.line for each in findings for place in each.places if place.path == path and place.line is not None}


def _about(findings: Sequence[Finding], fingerprint: str) -> str:
    finding = next(each for each in findings if each.fingerprint == fingerprint)
    return f"{finding.rule} in {finding.path or 'the whole change'}"


def _texts(source: LocalSource, review: Review, findings: Sequence[Finding]) -> Mapping[str, str]:
    """Return the texts of the changed files that findings and steps are in, by path."""
    wanted = {step.path for finding in findings for step in finding.steps}
    wanted |= {finding.path for finding in findings if finding.path is not None and finding.side == "RIGHT"}
    index = {file.path: number for number, file in enumerate(review.pull_request.files) if file.path in wanted}
    texts = source.read_new(index.values()).texts if index else {}
    return {path: text for path, number in index.items() if (text := texts.get(number)) is not None}


def _print(review: Review, findings: Sequence[Finding], texts: Mapping[str, str]) -> None:
    console.write(explanation.render(review, findings, texts, console.find_terminal()))
    source_options.print_coverage_notices(review)
