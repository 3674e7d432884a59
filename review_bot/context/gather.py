"""The context of a change, gathered after the verdict: reports show it, the verdict ignores it.

::

    Review × ContextSource ── gather ▶ ReviewContext

Nothing here fails a review: what cannot be read is named in the context, or left out.
"""

from __future__ import annotations

from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source import ContextSource
from review_bot.context import code_owners
from review_bot.context.open_pull_requests.change_imports import imports_of_change
from review_bot.context.open_pull_requests.comparison import compare_pull_requests
from review_bot.context.related_tests import covering_tests
from review_bot.errors import ConfigError, ForgeError
from review_bot.review.context import CoveringTest, OverlapReport, Owners, ReviewContext
from review_bot.review.review import Review


def gather(review: Review, source: ContextSource, known: ReviewContext) -> ReviewContext:
    """Return what is known already, with owners, related tests and overlaps as far as the source knows them."""
    change = review.pull_request
    return known._replace(
        owners=_owners(change, source), tests=_tests(change, source), overlaps=_overlaps(review, source)
    )


def _owners(change: PullRequest, source: ContextSource) -> Owners | None:
    """Return who owns the changed files by the first CODEOWNERS file of the base; None if none can be found or read."""
    paths = [file.path for file in change.files]
    for place in code_owners.PLACES:
        try:
            text = source.base_file(place)
        except ConfigError as error:
            return Owners(place, (), tuple(sorted(paths)), (error.message,))
        except ForgeError:
            return None  # a clone that lacks objects
        if text is not None:
            return code_owners.owners_of(place, text, paths)
    return None


def _tests(change: PullRequest, source: ContextSource) -> tuple[CoveringTest, ...] | None:
    try:
        paths = source.head_paths()
        return None if paths is None else covering_tests(change, paths, source.head_text)
    except ForgeError:
        return None


def _overlaps(review: Review, source: ContextSource) -> OverlapReport | None:
    others = source.open_pull_requests()
    if others is None:
        return None
    return compare_pull_requests(imports_of_change(review.pull_request, source.head_text), review.findings, others)
