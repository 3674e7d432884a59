"""Faults on demand: which call they hit, and what the client then sees on its socket."""

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from fake_github.http_server import Connection, Response

FaultKind = Literal[
    "reset_before",  # TCP reset; nothing took effect
    "reset_after",  # it took effect, then TCP reset in place of the answer
    "timeout",  # no answer ever; nothing took effect
    "timeout_after",  # it took effect, no answer ever
    "500",
    "500_after",  # it took effect, the answer says 500
    "502_html",  # the page of a proxy
    "502_after",  # it took effect, the answer is the page of a proxy
    "503_retry_after",
    "403_secondary",
    "429",
    "primary_limit",
    "401",
    "403_permission",
    "404",
    "410",
    "422_spam",
    "truncated_json",  # it took effect; half of the JSON, with the length of that half
    "short_body",  # it took effect; the connection ends before the promised length
    "slow_drip",  # it took effect; the body comes a byte at a time
    "html_200",  # it took effect; a page with status 200
    "wrong_shape",  # it took effect; valid JSON of another shape
    "stale_list",  # a read answers as before the last write that changed it
    "empty_list",  # a list that has nothing
    "lost_page",  # a list without its Link header
    "repeat_page",  # a list whose next page is this page again
    "bad_gzip",  # the body says it is gzip and is not
    "redirect_away",  # 302 to another host
    "huge",  # 64 MiB of blanks before the JSON
    "headers",  # the true answer; only the fault's ``headers`` are other
]

KINDS: tuple[str, ...] = get_args(FaultKind)

TAKES_EFFECT = {
    "reset_after",
    "timeout_after",
    "500_after",
    "502_after",
    "truncated_json",
    "short_body",
    "slow_drip",
    "html_200",
    "wrong_shape",
    "stale_list",
    "empty_list",
    "lost_page",
    "repeat_page",
    "bad_gzip",
    "huge",
    "headers",
}
"""Kinds that come after the call was carried out; the others come in its place."""

HTML = (
    b"<!DOCTYPE html>\n<html><head><title>Unicorn! &middot; GitHub</title></head>"
    b"<body><p>We had issues producing the response to your request.</p></body></html>\n"
)

SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. "
    "If you reach out to GitHub Support for help, please include the request ID."
)
LIMIT_DOCUMENTATION = "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api"


@dataclass(slots=True)
class Fault:
    """What goes wrong with which call.

    ``match``: method (or ``"*"``) and the end of the path, where ``*`` is one part and ``**`` any: ``("POST",
    "/pulls/*/reviews")``; for GraphQL ``("GRAPHQL", "Overview")``, the operation's name or ``"*"``; the archive host's
    paths are ``/{owner}/{repo}/legacy.tar.gz/{ref}``. ``times``: how many calls it hits (None: for ever), once
    ``after`` matching calls went well. ``headers`` are added to the answer, or replace its own (``{"Retry-After":
    "soon"}``; None as a value takes one away). ``seconds``: the pause of ``slow_drip`` before each byte.
    """

    match: tuple[str, str]
    kind: FaultKind
    times: int | None = 1
    after: int = 0
    headers: Mapping[str, str | None] = field(default_factory=dict)
    seconds: float = 0.05
    hits: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.kind!r} is no kind of fault; there are {', '.join(KINDS)}")


class Faults:
    """The faults that wait for their calls."""

    def __init__(self) -> None:
        self._rows: list[Fault] = []
        self._lock = threading.Lock()

    def add(self, fault: Fault) -> Fault:
        """Let a fault wait for its call."""
        with self._lock:
            self._rows.append(fault)
        return fault

    def clear(self) -> None:
        """Let everything go well from now on."""
        with self._lock:
            self._rows.clear()

    def take(self, method: str, path: str, operation: str | None) -> Fault | None:
        """Return the fault that hits this call, and count it."""
        with self._lock:
            for fault in self._rows:
                if not matches(fault.match, method, path, operation) or fault.times == 0:
                    continue
                if fault.after > 0:
                    fault.after -= 1
                    continue
                fault.times = None if fault.times is None else fault.times - 1
                fault.hits += 1
                return fault
        return None


def matches(match: tuple[str, str], method: str, path: str, operation: str | None) -> bool:
    """Return whether a call is meant."""
    wanted, pattern = match
    if wanted == "GRAPHQL":
        return operation is not None and pattern in {"*", operation}
    if wanted not in {"*", method}:
        return False
    return _ends(pattern.strip("/").split("/"), path.strip("/").split("/"))


