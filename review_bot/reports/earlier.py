"""Reads the JSON reports of earlier pushes for the trend (``--earlier``); the files are untrusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, FailFast, Field

from review_bot.changes.pull_request import PullRequest
from review_bot.errors import UsageError
from review_bot.files import json_file
from review_bot.findings import Severity
from review_bot.records import NamedTuple
from review_bot.reports.json_v1 import SCHEMA
from review_bot.review.context import EarlierReview
from review_bot.review.verdict import Decision

_KIND = json_file.FileFormat("report", SCHEMA, "review-bot review --format json")


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
    findings: Annotated[list[_Finding], FailFast()]  # only the first error is reported; a file may hold millions


class Report(NamedTuple):
    """An earlier report: where it was read, what it reviewed (None where that has no name), and what it found."""

    path: str
    repository: str | None
    number: int | None
    review: EarlierReview


def read(path: str) -> Report:
    """Read a JSON report of version 1. Raises UsageError with the file and the field."""
    report = json_file.read(path, _KIND, _Report, flag="--earlier")
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
    """Return the reviews of the reports. Raises UsageError for one of another pull request.

    A report of a branch or a diff names no pull request and is accepted.
    """
    for report in reports:
        named = (report.repository, report.number)
        wanted = (change.repository, change.number)
        if None not in named and None not in wanted and named != wanted:
            raise UsageError(
                f"--earlier {report.path}: the report is for {named[0]}#{named[1]}, not for {wanted[0]}#{wanted[1]}; "
                "pass reports of the pull request under review"
            )
    return tuple(report.review for report in reports)
