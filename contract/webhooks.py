"""GitHub's own examples of webhook payloads (npm ``@octokit/webhooks-examples``)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

PUBLISHED = Path(__file__).parent / "node_modules/@octokit/webhooks-examples/api.github.com/index.json"


def examples(event: str) -> list[dict[str, Any]]:
    """Return the example payloads of an event."""
    return next((kind["examples"] for kind in _examples() if kind["name"] == event), [])


@cache
def _examples() -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = json.loads(PUBLISHED.read_bytes())
    return made
