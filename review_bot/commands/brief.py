"""``review-bot brief``: what changed, where the risk is, which questions are open, in one short text."""

from __future__ import annotations

import argparse

from review_bot.commands import source_options
from review_bot.errors import UsageError
from review_bot.reports import brief
from review_bot.review.review import Review
from review_bot.text import console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    source_options.add_arguments(parser)
    parser.add_argument(
        "--limit",
        type=int,
        default=brief.LIMIT,
        metavar="CHARS",
        help=f"maximum length in characters, at least {brief.SMALLEST} (default: {brief.LIMIT}); omissions are counted",
    )
    source_options.add_settings(parser)
    parser.epilog = (
        "exit code: 0 regardless of the findings, 2 if the command line or the configuration\n"
        "is wrong, 3 if the change cannot be read. The gate is `review-bot review`."
    )


def run(options: argparse.Namespace) -> int:
    """Review, print the brief, and return the exit code."""
    if options.limit < brief.SMALLEST:
        raise UsageError(f"--limit {options.limit}: a brief needs at least {brief.SMALLEST} characters")
    if options.pr is not None:
        with source_options.on_github(options, writes=False) as found:
            if found.reviewed.review is None:
                console.say(found.closed)
            else:
                _print(found.reviewed.review, options.limit)
        return 0
    paths = source_options.paths_of(options)
    source = source_options.open_source(options)
    try:
        review = source_options.review(options, source, prove_fixes=True, with_context=True, paths=paths)
        _print(review, options.limit)
        source_options.warn_about_paths(review, paths)
    finally:
        source.close()
    return 0


def _print(review: Review, limit: int) -> None:
    console.write(brief.render(review, limit))
    source_options.print_coverage_notices(review)
