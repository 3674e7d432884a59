"""GitHub's own description of its REST API (npm ``@octokit/openapi``), and what it says of one exchange."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from contract.corrections import ANY_OPERATION, NULLABLE, NUMBERED_PREFIX, OTHER_TYPES
from contract.json_schema import Schemas

PUBLISHED = Path(__file__).parent / "node_modules/@octokit/openapi/generated/api.github.com.json"


class Exchange(NamedTuple):
    """One request and its answer, as they went over the wire. Names of headers are lower case; bodies are decoded."""

    method: str
    target: str
    """The path below the root of the API, percent-encoded, with its query."""
    headers: Mapping[str, str]
    body: bytes
    status: int
    answer_headers: Mapping[str, str]
    answer: bytes

    def __str__(self) -> str:
        return f"{self.method} {self.target} → {self.status}"


class Operation(NamedTuple):
    """An operation of GitHub's API; ``id`` is GitHub's own name for it, such as ``pulls/create-review``."""

    id: str
    method: str
    path: str
    detail: Mapping[str, Any]


class Description:
    """What GitHub promises of its REST API, with its known errors corrected."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.schemas = Schemas(document["components"]["schemas"])
        self._operations = [
            (_pattern(path), Operation(detail["operationId"], method.upper(), path, detail))
            for path, methods in document["paths"].items()
            for method, detail in methods.items()
        ]

    def operation(self, method: str, target: str) -> Operation | None:
        """Return the operation that a request means, or None if GitHub has none such."""
        path = re.sub(r"^/repositories/\d+/", "/repos/owner/repo/", urlsplit(target).path)
        fitting = [made for pattern, made in self._operations if made.method == method and pattern.fullmatch(path)]
        # pulls/comments/5 is no pull request named "comments": the path with the fewest blanks wins.
        return min(fitting, key=lambda made: made.path.count("{"), default=None)

    def by_id(self, name: str) -> Operation:
        """Return an operation by GitHub's own name for it."""
        return next(made for _, made in self._operations if made.id == name)

    def violations(self, exchange: Exchange) -> Iterator[str]:
        """Yield each way in which a request or its answer is not what GitHub describes."""
        operation = self.operation(exchange.method, exchange.target)
        if operation is None:
            yield "request: GitHub has no such operation"
            return
        for said in self.of_request(operation, exchange):
            yield f"request: {said}"
        for said in self.of_answer(operation, exchange):
            yield f"answer: {said}"

    def of_request(self, operation: Operation, exchange: Exchange) -> Iterator[str]:
        """Yield what is wrong with a request: its path, its query, its body."""
        address = urlsplit(exchange.target)
        parameters = [self._resolved(part) for part in operation.detail.get("parameters", ())]
        named = {"path": {}, "query": dict(parse_qsl(address.query, keep_blank_values=True))}
        if not address.path.startswith("/repositories/"):
            matched = _pattern(operation.path).fullmatch(address.path)
            named["path"] = {name: unquote(text) for name, text in (matched.groupdict() if matched else {}).items()}
        for parameter in parameters:
            given = named.get(parameter["in"], {}).pop(parameter["name"], None)
            if given is not None:
                for said in self.schemas.violations(parameter["schema"], _read(given, parameter["schema"])):
                    yield f"{parameter['in']} parameter {parameter['name']}: {said}"
            elif parameter.get("required") and parameter["in"] == "query":
                yield f"query parameter {parameter['name']} is missing"
        for name in named["query"]:
            yield f"GitHub knows no query parameter {name!r} here"
        yield from self._of_request_body(operation, exchange)

    def of_answer(self, operation: Operation, exchange: Exchange) -> Iterator[str]:
        """Yield what is wrong with an answer: its status, its type, its body."""
        status = str(exchange.status)
        answers = operation.detail["responses"]
        if status not in answers:
            if status not in ANY_OPERATION:
                yield f"GitHub does not answer {operation.id} with {status}"
            return
        content = self._resolved(answers[status]).get("content", {})
        kind = exchange.answer_headers.get("content-type", "").partition(";")[0].strip()
        if kind in OTHER_TYPES.get(operation.id, ()):
            if kind.removesuffix("+json") not in exchange.headers.get("accept", ""):
                yield f"{kind} was not asked for"
        elif not content:
            if exchange.answer and exchange.status in {204, 304}:
                yield f"a {status} has no body"
        elif kind not in content:
            yield f"GitHub answers {operation.id} with {' or '.join(content)}, not {kind or 'without a type'}"
        elif kind.endswith("json"):
            yield from self._of_json(content[kind]["schema"], exchange.answer)

    def variants(self, operation: Operation, status: int, value: object) -> Iterator[tuple[str, object]]:
        """Yield the body of an answer with one field null, or left out, wherever GitHub may do that; and where."""
        content = self._resolved(operation.detail["responses"][str(status)])["content"]
        yield from self.schemas.variants(content["application/json"]["schema"], value)

    def of_event(self, event: str, payload: Mapping[str, Any]) -> Iterator[str]:
        """Yield what is wrong with the payload of a webhook, as an Action gets it. ``event``: such as merge_group."""
        name = "-".join([event.removesuffix("_target"), *filter(None, [payload.get("action")])]).replace("_", "-")
        described = self.document["x-webhooks"].get(name)
        if described is None:
            yield f"GitHub has no event {name}"
            return
        yield from self.schemas.violations(
            described["post"]["requestBody"]["content"]["application/json"]["schema"], payload
        )

    def slim(self, operations: Iterable[Operation]) -> dict[str, Any]:
        """Return a description of these operations alone, with all they refer to: small enough for Prism to start at once.

        Paths by the number of a repository, which Link headers hold, are added for what is read.
        """
        paths: dict[str, dict[str, Any]] = {}
        for operation in operations:
            paths.setdefault(operation.path, {})[operation.method.lower()] = operation.detail
            if operation.method == "GET" and operation.path.startswith(NUMBERED_PREFIX[1]):
                numbered = operation.path.replace(NUMBERED_PREFIX[1], NUMBERED_PREFIX[0], 1)
                paths.setdefault(numbered, {})["get"] = _by_number(operation.detail)
        made: dict[str, Any] = {
            "openapi": self.document["openapi"],
            "info": self.document["info"],
            "paths": paths,
            "components": {},
        }
        missing: list[Any] = [paths]
        while missing:
            part = missing.pop()
            if isinstance(part, list):
                missing.extend(part)
            elif isinstance(part, dict):
                missing.extend(part.values())
                reference = part.get("$ref")
                if isinstance(reference, str):
                    section, name = reference.split("/")[2:]
                    held = made["components"].setdefault(section, {})
                    if name not in held:
                        held[name] = self.document["components"][section][name]
                        missing.append(held[name])
        return made

    def _of_request_body(self, operation: Operation, exchange: Exchange) -> Iterator[str]:
        described = operation.detail.get("requestBody")
        if described is None:
            if exchange.body not in {b"", b"{}"}:
                yield f"{operation.id} takes no body"
            return
        if not exchange.body:
            if described.get("required"):
                yield "the body is missing"
            return
        kind = exchange.headers.get("content-type", "").partition(";")[0]
        if kind != "application/json":
            yield f"the body is {kind or 'without a type'}, not application/json"
            return
        yield from self._of_json(described["content"]["application/json"]["schema"], exchange.body)

    def _of_json(self, schema: Mapping[str, Any], body: bytes) -> Iterator[str]:
        try:
            value = json.loads(body)
        except ValueError:
            yield "the body is not JSON"
            return
        yield from self.schemas.violations(schema, value)

    def _resolved(self, part: Mapping[str, Any]) -> Mapping[str, Any]:
        if "$ref" not in part:
            return part
        section, name = part["$ref"].split("/")[2:]
        found: Mapping[str, Any] = self.document["components"][section][name]
        return found


