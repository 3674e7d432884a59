"""Serves answers that GitHub would never give: each field of each answer changed in turn, and each answer as a whole.

``python -m tests.faults.hostile_answers SECONDS`` tries as many as fit into the time, in a random but fixed order, and
prints each after which a bad change was green, the token was shown, or the run took long.

The change is bad only because of a file that it does not touch, so that its verdict depends on every answer.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import httpx

from review_bot.forges.github import connection
from review_bot.forges.github.client import Client, Limits
from tests.faults.scenes import SUMS, Made, Scene, Stage

USER = '"""Uses."""\n\nfrom halcyon.sums import total\n\nX = total([1])\n'
_LONG = 5.0
_BOMB = gzip.compress(bytes(64 << 20))
_NUMBER = re.compile(r"[0-9]+|[0-9a-f]{40}(?:\.\.\.[0-9a-f]{40})?")
_ALIAS = re.compile(r"(?<=[a-z])[0-9]+")


class Answer(NamedTuple):
    """An answer: status, headers and unpacked body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Mutation = Callable[[Answer], Answer]


class Hostile(NamedTuple):
    """What is done to each answer of one call. ``call``: method and path, or the name of a query."""

    call: str
    name: str
    mutate: Mutation


class HostileClient(Client):
    """A client whose answers are changed on their way. ``record``: every answer by its call."""

    hostile: Hostile | None = None
    record: dict[str, list[Answer]]

    def __init__(self, api_url: str, token: str | None, **options: Any) -> None:
        super().__init__(api_url, token, transport=_Transport(), **options)


HostileClient.record = {}


