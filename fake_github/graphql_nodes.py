"""What a GraphQL schema of the fake GitHub is made of: objects, fields, and connections with their pages."""

import base64
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fake_github.calls import Call, may, resource_not_accessible
from fake_github.world import Repository, User

Arguments = Mapping[str, Any]


class Node(NamedTuple):
    """An object of a type."""

    kind: str
    value: Any


Resolver = Callable[[Call, Any, Arguments], Any]
"""Finds a field of a value."""


class GithubError(Exception):
    """An error that a resolver reports; ``kind`` is GitHub's ``type``."""

    def __init__(self, message: str, kind: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind


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


def need(call: Call, repository: Repository, permission: str, level: str = "read") -> None:
    """Refuse what the token may not do: reading what is public is always allowed."""
    if (level == "read" and not repository.private) or call.token is None:
        return
    if not may(call.token, permission, level):
        raise GithubError(resource_not_accessible(call.token), "FORBIDDEN")


def actor(call: Call, login: str | None) -> Node | None:
    """Return who wrote something: a bot's login has no ``[bot]`` in GraphQL, REST's has."""
    if login is None:
        return None
    user = call.hosting.world.user(login)
    return Node(user.kind, User(user.id, user.login.removesuffix("[bot]"), user.kind))


def scalar(find: Callable[[Any], Any]) -> Resolver:
    """Return a field that a value contains."""
    return lambda _, value, __: find(value)


def paged(kind: str, rows: list[Any], arguments: Arguments) -> Node:
    """Return a part of a connection (docs graphql/guides/using-pagination-in-the-graphql-api)."""
    first, last = arguments.get("first"), arguments.get("last")
    if first is None and last is None:
        words = "You must provide a `first` or `last` value to properly paginate the connection."
        raise GithubError(words, "MISSING_PAGINATION_BOUNDARIES")
    count = first if first is not None else last
    if not isinstance(count, int) or not 1 <= count <= 100:
        words = f"Requesting {count} records on the connection exceeds the limit of 100 records."
        raise GithubError(words, "EXCESSIVE_PAGINATION")
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


def cursor(at: int) -> str:
    """Return the cursor of a row."""
    return base64.b64encode(f"cursor:{at}".encode()).decode()


def _cursor_at(text: str) -> int:
    try:
        return int(base64.b64decode(text).removeprefix(b"cursor:"))
    except ValueError:
        raise GithubError(f"`{text}` does not appear to be a valid cursor.", "INVALID_CURSOR_ARGUMENTS") from None


def connection(kind: str) -> dict[str, Resolver]:
    """Return the fields of a connection of nodes of one type."""
    return {
        "nodes": lambda _, page, __: [Node(kind, row) for row in page.rows],
        "edges": lambda _, page, __: [Node(f"{kind}Edge", (row, page.first + at)) for at, row in enumerate(page.rows)],
        "pageInfo": lambda _, page, __: Node("PageInfo", page),
        "totalCount": scalar(lambda page: page.total),
    }


def edge(kind: str) -> dict[str, Resolver]:
    """Return the fields of an edge of such a connection."""
    return {
        "node": lambda _, row, __: Node(kind, row[0]),
        "cursor": scalar(lambda row: cursor(row[1])),
    }