@cache
def published() -> Mapping[str, Any]:
    """Return the description as GitHub publishes it. It is read once; nothing may change it."""
    document: dict[str, Any] = json.loads(PUBLISHED.read_bytes())
    return document


def corrected(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a description with its known errors corrected; the original stays as it is."""
    schemas = dict(document["components"]["schemas"])
    for wrong in NULLABLE:
        schema = schemas[wrong.schema] = copy.deepcopy(schemas[wrong.schema])
        field_of(schema, wrong.field)["nullable"] = True
    return {**document, "components": {**document["components"], "schemas": schemas}}


def field_of(schema: Mapping[str, Any], dotted: str) -> dict[str, Any]:
    """Return the schema of a field, by its dotted name; in place of a reference, one that can be added to."""
    *outer, name = dotted.split(".")
    for part in outer:
        schema = schema["properties"][part]
    properties = schema["properties"]
    if "$ref" in properties[name]:
        properties[name] = {"allOf": [properties[name]]}
    found: dict[str, Any] = properties[name]
    return found


def _pattern(path: str) -> re.Pattern[str]:
    """Return what a path template fits: ``{name}`` is one segment, or several where the docs say so."""
    parts = re.split(r"\{([^}]+)\}", path)
    made = "".join(
        f"(?P<{part.replace('-', '_')}>[^/]+)" if odd % 2 else re.escape(part) for odd, part in enumerate(parts)
    )
    return re.compile(made)


def _by_number(detail: Mapping[str, Any]) -> dict[str, Any]:
    """Return an operation that finds its repository by number instead of by owner and name."""
    number = {"name": "repository_id", "in": "path", "required": True, "schema": {"type": "integer"}}
    by_name = ("#/components/parameters/owner", "#/components/parameters/repo")
    kept = [part for part in detail["parameters"] if part.get("$ref") not in by_name]
    return {**detail, "operationId": f"{detail['operationId']}-by-number", "parameters": [number, *kept]}


def _read(text: str, schema: Mapping[str, Any]) -> object:
    """Return a parameter as the value it means."""
    kind = schema.get("type")
    if kind == "integer" and re.fullmatch(r"-?\d+", text):
        return int(text)
    if kind == "boolean" and text in {"true", "false"}:
        return text == "true"
    return text
