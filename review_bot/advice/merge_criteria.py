"""The merge criteria of a pull request: what is still open, what was proven, and what a person decides.

They explain the verdict and what people add to it; they do not affect it. One is ticked only where it holds for the
whole change: that no rule reported anything ticks none. CI, conversations and owners are criteria and never findings,
since the text of a change does not show them.
"""

from __future__ import annotations

from review_bot.findings import SEVERITIES, SEVERITY_WORDS, Finding, Severity
from review_bot.records import NamedTuple
from review_bot.review.context import Overlap, OverlapReport
from review_bot.review.reach import files_of
from review_bot.review.review import Review
from review_bot.text.listing import count


class Criterion(NamedTuple):
    """One criterion. ``met`` is None if only a person can decide; ``open``: what is missing, plain text.

    ``proof``: what proves one that is met.
    """

    id: str
    text: str
    met: bool | None
    open: tuple[str, ...] = ()
    proof: str = ""


def criteria(review: Review) -> tuple[Criterion, ...]:
    """Return the criteria that apply to this change, most severe first."""
    return (*_reviewed(review), *_open(review), *_prerequisites(review), *_status(review))


def _reviewed(review: Review) -> list[Criterion]:
    """Return whether rules for its language read each file; what they did not read a person has to."""
    seen = review.examination
    missing = [entry.path for entry in review.unreviewed] + [entry.rule for entry in seen.failures]
    if missing:
        return [Criterion("reviewed", "everything reviewed", met=False, open=tuple(dict.fromkeys(missing)))]
    unread = [entry.path for entry in review.allowed_unreviewed] + [entry.path for entry in seen.no_text]
    unread += [entry.path for entry in review.reach.without_rules] + [*review.reach.data_files, *seen.ignored]
    unread += [entry.path for entry in seen.left_out]
    unread += [entry.rule for entry in seen.not_run if not entry.concerns_linters]
    if unread:
        text = "everything that no rule covers was reviewed by a person"
        return [Criterion("reviewed", text, met=None, open=tuple(dict.fromkeys(unread)))]
    ran = ", ".join(
        f"{count(each.rules, 'rule')} on {files_of(each.language, each.files)}" for each in review.reach.languages
    )
    return [Criterion("reviewed", "rules ran on every file", met=True, proof=ran)] if ran else []


SEVERITY_OF: dict[str, Severity] = {word.replace(" ", "-"): severity for severity, word in SEVERITY_WORDS.items()}
"""The severity of the findings that a criterion is about, by its id."""

_TEXTS: dict[Severity, str] = {
    "error": "all errors resolved",
    "warning": "all warnings resolved or declined",
    "info": "all info findings resolved",
    "hint": "all hints resolved",
}


def _open(review: Review) -> list[Criterion]:
    """Return a criterion for each severity that is still open, down to ``warning`` or to ``fail-on``."""
    fail_on = review.verdict.fail_on
    last = max(SEVERITIES.index("warning"), 0 if fail_on == "never" else SEVERITIES.index(fail_on))
    found = []
    for name, severity in SEVERITY_OF.items():
        titles = dict.fromkeys(each.title.rstrip(".") for each in open_findings(review, severity))
        if titles and SEVERITIES.index(severity) <= last:
            found.append(Criterion(name, _TEXTS[severity], met=False, open=tuple(titles)))
    return found


def open_findings(review: Review, severity: Severity) -> list[Finding]:
    """Return the findings of a severity that a criterion waits for: errors even if a person declined them."""
    return [each for each in (review.listed if severity == "error" else review.to_do) if each.severity == severity]


def needed(overlaps: OverlapReport) -> tuple[Overlap, ...]:
    """Return what other pull requests add that this change imports and that does not exist yet."""
    return tuple(each for each in overlaps.found if each.relation in {"adds-module", "adds-name"})


def needed_numbers(overlaps: OverlapReport) -> tuple[int, ...]:
    """Return the pull requests that must be merged before this one."""
    return tuple(dict.fromkeys(each.number for each in needed(overlaps)))


def _prerequisites(review: Review) -> list[Criterion]:
    overlaps = review.context.overlaps
    first = () if overlaps is None else needed(overlaps)
    if not first:
        return []
    brought: dict[int, list[str]] = {}
    for each in first:
        brought.setdefault(each.number, []).append(each.subject)
    lacking = tuple(f"#{number} for {', '.join(dict.fromkeys(subjects))}" for number, subjects in brought.items())
    return [Criterion("prerequisites", "required pull requests merged", met=False, open=lacking)]


def _status(review: Review) -> list[Criterion]:
    status, owners = review.context.status, review.context.owners
    found = []
    if status is not None and status.ci not in {None, "none"}:
        lacking = status.failing or (("still running",) if status.ci == "pending" else ())
        passed = status.ci == "passed"
        proof = "as GitHub reported them for this commit" if passed else ""
        found.append(Criterion("ci-status", "all other checks passed", passed, lacking, proof))
    if status is not None and status.unresolved is not None:
        number = status.unresolved
        lacking = (f"{number} open",) if number else ()
        proof = "" if number else "GitHub lists no other open conversation"
        text = "all other conversations resolved"
        found.append(Criterion("unresolved-threads", text, not number, lacking, proof))
    if owners is not None and owners.owned:
        people = tuple(dict.fromkeys(name for entry in owners.owned for name in entry.owners))
        by = None if status is None else status.approved_by
        each_file = [_approved(entry.owners, by) for entry in owners.owned]
        approved = False if False in each_file else None if None in each_file else True
        proof = f"approved by {', '.join(by or ())}" if approved else ""
        text = "each owned file approved by an owner"
        found.append(Criterion("domain-owner", text, approved, () if approved else people, proof))
    return found


def _approved(people: tuple[str, ...], approved_by: tuple[str, ...] | None) -> bool | None:
    """Return whether one of the owners approved, None if unknown: the members of a team are not available here."""
    if approved_by is None:
        return None
    names = {name.removeprefix("@").lower() for name in people}
    if names & {name.lower() for name in approved_by}:
        return True
    return None if any("/" in name for name in names) else False
