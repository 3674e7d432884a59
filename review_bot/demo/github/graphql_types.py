"""The part of GitHub's GraphQL schema that the stand-in answers: for each type its fields, and how each is found.

Names and nullability are those of GitHub's public schema; ``make contract`` compares them.
"""

import base64
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from review_bot.demo.github import conversation
from review_bot.demo.github.calls import Call, may, resource_not_accessible
from review_bot.demo.github.git_store import FOLDER, SUBMODULE, Entry
from review_bot.demo.github.graphql_document import GraphqlError
from review_bot.demo.github.pulls import is_visible
from review_bot.demo.github.shapes import STATUS_WORDS, node_id
from review_bot.demo.github.world import IssueComment, Repository, ReviewComment, Thread, User, timestamp

Arguments = Mapping[str, Any]
GITLINK, LINK = 0o160000, 0o120000


class Node(NamedTuple):
    """An object of a type."""

    kind: str
    value: Any


class Known(NamedTuple):
    """A field: how it is found, of which type it is ("" for a scalar), and which arguments it takes."""

    resolve: Callable[[Call, Any, Arguments], Any]
    kind: str = ""
    arguments: tuple[str, ...] = ()


class Located(NamedTuple):
    """Something in a repository."""

    repository: Repository
    value: Any


class Page(NamedTuple):
    """A part of a connection."""

    kind: str
    rows: list[Any]
    first: int
    total: int

    @property
    def last(self) -> int:
        """Return the index after the last row."""
        return self.first + len(self.rows)


def _repository(call: Call, _: Any, arguments: Arguments) -> Node:
    name = f"{arguments.get('owner')}/{arguments.get('name')}"
    world, token = call.hosting.world, call.token
    found = world.find_repository(name) or world.repositories.get(world.renamed.get(name.lower(), 0))
    grants = None if token is None else token.repositories
    if found is None or not is_visible(found, grants, signed_in=token is not None):
        raise GraphqlError(f"Could not resolve to a Repository with the name '{name}'.", "NOT_FOUND")
    return Node("Repository", found)


def _need(call: Call, repository: Repository, permission: str, level: str = "read") -> None:
    """Refuse what the token may not do: reading what is public is always allowed."""
    if (level == "read" and not repository.private) or call.token is None:
        return
    if not may(call.token, permission, level):
        raise GraphqlError(resource_not_accessible(call.token), "FORBIDDEN")


def _pull(call: Call, repository: Repository, arguments: Arguments) -> Node:
    _need(call, repository, "pull_requests")
    number = arguments.get("number")
    pull = repository.pulls.get(number) if isinstance(number, int) else None
    if pull is None:
        raise GraphqlError(f"Could not resolve to a PullRequest with the number of {number}.", "NOT_FOUND")
    return Node("PullRequest", Located(repository, pull))


def _ref(call: Call, repository: Repository, name: str) -> Node | None:
    _need(call, repository, "contents")
    full = name if name.startswith("refs/") else f"refs/heads/{name}"
    return Node("Ref", Located(repository, full)) if full in repository.refs else None


def _object(call: Call, repository: Repository, sha: str | None) -> Node | None:
    _need(call, repository, "contents")
    store = call.hosting.store(repository)
    kind = store.kind(sha) if sha else None
    name = {"blob": "Blob", "tree": "Tree", "commit": "Commit"}.get(kind or "")
    return None if name is None else Node(name, Located(repository, sha))


def _expression(call: Call, repository: Repository, expression: str) -> str | None:
    store = call.hosting.store(repository)
    revision, colon, path = expression.partition(":")
    sha = call.hosting.resolve(repository, revision or "HEAD")
    if not colon:
        return sha or (revision if store.kind(revision) else None)
    tree = store.tree_of(sha or revision)
    if tree is None or not path:
        return tree
    entry = store.entries(tree).get(path.strip("/").encode("utf-8", "surrogateescape"))
    return None if entry is None else entry.sha


def _git_object(call: Call, repository: Repository, arguments: Arguments) -> Node | None:
    if arguments.get("oid") is not None:
        return _object(call, repository, str(arguments["oid"]))
    return _object(call, repository, _expression(call, repository, str(arguments.get("expression") or "")))


