"""The merge criteria of a pull request, each ticked once it is met.

They explain the verdict and what people add to it; they do not affect it. CI, conversations and owners are criteria
and never findings, since the text of a change does not show them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from review_bot.findings import SEVERITIES, SEVERITY_WORDS, Finding, Severity
from review_bot.review.context import Overlap, OverlapReport
from review_bot.review.review import Review

CRITERIA = (
    "reviewed",
    "must-fix",
    "should-fix",
    "consider",
    "nit",
    "prerequisites",
    "ci-status",
    "unresolved-threads",
    "domain-owner",
)
"""The ids of all criteria, most severe first."""


class Criterion(NamedTuple):
    """One criterion. ``met`` is None if only a person can decide; ``open``: what is missing, plain text."""

    id: str
    text: str
    met: bool | None
    open: tuple[str, ...] = ()


def criteria(review: Review) -> tuple[Criterion, ...]:
    """Return the criteria that apply to this change, most severe first."""
    unreviewed = [entry.path for entry in review.unreviewed] + [entry.rule for entry in review.examination.failures]
    found = [
        Criterion("reviewed", "everything reviewed", not unreviewed, tuple(dict.fromkeys(unreviewed))),
        _settled("must-fix", "all errors resolved", review.listed, "error"),
        _settled("should-fix", "all warnings resolved or declined", review.to_do, "warning"),
        *_lighter(review),
    ]
    return (*found, *_prerequisites(review), *_standing(review))


def _settled(name: str, text: str, listed: Iterable[Finding], severity: Severity) -> Criterion:
    still = [each for each in listed if each.severity == severity]
    return Criterion(name, text, not still, tuple(dict.fromkeys(each.title.rstrip(".") for each in still)))


def _lighter(review: Review) -> list[Criterion]:
    """Return the criteria that a ``fail-on`` stricter than ``warning`` adds."""
    reached = () if review.verdict.fail_on == "never" else SEVERITIES[: SEVERITIES.index(review.verdict.fail_on) + 1]
    texts: dict[Severity, str] = {"info": "all info findings resolved", "hint": "all hints resolved"}
    return [_settled(SEVERITY_WORDS[each], texts[each], review.listed, each) for each in reached if each in texts]


def needed(neighbours: OverlapReport) -> tuple[Overlap, ...]:
    """Return what other pull requests add that this change imports and that does not exist yet."""
    return tuple(each for each in neighbours.found if each.relation in {"adds-module", "adds-name"})


def needed_numbers(neighbours: OverlapReport) -> tuple[int, ...]:
    """Return the pull requests that must be merged before this one."""
    return tuple(dict.fromkeys(each.number for each in needed(neighbours)))


def _prerequisites(review: Review) -> list[Criterion]:
    neighbours = review.context.overlaps
    first = () if neighbours is None else needed(neighbours)
    if not first:
        return []
    brought: dict[int, list[str]] = {}
    for each in first:
        brought.setdefault(each.number, []).append(each.subject)
    lacking = tuple(f"#{number} for {', '.join(dict.fromkeys(subjects))}" for number, subjects in brought.items())
    return [Criterion("prerequisites", "required pull requests merged", met=False, open=lacking)]


def _standing(review: Review) -> list[Criterion]:
    standing, owners = review.context.status, review.context.owners
    found = []
    if standing is not None and standing.ci not in {None, "none"}:
        lacking = standing.failing or (("still running",) if standing.ci == "pending" else ())
        found.append(Criterion("ci-status", "all other checks passed", standing.ci == "passed", lacking))
    if standing is not None and standing.unresolved is not None:
        number = standing.unresolved
        lacking = (f"{number} open",) if number else ()
        found.append(Criterion("unresolved-threads", "all conversations resolved", not number, lacking))
    if owners is not None and owners.owned:
        people = tuple(dict.fromkeys(name for entry in owners.owned for name in entry.owners))
        approved = None if standing is None else _approved(people, standing.approved_by)
        found.append(Criterion("domain-owner", "approved by a code owner", approved, () if approved else people))
    return found


def _approved(people: tuple[str, ...], approved_by: tuple[str, ...] | None) -> bool | None:
    """Return whether one of the owners approved, None if unknown: the members of a team are not available here."""
    if approved_by is None:
        return None
    names = {name.removeprefix("@").lower() for name in people}
    if names & {name.lower() for name in approved_by}:
        return True
    return None if any("/" in name for name in names) else False