class _Transport(httpx.BaseTransport):
    def __init__(self) -> None:
        self._real = connection._Transport(encrypted=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.host not in {"localhost", "127.0.0.1"}:  # the archive may be there
            assert "authorization" not in request.headers, f"the token goes to {request.url.host}"
            return httpx.Response(404, stream=httpx.ByteStream(b""))
        response = self._real.handle_request(request)
        body = b"".join(response.iter_raw())
        response.close()
        headers = {name.lower(): value for name, value in response.headers.items()}
        if headers.pop("content-encoding", "") == "gzip":
            body = gzip.decompress(body)
        for name in ("content-length", "transfer-encoding"):
            headers.pop(name, None)
        call, answer, hostile = call_of(request), Answer(response.status_code, headers, body), HostileClient.hostile
        HostileClient.record.setdefault(call, []).append(answer)
        if hostile is not None and hostile.call == call:
            answer = hostile.mutate(answer)
        return httpx.Response(answer.status, headers=answer.headers, stream=httpx.ByteStream(answer.body))

    def close(self) -> None:
        self._real.close()


def call_of(request: httpx.Request) -> str:
    """Return which call a request is, whatever the numbers in it."""
    if request.url.path.endswith("/graphql"):
        document = re.search(r"(?:query|mutation) (\w+)", json.loads(request.content)["query"])
        return f"GRAPHQL {document[1] if document else ''}"
    parts = ("*" if _NUMBER.fullmatch(part) else part for part in request.url.path.strip("/").split("/"))
    return f"{request.method} /{'/'.join(parts)}"


def bad_change(stage: Stage) -> Scene:
    """Return a change that renames what a file calls which it does not touch."""
    stage.github.restore(stage.bare)
    stage.repository.commit({"halcyon/user.py": USER})
    pull = stage.action.open({"halcyon/sums.py": SUMS.replace("total", "totals")})
    payload = stage.repository.event(pull, "opened")
    return Scene("bad", stage.github.snapshot(), "pull_request_target", payload, pull.head_sha, pull.number, {})


def play(stage: Stage, scene: Scene, hostile: Hostile | None) -> Made:
    """Run on a scene with answers that are changed."""
    HostileClient.hostile = hostile
    return stage.play(scene, limits=Limits(call=_LONG), client=HostileClient, is_stamped=False)


def mutations(record: Mapping[str, list[Answer]]) -> Iterator[Hostile]:
    """Yield what can be done to the answers of a run: to each as a whole, and to each kind of field."""
    for call, answers in sorted(record.items()):
        yield from (Hostile(call, name, mutate) for name, mutate in WHOLE.items())
        known: set[tuple[str, ...]] = set()
        for answer in answers:
            for path, value in _fields(answer.body):
                kind = tuple("*" if isinstance(part, int) else _ALIAS.sub("*", part) for part in path)
                if kind not in known:
                    known.add(kind)
                    for other in _others(value):
                        yield Hostile(call, f"{'.'.join(map(str, path))} = {other!r:.60}", _with(path, other))


def _fields(body: bytes) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield the values of JSON with their paths; of a list the first and the last."""
    try:
        waiting: list[tuple[tuple[str | int, ...], Any]] = [((), json.loads(body))]
    except ValueError:
        return
    while waiting:
        path, value = waiting.pop()
        if path:
            yield path, value
        if isinstance(value, dict):
            waiting += [((*path, key), each) for key, each in value.items()]
        elif isinstance(value, list) and value:
            waiting += [((*path, index), value[index]) for index in sorted({0, len(value) - 1})]


_ABSENT = object()


def _others(value: Any) -> Iterator[Any]:
    """Yield what a field may hold in place of its value: nothing, another type, and lies of the same type."""
    yield from (each for each in (_ABSENT, None, [], {}, "", 0, 10**30, True) if each != value)
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (-1, value + 1, str(value), float(value))
    elif isinstance(value, str):
        yield from (value.swapcase(), f"{value} ", value[:-1], value[::-1], "0" * 40, "x" * 300_000)
        yield from (f"{value}\0\u202e\n::error::x", "/../../etc/passwd", "\ud800")
    elif isinstance(value, list):
        yield from (value + value, value[::-1], value[1:], value[:-1], [*value, None])


def _with(path: tuple[str | int, ...], value: Any) -> Mutation:
    def mutate(answer: Answer) -> Answer:
        try:
            data = json.loads(answer.body)
            place = data
            for part in path[:-1]:
                place = place[part]
            if value is _ABSENT:
                del place[path[-1]]
            elif place[path[-1]] is not value:
                place[path[-1]] = value
        except (ValueError, KeyError, IndexError, TypeError):
            return answer
        return answer._replace(body=json.dumps(data).encode())

    return mutate


def _body(body: bytes) -> Mutation:
    return lambda answer: answer._replace(body=body)


def _status(status: int, **headers: str) -> Mutation:
    return lambda answer: answer._replace(status=status, headers={**answer.headers, **headers})


def _link(target: str) -> Mutation:
    pages = iter(range(10**9))
    return lambda it: it._replace(headers={**it.headers, "link": f'<{target.format(next(pages))}>; rel="next"'})


WHOLE: Mapping[str, Mutation] = {
    **{f"the body {body!r:.40}": _body(body) for body in (
        b"", b"null", b"[]", b"{}", b'{"data":null}', b'{"message":"Bad credentials"}', b'{"errors":[{"message":"x"}]}',
        b'{"data":{"repository":null,"viewer":{"login":"x"}}}', b"[" * 200_000, b"\xff\xfe{\0}\0",
    )},
    **{f"the status {status}": _status(status) for status in (201, 203, 205, 206, 300, 303, 304, 400, 409, 422, 451)},
    **{f"a redirect to {target}": _status(307, location=target) for target in (
        "https://evil.invalid/x", "//evil.invalid/x", "http://localhost@evil.invalid/x", "?again", "javascript:x",
        "http://localhost:99999999/x", "http://[", "/x\x01y",
    )},
    **{f"a next page {target}": _link(target) for target in ("?page=1", "?page={}", "https://evil.invalid/{}", "//x/{}")},
    "a bomb": lambda it: it._replace(body=_BOMB, headers={**it.headers, "content-encoding": "gzip"}),
    "another encoding": _status(200, **{"content-encoding": "br"}),
    "more behind its end": lambda answer: answer._replace(body=answer.body + b"\n{}"),
    "errors beside its data": lambda it: it._replace(body=it.body.rstrip(b"}") + b'}},"errors":[{"message":"x"}]}'),
}  # fmt: skip
"""What is done to an answer as a whole."""


def problem_of(stage: Stage, made: Made, seconds: float) -> str:
    """Return what is wrong with how a run ended; empty if nothing is. ``seconds`` are those of the processor."""
    result = made.result
    if result is None or result.code == 0:
        return "green"
    if stage.token in result.log + result.summary:
        return "the token is shown"
    return "slow" if seconds > 2 * _LONG else ""


def hostile_answers(stage: Stage, scene: Scene) -> list[Hostile]:
    """Return everything that can be done to the answers of the run on a scene, in a random but fixed order."""
    HostileClient.record = {}
    assert play(stage, scene, None).code == 1
    cases = [each for each in mutations(HostileClient.record) if not _is_believed(each)]
    random.Random(0).shuffle(cases)
    return cases


def _is_believed(hostile: Hostile) -> bool:
    """Return whether GitHub would say the same of another repository: nothing can check the trees that it lists."""
    return "/git/trees/" in hostile.call and hostile.name.startswith(("tree", "truncated"))


def main(seconds: float) -> int:
    """Try mutations for so long; return 1 if one was a problem."""
    with Stage() as stage:
        scene = bad_change(stage)
        cases = hostile_answers(stage, scene)
        until, problems, tried = time.monotonic() + seconds, 0, 0
        while tried < len(cases) and time.monotonic() < until:
            each, began = cases[tried], time.process_time()
            problem = problem_of(stage, play(stage, scene, each), time.process_time() - began)
            tried += 1
            if problem:
                problems += 1
                sys.stdout.write(f"{problem}: {each.call}: {each.name}\n")
    sys.stdout.write(f"{tried:,} of {len(cases):,} hostile answers tried, {problems} with a problem\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0))
