"""Outcomes to plain data and back: what one runner writes with ``--format json``, another adds up with ``--merge``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from review_bot.changes.pull_request import Unreviewed
from review_bot.errors import UsageError
from review_bot.files import json_file
from review_bot.findings import Confidence, Failure, Placement, Severity
from review_bot.forges.merged_pull_requests import MergedPullRequest, Skipped
from review_bot.records import NamedTuple
from review_bot.replay.outcome import Later, Outcome, Seen

SCHEMA = "review-bot/replay/v1"
_KIND = json_file.FileFormat("replay", SCHEMA, "review-bot replay --format json", largest=1024 * 1024 * 1024)


class Shard(NamedTuple):
    """Part ``number`` (from 1) of ``parts`` equal parts of what is replayed."""

    number: int = 1
    parts: int = 1

    def of(self, past: Sequence[MergedPullRequest]) -> list[MergedPullRequest]:
        """Return this part; parts one after the other are the whole."""
        start, end = (len(past) * each // self.parts for each in (self.number - 1, self.number))
        return list(past[start:end])

    def __str__(self) -> str:
        """Return it as it is written on a command line."""
        return f"{self.number}/{self.parts}"


def read_shard(text: str) -> Shard:
    """Read ``2/8``. Raises UsageError."""
    number, _, count = text.partition("/")
    if number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count):
        return Shard(int(number), int(count))
    raise UsageError(f"--shard takes a part and the number of parts, such as 2/8, not {text!r}")


class Recorded(NamedTuple):
    """A replay as it was written down."""

    branch: str
    rules_digest: str
    shard: Shard
    outcomes: tuple[Outcome, ...]
    skipped: tuple[Skipped, ...]


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class _Seen(_Model):
    path: str | None
    line: int | None
    rule: str
    severity: Severity
    confidence: Confidence
    placement: Placement
    moved: bool
    message: str
    changed: bool | None = None
    counted: bool = False


class _Unreviewed(_Model):
    path: str
    reason: str
    size: int | None = None


class _Failure(_Model):
    rule: str
    path: str | None
    error: str


class _Later(_Model):
    added: int
    changed: int


class _Outcome(_Model):
    """What the first versions did not write has a default: ``--against`` may read what one of them wrote."""

    number: int | None
    base: str = ""
    head: str
    title: str
    merged: bool
    landed: str | None = None
    merge_base: str | None
    files: int
    added: int
    removed: int
    decision: str | None
    passed: bool | None
    reasons: list[str] = []
    findings: list[_Seen]
    suppressed: int
    unreviewed: list[_Unreviewed] = []
    failures: list[_Failure] = []
    error: str | None
    later: _Later | None = None
    cards: list[str] = []


class _Skipped(_Model):
    name: str
    reason: str
    newer: int = 0


class _Replay(_Model):
    branch: str
    rules_digest: str
    shard: str = "1/1"
    pull_requests: list[_Outcome]
    skipped: list[_Skipped]


def outcome_data(outcome: Outcome) -> dict[str, Any]:
    """Return one outcome as plain data: all that is known of it."""
    return {
        **outcome.past._asdict(),
        "merge_base": outcome.merge_base,
        "files": outcome.files,
        "added": outcome.added,
        "removed": outcome.removed,
        "decision": outcome.decision,
        "passed": outcome.passed,
        "reasons": list(outcome.reasons),
        "comments": outcome.comments,
        "suppressed": outcome.suppressed,
        "unreviewed": [entry._asdict() for entry in outcome.unreviewed],
        "failures": [entry._asdict() for entry in outcome.failures],
        "error": outcome.error,
        "later": outcome.later._asdict() if outcome.later is not None else None,
        "cards": list(outcome.cards),
        "findings": [finding._asdict() for finding in outcome.findings],
    }


def read(path: str) -> Recorded:
    """Read a replay that was written with ``--format json``. Raises UsageError with the file and the field."""
    replay = json_file.read(path, _KIND, _Replay)
    outcomes = tuple(_outcome(record) for record in replay.pull_requests)
    skipped = tuple(Skipped(each.name, each.reason, each.newer) for each in replay.skipped)
    return Recorded(replay.branch, replay.rules_digest, read_shard(replay.shard), outcomes, skipped)


def _outcome(record: _Outcome) -> Outcome:
    return Outcome(
        past=MergedPullRequest(record.number, record.base, record.head, record.title, record.merged, record.landed),
        merge_base=record.merge_base,
        files=record.files,
        added=record.added,
        removed=record.removed,
        decision=record.decision or "",
        passed=record.passed is not False,
        reasons=tuple(record.reasons),
        findings=tuple(Seen(**each.model_dump()) for each in record.findings),
        suppressed=record.suppressed,
        unreviewed=tuple(Unreviewed(**each.model_dump()) for each in record.unreviewed),
        failures=tuple(Failure(**each.model_dump()) for each in record.failures),
        error=record.error,
        cards=tuple(record.cards),
        later=None if record.later is None else Later(record.later.added, record.later.changed),
    )


def merge(paths: Sequence[str]) -> Recorded:
    """Read the shards of one replay and put them together, in their order whatever the order of the files.

    Raises UsageError if they are not all the shards of one replay.
    """
    replays = sorted(((read(path), path) for path in paths), key=lambda pair: (pair[0].shard, pair[1]))
    first, first_path = replays[0]
    for replay, path in replays[1:]:
        if replay.rules_digest != first.rules_digest:
            raise UsageError(
                f"{first_path} and {path} were created with different rules; create both with the same version"
            )
    parts = first.shard.parts
    given = [replay.shard for replay, _ in replays]
    missing = [str(shard) for number in range(1, parts + 1) if (shard := Shard(number, parts)) not in given]
    if missing:
        raise UsageError(f"{', '.join(missing)} of the replay is missing; pass the file of every shard to --merge")
    if len(given) != parts:
        raise UsageError(f"{len(given)} files are given for {parts} shards; pass each shard to --merge once")
    return Recorded(
        first.branch,
        first.rules_digest,
        Shard(),
        tuple(outcome for replay, _ in replays for outcome in replay.outcomes),
        first.skipped,
    )
