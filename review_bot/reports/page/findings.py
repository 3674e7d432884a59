"""The findings by rule, with the controls that filter them; without a script all of them are there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from review_bot.changes.pull_request import PullRequest
from review_bot.findings import ASPECTS, SEVERITIES, Finding, Related
from review_bot.reports import wording
from review_bot.reports.outline import Topic
from review_bot.reports.page.diff import Drawn
from review_bot.reports.page.hypertext import Content, Html, code, element, join, link, path, prose
from review_bot.reports.page.listing import Listing
from review_bot.reports.snippet import change_lines
from review_bot.review.redaction import Redactor

MOST_SUGGESTIONS = 500
"""Suggestions shown as a diff."""

MOST_RELATED = 5


def controls(listing: Listing) -> Html:
    """Return the controls, hidden until our script makes them work."""
    findings = [finding for topic in listing.topics for finding in topic.findings]
    severities = Counter(finding.severity for finding in findings)
    boxes = [
        element(
            "label",
            {"class": f"box {severity}"},
            element("input", {"type": "checkbox", "name": "severity", "value": severity}),
            element("span", None, f"{severity} {severities[severity]:,}"),
        )
        for severity in SEVERITIES
        if severities[severity]
    ]
    aspects = Counter(finding.aspect for finding in findings)
    paths = Counter(finding.path or "" for finding in findings)
    rules = Counter(finding.rule for finding in findings)
    order = [aspect for aspect in ASPECTS if aspect in aspects] + sorted(set(aspects) - set(ASPECTS))
    return element(
        "form",
        {"class": "filters", "id": "filters", "role": "search", "aria-label": "Filter the findings", "hidden": True},
        element("fieldset", None, element("legend", {"class": "unseen"}, "Severity"), *boxes),
        _choice("aspect", "Aspect", ((name, name, aspects[name]) for name in order)),
        _choice("rule", "Rule", ((name, name, rules[name]) for name in sorted(rules))),
        _choice("file", "File", ((name, name or "the whole change", paths[name]) for name in sorted(paths))),
        element(
            "label",
            {"class": "words"},
            element("span", None, "Words"),
            element("input", {"type": "search", "name": "words", "placeholder": "in title, text or path"}),
        ),
        element("button", {"type": "reset"}, "Show all"),
        element("output", {"id": "count", "aria-live": "polite", "aria-atomic": "true", "for": "filters"}),
    )


def _choice(name: str, label: str, options: Iterable[tuple[str, str, int]]) -> Html:
    every = element("option", {"value": "*"}, f"all {label.lower()}s")
    return element(
        "label",
        None,
        element("span", None, label),
        element(
            "select",
            {"name": name},
            every,
            *(element("option", {"value": value}, f"{shown} ({number:,})") for value, shown, number in options),
        ),
    )


class Shelf:
    """Writes the findings of a review; keeps account of the suggestions that are shown."""

    def __init__(self, change: PullRequest, listing: Listing, drawn: Drawn, redactor: Redactor) -> None:
        """Give each file its number, which is its place in the control for files."""
        self._change, self._listing, self._drawn, self._redactor = change, listing, drawn, redactor
        paths = sorted({finding.path or "" for topic in listing.topics for finding in topic.findings})
        self._files = {path: index for index, path in enumerate(paths)}
        self._suggestions = 0

    def write(self) -> Html:
        """Return all topics."""
        return join(self._topic(topic) for topic in self._listing.topics)

    def _topic(self, topic: Topic) -> Html:
        first = topic.first
        shared = topic.text if all(each.message == first.message for each in topic.findings) else ""
        same = {(each.why, each.instead) for each in topic.findings}
        number = wording.count(len(topic.findings), "finding")
        each = " each" if len(topic.findings) > 1 else ""
        return element(
            "section",
            {
                "class": f"topic {first.severity}",
                "data-severity": first.severity,
                "data-aspect": first.aspect,
                "data-rule": first.rule,
            },
            element(
                "h3",
                None,
                element("span", {"class": f"tag {first.severity}"}, first.severity),
                " ",
                prose(first.title.rstrip(".")),
            ),
            element(
                "p",
                {"class": "meta"},
                link(first.url, element("code", None, first.rule)),
                f" · {first.aspect} · ",
                element("span", {"class": "number"}, number),
                f" · {wording.duration(first.effort_minutes)}{each}" if first.effort_minutes else None,
                "" if first.confidence == "high" else f" · {first.confidence} confidence",
            ),
            element("p", None, prose(shared)) if shared else None,
            *(_advice(first) if len(same) == 1 else ()),
            element(
                "ul",
                {"class": "places"},
                *(self._finding(each, told=bool(shared), advised=len(same) == 1) for each in topic.findings),
            ),
        )

    def _finding(self, finding: Finding, *, told: bool, advised: bool) -> Html:
        number = self._listing.number(finding)
        place = path(wording.place(finding))
        where: Content = "The whole change" if finding.path is None else place
        if number in self._drawn.notes:
            where = link(f"#c{number}", place)
        return element(
            "li",
            {"id": f"f{number}", "data-file": self._files[finding.path or ""]},
            where,
            None if told else join((" ", element("span", {"class": "said"}, prose(finding.message)))),
            None if advised else join(_advice(finding)),
            self._related(finding.related),
            self._suggestion(finding),
        )

    def _related(self, related: tuple[Related, ...]) -> Html | None:
        if not related:
            return None
        places = [
            join(
                (
                    self._drawn.link(each.path, each.line, f"{each.path}:{each.line}" if each.line else each.path),
                    join((" (", prose(each.note), ")")) if each.note else "",
                )
            )
            for each in related[:MOST_RELATED]
        ]
        more = f" and {len(related) - MOST_RELATED} more" if len(related) > MOST_RELATED else ""
        return element("div", {"class": "related"}, "See also ", join(places, ", "), more)

    def _suggestion(self, finding: Finding) -> Html | None:
        if finding.suggestion is None or finding.path is None or self._suggestions >= MOST_SUGGESTIONS:
            return None
        lines = change_lines(self._change, finding.path, finding.suggestion, self._redactor)
        if not lines:
            return None
        self._suggestions += 1
        return small_diff(lines)


def small_diff(lines: Iterable[tuple[str, str]]) -> Html:
    """Return a suggestion as a small diff."""
    rows = (
        element("span", {"class": {"+": "add", "-": "del"}.get(sign)}, sign or " ", code(text), Html("\n"))
        for sign, text in lines
    )
    return element("pre", {"class": "suggestion", "translate": "no"}, element("code", None, *rows))


def _advice(finding: Finding) -> tuple[Html, ...]:
    said = []
    if finding.why:
        said.append(element("p", {"class": "why"}, prose(finding.why)))
    if finding.instead:
        said.append(element("p", {"class": "instead"}, element("b", None, "Instead:"), " ", prose(finding.instead)))
    return tuple(said)