def _tree_entry(repository: Repository, path: bytes, entry: Entry) -> Node:
    return Node("TreeEntry", Located(repository, (path, entry)))


def _file(call: Call, at: Located, arguments: Arguments) -> Node | None:
    store = call.hosting.store(at.repository)
    path = str(arguments.get("path") or "").strip("/").encode("utf-8", "surrogateescape")
    entry = store.entries(store.tree_of(at.value) or "").get(path)
    return None if entry is None else _tree_entry(at.repository, path, entry)


def _tree_entries(call: Call, at: Located, _: Arguments) -> list[Node]:
    rows = call.hosting.store(at.repository).entries(at.value)
    return [_tree_entry(at.repository, path, entry) for path, entry in rows.items() if b"/" not in path]


def _blob(call: Call, at: Located) -> bytes:
    return call.hosting.store(at.repository).blob(at.value) or b""


def _is_binary(data: bytes) -> bool:
    return b"\0" in data[:8000]


def _blob_text(call: Call, at: Located, _: Arguments) -> str | None:
    """Return the text: null if binary, cut at 512,000 bytes, invalid UTF-8 replaced (orbiting/backends#116)."""
    data = _blob(call, at)
    return None if _is_binary(data) else data[: call.hosting.limits.blob_text].decode("utf-8", "replace")


def _actor(call: Call, login: str | None) -> Node | None:
    """Return who wrote something: a bot's login has no ``[bot]`` in GraphQL, REST's has."""
    if login is None:
        return None
    user = call.hosting.world.user(login)
    return Node(user.kind, User(user.id, user.login.removesuffix("[bot]"), user.kind))


def _paged(kind: str, rows: list[Any], arguments: Arguments) -> Node:
    """Return a part of a connection (docs graphql/guides/using-pagination-in-the-graphql-api)."""
    first, last = arguments.get("first"), arguments.get("last")
    if first is None and last is None:
        words = "You must provide a `first` or `last` value to properly paginate the connection."
        raise GraphqlError(words, "MISSING_PAGINATION_BOUNDARIES")
    count = first if first is not None else last
    if not isinstance(count, int) or not 1 <= count <= 100:
        words = f"Requesting {count} records on the connection exceeds the limit of 100 records."
        raise GraphqlError(words, "EXCESSIVE_PAGINATION")
    start, end = 0, len(rows)
    if arguments.get("after"):
        start = _cursor_at(arguments["after"]) + 1
    if arguments.get("before"):
        end = _cursor_at(arguments["before"])
    if first is not None:
        end = min(end, start + count)
    else:
        start = max(start, end - count)
    return Node(f"{kind}Connection", Page(kind, rows[start:end], start, len(rows)))


def _cursor(at: int) -> str:
    return base64.b64encode(f"cursor:{at}".encode()).decode()


def _cursor_at(text: str) -> int:
    try:
        return int(base64.b64decode(text).removeprefix(b"cursor:"))
    except ValueError:
        raise GraphqlError(f"`{text}` does not appear to be a valid cursor.", "INVALID_CURSOR_ARGUMENTS") from None


def _reviews(_: Call, at: Located, arguments: Arguments) -> Node:
    rows = [
        Located(at.repository, one)
        for one in at.repository.reviews.values()
        if one.number == at.value.number
        and one.state != "PENDING"
        and one.state in (arguments.get("states") or [one.state])
    ]
    return _paged("PullRequestReview", rows, arguments)


def _force_pushes(_: Call, at: Located, arguments: Arguments) -> Node:
    """Return the one kind of timeline item that is kept."""
    asked = arguments.get("itemTypes") or ["HEAD_REF_FORCE_PUSHED_EVENT"]
    rows = at.value.force_pushes if "HEAD_REF_FORCE_PUSHED_EVENT" in asked else []
    return _paged("HeadRefForcePushedEvent", [Located(at.repository, row) for row in rows], arguments)


def _threads(_: Call, at: Located, arguments: Arguments) -> Node:
    rows = [Located(at.repository, one) for one in at.repository.threads.values() if one.number == at.value.number]
    rows = [row for row in rows if not _first(row).pending]
    return _paged("PullRequestReviewThread", rows, arguments)


