"""A review as one HTML page: no network, no script but its own, readable without it.

``page/`` holds its parts. The security policy of the page names its style and its script by their hashes, so that
nothing else runs, whatever a text on it says: https://www.w3.org/TR/CSP3/.
"""

from __future__ import annotations

import base64
import hashlib
import os
from functools import cache
from typing import NamedTuple

from review_bot.advice.next_steps import next_steps
from review_bot.reports import wording
from review_bot.reports.page import around, diff, findings, scores, verdict
from review_bot.reports.page.hypertext import Content, Html, element, inline, join, link
from review_bot.reports.page.listing import Listing, listing
from review_bot.review.redaction import redactor
from review_bot.review.review import Review
from review_bot.review.verdict import DECISION_WORDS


class Part(NamedTuple):
    """A part of the page with its heading; left out when there is nothing to tell."""

    id: str
    heading: str
    content: Content


def render(review: Review) -> str:
    """Return the page."""
    said = wording.empty(review)
    word = "Nothing to review" if said else DECISION_WORDS[review.verdict.decision]
    head = element(
        "head",
        None,
        element("meta", {"charset": "utf-8"}),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": policy()}),
        element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        element("meta", {"name": "referrer", "content": "no-referrer"}),
        element("meta", {"name": "color-scheme", "content": "light dark"}),
        element("link", {"rel": "icon", "href": "data:,"}),
        element("title", None, f"{word}: {verdict.subject(review)}"),
        inline("style", _asset("page.css")),
    )
    parts = [part for part in _parts(review) if part.content]
    contents = element("ul", None, *(element("li", None, link(f"#{part.id}", part.heading)) for part in parts))
    body = element(
        "body",
        None,
        link("#main", "Skip to the review", **{"class": "skip"}),
        element("header", {"class": "bar"}, element("b", None, "Review Bot"), _controls()),
        element(
            "div",
            {"class": "page"},
            element("nav", {"aria-label": "Contents"}, contents) if parts else None,
            element(
                "main",
                {"id": "main", "tabindex": "-1"},
                element("header", {"class": "verdict"}, verdict.verdict(review, next_steps(review))),
                *(_section(part) for part in parts),
            ),
        ),
        inline("script", _asset("page.js")),
    )
    return "<!doctype html>\n" + element("html", {"lang": "en"}, head, body) + "\n"


def _controls() -> Html:
    return element(
        "div",
        {"class": "controls", "id": "controls", "hidden": True},
        element("button", {"type": "button", "id": "theme"}, "Theme: system"),
        element("button", {"type": "button", "id": "print"}, "Print"),
    )


def _parts(review: Review) -> list[Part]:
    """Return all parts in the order of the page."""
    if wording.empty(review):
        return [Part("about", "About this review", around.about(review))]
    listed, assessment, near = listing(review), review.assessment, review.context
    hidden = redactor(review)
    drawn = diff.draw(review, listed)
    shelf = findings.Shelf(review.pull_request, listed, drawn, hidden)
    return [
        Part("incomplete", "Could not be reviewed", verdict.incomplete(review)),
        Part("criteria", "Merge criteria", verdict.can_be_merged(review)),
        Part("steps", "Next steps", verdict.steps(next_steps(review))),
        Part("good", "Strengths", verdict.good(review)),
        Part("findings", "Findings", _findings(listed, shelf)),
        Part("fixes", "Fixes", around.fixes(review, hidden)),
        Part("checklist", "Manual review questions", around.checklist(assessment.checklist, drawn)),
        Part("neighbours", "Other open pull requests", around.neighbours(near.overlaps)),
        Part("tests", "Tests to run", around.tests(near.tests, drawn)),
        Part("coverage", "Added lines not covered by tests", scores.not_run(near.coverage, drawn)),
        Part("owners", "Owners", around.owners(near.owners, drawn)),
        Part("areas", "Areas", around.areas(assessment.areas, drawn)),
        Part("scores", "Scores", scores.scorecard(assessment.scorecard, review.findings)),
        Part("measures", "Measures", scores.measures(review)),
        Part("trend", "Since the first push", scores.trend(review)),
        Part(
            "diff", "The change, with comments", _diff(drawn, marked=near.coverage is not None and near.coverage.usable)
        ),
        Part("aside", "Not counted in the verdict", around.aside(review)),
        Part("about", "About this review", around.about(review)),
    ]


def _findings(listed: Listing, shelf: findings.Shelf) -> Html | None:
    if not listed.topics:
        return None
    rest = f"{wording.count(listed.left_out, 'more finding')} in the JSON report." if listed.left_out else None
    return join(
        (
            findings.controls(listed),
            shelf.write(),
            element("p", {"id": "none", "hidden": True}, "No findings match the filters."),
            element("p", {"class": "cut"}, rest) if rest else None,
        )
    )


def _diff(drawn: diff.Drawn, *, marked: bool) -> Html | None:
    if not drawn.html:
        return None
    return join(
        (
            element("p", {"class": "cut"}, f"Not shown here: {', '.join(drawn.left_out)}.") if drawn.left_out else None,
            element("p", {"class": "cut"}, element("span", {"class": "bar-sign"}), "Added line not covered by tests.")
            if marked
            else None,
            drawn.html,
        )
    )


def _section(part: Part) -> Html:
    heading = element("h2", {"id": f"h-{part.id}"}, part.heading)
    return element("section", {"id": part.id, "aria-labelledby": f"h-{part.id}"}, heading, part.content)


@cache
def policy() -> str:
    """Return the security policy of the page."""
    style, script = (_hash(_asset(name)) for name in ("page.css", "page.js"))
    ours = f"style-src '{style}'; script-src '{script}'"
    return f"default-src 'none'; {ours}; img-src data:; base-uri 'none'; form-action 'none'"


def _hash(body: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()


@cache
def _asset(name: str) -> str:
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "page", name), encoding="utf-8") as stream:
        return stream.read()
