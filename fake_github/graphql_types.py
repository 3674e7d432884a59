"""The part of GitHub's GraphQL schema that the stand-in answers: for each type its fields, and how each is found.

Names and nullability are those of GitHub's public schema; ``make contract`` compares them.
"""

from typing import Any

from fake_github import graphql_checks, graphql_git, graphql_mutations
from fake_github.calls import Call, may
from fake_github.graphql_document import GraphqlError
from fake_github.graphql_git import git_object, object_of, ref
from fake_github.graphql_nodes import (
    PAGING,
    Arguments,
    Known,
    Located,
    Node,
    actor,
    connection,
    cursor,
    edge,
    need,
    paged,
    scalar,
)
from fake_github.pulls import is_visible
from fake_github.shapes import STATUS_WORDS, node_id
from fake_github.world import Repository, ReviewComment, timestamp


def _repository(call: Call, _: Any, arguments: Arguments) -> Node:
    name = f"{arguments.get('owner')}/{arguments.get('name')}"
    world, token = call.hosting.world, call.token
    found = world.find_repository(name) or world.repositories.get(world.renamed.get(name.lower(), 0))
    grants = None if token is None else token.repositories
    if found is None or not is_visible(found, grants, signed_in=token is not None):
        raise GraphqlError(f"Could not resolve to a Repository with the name '{name}'.", "NOT_FOUND")
    return Node("Repository", found)


def _pull(call: Call, repository: Repository, arguments: Arguments) -> Node:
    need(call, repository, "pull_requests")
    number = arguments.get("number")
    pull = repository.pulls.get(number) if isinstance(number, int) else None
    if pull is None:
        raise GraphqlError(f"Could not resolve to a PullRequest with the number of {number}.", "NOT_FOUND")
    return Node("PullRequest", Located(repository, pull))


def _pulls(call: Call, repository: Repository, arguments: Arguments) -> Node:
    need(call, repository, "pull_requests")
    states = arguments.get("states")
    rows = [
        one
        for one in repository.pulls.values()
        if not states or ("MERGED" if one.merged else one.state.upper()) in states
    ]
    order = arguments.get("orderBy")
    if isinstance(order, dict):
        date = {"CREATED_AT": "created", "UPDATED_AT": "updated"}[str(order["field"])]
        rows.sort(key=lambda one: (getattr(one, date), one.number), reverse=order["direction"] == "DESC")
    return paged("PullRequest", [Located(repository, one) for one in rows], arguments)


def _reviews(_: Call, at: Located, arguments: Arguments) -> Node:
    rows = [
        Located(at.repository, one)
        for one in at.repository.reviews.values()
        if one.number == at.value.number
        and one.state != "PENDING"
        and one.state in (arguments.get("states") or [one.state])
    ]
    return paged("PullRequestReview", rows, arguments)


def _force_pushes(_: Call, at: Located, arguments: Arguments) -> Node:
    """Return the one kind of timeline item that is kept."""
    asked = arguments.get("itemTypes") or ["HEAD_REF_FORCE_PUSHED_EVENT"]
    rows = at.value.force_pushes if "HEAD_REF_FORCE_PUSHED_EVENT" in asked else []
    return paged("HeadRefForcePushedEvent", [Located(at.repository, row) for row in rows], arguments)


def _threads(_: Call, at: Located, arguments: Arguments) -> Node:
    rows = [Located(at.repository, one) for one in at.repository.threads.values() if one.number == at.value.number]
    rows = [row for row in rows if not _first(row).pending]
    return paged("PullRequestReviewThread", rows, arguments)


def _thread_comments(_: Call, at: Located, arguments: Arguments) -> Node:
    rows = [Located(at.repository, at.repository.review_comments[one]) for one in at.value.comments]
    return paged("PullRequestReviewComment", rows, arguments)


def _issue_comments(_: Call, at: Located, arguments: Arguments) -> Node:
    rows = [one for one in at.repository.issue_comments.values() if one.number == at.value.number]
    return paged("IssueComment", [Located(at.repository, one) for one in rows], arguments)


def _first(at: Located) -> ReviewComment:
    return at.repository.review_comments[at.value.comments[0]]