def _thread_comments(_: Call, at: Located, arguments: Arguments) -> Node:
    rows = [Located(at.repository, at.repository.review_comments[one]) for one in at.value.comments]
    return _paged("PullRequestReviewComment", rows, arguments)


def _issue_comments(_: Call, at: Located, arguments: Arguments) -> Node:
    rows = [one for one in at.repository.issue_comments.values() if one.number == at.value.number]
    return _paged("IssueComment", [Located(at.repository, one) for one in rows], arguments)


def _first(at: Located) -> ReviewComment:
    return at.repository.review_comments[at.value.comments[0]]


def _changed_files(call: Call, at: Located, arguments: Arguments) -> Node:
    rows = call.hosting.pull_change(at.repository, at.value).files
    return _paged("PullRequestChangedFile", list(rows), arguments)


def _mergeable(call: Call, at: Located, _: Arguments) -> str:
    if at.value.state != "open":
        return "UNKNOWN"
    return "MERGEABLE" if call.hosting.test_merge(at.repository, at.value) else "CONFLICTING"


def _find_thread(call: Call, identity: str) -> Located:
    for repository in call.hosting.world.repositories.values():
        if identity in repository.threads:
            return Located(repository, repository.threads[identity])
    raise GraphqlError(f"Could not resolve to a node with the global id of '{identity}'", "NOT_FOUND")


def _find_comment(call: Call, identity: str) -> tuple[Repository, IssueComment | ReviewComment]:
    for repository in call.hosting.world.repositories.values():
        both: list[IssueComment | ReviewComment] = list(repository.issue_comments.values())
        for comment in both + list(repository.review_comments.values()):
            kind = "IssueComment" if isinstance(comment, IssueComment) else "PullRequestReviewComment"
            if node_id(kind, comment.id) == identity:
                return repository, comment
    raise GraphqlError(f"Could not resolve to a node with the global id of '{identity}'", "NOT_FOUND")


def _set_resolved(call: Call, arguments: Arguments, *, resolved: bool) -> Node:
    """Resolve a thread: needs ``contents: write`` (oven-sh/bun#40468, PostHog/posthog#52454)."""
    located = _find_thread(call, str((arguments.get("input") or {}).get("threadId")))
    _need(call, located.repository, "contents", "write")
    thread: Thread = located.value
    thread.resolved, thread.resolved_by = resolved, call.viewer.login if resolved else None
    return Node("ResolveReviewThreadPayload" if resolved else "UnresolveReviewThreadPayload", located)


def _minimize(call: Call, _: Any, arguments: Arguments) -> Node:
    """Hide a comment: needs a token that may write (conan-io/conan-center-index#4937)."""
    given = arguments.get("input") or {}
    repository, comment = _find_comment(call, str(given.get("subjectId")))
    _need(call, repository, "pull_requests", "write")
    classifier = given.get("classifier")
    if classifier not in {"ABUSE", "DUPLICATE", "OFF_TOPIC", "OUTDATED", "RESOLVED", "SPAM", "LOW_QUALITY"}:
        raise GraphqlError(f"Argument 'classifier' on InputObject has an invalid value ({classifier}).")
    comment.minimized = str(classifier).lower().replace("_", "-")
    return Node("MinimizeCommentPayload", comment)


def _add_comment(call: Call, _: Any, arguments: Arguments) -> Node:
    given = arguments.get("input") or {}
    for repository in call.hosting.world.repositories.values():
        for pull in repository.pulls.values():
            if node_id("PullRequest", pull.id) == given.get("subjectId"):
                _need(call, repository, "pull_requests", "write")
                comment = conversation.add_issue_comment(
                    call.hosting, repository, pull, call.viewer.login, str(given.get("body") or "")
                )
                return Node("AddCommentPayload", Located(repository, comment))
    raise GraphqlError(f"Could not resolve to a node with the global id of '{given.get('subjectId')}'", "NOT_FOUND")


def _scalar(find: Callable[[Any], Any]) -> Known:
    return Known(lambda _, value, __: find(value))


