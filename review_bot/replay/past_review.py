"""The review of one pull request of the past."""

from __future__ import annotations

from review_bot.forges.local_git import LocalGit
from review_bot.linters.delegation import Linters
from review_bot.pipeline import ReviewRequest, run_review
from review_bot.review.review import Review
from review_bot.rules.rulebook import Rulebook


def review_commits(folder: str, base: str, head: str, rulebook: Rulebook) -> Review:
    """Return the review of the change between two commits of a clone, under the built-in policy. Raises ForgeError."""
    source = LocalGit(folder, base=base, head=head)
    try:
        return run_review(source, ReviewRequest(rulebook, linters=Linters(source.settings)))
    finally:
        source.close()
