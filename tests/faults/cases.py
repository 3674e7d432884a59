"""The scripted faults: each call that the Action makes × each thing that may go wrong with it, once and for ever.

The calls are those of runs that were made, not a list that somebody keeps.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

from fake_github.faults import Fault, FaultKind
from fake_github.server import Exchange
from tests.faults.scenes import Scene, Stage

KINDS = (
    "reset_before", "reset_after", "timeout", "500", "502_html", "503_retry_after", "403_secondary", "429",
    "primary_limit", "truncated_json", "slow_drip", "html_200",
)  # fmt: skip
"""What goes wrong with each call."""

LOST_ANSWERS = ("timeout_after", "500_after", "502_after", "short_body", "wrong_shape", "bad_gzip")
"""What else goes wrong with a write that took place."""

REFUSALS = ("401", "403_permission", "404", "410", "422_spam")
LIES = ("stale_list", "empty_list", "lost_page", "repeat_page")
SLOW = frozenset({"timeout", "timeout_after", "slow_drip"})

READS = ("opened", "merge group", "rerun", "decline", "reopen")
"""Scenes whose calls of reading are all tried, each kind of call where it comes first."""

WRITES = ("opened", "pushed", "merge group", "rerun", "decline", "reopen")
KILLED = ("opened", "pushed", "clean")

_VARIABLE = re.compile(r"[0-9]+|[0-9a-f]{40}(?:\.\.\.[0-9a-f]{40})?")
_WRITES_OF_GRAPHQL = ("AddFileComment", "Minimize", "Reopen", "Resolve", "Unminimize")

HEADERS: tuple[Mapping[str, str | None], ...] = (
    {"Retry-After": ""},
    {"Retry-After": "soon"},
    {"Retry-After": "-5"},
    {"Retry-After": "1e400"},
    {"Retry-After": "99999999999"},
    {"Retry-After": "60, 120"},
    {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"},
    {"Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"},
    {"Retry-After": None, "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "tomorrow"},
    {"Retry-After": None, "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "-1"},
    {"Retry-After": None, "X-RateLimit-Remaining": "none", "X-RateLimit-Reset": "nan"},
    {"Link": '<http://localhost:9/other>; rel="next"'},
    {"Link": '<; rel="next"'},
)
"""Headers that no server should send."""


class Site(NamedTuple):
    """A call: method and path as ``Fault`` takes them."""

    method: str
    path: str

    @property
    def is_write(self) -> bool:
        """Return whether the call changes something."""
        return self.method not in {"GET", "GRAPHQL"} or self.path in _WRITES_OF_GRAPHQL


HEADED = (
    Site("GET", "/git/trees/*"), Site("GET", "/pulls/*/files"), Site("POST", "/pulls/*/reviews"),
    Site("POST", "/issues/*/comments"),
)  # fmt: skip
"""The calls whose answers have headers of that kind."""


class Case(NamedTuple):
    """A fault in a scene. ``times`` None: for ever; ``after``: calls of the site that go well before.

    ``kill``: the run is ended once the server has seen so many calls, in place of a fault.
    """

    group: str
    scene: str
    site: Site = Site("", "")
    kind: str = ""
    times: int | None = 1
    after: int = 0
    headers: tuple[tuple[str, str | None], ...] = ()
    kill: int | None = None

    @property
    def name(self) -> str:
        """Return what to call it."""
        if self.kill is not None:
            return f"{self.scene}: killed at call {self.kill}"
        often = "for ever" if self.times is None else "once"
        return f"{self.scene}: {' '.join(self.site)}: {self.kind} {often} after {self.after} {dict(self.headers) or ''}"

    def fault(self) -> Fault:
        """Return the fault; a reset of ``+30`` is in so many seconds."""
        headers = {
            name: str(int(time.time()) + int(value)) if value is not None and value.startswith("+") else value
            for name, value in self.headers
        }
        return Fault(self.site, cast("FaultKind", self.kind), self.times, self.after, headers)


def site_of(call: Exchange) -> Site:
    """Return which call it is, whatever the numbers in it."""
    if call.operation is not None:
        return Site("GRAPHQL", call.operation)
    parts = ["*" if _VARIABLE.fullmatch(part) else part for part in call.path.strip("/").split("/")]
    rest = parts[2:] if call.host == "archive" else parts[3:]
    return Site(call.method, "/" + "/".join(rest))


def sites(stage: Stage, scene: Scene) -> Counter[Site]:
    """Return the calls of a scene on a calm day, and how often each comes."""
    return Counter(site_of(stamp.call) for stamp in stage.calm(scene)[0].calls)


def scripted(stage: Stage) -> Iterator[Case]:
    """Yield every case, always in the same order."""
    known: set[Site] = set()
    for name in dict.fromkeys((*READS, *WRITES)):
        for site, number in sorted(sites(stage, stage.scene(name)).items()):
            if site.is_write and name in WRITES:
                yield from _of_write(name, site, number)
            elif site not in known and name in READS:
                known.add(site)
                yield from _of_read(name, site, number)
    for site in sorted(sites(stage, stage.scene("large"))):
        if "tar" in site.path:
            yield from _of_read("large", site, 1)
    yield from _of_pages(stage)
    for name in KILLED:
        total = sites(stage, stage.scene(name)).total()
        yield from (Case("killed", name, kill=number) for number in range(total + 1))
    yield from _of_headers()


def _of_pages(stage: Stage) -> Iterator[Case]:
    for site, number in sorted(sites(stage, stage.scene("pages")).items()):
        if number < 3 or site.is_write:
            continue
        for kind in (*KINDS, *LIES):
            yield from (Case("pages", "pages", site, kind, 1, after) for after in (0, 1, 2, number - 1))


def _of_headers() -> Iterator[Case]:
    for headers in HEADERS:
        for site in HEADED:
            kinds: tuple[str, ...] = ("503_retry_after", "403_secondary")
            if "Link" in headers:  # a kind that leaves the answer as it is, but for its headers
                kinds = ("stale_list",) if site.is_write else ("lost_page",)
            yield from (Case("headers", "opened", site, kind, 1, 0, tuple(headers.items())) for kind in kinds)
    for site in HEADED:  # limits that end in time
        yield Case("limits", "opened", site, "primary_limit", 1, 0, (("X-RateLimit-Reset", "+30"),))
        yield Case("limits", "opened", site, "429", 2, 0, (("Retry-After", "30"),))
        yield Case("limits", "opened", site, "403_secondary", 1, 0, (("Retry-After", None),))


def _of_read(scene: str, site: Site, number: int) -> Iterator[Case]:
    for kind in KINDS:
        for times in (1, None):
            yield Case("reading", scene, site, kind, times)
        if number > 1:
            yield Case("reading", scene, site, kind, 1, number - 1)
            yield Case("reading", scene, site, kind, None, number - 1)
    if number > 1 and site.method == "GET":
        for kind in LIES:
            for after in (0, number - 1):
                yield Case("lies", scene, site, kind, 1, after)


def _of_write(scene: str, site: Site, number: int) -> Iterator[Case]:
    for kind in (*KINDS, *LOST_ANSWERS, *REFUSALS):
        group = "writing" if kind in KINDS else "refusals" if kind in REFUSALS else "lost answers"
        for times in (1, None):
            yield Case(group, scene, site, kind, times)
        for after in sorted({number // 2, number - 1} - {0}):
            yield Case(group, scene, site, kind, 1, after)