def _connection(kind: str) -> dict[str, Known]:
    return {
        "nodes": Known(lambda _, page, __: [Node(kind, row) for row in page.rows], kind),
        "edges": Known(
            lambda _, page, __: [Node(f"{kind}Edge", (row, page.first + at)) for at, row in enumerate(page.rows)],
            f"{kind}Edge",
        ),
        "pageInfo": Known(lambda _, page, __: Node("PageInfo", page), "PageInfo"),
        "totalCount": _scalar(lambda page: page.total),
    }


def _edge(kind: str) -> dict[str, Known]:
    return {
        "node": Known(lambda _, row, __: Node(kind, row[0]), kind),
        "cursor": _scalar(lambda row: _cursor(row[1])),
    }


def _comment_fields(kind: str, page: str) -> dict[str, Known]:
    def url(call: Call, at: Located, _: Arguments) -> str:
        return f"{call.urls.html}/{at.repository.full_name}/pull/{at.value.number}#{page}{at.value.id}"

    return {
        "id": _scalar(lambda at: node_id(kind, at.value.id)),
        "databaseId": _scalar(lambda at: at.value.id),
        "fullDatabaseId": _scalar(lambda at: str(at.value.id)),
        "body": _scalar(lambda at: at.value.body),
        "url": Known(url),
        "author": Known(lambda call, at, _: _actor(call, at.value.author), "Actor"),
        "createdAt": _scalar(lambda at: timestamp(at.value.created)),
        "updatedAt": _scalar(lambda at: timestamp(at.value.updated)),
        "isMinimized": _scalar(lambda at: at.value.minimized is not None),
        "minimizedReason": _scalar(lambda at: at.value.minimized),
        "viewerDidAuthor": Known(lambda call, at, _: at.value.author == call.viewer.login),
    }


_PAGING = ("first", "last", "after", "before")

_REPOSITORY: dict[str, Known] = {
    "id": _scalar(lambda one: node_id("Repository", one.id)),
    "databaseId": _scalar(lambda one: one.id),
    "name": _scalar(lambda one: one.name),
    "nameWithOwner": _scalar(lambda one: one.full_name),
    "owner": Known(lambda call, one, _: _actor(call, one.owner), "Actor"),
    "isArchived": _scalar(lambda one: one.archived),
    "isPrivate": _scalar(lambda one: one.private),
    "isFork": _scalar(lambda one: one.parent is not None),
    "url": Known(lambda call, one, _: f"{call.urls.html}/{one.full_name}"),
    "defaultBranchRef": Known(lambda call, one, _: _ref(call, one, one.default_branch), "Ref"),
    "ref": Known(lambda call, one, given: _ref(call, one, str(given.get("qualifiedName"))), "Ref", ("qualifiedName",)),
    "object": Known(_git_object, "GitObject", ("oid", "expression")),
    "pullRequest": Known(_pull, "PullRequest", ("number",)),
}

