"""What stands around a change, gathered once it is judged: it is told beside the findings and changes no verdict.

::

    Review × Around ── gather ▶ Review with ``surroundings``

Nothing here fails a review: what cannot be read is said, or left out.
"""

from __future__ import annotations

from typing import Protocol

from review_bot.changes.pull_request import PullRequest
from review_bot.context import code_owners
from review_bot.context.open_pull_requests.meeting import meet
from review_bot.context.open_pull_requests.open_ones import Others
from review_bot.context.open_pull_requests.own_side import own_side
from review_bot.context.related_tests import covering_tests
from review_bot.errors import ConfigError, ForgeError
from review_bot.review.review import Review
from review_bot.review.surroundings import CoveringTest, Neighbours, Owners


class Around(Protocol):
    """A source of a change, asked for what it has at hand beside the change; no call goes out for it."""

    def head_paths(self) -> frozenset[str] | None:
        """Return every path at the head, or None where the tree is not known."""

    def head_text(self, path: str) -> str | None:
        """Return the text of a file at the head, or None if there is none or it is not at hand."""

    def base_text(self, path: str) -> str | None:
        """Return the text of a file that the base has by that name, or None. Raises ConfigError if it is no text."""

    def others(self) -> Others | None:
        """Return who knows the other open pull requests, or None where there can be none."""


def gather(review: Review, source: Around) -> Review:
    """Return the review with what stands around its change, as far as the source knows it."""
    change = review.pull_request
    found = review.surroundings._replace(
        owners=_owners(change, source), tests=_tests(change, source), neighbours=_neighbours(review, source)
    )
    return review._replace(surroundings=found)


def _owners(change: PullRequest, source: Around) -> Owners | None:
    """Return who owns the changed files by the first CODEOWNERS file that the base has; None if it has none."""
    paths = [file.path for file in change.files]
    for place in code_owners.PLACES:
        try:
            text = source.base_text(place)
        except ConfigError as error:
            return Owners(place, (), tuple(sorted(paths)), (error.message,))
        except ForgeError:
            return None  # a clone that lacks objects
        if text is not None:
            return code_owners.owners_of(place, text, paths)
    return None


def _tests(change: PullRequest, source: Around) -> tuple[CoveringTest, ...] | None:
    try:
        paths = source.head_paths()
        return None if paths is None else covering_tests(change, paths, source.head_text)
    except ForgeError:
        return None


def _neighbours(review: Review, source: Around) -> Neighbours | None:
    others = source.others()
    if others is None:
        return None
    return meet(own_side(review.pull_request, source.head_text), review.findings, others)
