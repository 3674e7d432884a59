"""``SUGGESTED_FIXES.md``: what can be applied at once, each as a diff; then what a person must do, and in which order.

A fix is listed only if it was verified together with all others (``engine/fixing.py``). Small things that other
reports count are named with their places and no diff of their own; ``fixes.patch`` has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from review_bot.assessment.metrics import effort_minutes
from review_bot.changes.pull_request import PullRequest
from review_bot.findings import Finding
from review_bot.records import NamedTuple
from review_bot.reports import excerpt, wording
from review_bot.reports.content import snippets
from review_bot.reports.content.fixes import VerifiedFix, fix_list
from review_bot.reports.content.topics import Topic, group
from review_bot.reports.markdown import Code, Fence, Several, entry, environment, fitted, name, prose
from review_bot.review.redaction import Redactor, redactor
from review_bot.review.review import Review

LONGEST = 200_000
"""UTF-8 bytes of the document."""

SIZES = ((200, 3), (60, 2), (20, 1), (5, 1))
"""(fixes and topics, places of a topic in full): the next pair is tried when the text is too long."""

MOST_PLACES = 20


class FixView(NamedTuple):
    """A fix to apply; ``diff`` is None where its lines are not in the diff, or must not be shown."""

    title: str
    word: str
    time: str
    place: Code
    rule: Code
    instead: str
    diff: Fence | None
    diff_place: str
    also: Several


class SmallView(NamedTuple):
    """Fixes of one rule that other reports only count."""

    title: str
    rule: Code
    number: int
    places: Several
    more: int


class TaskView(NamedTuple):
    """What a person must do: findings of a rule; ``details``: place, text and code of the first ones."""

    title: str
    word: str
    time: str
    rule: Code
    number: int
    text: str
    instead: str
    details: tuple[tuple[Code | str, str, Fence | None], ...]
    places: Several
    more: int


def render(review: Review) -> str:
    """Return the document, at most ``LONGEST`` bytes."""
    if said := wording.empty(review):
        return f"# Suggested fixes\n\n{prose(said)}\n"
    return fitted(
        environment().get_template("suggested_fixes.md.j2").render,
        lambda entries, places: _values(review, entries, places),
        SIZES,
        LONGEST,
    )


def _values(review: Review, entries: int, places: int) -> dict[str, Any]:
    hidden = redactor(review)
    listed = fix_list(review)
    # By path and line within a severity.
    placed = (each for each in listed.verified if each.findings)
    proven = sorted(placed, key=lambda each: each.findings[0].rank)
    shown = [each for each in proven if not each.findings[0].counted]
    by_hand = [each.findings[0] for each in shown]  # what a person saves
    small = [each.findings[0] for each in proven if each.findings[0].counted]
    settled = {fingerprint for each in proven for fingerprint in each.fix.fingerprints}
    left = [each for each in review.to_do if each.serious and each.fingerprint not in settled]
    tasks = sorted(group(left), key=_quick_first)
    change = review.pull_request
    lighter = [each for each in review.to_do if not each.serious]
    return {
        "what": _what(change),
        "asked": review.fixes is not None,
        "head": Code(wording.revision(change.head)) if change.head else None,
        "number": len(proven),
        "files": len({each.fix.path for each in proven}),
        "proven_minutes": effort_minutes(by_hand),
        "proven_time": wording.about(effort_minutes(by_hand)),
        "fixes": [
            _fix(review, each, hidden, time) for each, time in zip(shown[:entries], _times(by_hand), strict=False)
        ],
        "fixes_rest": max(0, len(shown) - entries),
        "small": [_small(topic) for topic in group(small)],
        "tasks": [_task(review, topic, hidden, places) for topic in tasks[:entries]],
        "tasks_rest": max(0, len(tasks) - entries),
        "tasks_time": wording.about(effort_minutes(left)),
        "tasks_number": len(left),
        "skipped": [entry(each) for each in listed.skipped[:entries]],
        "skipped_rest": max(0, len(listed.skipped) - entries),
        "lighter": sum(each.fingerprint not in settled for each in lighter),
    }


def _times(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield what each finding adds to the time of those before it, so that the times make up the sum."""
    before = 0
    for number in range(1, len(findings) + 1):
        together = effort_minutes(findings[:number])
        yield wording.duration(together - before) if together > before else ""
        before = together


def _what(change: PullRequest) -> Code | str:
    if change.number is not None:
        return f"pull request {change.number}"
    return Code(wording.revision(change.head)) if change.head else "the change"


def _quick_first(topic: Topic) -> tuple[int, int, str]:
    return topic.first.rank, effort_minutes(topic.findings), topic.first.rule


def _fix(review: Review, verified: VerifiedFix, hidden: Redactor, time: str) -> FixView:
    fix, (finding, *others), place = verified
    lines = snippets.change_lines(review.pull_request, fix.path, fix.suggestion, hidden)
    return FixView(
        finding.title,
        finding.severity,
        time,
        name(place),
        Code(finding.rule),
        finding.instead,
        excerpt.change(lines, fix.suggestion.replacement),
        wording.suggestion_place(finding),
        Several(name(f"{each.rule} at {wording.place(each)}") for each in others[:MOST_PLACES]),
    )


def _small(topic: Topic) -> SmallView:
    places = [name(wording.place(each)) for each in topic.findings[:MOST_PLACES]]
    return SmallView(
        topic.first.title,
        Code(topic.first.rule),
        len(topic.findings),
        Several(places),
        len(topic.findings) - len(places),
    )


def _task(review: Review, topic: Topic, hidden: Redactor, most: int) -> TaskView:
    first = topic.first
    details = tuple(
        (
            excerpt.at(each),
            "" if each.message == topic.text else each.message,
            excerpt.around(snippets.cut(review, each, hidden).lines),
        )
        for each in topic.places[:most]
    )
    rest = topic.places[most : most + MOST_PLACES]
    return TaskView(
        first.title,
        first.severity,
        wording.duration(effort_minutes(topic.findings)),
        Code(first.rule),
        len(topic.findings),
        topic.text if topic.text.rstrip(".") != first.title.rstrip(".") else "",
        first.instead,
        details,
        Several(name(wording.place(each)) for each in rest),
        max(0, len(topic.places) - most - len(rest)),
    )
