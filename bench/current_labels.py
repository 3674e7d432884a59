"""Which labels still hold: the current rules over the changes that were judged."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, NamedTuple

from review_bot.configuration import rule_registry
from review_bot.findings import Finding, Placement
from review_bot.forges.merged_pull_requests import MergedPullRequest
from review_bot.replay.past_review import review_commits, review_each
from rule_lab.labels import Label
from rule_lab.sampling import words_digest


class Today(NamedTuple):
    """A judged finding under the current rules: reported with the same text, with another text, or not; and where."""

    state: Literal["same", "reworded", "gone"]
    placement: Placement | None


def look_again(labels: Sequence[Label], folder: str) -> dict[tuple[str, ...], Today]:
    """Return the current state of each label's finding, by the key of the label.

    A finding is the same if its rule reports the same line of the same file, or if its fingerprint is the same. Labels
    whose commits the clone does not have are left out.
    """
    rulebook = rule_registry.builtin_rulebook()
    changes = sorted({(label.base, label.head) for label in labels})
    past = [MergedPullRequest(None, base, head, "", merged=True) for base, head in changes]

    def review(each: MergedPullRequest) -> list[Finding]:
        findings = review_commits(folder, each.base, each.head, rulebook).findings
        return [finding for finding in findings if not finding.moved]

    reviewed = review_each(past, review, lambda *_: None, jobs=os.cpu_count() or 1, done=lambda _count: None)
    by_change = dict(zip(changes, reviewed, strict=True))
    found: dict[tuple[str, ...], Today] = {}
    for label in labels:
        findings = by_change[label.base, label.head]
        if findings is not None:
            found[label.key] = _today(label, findings)
    return found


def _today(label: Label, findings: Sequence[Finding]) -> Today:
    here = (label.path, label.line, label.side)
    made = [
        finding
        for finding in findings
        if finding.rule == label.rule
        and ((finding.path, finding.line, finding.side) == here or finding.fingerprint == label.fingerprint)
    ]
    if not made:
        return Today("gone", None)
    same = [finding for finding in made if words_digest(finding) == label.words]
    return Today("same" if same else "reworded", (same or made)[0].placement)
