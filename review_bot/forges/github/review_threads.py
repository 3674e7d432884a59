"""The threads on lines of a pull request, which GitHub lists in GraphQL alone.

Source: https://docs.github.com/en/graphql/reference/objects#pullrequestreviewthread
"""

from __future__ import annotations

from review_bot.errors import BadData
from review_bot.forges.github.client import MOST_PAGES, Client
from review_bot.forges.github.wire import Answer
from review_bot.records import NamedTuple

_NODES = (
    "totalCount pageInfo { hasNextPage endCursor } nodes { id isResolved comments(first: 1) { nodes { databaseId } } }"
)

FIELDS = f" reviewThreads(first: 100) {{ {_NODES} }}"
"""The first hundred threads, as a field of a pull request."""

_QUERY = f"""
query Threads($owner: String!, $name: String!, $number: Int!, $after: String) {{
  repository(owner: $owner, name: $name) {{
    pullRequest(number: $number) {{ reviewThreads(first: 100, after: $after) {{ {_NODES} }} }}
  }}
}}
"""


RESOLVE = """
mutation Resolve($thread: ID!) {
  resolveReviewThread(input: {threadId: $thread}) { thread { id isResolved } }
}
"""
"""Needs ``contents: write``. See https://docs.github.com/en/graphql/reference/mutations#resolvereviewthread."""

REOPEN = """
mutation Reopen($thread: ID!) {
  unresolveReviewThread(input: {threadId: $thread}) { thread { id isResolved } }
}
"""
"""Needs the same. See https://docs.github.com/en/graphql/reference/mutations#unresolvereviewthread."""


class Thread(NamedTuple):
    """A thread; ``first`` is the id of its first comment, None if that was deleted."""

    id: str
    first: int | None
    resolved: bool


class _PageInfo(Answer):
    hasNextPage: bool  # noqa: N815  # GitHub's own names, here and below
    endCursor: str | None = None  # noqa: N815


class _First(Answer):
    databaseId: int | None = None  # noqa: N815


class _Firsts(Answer):
    nodes: list[_First | None] | None = None


class _Node(Answer):
    id: str
    isResolved: bool  # noqa: N815
    comments: _Firsts | None = None


class Threads(Answer):
    """A page of threads, each with its first comment."""

    totalCount: int = 0  # noqa: N815
    pageInfo: _PageInfo  # noqa: N815
    nodes: list[_Node | None] | None = None

    @property
    def listed(self) -> tuple[Thread, ...]:
        """The threads of this page."""
        return tuple(_thread(node) for node in self.nodes or () if node is not None)


class _PullRequest(Answer):
    reviewThreads: Threads  # noqa: N815


class _Repository(Answer):
    pullRequest: _PullRequest | None = None  # noqa: N815


class _Threads(Answer):
    repository: _Repository | None = None


class _Anything(Answer):
    pass


def fetch(client: Client, repository: str, number: int) -> list[Thread]:
    """Return all threads of a pull request. Raises BadData if the list has no end."""
    owner, _, name = repository.partition("/")
    found: list[Thread] = []
    after: str | None = None
    for _ in range(MOST_PAGES):
        answer = client.query(_QUERY, {"owner": owner, "name": name, "number": number, "after": after}, _Threads)
        if answer.repository is None or answer.repository.pullRequest is None:
            raise BadData("GitHub returned no threads for this pull request")
        page = answer.repository.pullRequest.reviewThreads
        found += page.listed
        if not page.pageInfo.hasNextPage:
            return found
        if page.pageInfo.endCursor is None or page.pageInfo.endCursor == after:
            break
        after = page.pageInfo.endCursor
    raise BadData("GitHub's list of threads does not end")


def resolve(client: Client, thread: str) -> None:
    """Resolve a thread. Raises Ambiguous, Forbidden, ForgeError."""
    client.mutate(RESOLVE, {"thread": thread}, _Anything)


def reopen(client: Client, thread: str) -> None:
    """Undo ``resolve``. Raises Ambiguous, Forbidden, ForgeError."""
    client.mutate(REOPEN, {"thread": thread}, _Anything)


def _thread(node: _Node) -> Thread:
    first = next(filter(None, node.comments.nodes or ()), None) if node.comments is not None else None
    return Thread(node.id, None if first is None else first.databaseId, node.isResolved)