def _changed_files(call: Call, at: Located, arguments: Arguments) -> Node:
    rows = call.hosting.pull_change(at.repository, at.value).files
    return paged("PullRequestChangedFile", list(rows), arguments)


def _commits(call: Call, at: Located, arguments: Arguments) -> Node:
    rows = [Located(at.repository, one.sha) for one in call.hosting.pull_commits(at.repository, at.value)]
    return paged("PullRequestCommit", rows, arguments)


def _mergeable(call: Call, at: Located, _: Arguments) -> str:
    if at.value.state != "open":
        return "UNKNOWN"
    return "MERGEABLE" if call.hosting.test_merge(at.repository, at.value) else "CONFLICTING"


def _comment_fields(kind: str, page: str) -> dict[str, Known]:
    def url(call: Call, at: Located, _: Arguments) -> str:
        return f"{call.urls.html}/{at.repository.full_name}/pull/{at.value.number}#{page}{at.value.id}"

    return {
        "id": scalar(lambda at: node_id(kind, at.value.id)),
        "databaseId": scalar(lambda at: at.value.id),
        "fullDatabaseId": scalar(lambda at: str(at.value.id)),
        "body": scalar(lambda at: at.value.body),
        "url": Known(url),
        "author": Known(lambda call, at, _: actor(call, at.value.author), "Actor"),
        "createdAt": scalar(lambda at: timestamp(at.value.created)),
        "updatedAt": scalar(lambda at: timestamp(at.value.updated)),
        "isMinimized": scalar(lambda at: at.value.minimized is not None),
        "minimizedReason": scalar(lambda at: at.value.minimized),
        "viewerDidAuthor": Known(lambda call, at, _: at.value.author == call.viewer.login),
    }


_REPOSITORY: dict[str, Known] = {
    "id": scalar(lambda one: node_id("Repository", one.id)),
    "databaseId": scalar(lambda one: one.id),
    "name": scalar(lambda one: one.name),
    "nameWithOwner": scalar(lambda one: one.full_name),
    "owner": Known(lambda call, one, _: actor(call, one.owner), "Actor"),
    "isArchived": scalar(lambda one: one.archived),
    "isPrivate": scalar(lambda one: one.private),
    "isFork": scalar(lambda one: one.parent is not None),
    "url": Known(lambda call, one, _: f"{call.urls.html}/{one.full_name}"),
    "defaultBranchRef": Known(lambda call, one, _: ref(call, one, one.default_branch), "Ref"),
    "ref": Known(lambda call, one, given: ref(call, one, str(given.get("qualifiedName"))), "Ref", ("qualifiedName",)),
    "object": Known(git_object, "GitObject", ("oid", "expression")),
    "pullRequest": Known(_pull, "PullRequest", ("number",)),
    "pullRequests": Known(_pulls, "PullRequestConnection", (*PAGING, "states", "orderBy")),
}

