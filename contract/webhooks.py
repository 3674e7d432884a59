"""GitHub's own examples and schemas of webhook payloads (npm ``@octokit/webhooks-examples`` and ``-schemas``)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

_PACKAGES = Path(__file__).parent / "node_modules/@octokit"


def examples(event: str) -> list[dict[str, Any]]:
    """Return the example payloads of an event."""
    return next((kind["examples"] for kind in _examples() if kind["name"] == event), [])


def violations(event: str, payload: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a payload, by GitHub's schema of that event and action."""
    definitions = _schema()["definitions"]
    name = next(
        (made for made in (f"{event}${payload.get('action', 'event')}", f"{event}_event") if made in definitions), None
    )
    if name is None:
        yield f"GitHub has no event {event}"
        return
    judge = Draft7Validator({"$ref": f"#/definitions/{name}", "definitions": definitions})
    for error in judge.iter_errors(dict(payload)):
        yield f"{'.'.join(map(str, error.absolute_path)) or 'the payload'}: {error.message[:200]}"


@cache
def _examples() -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = json.loads((_PACKAGES / "webhooks-examples/api.github.com/index.json").read_bytes())
    return made


@cache
def _schema() -> dict[str, Any]:
    made: dict[str, Any] = json.loads((_PACKAGES / "webhooks-schemas/schema.json").read_bytes())
    return made
