"""What reports show besides the findings: measures, scores, the areas a change touches, questions for a person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from review_bot.assessment.metrics import Metrics, measure
from review_bot.assessment.review_areas import AreaSeen, FocusMap, SelectedQuestion, areas_of, select_questions
from review_bot.assessment.scorecard import Scorecard, score
from review_bot.changes.profile import FileProfile
from review_bot.changes.pull_request import PullRequest
from review_bot.findings import Finding
from review_bot.records import NamedTuple

if TYPE_CHECKING:
    from review_bot.coverage.added_lines import Coverage


class Guide(NamedTuple):
    """What an assessment goes by: areas and cards, and the aspects in which rules had something to look at.

    ``coverage``: what reports say of the added lines, None without one.
    """

    focus: FocusMap = FocusMap()
    aspects: tuple[str, ...] = ()
    coverage: Coverage | None = None


class Assessment(NamedTuple):
    """A change, assessed. ``checklist``: the most telling card first."""

    metrics: Metrics
    scorecard: Scorecard
    areas: tuple[AreaSeen, ...] = ()
    checklist: tuple[SelectedQuestion, ...] = ()


def assess(
    pull_request: PullRequest,
    profiles: Sequence[FileProfile],
    findings: Iterable[Finding],
    guide: Guide,
    *,
    complete: bool,
    silenced: Iterable[Finding],
) -> Assessment:
    """Assess a change by what was counted in its files and by its open findings; ``silenced``: those set aside."""
    counted = sorted(findings, key=lambda f: (f.path or "", f.line or 0, f.rule))
    metrics = measure(pull_request, profiles, counted, guide.coverage)
    return Assessment(
        metrics,
        score(counted, metrics, guide.aspects, complete=complete),
        areas_of(guide.focus, profiles, pull_request.files),
        select_questions(guide.focus, profiles, pull_request.files, counted, silenced),
    )
