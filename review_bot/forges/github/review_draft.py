"""A pending review: comments are added one by one, only its author sees it, and submitting it sends one notification.

A comment on a whole file cannot be among those with which a review is created
(https://docs.github.com/en/rest/pulls/reviews#create-a-review-for-a-pull-request), but it can be added to a pending
one. GitHub allows one pending review for each account and pull request, so one that a killed run left behind is in the
way of every comment until it is deleted (https://github.com/QwenLM/qwen-code/pull/10088).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from review_bot.comments.model import NewComment
from review_bot.errors import NotFound, Rejected
from review_bot.forges.github.client import Client
from review_bot.forges.github.conversation import Review
from review_bot.forges.github.wire import Answer

ADD_FILE_COMMENT = """
mutation AddFileComment($review: ID!, $path: String!, $body: String!) {
  addPullRequestReviewThread(input: {pullRequestReviewId: $review, path: $path, body: $body, subjectType: FILE}) {
    thread { id }
  }
}
"""
"""See https://docs.github.com/en/graphql/reference/mutations#addpullrequestreviewthread."""

_IN_THE_WAY = re.compile(r"only have one pending review", re.IGNORECASE)


class Draft(Answer):
    """A pending review that was just created. ``node_id``: as GraphQL calls it."""

    id: int
    node_id: str


class _Thread(Answer):
    id: str


class _Added(Answer):
    thread: _Thread | None = None


class _AddedAnswer(Answer):
    addPullRequestReviewThread: _Added | None = None  # noqa: N815  # GitHub's own name


def draft_of(head: str, body: str, comments: Iterable[NewComment]) -> dict[str, Any]:
    """Return a review with comments on lines as GitHub takes it, without an event: pending, until it is submitted."""
    return {"commit_id": head, "body": body, "comments": [_on_line(each) for each in comments]}


def event(*, asks: bool) -> str:
    """Return the event that submits a review. ``asks``: it asks for changes."""
    return "REQUEST_CHANGES" if asks else "COMMENT"


def add_file_comment(client: Client, draft: Draft, path: str, body: str) -> None:
    """Add a comment on a file. Raises Rejected, also if GitHub answers without the comment; Ambiguous, ForgeError."""
    variables = {"review": draft.node_id, "path": path, "body": body}
    added = client.mutate(ADD_FILE_COMMENT, variables, _AddedAnswer).addPullRequestReviewThread
    if added is None or added.thread is None:
        raise Rejected(f"{path}: GitHub did not add the comment on this file")


def is_in_the_way(error: Rejected) -> bool:
    """Return whether GitHub refused a comment because this account has a pending review in the pull request."""
    return _IN_THE_WAY.search(str(error)) is not None


def discard(client: Client, pull: str, body: str) -> bool:
    """Delete pending reviews of ours below the address of a pull request; return whether there was one.

    ``body``: a review body of ours; the marker is its last line, and what does not end with it is someone's draft.
    Raises ForgeError.
    """
    mark = body.rstrip().rpartition("\n")[2]
    pending = [each for each in client.get_all(f"{pull}/reviews", Review, {"per_page": 100}) if each.state == "PENDING"]
    ours = [each for each in pending if (each.body or "").rstrip().endswith(mark)]
    for each in ours:
        try:
            client.send("DELETE", f"{pull}/reviews/{each.id}", None, None)
        except NotFound:
            continue  # someone else was quicker
    return bool(ours)


def _on_line(comment: NewComment) -> dict[str, Any]:
    """Return a comment on lines as a review takes it; ``start_line`` must be before ``line``."""
    body = {"path": comment.path, "line": comment.line, "side": comment.side, "body": comment.body}
    if comment.start_line is not None:
        body |= {"start_line": comment.start_line, "start_side": comment.side}
    return body
