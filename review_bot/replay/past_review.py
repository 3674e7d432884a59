"""Reviews pull requests of the past, under the built-in policy, in a few processes at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from review_bot.errors import ReviewBotError
from review_bot.forges.local_git import LocalGit
from review_bot.forges.merged_pull_requests import MergedPullRequest
from review_bot.linters.delegation import Linters
from review_bot.pipeline import ReviewRequest, run_review
from review_bot.processes.process_pool import ProcessPool
from review_bot.review.review import Review
from review_bot.rules.rulebook import Rulebook

LARGEST_SHARE = 8
"""Pull requests that one process reviews."""

Result = TypeVar("Result")


def review_commits(folder: str, base: str, head: str, rulebook: Rulebook) -> Review:
    """Return the review of the change between two commits of a clone, under the built-in policy. Raises ForgeError."""
    source = LocalGit(folder, base=base, head=head)
    try:
        return run_review(source, ReviewRequest(rulebook, linters=Linters(source.settings)))
    finally:
        source.close()


def review_each(
    past: Sequence[MergedPullRequest],
    review: Callable[[MergedPullRequest], Result],
    failed: Callable[[MergedPullRequest, str], Result],
    *,
    jobs: int,
    done: Callable[[int], None],
) -> list[Result]:
    """Return ``review(each)`` for each pull request, in their order.

    ``failed`` gives the result, with the error as a sentence, where a review raises or its process dies. ``done`` is
    called with the number of finished pull requests.
    """

    def attempt(each: MergedPullRequest) -> Result:
        try:
            return review(each)
        except ReviewBotError as error:
            return failed(each, str(error))
        except Exception as error:  # noqa: BLE001  # one broken pull request does not end the replay
            return failed(each, f"{type(error).__name__}: {error}")

    size = max(1, min(LARGEST_SHARE, len(past) // (4 * jobs)))
    return ProcessPool()(past, attempt, failed, jobs=jobs, done=done, shares=-(-len(past) // size))
