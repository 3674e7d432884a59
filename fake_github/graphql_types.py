"""How fields of ``schema.graphql`` are resolved; ``make contract`` checks the answers by GitHub's schema."""

from typing import Any

from fake_github import graphql_checks, graphql_git, graphql_mutations
from fake_github.calls import Call, may
from fake_github.graphql_git import git_object, object_of, ref
from fake_github.graphql_nodes import (
    Arguments,
    GithubError,
    Located,
    Node,
    Resolver,
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
        raise GithubError(f"Could not resolve to a Repository with the name '{name}'.", "NOT_FOUND")
    return Node("Repository", found)


def _pull(call: Call, repository: Repository, arguments: Arguments) -> Node:
    need(call, repository, "pull_requests")
    number = arguments.get("number")
    pull = repository.pulls.get(number) if isinstance(number, int) else None
    if pull is None:
        raise GithubError(f"Could not resolve to a PullRequest with the number of {number}.", "NOT_FOUND")
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


def _comment_fields(kind: str, page: str) -> dict[str, Resolver]:
    def url(call: Call, at: Located, _: Arguments) -> str:
        return f"{call.urls.html}/{at.repository.full_name}/pull/{at.value.number}#{page}{at.value.id}"

    return {
        "id": scalar(lambda at: node_id(kind, at.value.id)),
        "databaseId": scalar(lambda at: at.value.id),
        "fullDatabaseId": scalar(lambda at: str(at.value.id)),
        "body": scalar(lambda at: at.value.body),
        "url": url,
        "author": lambda call, at, _: actor(call, at.value.author),
        "createdAt": scalar(lambda at: timestamp(at.value.created)),
        "updatedAt": scalar(lambda at: timestamp(at.value.updated)),
        "isMinimized": scalar(lambda at: at.value.minimized is not None),
        "minimizedReason": scalar(lambda at: at.value.minimized),
        "viewerDidAuthor": lambda call, at, _: at.value.author == call.viewer.login,
    }


_REPOSITORY: dict[str, Resolver] = {
    "id": scalar(lambda one: node_id("Repository", one.id)),
    "databaseId": scalar(lambda one: one.id),
    "name": scalar(lambda one: one.name),
    "nameWithOwner": scalar(lambda one: one.full_name),
    "owner": lambda call, one, _: actor(call, one.owner),
    "isArchived": scalar(lambda one: one.archived),
    "isPrivate": scalar(lambda one: one.private),
    "isFork": scalar(lambda one: one.parent is not None),
    "url": lambda call, one, _: f"{call.urls.html}/{one.full_name}",
    "defaultBranchRef": lambda call, one, _: ref(call, one, one.default_branch),
    "ref": lambda call, one, given: ref(call, one, str(given.get("qualifiedName"))),
    "object": git_object,
    "pullRequest": _pull,
    "pullRequests": _pulls,
}

_PULL: dict[str, Resolver] = {
    "id": scalar(lambda at: node_id("PullRequest", at.value.id)),
    "databaseId": scalar(lambda at: at.value.id),
    "number": scalar(lambda at: at.value.number),
    "title": scalar(lambda at: at.value.title),
    "body": scalar(lambda at: at.value.body or ""),
    "url": lambda call, at, _: f"{call.urls.html}/{at.repository.full_name}/pull/{at.value.number}",
    "state": scalar(lambda at: "MERGED" if at.value.merged else at.value.state.upper()),
    "isDraft": scalar(lambda at: at.value.draft),
    "locked": scalar(lambda at: at.value.locked),
    "merged": scalar(lambda at: at.value.merged),
    "closed": scalar(lambda at: at.value.state == "closed"),
    "mergeable": _mergeable,
    "createdAt": scalar(lambda at: timestamp(at.value.created)),
    "updatedAt": scalar(lambda at: timestamp(at.value.updated)),
    "headRefOid": scalar(lambda at: at.value.head_sha),
    "headRefName": scalar(lambda at: at.value.head_ref),
    "baseRefOid": scalar(lambda at: at.value.base_sha),
    "baseRefName": scalar(lambda at: at.value.base_ref),
    "baseRef": lambda call, at, _: ref(call, at.repository, at.value.base_ref),
    "baseRepository": lambda _, at, __: Node("Repository", at.repository),
    "headRef": (
        lambda call, at, _: (
            ref(call, call.hosting.world.repositories[at.value.head_repository], at.value.head_ref)
            if at.value.head_repository in call.hosting.world.repositories
            else None
        )
    ),
    "headRepository": (
        lambda call, at, _: (
            Node("Repository", call.hosting.world.repositories[at.value.head_repository])
            if at.value.head_repository in call.hosting.world.repositories
            else None
        )
    ),
    "isCrossRepository": scalar(lambda at: at.value.head_repository != at.repository.id),
    "changedFiles": lambda call, at, _: len(call.hosting.pull_change(at.repository, at.value).files),
    "additions": lambda call, at, _: sum(
        file.added for file in call.hosting.pull_change(at.repository, at.value).files
    ),
    "deletions": lambda call, at, _: sum(
        file.removed for file in call.hosting.pull_change(at.repository, at.value).files
    ),
    "author": lambda call, at, _: actor(call, at.value.author),
    "labels": lambda _, at, arguments: paged("Label", list(at.value.labels), arguments),
    "reviews": _reviews,
    "reviewThreads": _threads,
    "timelineItems": _force_pushes,
    "comments": _issue_comments,
    "commits": _commits,
    "files": _changed_files,
}

_REVIEW: dict[str, Resolver] = {
    "id": scalar(lambda at: node_id("PullRequestReview", at.value.id)),
    "databaseId": scalar(lambda at: at.value.id),
    "fullDatabaseId": scalar(lambda at: str(at.value.id)),
    "body": scalar(lambda at: at.value.body),
    "state": scalar(lambda at: at.value.state),
    "author": lambda call, at, _: actor(call, at.value.author),
    "authorCanPushToRepository": lambda call, at, _: call.hosting.world.can_push(at.repository, at.value.author),
    "commit": lambda call, at, _: object_of(call, at.repository, at.value.commit_id),
    "submittedAt": scalar(lambda at: timestamp(at.value.submitted)),
}

_THREAD: dict[str, Resolver] = {
    "id": scalar(lambda at: at.value.id),
    "isResolved": scalar(lambda at: at.value.resolved),
    "isOutdated": scalar(lambda at: _first(at).outdated),
    "isCollapsed": scalar(lambda at: at.value.resolved or _first(at).outdated),
    "resolvedBy": (
        lambda call, at, _: (
            Node("User", call.hosting.world.user(at.value.resolved_by)) if at.value.resolved_by else None
        )
    ),
    "path": scalar(lambda at: _first(at).path),
    "line": scalar(lambda at: _first(at).line),
    "startLine": scalar(lambda at: _first(at).start_line),
    "originalLine": scalar(lambda at: _first(at).original_line),
    "originalStartLine": scalar(lambda at: _first(at).original_start_line),
    "diffSide": scalar(lambda at: _first(at).side),
    "startDiffSide": scalar(lambda at: _first(at).start_side),
    "subjectType": scalar(lambda at: _first(at).subject_type.upper()),
    "viewerCanResolve": lambda call, at, _: (
        call.token is not None and may(call.token, "contents", "write") and not at.value.resolved
    ),
    "viewerCanUnresolve": lambda call, at, _: (
        call.token is not None and may(call.token, "contents", "write") and at.value.resolved
    ),
    "comments": _thread_comments,
}

_REVIEW_COMMENT: dict[str, Resolver] = _comment_fields("PullRequestReviewComment", "discussion_r") | {
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


_ACCOUNT: dict[str, Resolver] = {
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

TYPES: dict[str, dict[str, Resolver]] = {
    **graphql_checks.TYPES,
    **graphql_git.TYPES,
    **graphql_mutations.TYPES,
    "Query": {
        "viewer": lambda call, _, __: Node("User", call.viewer),
        "repository": _repository,
        "rateLimit": lambda call, _, __: Node("RateLimit", call),
    },
    "Repository": _REPOSITORY,
    "PullRequest": _PULL,
    "User": _ACCOUNT | {"name": scalar(lambda _: None)},
    "Bot": _ACCOUNT,
    "Organization": _ACCOUNT,
    "PullRequestReview": _REVIEW,
    "HeadRefForcePushedEvent": {
        "createdAt": scalar(lambda at: timestamp(at.value[0])),
        "afterCommit": lambda call, at, _: object_of(call, at.repository, at.value[1]),
    },
    "PullRequestCommit": {
        "commit": lambda call, at, _: object_of(call, at.repository, at.value),
    },
    "PullRequestReviewThread": _THREAD,
    "PullRequestReviewComment": _REVIEW_COMMENT,
    "IssueComment": _comment_fields("IssueComment", "issuecomment-"),
    "Label": {"name": scalar(str)},
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
        "limit": lambda call, _, __: call.hosting.limits.points_an_hour,
        "remaining": lambda call, _, __: _remaining(call),
        "used": lambda call, _, __: call.token.used.get("graphql", 0) if call.token else 0,
        "resetAt": lambda call, _, __: timestamp(int(call.token.resets.get("graphql", 0)) if call.token else 0),
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
    "Label",
    "PullRequestCommit",
):
    TYPES[f"{_kind}Connection"] = connection(_kind)
    TYPES[f"{_kind}Edge"] = edge(_kind)

TYPES["PullRequestTimelineItemsConnection"] = connection("HeadRefForcePushedEvent")
TYPES["PullRequestTimelineItemsEdge"] = edge("HeadRefForcePushedEvent")
