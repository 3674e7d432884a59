"""Which marks still hold: the rules of today over the changes that were judged."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, NamedTuple

from review_bot import pipeline
from review_bot.configuration import rule_registry
from review_bot.errors import ReviewBotError
from review_bot.evidence.marks import Mark
from review_bot.evidence.sampling import words_digest
from review_bot.findings import Finding, Placement
from review_bot.forges.local_git import LocalGit
from review_bot.forges.merged_pull_requests import PastPullRequest
from review_bot.linters.delegation import Linters
from review_bot.replay.batches import replay_all
from review_bot.replay.outcome import Outcome, outcome_of


class Today(NamedTuple):
    """What has become of a finding that was judged: made in the same words, in others, or not at all; and its place."""

    state: Literal["same", "reworded", "gone"]
    placement: Placement | None


def look_again(marks: Sequence[Mark], folder: str) -> dict[tuple[str, ...], Today]:
    """Return for each mark, by its key, what has become of its finding.

    A finding is the same if its rule reports the same line of the same file, or if its fingerprint is the same. Marks
    whose commits the clone does not have are left out.
    """
    rulebook = rule_registry.builtin_rulebook()
    changes = sorted({(mark.base, mark.head) for mark in marks})
    past = [PastPullRequest(None, base, head, "", merged=True) for base, head in changes]

    def review(each: PastPullRequest) -> Outcome:
        source = LocalGit(folder, base=each.base, head=each.head)
        try:
            review = pipeline.run_review(source, pipeline.ReviewRequest(rulebook, linters=Linters(source.settings)))
            return outcome_of(each, review, in_full=True)
        except ReviewBotError as error:
            return Outcome(each, error=str(error))
        finally:
            source.close()

    outcomes = replay_all(past, review, jobs=os.cpu_count() or 1, done=lambda _count: None)
    by_change = {(outcome.past.base, outcome.past.head): outcome for outcome in outcomes if outcome.error is None}
    found: dict[tuple[str, ...], Today] = {}
    for mark in marks:
        outcome = by_change.get((mark.base, mark.head))
        if outcome is not None:
            found[mark.key] = _today(mark, [sighting.finding for sighting in outcome.sightings])
    return found


def _today(mark: Mark, findings: Sequence[Finding]) -> Today:
    here = (mark.path, mark.line, mark.side)
    made = [
        finding
        for finding in findings
        if finding.rule == mark.rule
        and ((finding.path, finding.line, finding.side) == here or finding.fingerprint == mark.fingerprint)
    ]
    if not made:
        return Today("gone", None)
    same = [finding for finding in made if words_digest(finding) == mark.words]
    return Today("same" if same else "reworded", (same or made)[0].placement)
