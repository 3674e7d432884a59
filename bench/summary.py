"""``python -m bench.summary CLONE``: how much of a posted summary its reader sees before unfolding anything.

Renders the first summary comment of the last pull requests of a clone, as a run that posts its comments would, and
prints the medians of the lines and words on the first screen; a fold counts with its heading. Then it prints how many
pull requests have each effort to review, and the median of their changed lines.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median
from typing import NamedTuple

from review_bot.advice.next_steps import review_effort
from review_bot.comments.model import Context, Posted, PublicationSettings
from review_bot.configuration.rule_registry import builtin_rulebook
from review_bot.errors import ReviewBotError
from review_bot.forges.local_git import LocalGit
from review_bot.forges.merged_pull_requests import MergedPullRequest, read_history
from review_bot.linters.delegation import Linters
from review_bot.pipeline import ReviewRequest, run_review
from review_bot.publishing.plan import plan
from review_bot.reports.summary import first_screen
from review_bot.rules.rulebook import Rulebook

LINES = 25
WORDS = 250
"""What the first screen of an ordinary change may hold at most."""


class Rendered(NamedTuple):
    """The summary of a pull request, its effort to review, and how many lines it adds and deletes."""

    text: str
    effort: int
    changed: int


def summary_of(clone: str, past: MergedPullRequest, rulebook: Rulebook) -> Rendered:
    """Return the summary that the first run on a pull request posts. Raises ReviewBotError."""
    source = LocalGit(clone, base=past.base, head=past.head)
    try:
        request = ReviewRequest(rulebook, linters=Linters(source.settings), prove_fixes=True, with_context=True)
        review = run_review(source, request)
    finally:
        source.close()
    posted = plan(review, Posted(), PublicationSettings(), Context("octo/engine", past.number, past.head))
    change = review.pull_request
    return Rendered(posted.summary or "", review_effort(review), change.added + change.removed)


def main() -> int:
    """Measure, print, and return 1 if a median is too large."""
    parser = argparse.ArgumentParser(prog="python -m bench.summary", description=__doc__)
    parser.add_argument("clone", help="a clone whose merged pull requests are rendered")
    parser.add_argument("--last", type=int, default=100, metavar="N", help="how many of them (default: 100)")
    parser.add_argument("--write", type=Path, metavar="DIR", help="write each summary to a file of this folder")
    options = parser.parse_args()
    rulebook = builtin_rulebook()
    sizes: list[tuple[int, int, str]] = []
    changed: dict[int, list[int]] = {effort: [] for effort in range(1, 6)}
    for past in [each for each in read_history(options.clone).pull_requests if each.merged][: options.last]:
        try:
            rendered = summary_of(options.clone, past, rulebook)
        except ReviewBotError as error:
            print(f"#{past.number} skipped: {error}", file=sys.stderr)
            continue
        screen = first_screen(rendered.text)
        changed[rendered.effort].append(rendered.changed)
        sizes.append((screen.count("\n") + 1, len(screen.split()), past.name))
        if options.write is not None:
            options.write.mkdir(parents=True, exist_ok=True)
            (options.write / f"{past.number}.md").write_text(rendered.text, encoding="utf-8")
    lines, words = median(size[0] for size in sizes), median(size[1] for size in sizes)
    print(f"{len(sizes)} summaries: median {lines:g} lines (at most {LINES}), {words:g} words (at most {WORDS})")
    print(f"longest: {max(sizes)[0]} lines ({max(sizes)[2]}), {max(size[1] for size in sizes)} words")
    for effort, each in changed.items():
        share = f"{len(each)} ({len(each) / len(sizes):.0%}), median {median(each):g} lines changed" if each else "0"
        print(f"effort {effort} of 5: {share}")
    return int(lines > LINES or words > WORDS)


if __name__ == "__main__":
    sys.exit(main())
