"""``review-bot explain``: one finding of a review in full, with what places hold at each step that leads to it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from review_bot.commands import source_options
from review_bot.errors import UsageError
from review_bot.findings import Finding
from review_bot.reports import explanation
from review_bot.review.review import Review
from review_bot.text import console
from review_bot.text.near_names import did_you_mean

if TYPE_CHECKING:
    from review_bot.changes.source import LocalSource

MOST_NAMED = 5
"""Findings that are named where a prefix fits several."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "fingerprint",
        metavar="FINGERPRINT",
        help="the ID of a comment, `fingerprint` in report.json; its start suffices",
    )
    source_options.add_arguments(parser)
    source_options.add_settings(parser)
    parser.epilog = (
        "exit code: 0 if the finding was found, 2 if there is none with this fingerprint or the\n"
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
    paths = source_options.paths_of(options)
    source = source_options.open_source(options)
    try:
        review = source_options.review(options, source, paths=paths)
        findings = select(review, options.fingerprint)
        _print(review, findings, _texts(source, review, findings))
    finally:
        source.close()
    return 0


def select(review: Review, wanted: str) -> list[Finding]:
    """Return the findings of a fingerprint, or of the one that starts with ``wanted``. Raises UsageError."""
    every = [*review.findings, *(entry.finding for entry in review.suppressed)]
    fitting = [each for each in every if wanted and each.fingerprint.startswith(wanted.lower())]
    fingerprints = sorted({each.fingerprint for each in fitting})
    if not fitting:
        known = {each.fingerprint: each for each in every}
        near = did_you_mean(wanted, known) if known else "; the review has no findings"
        raise UsageError(f"{wanted}: no finding of this review has this fingerprint{near}")
    if len(fingerprints) > 1:
        named = ", ".join(f"{each} ({_about(fitting, each)})" for each in fingerprints[:MOST_NAMED])
        more = f" and {len(fingerprints) - MOST_NAMED} more" if len(fingerprints) > MOST_NAMED else ""
        raise UsageError(f"{wanted}: {len(fingerprints)} findings start with it: {named}{more}")
    return fitting


def _about(findings: Sequence[Finding], fingerprint: str) -> str:
    finding = next(each for each in findings if each.fingerprint == fingerprint)
    return f"{finding.rule} in {finding.path or 'the whole change'}"


def _texts(source: LocalSource, review: Review, findings: Sequence[Finding]) -> Mapping[str, str]:
    """Return the texts of the changed files that steps are in, by path."""
    wanted = {step.path for finding in findings for step in finding.steps}
    index = {file.path: number for number, file in enumerate(review.pull_request.files) if file.path in wanted}
    texts = source.read_new(index.values()).texts if index else {}
    return {path: text for path, number in index.items() if (text := texts.get(number)) is not None}


def _print(review: Review, findings: Sequence[Finding], texts: Mapping[str, str]) -> None:
    console.write(explanation.render(review, findings, texts, console.find_display()))
    source_options.tell_coverage_notices(review)
