r"""A GitHub to test against and to show a review on: stateful, over real HTTP, in this process.

::

    with FakeGitHub() as github:                       # .url, .graphql_url, .archive_url, .environment()
        token = github.token()                      # as GITHUB_TOKEN: contents read, pull requests write
        repo = github.repository("octo/halcyon")
        repo.commit({"a.py": "x = 1\n"})            # on main; str, bytes, None (delete), Link, Submodule, Executable
        repo.commit({"a.py": "x = 2\n"}, branch="feature")
        pr = repo.open_pull_request("feature", title="Twice as much", author="ada")
        pr.push({"b.py": "y = 1\n"})
        payload = repo.event(pr, "synchronize")     # what GITHUB_EVENT_PATH holds
        ...                                         # let the client talk to github.url
        pr.comments, pr.review_comments, pr.reviews, pr.threads, repo.statuses(pr.head_sha)

        github.faults.add(Fault(("POST", "/pulls/*/reviews"), "reset_after"))
        github.before(("POST", "/pulls/*/reviews"), lambda: pr.push({"c.py": ""}))
        github.tamper(("GET", "/pulls/*/files"), lambda rows: rows.clear())
        saved = github.snapshot(); github.restore(saved)
        github.requests                             # every call: method, path, query, headers, body, status

Two ports: the API (with GraphQL), and the archive host that tarballs are downloaded from. Refusals are GitHub's own;
each cites its source where it is made. Time is a counter (``world.py``), so runs are repeatable.
"""

import gzip
import json
import pickle
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from fake_github import comments, git_data, graphql, pulls, statuses
from fake_github.calls import Answer, Call, Refusal, Urls, not_found
from fake_github.faults import TAKES_EFFECT, Faults, deliver, matches, refusal, status_seen
from fake_github.hosting import Hosting, Limits
from fake_github.http_server import Connection, HttpServer, Request, Response
from fake_github.repository import FakeRepository
from fake_github.world import ACTIONS_BOT, Token

ROUTES = (*pulls.ROUTES, *comments.ROUTES, *statuses.ROUTES, *git_data.ROUTES)
JSON = "application/json; charset=utf-8"
NOBODY = (
    "127.0.0.1. (But here's the good news: Authenticated requests get a higher rate limit. Check out the "
    "documentation for more details.)"
)
"""How GitHub ends its refusal of more requests without a token."""


@dataclass(slots=True)
class Exchange:
    """A call as it was logged. ``headers`` in lower case, the token redacted; ``started`` in seconds (monotonic).

    ``operation``: the GraphQL operation's name. ``status`` None: the client was given no answer. ``fault``: what was
    done to it. ``host``: "api" or "archive".
    """

    host: str
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any
    started: float
    operation: str | None = None
    status: int | None = None
    fault: str | None = None
    answer: bytes = b""


@dataclass(slots=True)
class Hook:
    """Something to do when a call comes, before it is carried out; ``times`` calls (None: each)."""

    match: tuple[str, str]
    action: Callable[[], object]
    times: int | None
    after: int = 0


@dataclass(slots=True)
class Tampering:
    """A change to answers before they are sent: what it makes of their JSON; ``times`` calls (None: each)."""

    match: tuple[str, str]
    change: Callable[[Any], object]
    times: int | None


class Snapshot(NamedTuple):
    """The state at a moment; objects of git are not in it, they never change."""

    world: bytes


@dataclass
class Wiring:
    """What surrounds a call on its way in and out."""

    faults: Faults = field(default_factory=Faults)
    hooks: list[Hook] = field(default_factory=list)
    tamperings: list[Tampering] = field(default_factory=list)
    creations: list[float] = field(default_factory=list)
    answered: dict[str, bytes] = field(default_factory=dict)
    older: dict[str, bytes] = field(default_factory=dict)


