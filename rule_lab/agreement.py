"""Quality of the annotations: scores of annotators on control items, and the agreement of two annotators."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from rule_lab.labels import AnnotatorName, Label, StrictModel, validated

SCHEMA = "review-bot/annotators/v1"
FILE_NAME = "annotators.json"


class AnnotatorScore(StrictModel):
    """One annotator's score on one sheet: the items answered, and the control items answered correctly for ``true``."""

    annotator: AnnotatorName
    sheet: str
    answered: int
    control_true: int
    control_true_right: int
    control_false: int
    control_false_right: int


class _Annotators(StrictModel):
    schema_: Annotated[Literal["review-bot/annotators/v1"], Field(alias="schema")]
    scores: tuple[AnnotatorScore, ...]


class Agreement(NamedTuple):
    """Agreement over pairs of annotations. Shares are 0 to 1; kappa (Cohen 1960) is None where it is not defined."""

    pairs: int
    same_true: float
    kappa_true: float | None
    same_useful: float
    kappa_useful: float | None


def read_scores(text: str, path: str) -> list[AnnotatorScore]:
    """Read the scores of annotators. Raises LabelError with file and field."""
    return list(validated(_Annotators, text, path).scores)


def render_scores(scores: Iterable[AnnotatorScore]) -> str:
    """Return the text of the score file; of two scores for one annotator and sheet the later counts."""
    latest = {(score.annotator, score.sheet): score for score in scores}
    data = {"schema": SCHEMA, "scores": [latest[key].model_dump(mode="json") for key in sorted(latest)]}
    return json.dumps(data, indent=1) + "\n"


def agreement(labels: Iterable[Label]) -> Agreement:
    """Return the agreement of the first two annotations of each label; adjudications do not count."""
    pairs = [label.annotations[:2] for label in labels if len(label.annotations) > 1]
    true = [(one.true, other.true) for one, other in pairs]
    useful = [(one.useful, other.useful) for one, other in pairs]
    return Agreement(len(pairs), same(true), kappa(true), same(useful), kappa(useful))


def same(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Return the share of equal pairs, 0 if there are none."""
    return sum(one == other for one, other in pairs) / len(pairs) if pairs else 0.0


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Return Cohen's kappa: the agreement beyond what is expected by chance.

    None without pairs, and where the expected agreement is already complete: all answers are the same.
    """
    if not pairs:
        return None
    first = sum(one for one, _ in pairs) / len(pairs)
    second = sum(other for _, other in pairs) / len(pairs)
    chance = first * second + (1 - first) * (1 - second)
    return None if chance == 1 else (same(pairs) - chance) / (1 - chance)