_PULL: dict[str, Known] = {
    "id": _scalar(lambda at: node_id("PullRequest", at.value.id)),
    "databaseId": _scalar(lambda at: at.value.id),
    "number": _scalar(lambda at: at.value.number),
    "title": _scalar(lambda at: at.value.title),
    "body": _scalar(lambda at: at.value.body or ""),
    "url": Known(lambda call, at, _: f"{call.urls.html}/{at.repository.full_name}/pull/{at.value.number}"),
    "state": _scalar(lambda at: "MERGED" if at.value.merged else at.value.state.upper()),
    "isDraft": _scalar(lambda at: at.value.draft),
    "locked": _scalar(lambda at: at.value.locked),
    "merged": _scalar(lambda at: at.value.merged),
    "closed": _scalar(lambda at: at.value.state == "closed"),
    "mergeable": Known(_mergeable),
    "createdAt": _scalar(lambda at: timestamp(at.value.created)),
    "updatedAt": _scalar(lambda at: timestamp(at.value.updated)),
    "headRefOid": _scalar(lambda at: at.value.head_sha),
    "headRefName": _scalar(lambda at: at.value.head_ref),
    "baseRefOid": _scalar(lambda at: at.value.base_sha),
    "baseRefName": _scalar(lambda at: at.value.base_ref),
    "baseRef": Known(lambda call, at, _: _ref(call, at.repository, at.value.base_ref), "Ref"),
    "baseRepository": Known(lambda _, at, __: Node("Repository", at.repository), "Repository"),
    "headRef": Known(
        lambda call, at, _: (
            _ref(call, call.hosting.world.repositories[at.value.head_repository], at.value.head_ref)
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
    "isCrossRepository": _scalar(lambda at: at.value.head_repository != at.repository.id),
    "changedFiles": Known(lambda call, at, _: len(call.hosting.pull_change(at.repository, at.value).files)),
    "additions": Known(
        lambda call, at, _: sum(file.added for file in call.hosting.pull_change(at.repository, at.value).files)
    ),
    "deletions": Known(
        lambda call, at, _: sum(file.removed for file in call.hosting.pull_change(at.repository, at.value).files)
    ),
    "author": Known(lambda call, at, _: _actor(call, at.value.author), "Actor"),
    "reviews": Known(_reviews, "PullRequestReviewConnection", (*_PAGING, "states", "author")),
    "reviewThreads": Known(_threads, "PullRequestReviewThreadConnection", _PAGING),
    "timelineItems": Known(_force_pushes, "HeadRefForcePushedEventConnection", (*_PAGING, "itemTypes")),
    "comments": Known(_issue_comments, "IssueCommentConnection", _PAGING),
    "files": Known(_changed_files, "PullRequestChangedFileConnection", _PAGING),
}

_OBJECT: dict[str, Known] = {
    "id": _scalar(lambda at: node_id("GitObject", at.value)),
    "oid": _scalar(lambda at: at.value),
    "abbreviatedOid": _scalar(lambda at: at.value[:7]),
}


def _commit(call: Call, at: Located) -> Any:
    return call.hosting.store(at.repository).commit_object(at.value)


_REVIEW: dict[str, Known] = {
    "id": _scalar(lambda at: node_id("PullRequestReview", at.value.id)),
    "databaseId": _scalar(lambda at: at.value.id),
    "fullDatabaseId": _scalar(lambda at: str(at.value.id)),
    "body": _scalar(lambda at: at.value.body),
    "state": _scalar(lambda at: at.value.state),
    "author": Known(lambda call, at, _: _actor(call, at.value.author), "Actor"),
    "authorCanPushToRepository": Known(lambda call, at, _: call.hosting.world.can_push(at.repository, at.value.author)),
    "commit": Known(lambda call, at, _: _object(call, at.repository, at.value.commit_id), "Commit"),
    "submittedAt": _scalar(lambda at: timestamp(at.value.submitted)),
}

_THREAD: dict[str, Known] = {
    "id": _scalar(lambda at: at.value.id),
    "isResolved": _scalar(lambda at: at.value.resolved),
    "isOutdated": _scalar(lambda at: _first(at).outdated),
    "isCollapsed": _scalar(lambda at: at.value.resolved or _first(at).outdated),
    "resolvedBy": Known(
        lambda call, at, _: (
            Node("User", call.hosting.world.user(at.value.resolved_by)) if at.value.resolved_by else None
        ),
        "User",
    ),
    "path": _scalar(lambda at: _first(at).path),
    "line": _scalar(lambda at: _first(at).line),
    "startLine": _scalar(lambda at: _first(at).start_line),
    "originalLine": _scalar(lambda at: _first(at).original_line),
    "originalStartLine": _scalar(lambda at: _first(at).original_start_line),
    "diffSide": _scalar(lambda at: _first(at).side),
    "startDiffSide": _scalar(lambda at: _first(at).start_side),
    "subjectType": _scalar(lambda at: _first(at).subject_type.upper()),
    "viewerCanResolve": Known(
        lambda call, at, _: call.token is not None and may(call.token, "contents", "write") and not at.value.resolved
    ),
    "viewerCanUnresolve": Known(
        lambda call, at, _: call.token is not None and may(call.token, "contents", "write") and at.value.resolved
    ),
    "comments": Known(_thread_comments, "PullRequestReviewCommentConnection", _PAGING),
}

_REVIEW_COMMENT: dict[str, Known] = _comment_fields("PullRequestReviewComment", "discussion_r") | {
    "path": _scalar(lambda at: at.value.path),
    "line": _scalar(lambda at: at.value.line),
    "originalLine": _scalar(lambda at: at.value.original_line),
    "outdated": _scalar(lambda at: at.value.outdated),
    "diffHunk": _scalar(lambda at: at.value.diff_hunk),
    "subjectType": _scalar(lambda at: at.value.subject_type.upper()),
}


def _entry_object(call: Call, at: Located, _: Arguments) -> Node | None:
    return _object(call, at.repository, at.value[1].sha)


_KINDS = {FOLDER: "tree", SUBMODULE: "commit"}


def _remaining(call: Call) -> int:
    used = call.token.used.get("graphql", 0) if call.token else 0
    return max(call.hosting.limits.points_an_hour - used, 0)


def _text_ends(call: Call, at: Located, _: Arguments) -> bool:
    data = _blob(call, at)
    return not _is_binary(data) and len(data) > call.hosting.limits.blob_text


_ACCOUNT: dict[str, Known] = {
    "id": _scalar(lambda user: node_id("User", user.id)),
    "login": _scalar(lambda user: user.login),
    "databaseId": _scalar(lambda user: user.id),
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
    "Query": {
        "viewer": Known(lambda call, _, __: Node("User", call.viewer), "User"),
        "repository": Known(_repository, "Repository", ("owner", "name", "followRenames")),
        "rateLimit": Known(lambda call, _, __: Node("RateLimit", call), "RateLimit"),
    },
    "Mutation": {
        "resolveReviewThread": Known(
            lambda call, _, given: _set_resolved(call, given, resolved=True), "ResolveReviewThreadPayload", ("input",)
        ),
        "unresolveReviewThread": Known(
            lambda call, _, given: _set_resolved(call, given, resolved=False),
            "UnresolveReviewThreadPayload",
            ("input",),
        ),
        "minimizeComment": Known(_minimize, "MinimizeCommentPayload", ("input",)),
        "addComment": Known(_add_comment, "AddCommentPayload", ("input",)),
    },
    "Repository": _REPOSITORY,
    "PullRequest": _PULL,
    "User": _ACCOUNT | {"name": _scalar(lambda _: None)},
    "Bot": _ACCOUNT,
    "Organization": _ACCOUNT,
    "Actor": {"login": _scalar(lambda user: user.login)},
    "Ref": {
        "name": _scalar(lambda at: at.value.removeprefix("refs/heads/")),
        "prefix": _scalar(lambda at: at.value[: len("refs/heads/")]),
        "target": Known(lambda call, at, _: _object(call, at.repository, at.repository.refs[at.value]), "GitObject"),
    },
    "GitObject": _OBJECT,
    "Commit": _OBJECT
    | {
        "committedDate": Known(lambda call, at, _: timestamp(_commit(call, at).date)),
        "authoredDate": Known(lambda call, at, _: timestamp(_commit(call, at).date)),
        "committer": Known(lambda _, at, __: Node("GitActor", at), "GitActor"),
        "message": Known(lambda call, at, _: _commit(call, at).message),
        "messageHeadline": Known(lambda call, at, _: _commit(call, at).message.split("\n")[0]),
        "tree": Known(lambda call, at, _: _object(call, at.repository, _commit(call, at).tree), "Tree"),
        "file": Known(_file, "TreeEntry", ("path",)),
    },
    "GitActor": {
        "date": Known(lambda call, at, _: timestamp(_commit(call, at).date))
    },  # not turned into UTC, were it so
    "Tree": _OBJECT | {"entries": Known(_tree_entries, "TreeEntry")},
    "Blob": _OBJECT
    | {
        "byteSize": Known(lambda call, at, _: len(_blob(call, at))),
        "isBinary": Known(lambda call, at, _: _is_binary(_blob(call, at))),
        "isTruncated": Known(_text_ends),
        "text": Known(_blob_text),
    },
    "TreeEntry": {
        "name": _scalar(lambda at: at.value[0].rsplit(b"/", 1)[-1].decode("utf-8", "replace")),
        "nameRaw": _scalar(lambda at: base64.b64encode(at.value[0].rsplit(b"/", 1)[-1]).decode()),
        "path": _scalar(lambda at: at.value[0].decode("utf-8", "replace")),
        "pathRaw": _scalar(lambda at: base64.b64encode(at.value[0]).decode()),
        "type": _scalar(lambda at: _KINDS.get(at.value[1].mode, "blob")),
        "mode": _scalar(lambda at: int(at.value[1].mode, 8)),
        "oid": _scalar(lambda at: at.value[1].sha),
        "size": Known(lambda call, at, _: len(call.hosting.store(at.repository).blob(at.value[1].sha) or b"")),
        "object": Known(_entry_object, "GitObject"),
    },
    "PullRequestReview": _REVIEW,
    "HeadRefForcePushedEvent": {
        "createdAt": _scalar(lambda at: timestamp(at.value[0])),
        "afterCommit": Known(lambda call, at, _: _object(call, at.repository, at.value[1]), "Commit"),
    },
    "PullRequestReviewThread": _THREAD,
    "PullRequestReviewComment": _REVIEW_COMMENT,
    "IssueComment": _comment_fields("IssueComment", "issuecomment-"),
    "PullRequestChangedFile": {
        "path": _scalar(lambda file: file.path),
        "additions": _scalar(lambda file: file.added),
        "deletions": _scalar(lambda file: file.removed),
        "changeType": _scalar(lambda file: _CHANGES[STATUS_WORDS[file.status]]),
    },
    "PageInfo": {
        "hasNextPage": _scalar(lambda page: page.last < page.total),
        "hasPreviousPage": _scalar(lambda page: page.first > 0),
        "startCursor": _scalar(lambda page: _cursor(page.first) if page.rows else None),
        "endCursor": _scalar(lambda page: _cursor(page.last - 1) if page.rows else None),
    },
    "RateLimit": {
        "cost": _scalar(lambda _: 1),
        "limit": Known(lambda call, _, __: call.hosting.limits.points_an_hour),
        "remaining": Known(lambda call, _, __: _remaining(call)),
        "used": Known(lambda call, _, __: call.token.used.get("graphql", 0) if call.token else 0),
        "resetAt": Known(lambda call, _, __: timestamp(int(call.token.resets.get("graphql", 0)) if call.token else 0)),
    },
    "ResolveReviewThreadPayload": {
        "thread": Known(lambda _, at, __: Node("PullRequestReviewThread", at), "PullRequestReviewThread"),
        "clientMutationId": _scalar(lambda _: None),
    },
    "UnresolveReviewThreadPayload": {
        "thread": Known(lambda _, at, __: Node("PullRequestReviewThread", at), "PullRequestReviewThread"),
        "clientMutationId": _scalar(lambda _: None),
    },
    "MinimizeCommentPayload": {
        "minimizedComment": Known(lambda _, comment, __: Node("Minimizable", comment), "Minimizable"),
        "clientMutationId": _scalar(lambda _: None),
    },
    "Minimizable": {
        "isMinimized": _scalar(lambda comment: comment.minimized is not None),
        "minimizedReason": _scalar(lambda comment: comment.minimized),
    },
    "AddCommentPayload": {
        "commentEdge": Known(lambda _, at, __: Node("IssueCommentEdge", (at, 0)), "IssueCommentEdge"),
        "clientMutationId": _scalar(lambda _: None),
    },
}

for _kind in (
    "PullRequestReview",
    "PullRequestReviewThread",
    "PullRequestReviewComment",
    "IssueComment",
    "PullRequestChangedFile",
    "HeadRefForcePushedEvent",
):
    TYPES[f"{_kind}Connection"] = _connection(_kind)
    TYPES[f"{_kind}Edge"] = _edge(_kind)

INTERFACES: dict[str, tuple[str, ...]] = {
    "Blob": ("GitObject", "Node"),
    "Tree": ("GitObject", "Node"),
    "Commit": ("GitObject", "Node"),
    "User": ("Actor", "Node"),
    "Bot": ("Actor", "Node"),
    "Organization": ("Actor", "Node"),
    "PullRequest": ("Node",),
}
