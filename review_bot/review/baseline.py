"""The findings that a repository already has: ``.github/review-bot-baseline.json``, fingerprint → reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from review_bot.errors import ConfigError
from review_bot.findings import Finding
from review_bot.text.file_name import shown

SCHEMA = "review-bot/baseline/v1"

NO_REASON = "accepted in the baseline"
"""The reason of an entry that has no other."""


def read(text: str, path: str) -> dict[str, str]:
    """Return fingerprint → reason. Raises ConfigError."""
    return {entry["fingerprint"]: str(entry.get("reason", NO_REASON)) for entry in _entries(text, path)}


def _entries(text: str, path: str) -> list[dict[str, Any]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"not valid JSON ({error}); recreate it with --write-baseline", path=path) from error
    entries = data.get("findings") if isinstance(data, dict) and data.get("schema") == SCHEMA else None
    if not isinstance(entries, list) or not all(
        isinstance(entry, dict) and isinstance(entry.get("fingerprint"), str) for entry in entries
    ):
        raise ConfigError(f"not a baseline of schema {SCHEMA}; recreate it with --write-baseline", path=path)
    return entries


def render(findings: Sequence[Finding], before: str | None, path: str) -> str:
    """Return the text of a baseline that holds these findings as well as those of the baseline ``before``.

    Findings that cannot be silenced are left out.
    Raises ConfigError if ``before`` is not a baseline.
    """
    entries: list[dict[str, Any]] = [] if before is None else _entries(before, path)
    known = {entry["fingerprint"] for entry in entries}
    entries += [
        {
            "fingerprint": finding.baseline_entry,
            "rule": finding.rule,
            "path": None if finding.path is None else shown(finding.path),
            "reason": NO_REASON,
        }
        for finding in findings
        if finding.baseline_entry is not None and finding.baseline_entry not in known
    ]
    return json.dumps({"schema": SCHEMA, "findings": entries}, indent=2, ensure_ascii=False) + "\n"
