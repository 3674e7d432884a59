"""What a pull request contains: its comments, its threads, the reviews that ask for changes; and which of it is ours.

Ours is what has our account as its author *and* our marker in its text. One of both is not enough: other workflows
write as ``github-actions[bot]`` too, and anyone can type a marker.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from review_bot.comments import marker
from review_bot.comments.model import Accepted, CommentKind, Declined, Posted, PostedComment, PostedReview
from review_bot.forges.github import review_threads
from review_bot.forges.github.client import Client
from review_bot.forges.github.review_threads import Thread
from review_bot.forges.github.wire import Answer
from review_bot.records import NamedTuple


class Author(Answer):
    """Who wrote something."""

    id: int
    login: str
    type: str = ""


class IssueComment(Answer):
    """A comment below the pull request. ``user`` is null once the account is deleted.

    Source: https://docs.github.com/en/rest/issues/comments
    """

    id: int
    body: str | None = None
    user: Author | None = None
    html_url: str = ""
    created_at: str = ""
    updated_at: str = ""


class ReviewComment(Answer):
    """A comment in the change. ``line`` is null once it is outdated, although GitHub's description says it is not.

    Sources: https://docs.github.com/en/rest/pulls/comments, https://github.com/github/rest-api-description/issues/5568
    """

    id: int
    path: str
    body: str | None = None
    user: Author | None = None
    html_url: str = ""
    line: int | None = None
    start_line: int | None = None
    created_at: str = ""
    updated_at: str = ""
    in_reply_to_id: int | None = None
    subject_type: str | None = None


class Review(Answer):
    """A review. Source: https://docs.github.com/en/rest/pulls/reviews."""

    id: int
    state: str
    body: str | None = None
    user: Author | None = None


class Conversation(NamedTuple):
    """Everything that was said, by anyone. ``threads`` and ``reviews`` are empty unless they were asked for."""

    comments: tuple[IssueComment, ...] = ()
    review_comments: tuple[ReviewComment, ...] = ()
    threads: tuple[Thread, ...] = ()
    reviews: tuple[Review, ...] = ()

    def ours(self, viewer_id: int | None, viewer_login: str, name: str) -> Posted:
        """Return what is ours, oldest first. ``name``: that of our marker; ``viewer_id`` None: the login must do."""

        def is_own(author: Author | None) -> bool:
            if author is None:
                return False
            if viewer_id is not None:
                return author.id == viewer_id
            return _account(author.login) == _account(viewer_login)

        answered = {
            each.in_reply_to_id for each in self.review_comments if each.in_reply_to_id and not is_own(each.user)
        }
        threads = {each.first: each for each in self.threads}
        found = []
        declined: list[Declined] = []
        accepted: list[Accepted] = []
        every: tuple[IssueComment | ReviewComment, ...] = (*self.comments, *self.review_comments)
        for comment in (each for each in every if is_own(each.user)):
            body, in_thread = comment.body or "", isinstance(comment, ReviewComment)
            mark = marker.read(body, name)
            if mark is not None and mark.kind == "summary" and isinstance(comment, IssueComment):
                summary = PostedComment(comment.id, "summary", mark.fingerprints, body, comment.html_url)
                found.append(summary._replace(updated=comment.updated_at))
            elif mark is None and (refusal := marker.read_declined(body, name)) is not None:
                declined.append(refusal._replace(id=comment.id, in_thread=in_thread))
            elif mark is None and (consent := marker.read_accepted(body, name)) is not None:
                accepted.append(consent._replace(id=comment.id, in_thread=in_thread))
        for row in self.review_comments:
            mark = marker.read(row.body or "", name) if is_own(row.user) else None
            if mark is not None and mark.kind != "summary":
                is_file = row.subject_type == "file"
                thread = threads.get(row.id)
                posted = PostedComment(
                    id=row.id,
                    kind=cast("CommentKind", mark.kind),
                    fingerprints=mark.fingerprints,
                    body=row.body or "",
                    url=row.html_url,
                    path=row.path,
                    line=None if is_file else row.line,
                    replied=row.id in answered,
                    thread=thread.id if thread else None,
                    resolved=thread.resolved if thread else False,
                    start_line=None if is_file else row.start_line,
                )
                found.append(posted)
        requests = [
            PostedReview(review.id)
            for review in self.reviews
            if review.state == "CHANGES_REQUESTED" and is_own(review.user) and marker.read(review.body or "", name)
        ]
        return Posted(
            tuple(sorted(found, key=lambda each: each.id)),
            tuple(sorted(requests)),
            tuple(sorted(declined, key=lambda each: each.id)),
            tuple(sorted(accepted, key=lambda each: each.id)),
        )


def fetch(client: Client, repository: str, number: int, *, threads: bool, requests: bool) -> Conversation:
    """Read what is in a pull request, side by side. ``requests``: with the reviews that ask for changes."""
    hundred = {"per_page": 100}
    pull = f"/repos/{repository}/pulls/{number}"
    calls: list[Callable[[], Any]] = [
        lambda: client.get_all(f"/repos/{repository}/issues/{number}/comments", IssueComment, hundred),
        lambda: client.get_all(f"{pull}/comments", ReviewComment, hundred),
        lambda: review_threads.fetch(client, repository, number) if threads else [],
        lambda: client.get_all(f"{pull}/reviews", Review, hundred) if requests else [],
    ]
    comments, review_comments, found_threads, reviews = client.together(*calls)
    return Conversation(tuple(comments), tuple(review_comments), tuple(found_threads), tuple(reviews))


def _account(login: str) -> str:
    """Return a login as GraphQL writes it: REST adds ``[bot]`` to that of an app."""
    return login.lower().removesuffix("[bot]")
