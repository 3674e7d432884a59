"""The parts of a summary other than the findings: criteria, other pull requests, steps, checklist, scores, fixes.

Every text in these values is untrusted; ``markdown.py`` escapes what a template prints.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from review_bot.advice.checklist import checks
from review_bot.advice.merge_criteria import SEVERITY_OF, Criterion, criteria, needed, needed_numbers, open_findings
from review_bot.advice.next_steps import ANY_AREA, next_steps
from review_bot.advice.strengths import strengths
from review_bot.assessment.review_areas import SelectedQuestion
from review_bot.assessment.scorecard import (
    BY_COVERAGE,
    FEWEST_CODE_LINES,
    MOST_FOR_NITS,
    WITH_ERRORS,
    WITHOUT_TESTS,
    AspectScore,
    deductions,
    of_target,
)
from review_bot.records import NamedTuple
from review_bot.reports import wording
from review_bot.reports.content import measures
from review_bot.reports.content.fixes import fix_list
from review_bot.reports.content.overlaps import OverlapSentence, compared, overlap_sentences, with_quoted_numbers
from review_bot.reports.markdown import Code, Fence, Key, Link, Phrase, entry, name
from review_bot.review.context import Overlap, OverlapReport
from review_bot.review.review import Review
from review_bot.text.listing import count, first_of

MOST_NAMED = 6
"""Things that one line names; the rest are counted."""

MOST_NEEDED = 3
"""Pull requests that this one builds on and that are shown unfolded, a line each."""

MOST_CARDS = 10
"""Cards that a checklist shows."""

MOST_TESTS = 8
"""Test files that one command runs."""

SCORECARD_PAGE = "https://github.com/review-bot/review-bot/blob/main/docs/scorecard.md"

_COUNTED = frozenset({"reviewed", *SEVERITY_OF})
"""Criteria whose open findings are listed elsewhere in the summary: their number is enough."""


class CriterionView(NamedTuple):
    """A checkbox. ``open``: what is missing. ``key``: identifies a checkbox that a person ticks."""

    ticked: bool
    text: str
    open: str | Phrase
    key: Key | None


class CheckView(NamedTuple):
    """A checkbox that the bot ticks; ``proof``: what proved it."""

    ticked: bool
    text: str
    proof: str


class CardView(NamedTuple):
    """A question card; ``more``: the number of files besides the one that is named."""

    title: str
    quote: Code
    questions: str
    place: Code
    more: int
    rules: tuple[Code, ...]
    key: Key


class AspectView(NamedTuple):
    """A score and its calculation: the starting value, what each rule costs, and the cap."""

    aspect: str
    score: int
    weight: int
    sum: Phrase


class Measured(NamedTuple):
    """A row of the measures."""

    what: str
    value: str
    target: str
    state: str


class NeighbourView(NamedTuple):
    """How another open pull request relates to this one."""

    number: Code
    title: str
    what: Phrase


def criteria_values(review: Review) -> dict[str, Any]:
    """Return the merge criteria; none if the verdict implies them."""
    lines = criteria(review)
    own = all(line.id in _COUNTED for line in lines)
    shown = () if own and all(line.met is not False for line in lines) else lines
    views = [_criterion(review, line) for line in shown]
    met = sum(view.ticked for view in views)
    return {"criteria": views, "criteria_met": f"{met} of {len(views)} met"}


def _criterion(review: Review, line: Criterion) -> CriterionView:
    key = Key(f"criterion/{line.id}") if line.met is None else None
    lacking = line.proof if line.met else _lacking(review, line) if line.open else ""
    return CriterionView(line.met is True, wording.capital(line.text), lacking, key)


def _lacking(review: Review, line: Criterion) -> str | Phrase:
    """Return what is missing: the number of findings, which the summary lists elsewhere, otherwise names."""
    if line.id == "reviewed" and line.met is None:
        return _commas([Code(each) for each in line.open])
    if line.id in _COUNTED:
        return f"{_open(review, line)} {'missing' if line.id == 'reviewed' else 'open'}"
    if line.id == "domain-owner":
        return _commas([name(owner) for owner in line.open])
    if line.id == "prerequisites" and review.context.overlaps is not None:
        return _commas([_called(number) for number in needed_numbers(review.context.overlaps)])
    return _named(line.open)


def _commas(listed: Sequence[Code | Link]) -> Phrase:
    parts: list[str | Code | Link] = []
    for each in listed[:MOST_NAMED]:
        parts += [", ", each] if parts else [each]
    if len(listed) > MOST_NAMED:
        parts.append(f" and {len(listed) - MOST_NAMED} more")
    return Phrase(parts)


def _open(review: Review, line: Criterion) -> int:
    return len(line.open if line.id == "reviewed" else open_findings(review, SEVERITY_OF[line.id]))


def steps_values(review: Review) -> dict[str, Any]:
    """Return what maintainers do next; the other parts show what is left to authors and reviewers."""
    steps = next_steps(review).steps
    return {"steps": [with_quoted_numbers(step.text) for step in steps if step.who == "maintainers"]}


def overlap_values(review: Review) -> dict[str, Any]:
    """Return what this change builds on, a few unfolded, and the other pull requests it overlaps."""
    around = review.context.overlaps
    if around is None:
        return {"needs": [], "overlapping": [], "met": 0, "compared": ""}
    first = needed(around)
    others = overlap_sentences(each for each in around.found if each not in first)
    by_number: dict[int, list[Overlap]] = {}
    for each in first:
        by_number.setdefault(each.number, []).append(each)
    needs = [_needed(same) for same in by_number.values()]
    met_numbers = {*[*by_number][MOST_NEEDED:], *(each.number for each in others)}
    overlapping = _once([*needs[MOST_NEEDED:], *(_overlapping(each) for each in others)])
    return {
        "needs": needs[:MOST_NEEDED],
        "overlapping": overlapping,
        "met": len(met_numbers),
        "compared": _compared(around) if overlapping or around.limits else "",
    }


def _called(number: int) -> Code:
    """Return a pull request as code: a link to it in a comment would write into its timeline."""
    return Code(f"#{number}")


def _once(views: Sequence[NeighbourView]) -> list[NeighbourView]:
    """Omit the title if the previous line names the same pull request."""
    before = ["", *(view.number for view in views)]
    return [view._replace(title="") if view.number == last else view for view, last in zip(views, before, strict=False)]


def _needed(same: Sequence[Overlap]) -> NeighbourView:
    """Return what one pull request adds: each name with its place there, and where it is imported here."""
    what: list[str | Code] = ["adds "]
    for position, each in enumerate(same[:MOST_NAMED]):
        there = name(wording.path_line(each.their_path, each.their_line))
        what += [", " if position else "", name(each.subject), " (", there, ")"]
    rest = len(same) - MOST_NAMED
    here = dict.fromkeys((each.path, each.line) for each in same[:MOST_NAMED])
    what += [f" and {rest} more" if rest > 0 else "", ", imported here at "]
    for position, (path, line) in enumerate(here):
        what += [", " if position else "", name(wording.path_line(path, line))]
    return NeighbourView(_called(same[0].number), same[0].title, Phrase(what))


def _overlapping(each: OverlapSentence) -> NeighbourView:
    parts = each.said.split("`")
    what = Phrase(name(part) if number % 2 else part for number, part in enumerate(parts))
    return NeighbourView(_called(each.number), each.title, what)


def _compared(around: OverlapReport) -> str:
    return " ".join([compared(around), *around.limits, "None of this affects the verdict."])


def checklist_values(review: Review, most: int) -> dict[str, Any]:
    """Return the review checklist: areas, owners, tests to run, and the question cards that apply."""
    cards = review.assessment.checklist
    shown = cards[: min(MOST_CARDS, most)]
    return {
        "areas": [area.title for area in review.assessment.areas if area.id != ANY_AREA],
        "checks": [CheckView(each.met, wording.capital(each.text), each.proof) for each in checks(review)],
        "cards": [_card(card) for card in shown],
        "cards_rest": len(cards) - len(shown),
        "cards_heading": count(len(cards), "question") if cards else "",
        **_owners(review, most),
    }


def _card(card: SelectedQuestion) -> CardView:
    return CardView(
        title=card.title,
        quote=Code(card.quote),
        questions=" ".join(card.questions),
        place=name(wording.card_place(card)),
        more=card.files - 1,
        rules=tuple(name(rule) for rule in card.findings),
        key=Key(card.id),
    )


def _owners(review: Review, most: int) -> dict[str, Any]:
    owners = review.context.owners
    if owners is None:
        return {"owned": [], "owners_source": None, "unowned": [], "unowned_rest": 0, "owner_problems": []}
    return {
        "owned": [([name(each) for each in entry.owners], count(len(entry.paths), "file")) for entry in owners.owned][
            :most
        ],
        "owners_source": name(owners.source),
        "unowned": [name(path) for path in owners.unowned[:MOST_NAMED]],
        "unowned_rest": max(len(owners.unowned) - MOST_NAMED, 0),
        "owner_problems": owners.problems[:3],
    }


def tests_values(review: Review) -> dict[str, Any]:
    """Return the command that runs the tests of the change."""
    tests = review.context.tests or ()
    paths = [shlex.quote(each.path) for each in tests[:MOST_TESTS]]
    plain = [path for path in paths if path.isprintable() and "`" not in path]
    return {
        "run_tests": Fence("sh", f"python -m pytest {' '.join(plain)}") if plain else None,
        "tests_rest": len(tests) - len(plain),
    }


def scorecard_values(review: Review, *, with_scores: bool) -> dict[str, Any]:
    """Return scores with their calculation, measures with their targets, and strengths."""
    card = review.assessment.scorecard
    metrics = review.assessment.metrics
    rows = [row for row in measures.rows(review) if row.state.startswith("not ") or row.what == measures.SMELLS]
    enough = metrics.code_lines_added >= FEWEST_CODE_LINES or metrics.coverage is not None
    return {
        "score": "" if card.score is None or not with_scores else str(card.score),
        "basis": card.basis,
        "no_score": card.reason if card.reason and with_scores else "",
        "capped": WITH_ERRORS if card.score == WITH_ERRORS and _any_error(review) else None,
        "aspects": [_aspect(review, each) for each in card.aspects if each.rules or each.limit],
        "clean": [each.aspect for each in card.aspects if each.hundredths == 1000 and not each.rules],
        "not_scored": [each.aspect for each in card.aspects if each.hundredths is None],
        "good": strengths(review) if enough else (),
        "measures": [Measured(row.what, row.whole_value, row.target, row.state) for row in rows] if enough else [],
        "code_lines": metrics.code_lines_added,
        "formulas": Link(Code("docs/scorecard.md"), SCORECARD_PAGE),
    }


def _any_error(review: Review) -> bool:
    return any(each.severity == "error" for each in review.listed)


def _aspect(review: Review, aspect: AspectScore) -> AspectView:
    costs = deductions(review.open, aspect)
    metrics = review.assessment.metrics
    parts: list[str | Code] = ["10"]
    if aspect.aspect == "Documentation" and aspect.limit:
        parts = [f"{_points(of_target(metrics.docstring_coverage))} from {aspect.limit}"]
    for cost in costs:
        parts += [f", -{_points(cost.hundredths)} for ", name(cost.rule)]
    if sum(cost.hundredths for cost in costs if cost.nit) > MOST_FOR_NITS:
        parts.append(f"; hints capped at -{_points(MOST_FOR_NITS)} in total")
    if aspect.aspect == "Testing" and aspect.limit == BY_COVERAGE and metrics.coverage is not None:
        parts.append(f"; capped at {_points(of_target(metrics.coverage))} ({aspect.limit})")
    elif aspect.aspect == "Testing" and aspect.limit:
        parts.append(f"; capped at {_points(WITHOUT_TESTS)} ({aspect.limit})")
    if aspect.aspect == "Code Quality" and aspect.limit:
        parts.append(f"; capped at {_points(of_target(metrics.type_hint_coverage))} ({aspect.limit})")
    parts.append(".")
    return AspectView(aspect.aspect, aspect.score or 0, aspect.weight, Phrase(parts))


def _points(hundredths: int) -> str:
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".")


def fixes_values(review: Review, most: int) -> dict[str, Any]:
    """Return the fixes that can be applied, and those that are skipped, with the reason."""
    fixes = fix_list(review)
    return {
        "fixes": len(fixes.verified),
        "fixes_heading": count(len(fixes.verified), "automatic fix", "automatic fixes"),
        "skipped_fixes": [entry(each) for each in fixes.skipped[:most]],
        "skipped_fixes_rest": max(len(fixes.skipped) - most, 0),
    }


def _named(texts: Iterable[str]) -> str:
    return first_of(texts, MOST_NAMED, "; ")
