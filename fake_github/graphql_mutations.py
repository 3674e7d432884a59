"""What can be changed through the fake GitHub's GraphQL: threads resolved, comments hidden and added."""

from typing import Any

from fake_github import conversation
from fake_github.calls import Call
from fake_github.graphql_nodes import Arguments, GithubError, Located, Node, Resolver, need, scalar
from fake_github.shapes import node_id
from fake_github.world import IssueComment, Repository, ReviewComment, Thread


def _find_thread(call: Call, identity: str) -> Located:
    for repository in call.hosting.world.repositories.values():
        if identity in repository.threads:
            return Located(repository, repository.threads[identity])
    raise GithubError(f"Could not resolve to a node with the global id of '{identity}'", "NOT_FOUND")


def _find_comment(call: Call, identity: str) -> tuple[Repository, IssueComment | ReviewComment]:
    for repository in call.hosting.world.repositories.values():
        both: list[IssueComment | ReviewComment] = list(repository.issue_comments.values())
        for comment in both + list(repository.review_comments.values()):
            if node_id(_comment_node(repository, comment).kind, comment.id) == identity:
                return repository, comment
    raise GithubError(f"Could not resolve to a node with the global id of '{identity}'", "NOT_FOUND")


def _comment_node(repository: Repository, comment: IssueComment | ReviewComment) -> Node:
    kind = "IssueComment" if isinstance(comment, IssueComment) else "PullRequestReviewComment"
    return Node(kind, Located(repository, comment))


def _set_resolved(call: Call, arguments: Arguments, *, resolved: bool) -> Node:
    """Resolve a thread: needs ``contents: write`` (oven-sh/bun#40468, PostHog/posthog#52454)."""
    located = _find_thread(call, str((arguments.get("input") or {}).get("threadId")))
    need(call, located.repository, "contents", "write")
    thread: Thread = located.value
    thread.resolved, thread.resolved_by = resolved, call.viewer.login if resolved else None
    return Node("ResolveReviewThreadPayload" if resolved else "UnresolveReviewThreadPayload", located)


def _minimize(call: Call, _: Any, arguments: Arguments) -> Node:
    """Hide a comment: needs a token that may write (conan-io/conan-center-index#4937)."""
    given = arguments.get("input") or {}
    repository, comment = _find_comment(call, str(given.get("subjectId")))
    need(call, repository, "pull_requests", "write")
    comment.minimized = str(given["classifier"]).lower().replace("_", "-")
    return Node("MinimizeCommentPayload", _comment_node(repository, comment))


def _unminimize(call: Call, _: Any, arguments: Arguments) -> Node:
    """Show a hidden comment again."""
    repository, comment = _find_comment(call, str((arguments.get("input") or {}).get("subjectId")))
    need(call, repository, "pull_requests", "write")
    comment.minimized = None
    return Node("UnminimizeCommentPayload", _comment_node(repository, comment))


def _add_comment(call: Call, _: Any, arguments: Arguments) -> Node:
    given = arguments.get("input") or {}
    for repository in call.hosting.world.repositories.values():
        for pull in repository.pulls.values():
            if node_id("PullRequest", pull.id) == given.get("subjectId"):
                need(call, repository, "pull_requests", "write")
                comment = conversation.add_issue_comment(
                    call.hosting, repository, pull, call.viewer.login, str(given.get("body") or "")
                )
                return Node("AddCommentPayload", Located(repository, comment))
    raise GithubError(f"Could not resolve to a node with the global id of '{given.get('subjectId')}'", "NOT_FOUND")


def _add_thread(call: Call, _: Any, arguments: Arguments) -> Node:
    """Add a comment on a file or a line to one's own pending review."""
    given = arguments.get("input") or {}
    for repository in call.hosting.world.repositories.values():
        for review in repository.reviews.values():
            if node_id("PullRequestReview", review.id) == given.get("pullRequestReviewId"):
                need(call, repository, "pull_requests", "write")
                comment = {"path": given.get("path"), "body": given.get("body"), "line": given.get("line")}
                comment["subject_type"] = str(given.get("subjectType") or "LINE").lower()
                pull = repository.pulls[review.number]
                try:
                    added = conversation.add_to_pending(call.hosting, repository, pull, review, comment)
                except conversation.Misplaced as error:
                    raise GithubError(str(error), "UNPROCESSABLE") from None
                return Node("AddPullRequestReviewThreadPayload", Located(repository, repository.threads[added.thread]))
    raise GithubError(f"Could not resolve to a node with the global id of '{given}'", "NOT_FOUND")


TYPES: dict[str, dict[str, Resolver]] = {
    "Mutation": {
        "resolveReviewThread": lambda call, _, given: _set_resolved(call, given, resolved=True),
        "unresolveReviewThread": lambda call, _, given: _set_resolved(call, given, resolved=False),
        "minimizeComment": _minimize,
        "unminimizeComment": _unminimize,
        "addComment": _add_comment,
        "addPullRequestReviewThread": _add_thread,
    },
    "AddPullRequestReviewThreadPayload": {
        "thread": lambda _, at, __: Node("PullRequestReviewThread", at),
        "clientMutationId": scalar(lambda _: None),
    },
    "ResolveReviewThreadPayload": {
        "thread": lambda _, at, __: Node("PullRequestReviewThread", at),
        "clientMutationId": scalar(lambda _: None),
    },
    "UnresolveReviewThreadPayload": {
        "thread": lambda _, at, __: Node("PullRequestReviewThread", at),
        "clientMutationId": scalar(lambda _: None),
    },
    "MinimizeCommentPayload": {
        "minimizedComment": lambda _, node, __: node,
        "clientMutationId": scalar(lambda _: None),
    },
    "UnminimizeCommentPayload": {
        "unminimizedComment": lambda _, node, __: node,
        "clientMutationId": scalar(lambda _: None),
    },
    "AddCommentPayload": {
        "commentEdge": lambda _, at, __: Node("IssueCommentEdge", (at, 0)),
        "clientMutationId": scalar(lambda _: None),
    },
}