def _ends(pattern: list[str], parts: list[str]) -> bool:
    if not pattern:
        return True
    *rest, last = pattern
    if last == "**":
        return any(_ends(rest, parts[: len(parts) - count]) for count in range(len(parts) + 1))
    return bool(parts) and last in {"*", parts[-1]} and _ends(rest, parts[:-1])


def refusal(kind: str, reset: int) -> Response | None:
    """Return the answer that a fault gives by itself, or None if its kind changes the true answer or the socket."""
    if kind in {"502_html", "502_after"}:
        return Response(502, {"Content-Type": "text/html; charset=utf-8"}, HTML)
    if kind == "html_200":
        return Response(200, {"Content-Type": "text/html; charset=utf-8"}, HTML)
    if kind == "redirect_away":
        return Response(302, {"Location": "http://localhost:9/elsewhere"}, b"")
    plain: dict[str, tuple[int, str, dict[str, str]]] = {
        "500": (500, "Server Error", {}),
        "500_after": (500, "Server Error", {}),
        "503_retry_after": (503, "Service unavailable", {"Retry-After": "2"}),
        "403_secondary": (403, SECONDARY, {"Retry-After": "60"}),
        "429": (429, SECONDARY, {"Retry-After": "60"}),
        "primary_limit": (
            403,
            "API rate limit exceeded for installation ID 1.",
            {"X-RateLimit-Remaining": "0", "X-RateLimit-Used": "1000", "X-RateLimit-Reset": str(reset)},
        ),
        "401": (401, "Bad credentials", {}),
        "403_permission": (403, "Resource not accessible by integration", {}),
        "404": (404, "Not Found", {}),
        "410": (410, "This issue was deleted", {}),
        # content creation judged as spam (QwenLM/qwen-code#6711)
        "422_spam": (422, "Validation Failed", {}),
    }
    if kind not in plain:
        return None
    status, message, headers = plain[kind]
    body: dict[str, Any] = {"message": message, "documentation_url": LIMIT_DOCUMENTATION, "status": str(status)}
    if kind == "422_spam":
        body["errors"] = ["was submitted too quickly"]
    return Response(status, {"Content-Type": "application/json; charset=utf-8", **headers}, json.dumps(body).encode())


def status_seen(fault: Fault, response: Response) -> int | None:
    """Return the status that the client sees, or None if it sees none."""
    return None if fault.kind.startswith(("reset", "timeout")) else response.status


def deliver(fault: Fault, response: Response, connection: Connection, stale: bytes | None) -> None:
    """Send what the fault makes of an answer. ``stale``: what this address answered before, for ``stale_list``."""
    kind = fault.kind
    if kind.startswith("reset"):
        connection.reset()
    elif kind.startswith("timeout"):
        connection.hang()
    elif kind == "short_body":
        connection.send_part(_with(fault, response), len(response.body) // 2)
    elif kind == "slow_drip":
        connection.drip(_with(fault, response), fault.seconds)
    else:
        connection.send(_with(fault, _changed(kind, response, stale)))


def _changed(kind: str, response: Response, stale: bytes | None) -> Response:
    headers, body = dict(response.headers), response.body
    is_list = body[:1] == b"["
    if kind in {"empty_list", "lost_page"}:
        headers.pop("Link", None)
    if kind == "repeat_page":
        headers["Link"] = re.sub(r"([?&]page=)\d+(?=[^>]*>; rel=\"next\")", r"\g<1>1", headers.get("Link", ""))
    if kind == "bad_gzip":
        headers["Content-Encoding"] = "gzip"
    bodies = {
        "truncated_json": body[: len(body) // 2],
        "wrong_shape": b'{"ok": true}' if is_list else b"[]",
        "empty_list": b"[]",
        "stale_list": b"[]" if stale is None and is_list else stale or body,
    }
    if kind == "huge":
        body = b" " * (64 << 20) + body
    return Response(response.status, headers, bodies.get(kind, body))


def _with(fault: Fault, response: Response) -> Response:
    headers = {name: value for name, value in response.headers.items() if name not in fault.headers}
    headers |= {name: value for name, value in fault.headers.items() if value is not None}
    return response._replace(headers=headers)