class FakeGitHub:
    """GitHub on loopback; use it in a ``with``, or call ``stop``. See the text at the top of this module.

    ``enterprise``: addresses as at an Enterprise Server (``/api/v3``, ``/api/graphql``).
    """

    def __init__(self, folder: Path | None = None, *, enterprise: bool = False) -> None:
        self._own_folder = folder is None
        self.folder = Path(tempfile.mkdtemp(prefix="fake-github-")) if folder is None else folder
        self.hosting = Hosting(self.folder)
        self.latency = 0.0
        self.requests: list[Exchange] = []
        self.clock: Callable[[], float] = time.time
        self.compress = False
        self._wiring = Wiring()
        self._nobody = Token("", "", {})
        self._prefix = "/api/v3" if enterprise else ""
        self._graphql_path = "/api/graphql" if enterprise else "/graphql"
        self._api = HttpServer(self._serve_api)
        self._archive = HttpServer(self._serve_archive)
        root = f"http://127.0.0.1:{self._api.port}"
        self.urls = Urls(root + self._prefix, root + self._graphql_path, f"http://127.0.0.1:{self._archive.port}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End all connections and remove the repositories."""
        self._api.stop()
        self._archive.stop()
        self.hosting.close()
        if self._own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def url(self) -> str:
        """Return the root of the API, without a slash at the end: ``GITHUB_API_URL``."""
        return self.urls.api

    @property
    def graphql_url(self) -> str:
        """Return the address of GraphQL: ``GITHUB_GRAPHQL_URL``."""
        return self.urls.graphql

    @property
    def archive_url(self) -> str:
        """Return the root of the host that tarballs come from."""
        return self.urls.archive

    @property
    def limits(self) -> Limits:
        """Return GitHub's limits; set its fields to lower them."""
        return self.hosting.limits

    @property
    def faults(self) -> Faults:
        """Return the faults that wait; ``add`` one."""
        return self._wiring.faults

    @property
    def connections(self) -> int:
        """Return how many connections to the API are open."""
        return self._api.connections

    def environment(self) -> dict[str, str]:
        """Return the variables that point an Action to this GitHub."""
        return {
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": self.url,
            "GITHUB_GRAPHQL_URL": self.graphql_url,
            "GITHUB_SERVER_URL": self.urls.html,
            "GITHUB_RUN_ID": "1",
            "GITHUB_RUN_ATTEMPT": "1",
        }

    def repository(
        self, full_name: str, *, private: bool = False, default_branch: str = "main", organization: bool = False
    ) -> FakeRepository:
        """Return a repository by its name; it is made if there is none."""
        owner, _, name = full_name.partition("/")
        with self.hosting.lock:
            found = self.hosting.world.find_repository(full_name)
            if found is None:
                found = self.hosting.create_repository(owner, name, private=private, default_branch=default_branch)
            if organization:
                self.hosting.world.user(owner).kind = "Organization"
        return FakeRepository(self.hosting, self.urls, found.id)

    def token(
        self,
        login: str = ACTIONS_BOT,
        permissions: Mapping[str, str] | None = None,
        *,
        read_only: bool = False,
        repositories: list[FakeRepository] | None = None,
    ) -> str:
        """Return a new token.

        ``permissions``: as in a workflow (``pull-requests`` or ``pull_requests``); by default contents: read and
        pull_requests: write. ``read_only``: every permission is lowered to read, as for a fork. ``repositories``: which
        private ones it may see (None: all).
        """
        with self.hosting.lock:
            world = self.hosting.world
            world.user(login)
            text = f"{'ghs' if login.endswith('[bot]') else 'ghp'}_{world.next_id():036d}"
            granted = {"contents": "read", "pull_requests": "write"} if permissions is None else permissions
            world.tokens[text] = Token(
                text,
                login,
                {name.replace("-", "_"): level for name, level in granted.items()},
                read_only,
                None if repositories is None else tuple(one.id for one in repositories),
            )
        return text

    def before(
        self, match: tuple[str, str], action: Callable[[], object], *, times: int | None = 1, after: int = 0
    ) -> None:
        """Do something before a call is carried out (``match`` as in ``Fault``), once ``after`` others have passed."""
        self._wiring.hooks.append(Hook(match, action, times, after))

    def tamper(self, match: tuple[str, str], change: Callable[[Any], object], *, times: int | None = None) -> None:
        """Send what ``change`` makes of the JSON of an answer (``match`` as in ``Fault``): what GitHub would never say.

        It may change the value in place, or return another one; bytes are sent as they are.
        """
        self._wiring.tamperings.append(Tampering(match, change, times))

    def delete_account(self, login: str) -> None:
        """Delete an account: what it wrote stays, with ``user: null``."""
        with self.hosting.lock:
            for repository in self.hosting.world.repositories.values():
                rows = (repository.issue_comments, repository.review_comments, repository.reviews, repository.pulls)
                for table in rows:
                    for row in table.values():
                        if row.author == login:
                            row.author = None

    def snapshot(self) -> Snapshot:
        """Return the state as it is now: repositories, conversations, tokens; not faults, hooks or the log."""
        with self.hosting.lock:
            return Snapshot(pickle.dumps(self.hosting.world, protocol=5))

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a state; faults, hooks, log and latency are cleared. Handles stay good."""
        with self.hosting.lock:
            self.hosting.world = pickle.loads(snapshot.world)  # noqa: S301 - our own
            self._wiring = Wiring()
            self._nobody = Token("", "", {})
            self.requests = []
            self.latency = 0.0

    def _serve_api(self, request: Request, connection: Connection) -> None:
        if self.latency:
            time.sleep(self.latency)
        exchange = self._log("api", request)
        path = request.path.removeprefix(self._prefix)
        is_graphql = request.path == self._graphql_path
        if is_graphql and isinstance(exchange.body, dict):
            exchange.operation = graphql.operation_name(exchange.body)
        self._run_hooks(request.method, path, exchange.operation)
        fault = self.faults.take(request.method, path, exchange.operation)
        exchange.fault = None if fault is None else fault.kind
        if fault is not None and fault.kind not in TAKES_EFFECT:
            ready = refusal(fault.kind, int(self.clock()) + 3600) or Response(500, {}, b"")
            exchange.status = status_seen(fault, ready)
            deliver(fault, ready, connection, None)
            return
        response = self._answer(request._replace(path=path), is_graphql=is_graphql)
        response = self._tampered(request.method, path, exchange.operation, response)
        target = f"{request.path}?{sorted(request.query.items())}"
        if fault is None:
            self._remember(request, target, response)
            exchange.status, exchange.answer = response.status, response.body
            connection.send(self._packed(request, response))
            return
        if response.status < 400:
            response = refusal(fault.kind, 0) or response
        exchange.answer = response.body
        last = self._wiring.answered.get(target)
        stale = self._wiring.older.get(target) if last == response.body else last
        exchange.status = status_seen(fault, response)
        deliver(fault, response, connection, stale)

    def _serve_archive(self, request: Request, connection: Connection) -> None:
        if self.latency:
            time.sleep(self.latency)
        exchange = self._log("archive", request)
        self._run_hooks(request.method, request.path, None)
        fault = self.faults.take(request.method, request.path, None)
        exchange.fault = None if fault is None else fault.kind
        response = self._tarball(request)
        if fault is not None:
            response = refusal(fault.kind, int(self.clock()) + 3600) or response
            exchange.status = status_seen(fault, response)
            deliver(fault, response, connection, None)
            return
        exchange.status = response.status
        connection.send(response)

    def _log(self, host: str, request: Request) -> Exchange:
        headers = dict(request.headers)
        if "authorization" in headers:
            headers["authorization"] = headers["authorization"].partition(" ")[0] + " <redacted>"
        try:
            body = json.loads(request.body) if request.body else None
        except ValueError:
            body = request.body
        exchange = Exchange(host, request.method, request.path, request.query, headers, body, time.monotonic())
        self.requests.append(exchange)
        return exchange

    def _run_hooks(self, method: str, path: str, operation: str | None) -> None:
        for hook in list(self._wiring.hooks):
            if hook.times == 0 or not matches(hook.match, method, path, operation):
                continue
            if hook.after > 0:
                hook.after -= 1
                continue
            hook.times = None if hook.times is None else hook.times - 1
            hook.action()

    def _tampered(self, method: str, path: str, operation: str | None, response: Response) -> Response:
        for tampering in self._wiring.tamperings:
            if tampering.times == 0 or response.status >= 400 or not matches(tampering.match, method, path, operation):
                continue
            tampering.times = None if tampering.times is None else tampering.times - 1
            value = json.loads(response.body)
            told = tampering.change(value)
            body = told if isinstance(told, bytes) else json.dumps(value if told is None else told).encode()
            response = response._replace(body=body)
        return response

    def _remember(self, request: Request, target: str, response: Response) -> None:
        """Keep the last two different answers of an address, for ``stale_list``."""
        if request.method == "GET":
            before = self._wiring.answered.get(target)
            if before is not None and before != response.body:
                self._wiring.older[target] = before
            self._wiring.answered[target] = response.body

    def _packed(self, request: Request, response: Response) -> Response:
        if self.compress and response.body and "gzip" in request.headers.get("accept-encoding", ""):
            headers = {**response.headers, "Content-Encoding": "gzip"}
            return response._replace(body=gzip.compress(response.body, 1), headers=headers)
        return response

    def _answer(self, request: Request, *, is_graphql: bool) -> Response:
        with self.hosting.lock:
            headers: dict[str, str] = {"X-GitHub-Request-Id": f"FAKE:{len(self.requests)}", "Server": "fake-github"}
            try:
                token = self._token(request)
                headers |= self._account(token, "graphql" if is_graphql else "core")
                self._limit_creation(request, token)
                if is_graphql:
                    answer = graphql.answer(self.hosting, self.urls, request, token)
                else:
                    answer = self._route(request, token)
                content, status = answer.content, answer.status
                headers |= answer.headers
            except Refusal as refused:
                content, status = refused.body, refused.status
                headers |= refused.headers
            if content is None:
                body = b""
            elif isinstance(content, bytes):
                body = content
            else:
                body = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
                headers["Content-Type"] = JSON
            return Response(status, headers | {"X-GitHub-Media-Type": "github.v3; format=json"}, body)

    def _token(self, request: Request) -> Token | None:
        header = request.headers.get("authorization")
        if header is None:
            return None
        token = self.hosting.world.tokens.get(header.split(" ")[-1])
        if token is None:
            # rest/using-the-rest-api/troubleshooting, and D4 `errors` of @octokit/fixtures
            raise Refusal(401, "Bad credentials", documentation="https://docs.github.com/rest")
        return token

    def _account(self, token: Token | None, resource: str) -> dict[str, str]:
        """Count a call against the primary limit (rest/using-the-rest-api/rate-limits-for-the-rest-api)."""
        most = self.limits.points_an_hour if resource == "graphql" else self.limits.requests_an_hour
        who = "installation ID 1."
        if token is None:  # counted by address: 60 an hour (same page, "unauthenticated users")
            token, most, who = self._nobody, self.limits.anonymous_an_hour, NOBODY
        now = self.clock()
        if token.resets.get(resource, 0.0) <= now:
            token.resets[resource], token.used[resource] = now + 3600, 0
        token.used[resource] += 1
        used, reset = token.used[resource], token.resets[resource]
        headers = {
            "X-RateLimit-Limit": str(most),
            "X-RateLimit-Remaining": str(max(most - used, 0)),
            "X-RateLimit-Used": str(min(used, most)),
            "X-RateLimit-Reset": str(int(reset)),
            "X-RateLimit-Resource": resource,
        }
        if used > most and resource == "graphql":
            # the primary limit of GraphQL is an error with status 200 (same page, "Exceeding the rate limit")
            raise Refusal(200, "", headers=headers).with_body(
                {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded for installation ID 1."}]}
            )
        if used > most:
            raise Refusal(403, f"API rate limit exceeded for {who}", headers=headers)
        return headers

    def _limit_creation(self, request: Request, token: Token | None) -> None:
        """Refuse more content-creating calls a minute than the secondary limit allows (same page: 80 a minute)."""
        most = self.limits.content_creation
        if most is None or request.method not in {"POST", "PATCH", "PUT"} or token is None or "graphql" in request.path:
            return
        now = self.clock()
        self._wiring.creations = [moment for moment in self._wiring.creations if moment > now - 60] + [now]
        if len(self._wiring.creations) > most:
            headers = {"Retry-After": "60"}
            raise Refusal(
                403,
                "You have exceeded a secondary rate limit and have been temporarily blocked from content "
                "creation. Please retry your request again later.",
                headers=headers,
            )

    def _route(self, request: Request, token: Token | None) -> Answer:
        world, parts = self.hosting.world, request.segments
        found, rest, is_root = None, parts, True
        if parts[0] == "repos" and len(parts) >= 3:
            name = f"{parts[1]}/{parts[2]}"
            found, rest, is_root = world.find_repository(name), parts[3:], False
            if found is None and name.lower() in world.renamed:
                # rest/using-the-rest-api/best-practices "Follow redirects"; address as in @octokit/fixtures
                moved = "/".join(
                    [f"{self.url}/repositories/{world.renamed[name.lower()]}", *request.path.split("/")[4:]]
                )
                body = {
                    "message": "Moved Permanently",
                    "url": moved,
                    "documentation_url": "https://docs.github.com/rest",
                }
                return Answer(307 if request.method != "GET" else 301, body, {"Location": moved})
        elif parts[0] == "repositories" and len(parts) >= 2:
            found, rest, is_root = (
                world.repositories.get(int(parts[1]) if parts[1].isdecimal() else 0),
                parts[2:],
                False,
            )
        if not is_root:
            grants = None if token is None else token.repositories
            if found is None or not pulls.is_visible(found, grants, signed_in=token is not None):
                raise not_found()
        for route in ROUTES:
            parameters = route.match(request.method, rest) if route.root == is_root else None
            if parameters is not None:
                return route.handle(Call(self.hosting, self.urls, request, token, found, parameters))
        raise not_found()

    def _tarball(self, request: Request) -> Response:
        """Answer as the archive host: the tarball, by its own key if the repository is private."""
        parts = request.segments
        with self.hosting.lock:
            found = self.hosting.world.find_repository("/".join(parts[:2]))
            ref = "/".join(parts[3:])
            sha = None if found is None or parts[2:3] != ["legacy.tar.gz"] else self.hosting.resolve(found, ref)
            if found is None or sha is None:
                return Response(404, {"Content-Type": "text/plain"}, b"404: Not Found")
            if found.private and request.query.get("token") != git_data.archive_key(found):
                return Response(404, {"Content-Type": "text/plain"}, b"404: Not Found")
            prefix = f"{found.owner}-{found.name}-{sha[:7]}"
            return Response(200, {"Content-Type": "application/x-gzip"}, self.hosting.store(found).archive(sha, prefix))

    def wait_quiet(self, seconds: float = 1.0) -> None:
        """Wait until no connection is open, for ``seconds`` at most."""
        end = time.monotonic() + seconds
        while self._api.connections and time.monotonic() < end:
            threading.Event().wait(0.005)
