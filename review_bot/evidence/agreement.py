"""How well readers read: their answers on planted entries, and how far two readers agree."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from review_bot.evidence.marks import Mark, ReaderName, StrictModel, validated

SCHEMA = "review-bot/readers/v1"
FILE_NAME = "readers.json"


class Score(StrictModel):
    """One reader's answers to one sheet: how many, and how many of the planted ones were right about ``true``."""

    reader: ReaderName
    sheet: str
    answered: int
    planted_true: int
    planted_true_right: int
    planted_false: int
    planted_false_right: int


class _Readers(StrictModel):
    schema_: Annotated[Literal["review-bot/readers/v1"], Field(alias="schema")]
    scores: tuple[Score, ...]


class Agreement(NamedTuple):
    """Pairs of readings of one finding. Shares are 0 to 1; kappa (Cohen 1960) is None where it is not defined."""

    pairs: int
    same_true: float
    kappa_true: float | None
    same_useful: float
    kappa_useful: float | None


def read_scores(text: str, path: str) -> list[Score]:
    """Read the scores of readers. Raises EvidenceError with file and field."""
    return list(validated(_Readers, text, path).scores)


def render_scores(scores: Iterable[Score]) -> str:
    """Return the text of the file of scores; a later score of a reader and sheet takes the place of an earlier one."""
    latest = {(score.reader, score.sheet): score for score in scores}
    data = {"schema": SCHEMA, "scores": [latest[key].model_dump(mode="json") for key in sorted(latest)]}
    return json.dumps(data, indent=1) + "\n"


def agreement(marks: Iterable[Mark]) -> Agreement:
    """Compare the first two readings of each mark; what was settled later takes no part."""
    pairs = [mark.readings[:2] for mark in marks if len(mark.readings) > 1]
    true = [(one.true, other.true) for one, other in pairs]
    useful = [(one.useful, other.useful) for one, other in pairs]
    return Agreement(len(pairs), same(true), kappa(true), same(useful), kappa(useful))


def same(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Return the share of equal pairs; 0 without any."""
    return sum(one == other for one, other in pairs) / len(pairs) if pairs else 0.0


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Return Cohen's kappa: agreement beyond what two readers with these habits would have by chance.

    None without pairs, and where chance alone gives full agreement: both readers always say the same one thing.
    """
    if not pairs:
        return None
    first = sum(one for one, _ in pairs) / len(pairs)
    second = sum(other for _, other in pairs) / len(pairs)
    chance = first * second + (1 - first) * (1 - second)
    return None if chance == 1 else (same(pairs) - chance) / (1 - chance)