_PULL: dict[str, Known] = {
    "id": scalar(lambda at: node_id("PullRequest", at.value.id)),
    "databaseId": scalar(lambda at: at.value.id),
    "number": scalar(lambda at: at.value.number),
    "title": scalar(lambda at: at.value.title),
    "body": scalar(lambda at: at.value.body or ""),
    "url": Known(lambda call, at, _: f"{call.urls.html}/{at.repository.full_name}/pull/{at.value.number}"),
    "state": scalar(lambda at: "MERGED" if at.value.merged else at.value.state.upper()),
    "isDraft": scalar(lambda at: at.value.draft),
    "locked": scalar(lambda at: at.value.locked),
    "merged": scalar(lambda at: at.value.merged),
    "closed": scalar(lambda at: at.value.state == "closed"),
    "mergeable": Known(_mergeable),
    "createdAt": scalar(lambda at: timestamp(at.value.created)),
    "updatedAt": scalar(lambda at: timestamp(at.value.updated)),
    "headRefOid": scalar(lambda at: at.value.head_sha),
    "headRefName": scalar(lambda at: at.value.head_ref),
    "baseRefOid": scalar(lambda at: at.value.base_sha),
    "baseRefName": scalar(lambda at: at.value.base_ref),
    "baseRef": Known(lambda call, at, _: ref(call, at.repository, at.value.base_ref), "Ref"),
    "baseRepository": Known(lambda _, at, __: Node("Repository", at.repository), "Repository"),
    "headRef": Known(
        lambda call, at, _: (
            ref(call, call.hosting.world.repositories[at.value.head_repository], at.value.head_ref)
            if at.value.head_repository in call.hosting.world.repositories
            else None
        ),
        "Ref",
    ),
    "headRepository": Known(
        lambda call, at, _: (
            Node("Repository", call.hosting.world.repositories[at.value.head_repository])
            if at.value.head_repository in call.hosting.world.repositories
            else None
        ),
        "Repository",
    ),
    "isCrossRepository": scalar(lambda at: at.value.head_repository != at.repository.id),
    "changedFiles": Known(lambda call, at, _: len(call.hosting.pull_change(at.repository, at.value).files)),
    "additions": Known(
        lambda call, at, _: sum(file.added for file in call.hosting.pull_change(at.repository, at.value).files)
    ),
    "deletions": Known(
        lambda call, at, _: sum(file.removed for file in call.hosting.pull_change(at.repository, at.value).files)
    ),
    "author": Known(lambda call, at, _: actor(call, at.value.author), "Actor"),
    "reviews": Known(_reviews, "PullRequestReviewConnection", (*PAGING, "states", "author")),
    "reviewThreads": Known(_threads, "PullRequestReviewThreadConnection", PAGING),
    "timelineItems": Known(_force_pushes, "HeadRefForcePushedEventConnection", (*PAGING, "itemTypes")),
    "comments": Known(_issue_comments, "IssueCommentConnection", PAGING),
    "commits": Known(_commits, "PullRequestCommitConnection", PAGING),
    "files": Known(_changed_files, "PullRequestChangedFileConnection", PAGING),
}

_REVIEW: dict[str, Known] = {
    "id": scalar(lambda at: node_id("PullRequestReview", at.value.id)),
    "databaseId": scalar(lambda at: at.value.id),
    "fullDatabaseId": scalar(lambda at: str(at.value.id)),
    "body": scalar(lambda at: at.value.body),
    "state": scalar(lambda at: at.value.state),
    "author": Known(lambda call, at, _: actor(call, at.value.author), "Actor"),
    "authorCanPushToRepository": Known(lambda call, at, _: call.hosting.world.can_push(at.repository, at.value.author)),
    "commit": Known(lambda call, at, _: object_of(call, at.repository, at.value.commit_id), "Commit"),
    "submittedAt": scalar(lambda at: timestamp(at.value.submitted)),
}

_THREAD: dict[str, Known] = {
    "id": scalar(lambda at: at.value.id),
    "isResolved": scalar(lambda at: at.value.resolved),
    "isOutdated": scalar(lambda at: _first(at).outdated),
    "isCollapsed": scalar(lambda at: at.value.resolved or _first(at).outdated),
    "resolvedBy": Known(
        lambda call, at, _: (
            Node("User", call.hosting.world.user(at.value.resolved_by)) if at.value.resolved_by else None
        ),
        "User",
    ),
    "path": scalar(lambda at: _first(at).path),
    "line": scalar(lambda at: _first(at).line),
    "startLine": scalar(lambda at: _first(at).start_line),
    "originalLine": scalar(lambda at: _first(at).original_line),
    "originalStartLine": scalar(lambda at: _first(at).original_start_line),
    "diffSide": scalar(lambda at: _first(at).side),
    "startDiffSide": scalar(lambda at: _first(at).start_side),
    "subjectType": scalar(lambda at: _first(at).subject_type.upper()),
    "viewerCanResolve": Known(
        lambda call, at, _: call.token is not None and may(call.token, "contents", "write") and not at.value.resolved
    ),
    "viewerCanUnresolve": Known(
        lambda call, at, _: call.token is not None and may(call.token, "contents", "write") and at.value.resolved
    ),
    "comments": Known(_thread_comments, "PullRequestReviewCommentConnection", PAGING),
}

