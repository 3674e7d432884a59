"""The top of the page: the decision, when the change can be merged, and who does what next."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.advice.merge_criteria import Criterion, criteria
from review_bot.advice.next_steps import Plan, Step
from review_bot.advice.strengths import strengths
from review_bot.reports import wording
from review_bot.reports.page.hypertext import Content, Html, element, join, link, path, prose
from review_bot.review.review import Review
from review_bot.review.verdict import DECISION_WORDS

MOST_NAMED = 12
MOST_STEPS = 12

_STATES: dict[bool | None, tuple[str, str, str]] = {
    True: ("met", "met", "M4 8.5l3 3 5.5-6.5"),
    False: ("open", "open", "M5 5l6 6M11 5l-6 6"),
    None: ("person", "manual", "M5 8h6"),
}
"""By whether a criterion is met: a class, a word, and the sign as a path."""

_WHO = {
    ("author", "now"): "Author, quick fixes",
    ("author", "then"): "Author, longer fixes",
    ("reviewers", ""): "Reviewers",
    ("maintainers", ""): "Maintainers",
}


def subject(review: Review) -> str:
    """Return what was reviewed: ``acme/engine#19``, or what the change is compared with."""
    change = review.pull_request
    name = change.repository or ""
    if change.number is not None:
        name += f"#{change.number}"
    base = wording.revision(change.base_label or change.base or "")
    return name or ("change" if not base else f"change against {base}")


def verdict(review: Review, plan: Plan) -> Html:
    """Return the decision with its reasons and figures."""
    change, decision = review.pull_request, review.verdict.decision
    headline = wording.headline(review)
    said = wording.empty(review)
    sentence = said or headline.first + (f", {headline.rest}" if headline.joined and headline.rest else "") + "."
    if not said and headline.rest and not headline.joined:
        sentence += f" {headline.rest[0].upper()}{headline.rest[1:]}."
    parts: list[Content] = [
        element("p", {"class": "subject"}, f"Review of {subject(review)}") if change.title else None,
        element("h1", None, prose(change.title or f"{subject(review)[0].upper()}{subject(review)[1:]}")),
        element(
            "div",
            {"class": f"decision {'nothing' if said else decision}"},
            element("p", {"class": "word"}, "Nothing to review" if said else DECISION_WORDS[decision]),
            element("p", None, prose(sentence)),
            element("p", None, prose(gate)) if (gate := wording.gate(review)) and not said else None,
        ),
    ]
    if not said:
        parts.append(_figures(review, plan))
        intro = review.policy.presentation.intro
        parts.append(element("p", {"class": "intro"}, prose(intro)) if intro else None)
    return join(parts)


def _figures(review: Review, plan: Plan) -> Html:
    change, score = review.pull_request, review.assessment.scorecard.score
    told: list[tuple[str, Content, str]] = [
        ("Fix", wording.duration(plan.minutes) if plan.minutes else "none", "errors and warnings"),
        (
            "Optional",
            wording.duration(plan.lighter) if plan.lighter else "none",
            "info and hints",
        ),
        ("Review effort", f"{plan.effort} of 5", "from minutes (1) to a day (5)"),
        ("Size", f"+{change.added} -{change.removed}", wording.count(len(change.files), "file")),
        ("Check", "passes" if review.verdict.passed else "fails", f"fail-on: {review.verdict.fail_on}"),
    ]
    if score is not None:
        told.insert(3, ("Score", f"{score} of 10", "details below"))
    items = (
        element("div", None, element("dt", None, name), element("dd", None, element("b", None, value), " ", note))
        for name, value, note in told
    )
    return element("dl", {"class": "figures"}, *items)


def incomplete(review: Review) -> Html | None:
    """Return the consequence of an incomplete review, and what was not reviewed."""
    if review.verdict.decision != "incomplete":
        return None
    entries = [element("li", None, path(entry.path), ": ", prose(entry.reason)) for entry in review.unreviewed]
    entries += [
        element(
            "li",
            None,
            "rule ",
            element("code", None, failure.rule),
            join((" on ", path(failure.path))) if failure.path else None,
            ": ",
            prose(failure.error),
        )
        for failure in review.examination.failures
    ]
    told = (
        "The check passes because the configuration allows incomplete reviews."
        if review.verdict.passed
        else "The check fails because the review is incomplete."
    )
    return element(
        "div",
        None,
        element("p", None, f"{told} The findings below cover only the rest of the change."),
        bounded(entries),
    )


def can_be_merged(review: Review) -> Html:
    """Return the criteria, each with its state."""
    return element("ul", {"class": "criteria"}, *(_criterion(each) for each in criteria(review)))


def _criterion(criterion: Criterion) -> Html:
    kind, word, sign = _STATES[criterion.met]
    lacking = None
    if criterion.open:
        named = [prose(each) for each in criterion.open[:MOST_NAMED]]
        if len(criterion.open) > MOST_NAMED:
            named.append(prose(f"{len(criterion.open) - MOST_NAMED} more"))
        lacking = element("ul", {"class": "lacking"}, *(element("li", None, each) for each in named))
    sentence = criterion.text[0].upper() + criterion.text[1:]
    return element(
        "li",
        {"class": kind},
        element("svg", {"viewBox": "0 0 16 16", "aria-hidden": "true"}, element("path", {"d": sign})),
        element("div", None, prose(sentence), " ", element("span", {"class": "state"}, word), lacking),
    )


def steps(plan: Plan) -> Html | None:
    """Return the next steps, by person."""
    groups: list[Html] = []
    for key, who in _WHO.items():
        mine = [step for step in plan.steps if (step.who, step.when) == key]
        if mine:
            minutes = sum(step.minutes or 0 for step in mine)
            total = element("span", {"class": "minutes"}, wording.duration(minutes)) if minutes else None
            items = [_step(step) for step in mine]
            heading = "Author" if key == ("author", "then") and not groups else who  # nothing is for now
            groups += [element("h3", None, heading, " ", total), bounded(items, "ol", MOST_STEPS)]
    return join(groups) if groups else None


def _step(step: Step) -> Html:
    rules = (link(f"#rule={rule}", element("code", None, rule)) for rule in step.rules)
    minutes = element("span", {"class": "minutes"}, wording.duration(step.minutes)) if step.minutes else None
    title = element("b", None, prose(f"{step.title}.")) if step.title else None
    return element("li", None, title, " " if title else None, prose(step.way), " ", join(rules, ", "), " ", minutes)


def good(review: Review) -> Html | None:
    """Return the strengths of the change."""
    facts = strengths(review)
    return element("ul", {"class": "good"}, *(element("li", None, prose(fact)) for fact in facts)) if facts else None


def bounded(items: list[Html], tag: str = "ul", most: int = 200) -> Html:
    """Return a list of at most ``most`` entries; it says how many more there are."""
    return element(tag, None, *_bounded(items, most))


def _bounded(items: list[Html], most: int) -> Iterator[Html]:
    yield from items[:most]
    if len(items) > most:
        yield element("li", None, f"and {len(items) - most:,} more")
