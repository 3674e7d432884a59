"""A call of the REST API, as a route's handler sees it: who asks, about what; and how it is refused."""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fake_github.hosting import Hosting
from fake_github.http_server import Request
from fake_github.world import Pull, Repository, Token, User

DOCUMENTATION = "https://docs.github.com/rest"


class Refusal(Exception):
    """An answer that is no success."""

    def __init__(
        self,
        status: int,
        message: str,
        errors: list[Any] | None = None,
        documentation: str = DOCUMENTATION,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.headers = dict(headers or {})
        self.body: dict[str, Any] = {"message": message}
        if errors is not None:
            self.body["errors"] = errors
        self.body |= {"documentation_url": documentation}
        if status != 422:  # the schemas of validation errors have no such field
            self.body["status"] = str(status)

    def with_body(self, body: dict[str, Any]) -> "Refusal":
        """Return this refusal with another body."""
        self.body = body
        return self


class Answer(NamedTuple):
    """A success: status, JSON (None for an empty body) or bytes, and headers."""

    status: int
    content: Any
    headers: Mapping[str, str] = {}


class Urls(NamedTuple):
    """Where the fake GitHub is reached. ``api`` without a slash at the end; ``html`` is where a browser would go."""

    api: str
    graphql: str
    archive: str
    html: str = "https://github.com"


class Call(NamedTuple):
    """One request, after its token and its repository were found."""

    hosting: Hosting
    urls: Urls
    request: Request
    token: Token | None
    found: Repository | None
    parameters: Mapping[str, str]

    @property
    def repository(self) -> Repository:
        """Return the repository that the path names. Raises Refusal (404)."""
        if self.found is None:
            raise not_found()
        return self.found

    @property
    def viewer(self) -> User:
        """Return who asks. Raises Refusal (401)."""
        if self.token is None:
            raise Refusal(401, "Requires authentication")
        return self.hosting.world.user(self.token.login)

    @property
    def pull(self) -> Pull:
        """Return the pull request that the path names. Raises Refusal (404)."""
        return self.pull_numbered(self.parameters["number"])

    def pull_numbered(self, number: str) -> Pull:
        """Return a pull request. Raises Refusal (404)."""
        found = self.repository.pulls.get(int(number)) if number.isdecimal() else None
        if found is None:
            raise not_found()
        return found

    def body(self) -> dict[str, Any]:
        """Return the JSON object that was sent. Raises Refusal (400, rest/using-the-rest-api/troubleshooting)."""
        try:
            body = json.loads(self.request.body or b"{}")
        except ValueError:
            raise Refusal(400, "Problems parsing JSON") from None
        if not isinstance(body, dict):
            raise Refusal(400, "Body should be a JSON object")
        return body

    def need(self, permission: str, level: str = "read") -> None:
        """Refuse what the token may not do.

        Source of the text: rest/using-the-rest-api/troubleshooting "Resource not accessible". What is public may be
        read with any token.
        """
        if level == "read" and not self.repository.private:
            return
        if self.token is None:
            raise Refusal(401, "Requires authentication")
        if not may(self.token, permission, level):
            raise Refusal(403, resource_not_accessible(self.token))
        if level == "write":
            if self.repository.archived:
                # rest/repos: an archived repository is read-only; text as in cli/cli#3020 and others
                raise Refusal(403, "Repository was archived so is read-only.")
            if not self.token.is_app and permission in {"statuses", "actions", "contents"}:
                self.need_push()

    def need_push(self) -> None:
        """Refuse a person without write access."""
        if not self.is_writer():
            raise Refusal(403, "Must have write access to repository.")

    def is_writer(self) -> bool:
        """Return whether the one who asks is an app, or a person who may push."""
        return self.token is not None and (
            self.token.is_app or self.hosting.world.can_push(self.repository, self.token.login)
        )

    def page(self, rows: list[Any], per_page: int | None = None, headers: Mapping[str, str] | None = None) -> Answer:
        """Return one page of a list, with GitHub's ``Link`` header: numeric repository ids, and absent if all fits.

        Source: rest/using-the-rest-api/using-pagination-in-the-rest-api; addresses as @octokit/fixtures recorded them.
        """
        size, number = self.paging(per_page)
        return Answer(
            200, rows[(number - 1) * size : number * size], self.link(len(rows), size, number) | dict(headers or {})
        )

    def paging(self, default: int | None = None) -> tuple[int, int]:
        """Return the size and the number of the page asked for."""
        size = _whole(self.request.query.get("per_page"), default or 30)
        return min(max(size, 1), 100), max(_whole(self.request.query.get("page"), 1), 1)

    def link(self, total: int, size: int, number: int) -> dict[str, str]:
        """Return the ``Link`` header of a page."""
        last = max(-(-total // size), 1)
        wanted = {"prev": number - 1, "next": number + 1, "last": last, "first": 1}
        rows = []
        for relation, page in wanted.items():
            is_there = 1 <= page <= last and (number < last if relation in {"next", "last"} else number > 1)
            if is_there:
                query = urlencode({**self.request.query, "page": str(page)})
                rows.append(f'<{self.urls.api}{self.numeric_path()}?{query}>; rel="{relation}"')
        return {"Link": ", ".join(rows)} if rows else {}

    def numeric_path(self) -> str:
        """Return the path of this call with the repository's number in place of its name."""
        parts = self.request.path.strip("/").split("/")
        if parts[0] == "repos" and self.found is not None:
            return "/".join(["", "repositories", str(self.found.id), *parts[3:]])
        return self.request.path


class Route(NamedTuple):
    """A method and a path below the repository, or from the root; ``{name}`` is one part, ``{name*}`` the rest."""

    method: str
    path: str
    handle: Callable[[Call], Answer]
    root: bool = False

    def match(self, method: str, parts: list[str]) -> dict[str, str] | None:
        """Return the parts that have names, or None if it is another path."""
        pattern = self.path.strip("/").split("/") if self.path else []
        found: dict[str, str] = {}
        if method != self.method:
            return None
        for at, piece in enumerate(pattern):
            if piece.endswith("*}"):
                return found | {piece[1:-2]: "/".join(parts[at:])} if len(parts) > at else None
            if at >= len(parts):
                return None
            if piece.startswith("{"):
                found[piece[1:-1]] = parts[at]
            elif piece != parts[at]:
                return None
        return found if len(parts) == len(pattern) else None


def may(token: Token, permission: str, level: str) -> bool:
    """Return whether a token has a permission; a read-only token (forks, Dependabot) writes nothing."""
    if level == "write" and token.read_only:
        return False
    held = token.permissions.get(permission, "read" if permission == "metadata" else "none")
    return held in ({"write", "admin"} if level == "write" else {"read", "write", "admin"})


def resource_not_accessible(token: Token) -> str:
    """Return GitHub's sentence for a missing permission."""
    return f"Resource not accessible by {'integration' if token.is_app else 'personal access token'}"


def not_found(documentation: str = DOCUMENTATION) -> Refusal:
    """Return GitHub's 404, which is also the answer for what may not be seen."""
    return Refusal(404, "Not Found", documentation=documentation)


def _whole(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdecimal() else default
