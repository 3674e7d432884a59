"""The scores of the aspects with what lowered them."""

from __future__ import annotations

from review_bot.assessment.scorecard import AspectScore, deductions
from review_bot.records import NamedTuple
from review_bot.reports import wording
from review_bot.review.review import Review


class Cost(NamedTuple):
    """What the findings of a rule cost."""

    rule: str
    findings: int
    points: str


class AspectView(NamedTuple):
    """A score as a row and as a bar of ``tenths`` per cent; ``points``: with two decimals."""

    aspect: str
    label: str
    weight: int
    figure: str
    points: str
    tenths: int
    grade: str
    assessed: bool
    limit: str
    deductions: list[Cost]


class Scores(NamedTuple):
    """The scores, or the reason why there are none."""

    score: int | None
    reason: str
    basis: str
    description: str
    aspects: list[AspectView]


def scores(review: Review) -> Scores:
    """Return the scores of a review."""
    card = review.assessment.scorecard
    listed = ". ".join(f"{each.aspect}: {_figure(each) or 'not assessed'}" for each in card.aspects)
    aspects = [_aspect(each, review) for each in card.aspects]
    description = f"Overall: {card.score} of 10. {listed}."
    return Scores(card.score, card.reason or "none was given", card.basis, description, aspects)


def _aspect(aspect: AspectScore, review: Review) -> AspectView:
    score = aspect.score or 0
    return AspectView(
        aspect.aspect,
        wording.one_line(aspect.aspect, 32),
        aspect.weight,
        _figure(aspect) or "–",
        "none" if aspect.hundredths is None else _points(aspect.hundredths),
        (aspect.hundredths or 0) // 10,
        "low" if score < 5 else "middle" if score < 8 else "high",
        aspect.score is not None,
        aspect.limit or "",
        [Cost(each.rule, each.findings, _points(each.hundredths)) for each in deductions(review.open, aspect)],
    )


def _points(hundredths: int) -> str:
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def _figure(aspect: AspectScore) -> str:
    """Return the score as a text, ``no findings`` where nothing was deducted, empty where nothing was assessed."""
    if aspect.score is None:
        return ""
    return "no findings" if aspect.hundredths == 1000 and not aspect.rules else f"{aspect.score} of 10"
