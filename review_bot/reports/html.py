"""A review as one HTML page: no network, no script but its own, readable without it.

``page/templates/`` has a template for each part. The security policy of the page names its style and its script by
their hashes, so that nothing else runs, whatever a text on it says: https://www.w3.org/TR/CSP3/.
"""

from __future__ import annotations

import base64
import hashlib
import os
from functools import cache
from typing import Any

from markupsafe import Markup

from review_bot.advice.merge_criteria import criteria
from review_bot.advice.next_steps import Plan, next_steps
from review_bot.advice.strengths import strengths
from review_bot.changes.pull_request import PullRequest
from review_bot.records import NamedTuple
from review_bot.reports import wording
from review_bot.reports.content import measures
from review_bot.reports.content.fixes import fix_list
from review_bot.reports.content.items import Item
from review_bot.reports.content.overlaps import compared, merge_order, overlap_sentences
from review_bot.reports.content.set_aside import SetAside, set_aside
from review_bot.reports.content.snippets import change_lines
from review_bot.reports.content.steps import step_groups
from review_bot.reports.content.topics import outline
from review_bot.reports.content.unreviewed import consequence, unreviewed
from review_bot.reports.page import diff, findings
from review_bot.reports.page.listing import listing
from review_bot.reports.page.markup import environment
from review_bot.reports.page.scores import scores
from review_bot.reports.page.trend import trend
from review_bot.review.redaction import Redactor, redactor
from review_bot.review.review import Review
from review_bot.text.listing import count
from review_bot.version import VERSION

MOST_PATCH = 200_000
"""Characters of a patch that the page repeats; the dossier has it as a file."""

MOST_FIXES = 200
"""Fixes that are shown one by one."""

MOST_RANGES = 12
"""Ranges of uncovered lines named for a file."""

PARTS = {
    "incomplete": "Could not be reviewed",
    "criteria": "Merge criteria",
    "steps": "Next steps",
    "good": "Strengths",
    "findings": "Findings",
    "fixes": "Fixes",
    "checklist": "Manual review questions",
    "overlaps": "Other open pull requests",
    "tests": "Tests to run",
    "coverage": "Added lines not covered by tests",
    "owners": "Owners",
    "areas": "Areas",
    "scores": "Scores",
    "measures": "Measures",
    "trend": "Since the first push",
    "diff": "The change, with comments",
    "aside": "Set aside",
    "about": "About this review",
}
"""The parts of the page in their order: the name of its template, which is its id, and its heading."""


class Part(NamedTuple):
    """A part of the page that has something to report."""

    id: str
    heading: str
    content: Markup


def render(review: Review) -> str:
    """Return the page."""
    empty = wording.empty(review)
    plan = next_steps(review)
    values = _about(review) | ({} if empty else _values(review, plan))
    every = (Part(part, PARTS[part], _template(part, values)) for part in (("about",) if empty else PARTS))
    word = "Nothing to review" if empty else wording.decision(review)
    head = {"subject": _subject(review), "word": word}
    page = {
        "policy": policy(),
        "style": Markup(_asset("page.css")),  # noqa: S704  # ours
        "script": Markup(_asset("page.js")),  # noqa: S704  # ours
        "parts": [part for part in every if part.content],
        "verdict": _template("verdict", head | _verdict(review, plan, empty)),
    }
    return f"{_template('page', head | page)}\n"


def _template(name: str, values: dict[str, Any]) -> Markup:
    return Markup(environment().get_template(f"{name}.html.j2").render(values).strip())  # noqa: S704  # escaped by it


def _subject(review: Review) -> str:
    """Return what was reviewed: ``acme/engine#19``, or what the change is compared with."""
    change = review.pull_request
    name = change.repository or ""
    if change.number is not None:
        name += f"#{change.number}"
    base = wording.revision(change.base_label or change.base or "")
    return name or ("change" if not base else f"{_head(change)} against {base}")


def _head(change: PullRequest) -> str:
    return f"change at {wording.revision(change.head)}" if change.head else "working tree"


def _verdict(review: Review, plan: Plan, empty: str) -> dict[str, Any]:
    headline = wording.headline(review)
    sentence = empty or headline.first + (f", {headline.rest}" if headline.joined and headline.rest else "") + "."
    if not empty and headline.rest and not headline.joined:
        sentence += f" {wording.capital(headline.rest)}."
    if not empty and (reach := wording.reach(review)):
        reach = f"{wording.capital(reach)}."
        sentence = reach if sentence == "No findings." else f"{sentence} {reach}"
    return {
        "change": review.pull_request,
        "title": review.pull_request.title or wording.capital(_subject(review)),
        "kind": "nothing" if empty else review.verdict.decision,
        "sentence": sentence,
        "gate": "" if empty else wording.gate(review),
        "figures": () if empty else _figures(review, plan),
        "intro": review.policy.layout.intro,
    }


