"""Which marks still hold: the rules of today over the changes that were judged."""

from __future__ import annotations

import os
from collections.abc import Sequence

from review_bot import library, pipeline
from review_bot.errors import ReviewBotError
from review_bot.evidence.marks import Mark
from review_bot.forges.local_git import LocalGit
from review_bot.forges.merged_pull_requests import PastPullRequest
from review_bot.linters.delegation import Linters
from review_bot.replay.batches import replay_all
from review_bot.replay.outcome import Outcome, outcome_of
from review_bot.review.policy import Policy


def still_fires(marks: Sequence[Mark], folder: str) -> dict[tuple[str, ...], bool]:
    """Return for each mark, by its key, whether its finding is made today.

    A finding is the same if its rule reports the same line of the same file, or if its fingerprint is the same. Marks
    whose commits the clone does not have are left out.
    """
    rulebook = library.builtin_rulebook()
    changes = sorted({(mark.base, mark.head) for mark in marks})
    past = [PastPullRequest(None, base, head, "", merged=True) for base, head in changes]

    def review(each: PastPullRequest) -> Outcome:
        source = LocalGit(folder, base=each.base, head=each.head)
        try:
            review = pipeline.run(source, rulebook, Policy(), linters=Linters(source.settings))
            return outcome_of(each, review, in_full=True)
        except ReviewBotError as error:
            return Outcome(each, error=str(error))
        finally:
            source.close()

    outcomes = replay_all(past, review, jobs=os.cpu_count() or 1, done=lambda _count: None)
    found: dict[tuple[str, ...], bool] = {}
    by_change = {(outcome.past.base, outcome.past.head): outcome for outcome in outcomes if outcome.error is None}
    for mark in marks:
        outcome = by_change.get((mark.base, mark.head))
        if outcome is not None:
            findings = [sighting.finding for sighting in outcome.sightings]
            found[mark.key] = any(
                each.rule == mark.rule
                and (
                    (each.path, each.line, each.side) == (mark.path, mark.line, mark.side)
                    or each.fingerprint == mark.fingerprint
                )
                for each in findings
            )
    return found
