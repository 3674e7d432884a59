"""Where GitHub's own description of its API is wrong, each with the place that shows it.

Nothing else is forgiven. The list is short on purpose: a fake GitHub that needs an entry here, and has no source for it,
is wrong.
"""

from __future__ import annotations

from typing import NamedTuple


class Nullable(NamedTuple):
    """A field (dotted) that GitHub leaves null although its description says that it never does."""

    schema: str
    field: str
    why: str
    source: str


_OUTDATED = ("null once the comment is outdated", "https://github.com/github/rest-api-description/issues/5568")
_NO_FORK = ("null once the fork is deleted", "https://github.com/github/rest-api-description/issues/1811")
_NO_ACCOUNT = ("null once the account is deleted", "https://github.com/github/rest-api-description/issues/5562")

NULLABLE = (
    Nullable("pull-request-review-comment", "line", *_OUTDATED),
    Nullable("pull-request-review-comment", "position", *_OUTDATED),
    Nullable("pull-request", "head.repo", *_NO_FORK),
    Nullable("pull-request", "head.user", *_NO_ACCOUNT),
    Nullable("pull-request", "head.label", *_NO_ACCOUNT),
)

OTHER_TYPES = {"git/get-blob": ("application/vnd.github.raw", "application/vnd.github.raw+json")}
"""Types of an answer that the text of an operation offers, and the list of its answers leaves out.

Source: https://docs.github.com/en/rest/git/blobs#get-a-blob
"""

NUMBERED_PREFIX = ("/repositories/{repository_id}/", "/repos/{owner}/{repo}/")
"""GitHub's Link headers name a repository by its number, a path that the description does not know.

Source: the exchange ``paginate-issues`` recorded in https://github.com/octokit/fixtures.
"""

ANY_OPERATION = {
    "401": "the token is missing or wrong: https://docs.github.com/en/rest/authentication",
    "403": "no permission, or a limit: https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api",
    "404": "the same page: a repository that the token may not see",
    "429": "https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api",
    "500": "any server may break",
    "502": "the same",
    "503": "the same",
}
"""Statuses that every operation may answer with, whether its own list names them or not."""