_REVIEW_COMMENT: dict[str, Known] = _comment_fields("PullRequestReviewComment", "discussion_r") | {
    "path": scalar(lambda at: at.value.path),
    "line": scalar(lambda at: at.value.line),
    "originalLine": scalar(lambda at: at.value.original_line),
    "outdated": scalar(lambda at: at.value.outdated),
    "diffHunk": scalar(lambda at: at.value.diff_hunk),
    "subjectType": scalar(lambda at: at.value.subject_type.upper()),
}


def _remaining(call: Call) -> int:
    used = call.token.used.get("graphql", 0) if call.token else 0
    return max(call.hosting.limits.points_an_hour - used, 0)


_ACCOUNT: dict[str, Known] = {
    "id": scalar(lambda user: node_id("User", user.id)),
    "login": scalar(lambda user: user.login),
    "databaseId": scalar(lambda user: user.id),
}

_CHANGES: dict[str, str] = {
    "added": "ADDED",
    "removed": "DELETED",
    "modified": "MODIFIED",
    "renamed": "RENAMED",
    "copied": "COPIED",
    "changed": "CHANGED",
}

TYPES: dict[str, dict[str, Known]] = {
    **graphql_checks.TYPES,
    **graphql_git.TYPES,
    **graphql_mutations.TYPES,
    "Query": {
        "viewer": Known(lambda call, _, __: Node("User", call.viewer), "User"),
        "repository": Known(_repository, "Repository", ("owner", "name", "followRenames")),
        "rateLimit": Known(lambda call, _, __: Node("RateLimit", call), "RateLimit"),
    },
    "Repository": _REPOSITORY,
    "PullRequest": _PULL,
    "User": _ACCOUNT | {"name": scalar(lambda _: None)},
    "Bot": _ACCOUNT,
    "Organization": _ACCOUNT,
    "Actor": {"login": scalar(lambda user: user.login)},
    "PullRequestReview": _REVIEW,
    "HeadRefForcePushedEvent": {
        "createdAt": scalar(lambda at: timestamp(at.value[0])),
        "afterCommit": Known(lambda call, at, _: object_of(call, at.repository, at.value[1]), "Commit"),
    },
    "PullRequestCommit": {
        "commit": Known(lambda call, at, _: object_of(call, at.repository, at.value), "Commit"),
    },
    "PullRequestReviewThread": _THREAD,
    "PullRequestReviewComment": _REVIEW_COMMENT,
    "IssueComment": _comment_fields("IssueComment", "issuecomment-"),
    "PullRequestChangedFile": {
        "path": scalar(lambda file: file.path),
        "additions": scalar(lambda file: file.added),
        "deletions": scalar(lambda file: file.removed),
        "changeType": scalar(lambda file: _CHANGES[STATUS_WORDS[file.status]]),
    },
    "PageInfo": {
        "hasNextPage": scalar(lambda page: page.last < page.total),
        "hasPreviousPage": scalar(lambda page: page.first > 0),
        "startCursor": scalar(lambda page: cursor(page.first) if page.rows else None),
        "endCursor": scalar(lambda page: cursor(page.last - 1) if page.rows else None),
    },
    "RateLimit": {
        "cost": scalar(lambda _: 1),
        "limit": Known(lambda call, _, __: call.hosting.limits.points_an_hour),
        "remaining": Known(lambda call, _, __: _remaining(call)),
        "used": Known(lambda call, _, __: call.token.used.get("graphql", 0) if call.token else 0),
        "resetAt": Known(lambda call, _, __: timestamp(int(call.token.resets.get("graphql", 0)) if call.token else 0)),
    },
}

for _kind in (
    "PullRequest",
    "Commit",
    "PullRequestReview",
    "PullRequestReviewThread",
    "PullRequestReviewComment",
    "IssueComment",
    "PullRequestChangedFile",
    "PullRequestCommit",
    "HeadRefForcePushedEvent",
):
    TYPES[f"{_kind}Connection"] = connection(_kind)
    TYPES[f"{_kind}Edge"] = edge(_kind)

INTERFACES: dict[str, tuple[str, ...]] = {
    "Blob": ("GitObject", "Node"),
    "Tree": ("GitObject", "Node"),
    "Commit": ("GitObject", "Node"),
    "User": ("Actor", "Node"),
    "Bot": ("Actor", "Node"),
    "Organization": ("Actor", "Node"),
    "PullRequest": ("Node",),
}
