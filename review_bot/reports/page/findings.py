"""The findings by rule, and the values of the controls that filter them."""

from __future__ import annotations

from collections import Counter

from review_bot.findings import ASPECTS, SEVERITIES, Finding, Related
from review_bot.records import NamedTuple
from review_bot.reports import wording
from review_bot.reports.content.snippets import Snippet, change_lines, cut, line_of
from review_bot.reports.page.listing import Listing
from review_bot.review.redaction import Redactor
from review_bot.review.review import Review

MOST_SUGGESTIONS = 500
"""Suggestions shown as a diff."""

MOST_SNIPPETS = 200
"""Findings shown with their code."""

MOST_SNIPPETS_OF_RULE = 3

MOST_RELATED = 5
MOST_STEPS = 20
"""Steps that lead to a finding."""

_NO_CODE = Snippet((), 0)


class Filters(NamedTuple):
    """The values of each control with their numbers of findings; a value, its text, its number."""

    severities: list[tuple[str, int]]
    aspects: list[tuple[str, str, int]]
    rules: list[tuple[str, str, int]]
    files: list[tuple[str, str, int]]


class StepView(NamedTuple):
    """A step that leads to a finding, with its line of code if the diff shows it."""

    place: Related
    code: Snippet


class FindingView(NamedTuple):
    """A finding. ``file``: the position of its file in the control; ``suggestion``: its lines as a diff.

    ``code``: its lines with their neighbours, if it has no suggestion.
    """

    finding: Finding
    number: int
    file: int
    place: str
    steps: tuple[StepView, ...]
    related: tuple[Related, ...]
    more_related: int
    suggestion: tuple[tuple[str, str], ...]
    suggestion_place: str
    code: Snippet


class TopicView(NamedTuple):
    """Findings of a rule. ``text``: the message if all share it; ``one_way``: they share reason and fix."""

    first: Finding
    text: str
    one_way: bool
    findings: list[FindingView]


def filters(listing: Listing) -> Filters:
    """Return the values of the controls."""
    findings = [finding for topic in listing.topics for finding in topic.findings]
    severities = Counter(finding.severity for finding in findings)
    aspects = Counter(finding.aspect for finding in findings)
    paths = Counter(finding.path or "" for finding in findings)
    rules = Counter(finding.rule for finding in findings)
    order = [aspect for aspect in ASPECTS if aspect in aspects] + sorted(set(aspects) - set(ASPECTS))
    return Filters(
        [(severity, severities[severity]) for severity in SEVERITIES if severities[severity]],
        [(name, name, aspects[name]) for name in order],
        [(name, name, rules[name]) for name in sorted(rules)],
        [(name, name or "the whole change", paths[name]) for name in sorted(paths)],
    )


def topics(review: Review, listing: Listing, redactor: Redactor) -> list[TopicView]:
    """Return the findings by rule; at most ``MOST_SUGGESTIONS`` of them show their suggestion.

    A few of each rule show their code, at most ``MOST_SNIPPETS``.
    """
    change = review.pull_request
    paths = sorted({finding.path or "" for topic in listing.topics for finding in topic.findings})
    files = {path: index for index, path in enumerate(paths)}
    room, room_for_code = MOST_SUGGESTIONS, MOST_SNIPPETS
    views = []
    for topic in listing.topics:
        first = topic.first
        found: list[FindingView] = []
        for each in topic.findings:
            suggestion: tuple[tuple[str, str], ...] = ()
            if room and each.suggestion is not None and each.path is not None:
                suggestion = change_lines(change, each.path, each.suggestion, redactor)
            room -= bool(suggestion)
            code = _NO_CODE
            if room_for_code and not suggestion and len(found) < MOST_SNIPPETS_OF_RULE:
                code = cut(review, each, redactor)
            room_for_code -= bool(code.lines)
            related = (*each.same_elsewhere, *each.see_also)
            found.append(
                FindingView(
                    each,
                    listing.numbers[id(each)],
                    files[each.path or ""],
                    wording.place(each),
                    tuple(StepView(step, line_of(change, step, redactor)) for step in each.steps[:MOST_STEPS]),
                    related[:MOST_RELATED],
                    max(len(related) - MOST_RELATED, 0),
                    suggestion,
                    wording.suggestion_place(each),
                    code,
                )
            )
        same = all(each.message == first.message for each in topic.findings)
        one_way = len({(each.why, each.instead) for each in topic.findings}) == 1
        views.append(TopicView(first, topic.text if same else "", one_way, found))
    return views