def _figures(review: Review, plan: Plan) -> list[tuple[str, str, str]]:
    change, score = review.pull_request, review.assessment.scorecard.score
    figures = [
        ("Fix", wording.duration(plan.minutes) if plan.minutes else "none", "errors and warnings"),
        ("Optional", wording.duration(plan.lighter) if plan.lighter else "none", "info and hints"),
        ("Review effort", f"{plan.effort} of 5", "1: minutes, 5: a day"),
        ("Size", f"+{change.added} -{change.removed}", count(len(change.files), "file")),
        ("Check", "passes" if review.verdict.passed else "fails", f"fail-on: {review.verdict.fail_on}"),
    ]
    if score is not None:
        figures.insert(3, ("Score", f"{score} of 10", "details below"))
    return figures


def _values(review: Review, plan: Plan) -> dict[str, Any]:
    """Return what the templates of the parts need; every text in it is untrusted."""
    found, near, hidden = listing(review), review.context, redactor(review)
    counted = outline(review).counted
    minor = SetAside(
        f"Minor findings (counts only): {sum(len(topic.findings) for topic in counted)}",
        tuple(Item(topic.first.rule, f"{topic.first.title}: {len(topic.findings)}") for topic in counted),
    )
    return {
        "consequence": consequence(review),
        "unreviewed": unreviewed(review),
        "criteria": [each._replace(text=wording.capital(each.text)) for each in criteria(review)],
        "steps": step_groups(plan),
        "good": strengths(review),
        "topics": findings.topics(review, found, hidden),
        "filters": findings.filters(found),
        "left_out": found.left_out,
        "diff": diff.render_diff(review, found),
        "fixes": _fixes(review, hidden),
        "most_patch": MOST_PATCH,
        "cards": review.assessment.checklist,
        "overlaps": None
        if near.overlaps is None
        else {
            "order": merge_order(near.overlaps),
            "all": overlap_sentences(near.overlaps.found),
            "compared": compared(near.overlaps),
            "limits": near.overlaps.limits,
        },
        "tests": near.tests,
        "coverage": near.coverage,
        "ranges": lambda lines: wording.line_ranges(lines, MOST_RANGES),
        "owners": near.owners,
        "areas": review.assessment.areas,
        "scores": scores(review),
        "measures": measures.rows(review),
        "minutes": review.assessment.metrics.effort_minutes,
        "trend": trend(review),
        "set_aside": (*([minor] if counted else []), *set_aside(review)),
    }


def _fixes(review: Review, hidden: Redactor) -> dict[str, Any] | None:
    listed = fix_list(review)
    if not listed.verified and not listed.skipped:
        return None
    proven = []
    for number, (fix, resolved, _) in enumerate(listed.verified):
        first = fix.suggestion
        proven.append(
            {
                "place": f"{fix.path}:{first.start_line}",
                "last": first.end_line if first.end_line != first.start_line else None,
                "rule": fix.rule,
                "title": resolved[0].title.rstrip(".") if resolved else "",
                "minutes": resolved[0].effort_minutes if resolved else 0,
                "diff": change_lines(review.pull_request, fix.path, first, hidden) if number < MOST_FIXES else (),
            }
        )
    return {
        "proven": proven,
        "patch": review.patch,
        "patch_hidden": hidden.contains_secret(review.patch),
        "skipped": listed.skipped,
    }


def _about(review: Review) -> dict[str, Any]:
    change, policy = review.pull_request, review.policy
    source = policy.source + (f", digest {policy.digest[:12]}" if policy.digest else "")
    return {
        "about": [
            ("Head", wording.revision(change.head) if change.head else "the working tree"),
            ("Base", wording.base(review).removeprefix("against ") or "unknown (diff only)"),
            ("Policy", f"{source}; fail-on: {review.verdict.fail_on}"),
            ("Rules", f"{review.rules_run} ran, digest {review.rules_digest[:12]}"),
            ("Review Bot", VERSION),
        ],
        "command": wording.local_command(review),
        "outro": policy.layout.outro,
    }


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
