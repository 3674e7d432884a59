"""Reads what ``json_v1`` wrote of earlier pushes, for the trend (``--earlier``); the files may hold anything."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, FailFast, Field, ValidationError

from review_bot.changes.pull_request import PullRequest
from review_bot.errors import UsageError
from review_bot.findings import Severity
from review_bot.reports.json_v1 import SCHEMA
from review_bot.review.surroundings import EarlierReview
from review_bot.review.verdict import Decision
from review_bot.yaml_file import first_mistake

MOST_BYTES = 64 * 1024 * 1024
"""Bytes of a report that are read; 50,000 findings take about as many."""

_WRITE = "write it with `review-bot review --format json`"


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class _Change(_Model):
    repository: str | None
    number: int | None
    head: str | None


class _Verdict(_Model):
    decision: Decision
    score: Annotated[int, Field(ge=0, le=10)] | None = None


class _Finding(_Model):
    severity: Severity
    moved: bool
    counted: bool = False


class _Report(_Model):
    change: _Change
    verdict: _Verdict
    findings: Annotated[list[_Finding], FailFast()]  # one mistake is told; a file may hold millions


class Report(NamedTuple):
    """An earlier report: where it was read, what it reviewed (None where that has no name), and what it found."""

    path: str
    repository: str | None
    number: int | None
    review: EarlierReview


def read(path: str) -> Report:
    """Read a JSON report of version 1. Raises UsageError with the file and the field."""
    data = _data(path)
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != SCHEMA:
        found = f"its schema is {schema[:80]!r}" if isinstance(schema, str) else "it has no schema"
        raise UsageError(f"--earlier {path}: this is no report of schema {SCHEMA}, {found}; {_WRITE}")
    try:
        report = _Report.model_validate(data)
    except ValidationError as error:
        place, sentence = first_mistake(error.errors(), data)
        raise UsageError(f"--earlier {path}: {'.'.join(str(part) for part in place)}: {sentence}") from error
    still = [each.severity for each in report.findings if not each.moved and not each.counted]
    errors, warnings = still.count("error"), still.count("warning")
    review = EarlierReview(
        report.change.head,
        report.verdict.decision,
        report.verdict.score,
        errors,
        warnings,
        len(still) - errors - warnings,
    )
    return Report(path, report.change.repository, report.change.number, review)


def of_change(reports: Sequence[Report], change: PullRequest) -> tuple[EarlierReview, ...]:
    """Return what the reports tell. Raises UsageError for one of another pull request.

    A report of a branch or a diff names no pull request; whoever gives it knows what it is of.
    """
    for report in reports:
        named = (report.repository, report.number)
        wanted = (change.repository, change.number)
        if None not in named and None not in wanted and named != wanted:
            raise UsageError(
                f"--earlier {report.path}: this is a report of {named[0]}#{named[1]}, and {wanted[0]}#{wanted[1]} is "
                "under review; give reports of the same pull request"
            )
    return tuple(report.review for report in reports)


def _data(path: str) -> Any:
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise UsageError(f"--earlier {path}: this is no file; {_WRITE}")
        with open(path, "rb") as stream:
            text = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"--earlier {path}: this file cannot be read: {error.strerror}") from error
    if len(text) > MOST_BYTES:
        raise UsageError(f"--earlier {path}: this file is larger than {MOST_BYTES >> 20} MiB; leave it out")
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"--earlier {path}: this is no JSON ({error}); {_WRITE}") from error
    except RecursionError as error:
        raise UsageError(f"--earlier {path}: this is no report, it is nested too deeply; {_WRITE}") from error
