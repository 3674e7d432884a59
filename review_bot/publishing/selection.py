"""Which findings get a comment of their own, and which share one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from review_bot.findings import Finding, Severity, at_least, order
from review_bot.publishing.anchors import is_in_diff
from review_bot.publishing.comment_updates import unseen
from review_bot.publishing.matching import Matched, MatchedComment
from review_bot.publishing.plan_input import PlanInput
from review_bot.reports.comments import MOST_TOGETHER
from review_bot.reports.content import topics
from review_bot.reports.content.topics import MOST_ALONE, Topic
from review_bot.reports.summary_comment import WithheldFindings

_GroupKey = tuple[str, str | None, Severity, bool]

QUIET = "comments are posted when the draft is ready for review"


def deserves_comment(given: PlanInput, finding: Finding) -> bool:
    """Return whether a finding is worth a comment and the diff has a place for it; a nit or a declined one never is."""
    file = given.files.get(finding.path or "")
    if file is None or finding.moved or finding.placement == "summary" or finding.fingerprint in given.declined:
        return False
    if not finding.always_on_line and not at_least(finding.severity, given.settings.posting.comment_on):
        return False
    return finding.placement == "file" or is_in_diff(file, finding)


def _group_key(finding: Finding) -> _GroupKey:
    return finding.rule, finding.path, finding.severity, finding.placement == "file"


def join(given: PlanInput, matched: Matched) -> tuple[list[MatchedComment], list[Finding]]:
    """Let new findings join the oldest comment that lists several of their rule in their file.

    Returns the threads, and the findings that deserve a comment and have none. A comment that will be left as it is
    because not all of it was looked for takes no finding that it does not name; nor does one that is hidden since its
    findings were declined.
    """
    threads, rest = [], list(matched.rest)
    for thread in matched.threads:
        if thread.gone and unseen(given, thread):
            rest += [finding for finding in thread.findings if finding.fingerprint not in thread.posted.fingerprints]
        threads.append(thread._replace(findings=tuple(each for each in thread.findings if each not in rest)))
    left = [finding for finding in rest if deserves_comment(given, finding)]
    joined = []
    for thread in threads:
        mine: list[Finding] = []
        hidden = any(finding.fingerprint in given.declined for finding in thread.findings)
        if len(thread.posted.fingerprints) > 1 and thread.findings and not hidden and not unseen(given, thread):
            mine = [finding for finding in left if _group_key(finding) == _group_key(thread.findings[0])]
            mine = mine[: max(MOST_TOGETHER - len(thread.findings), 0)]
            left = [finding for finding in left if finding not in mine]
        joined.append(thread._replace(findings=tuple(sorted((*thread.findings, *mine), key=order))))
    return joined, left


def group(threads: Iterable[MatchedComment], rest: Iterable[Finding]) -> tuple[list[Topic], int]:
    """Part new findings: up to three of a rule in a file get a comment each, more share one.

    Also return how many find no room in it, since one comment lists ``MOST_TOGETHER`` at most.
    """
    there = Counter(_group_key(finding) for thread in threads for finding in thread.findings)
    shared: list[Topic] = []
    overflow = 0
    for topic in topics.group(rest, by_path=True):
        number = there[_group_key(topic.first)]
        same = topic.findings[:MOST_TOGETHER] if number < MOST_TOGETHER else ()
        overflow += len(topic.findings) - len(same)
        alone = len(same) == 1 or len(same) + number <= MOST_ALONE
        shared += [Topic((finding,)) for finding in same] if alone else [Topic(same)] if same else []
    return shared, overflow


def choose(
    given: PlanInput, threads: Iterable[MatchedComment], groups: Sequence[Topic], overflow: int
) -> tuple[list[Topic], list[WithheldFindings]]:
    """Return what to post, in the order of reading, and what is held back.

    A comment is posted if it is among the ``max_comments`` most severe of all, posted or not: a second run posts no
    more, and a grave finding is not kept out by light ones that came before.
    """
    if given.settings.posting.comments != "line":
        return [], []
    refused = {fingerprint: reason for names, reason in given.context.withheld.items() for fingerprint in names}
    held: Counter[str] = Counter()
    possible: list[Topic] = []
    for each in groups:
        reason = next(
            (refused[name] for name in each.fingerprints if name in refused), QUIET if given.settings.quiet else ""
        )
        if reason:
            held[reason] += len(each.findings)
        else:
            possible.append(each)
    ranks = [order(thread.findings[0]) for thread in threads if thread.findings]
    ranks = sorted([*ranks, *(order(each.findings[0]) for each in possible)])
    gravest = set(ranks[: max(given.settings.posting.max_comments, 0)])
    fresh = [each for each in possible if order(each.findings[0]) in gravest]
    over = sum(len(each.findings) for each in possible) - sum(len(each.findings) for each in fresh)
    if overflow:
        held[f"a comment lists at most {MOST_TOGETHER} findings"] += overflow
    if over:
        held[f"`max-comments` is {given.settings.posting.max_comments}, most severe first"] += over
    fresh.sort(key=lambda each: (each.findings[0].path or "", each.findings[0].line or 0, order(each.findings[0])))
    return fresh, [WithheldFindings(number, reason) for reason, number in sorted(held.items())]
