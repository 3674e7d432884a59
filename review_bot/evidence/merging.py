"""Readers' answers to a sheet become marks: planted entries are scored, real ones are merged with what is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from review_bot.evidence.agreement import Score
from review_bot.evidence.marks import Mark, Place, Reading, Settled
from review_bot.evidence.sheet import Answer, Key, KeyEntry


class Disagreement(NamedTuple):
    """An entry of which readers say different things: what each says, with his note."""

    entry: KeyEntry
    readings: tuple[Reading, ...]
    notes: Mapping[str, str]


class Merged(NamedTuple):
    """What came of the answers. ``single``: findings that only one reader has answered so far."""

    marks: tuple[Mark, ...]
    scores: tuple[Score, ...]
    disagreements: tuple[Disagreement, ...]
    single: int


def merge(
    key: Key, answers: Mapping[str, Sequence[Answer]], known: Sequence[Mark], settled: Sequence[Answer] = ()
) -> Merged:
    """Merge the answers of readers, by name, into the marks of a repository.

    ``settled``: verdicts of whoever has read the code again, by number; they are about real entries.
    """
    marks = {mark.key: mark for mark in known}
    real = [entry for entry in key.entries if entry.planted is None]
    numbers = {entry.number: entry for entry in real}
    for reader, given in sorted(answers.items()):
        for answer in given:
            if (entry := numbers.get(answer.number)) is not None:
                mark = marks.get(entry.key)
                if mark is None or mark.words != entry.words:  # what was said of other words says nothing of these
                    mark = _new(key, entry)
                reading = Reading(reader=reader, true=answer.verdict.true, useful=answer.verdict.useful)
                marks[entry.key] = mark.with_reading(reading)
    for answer in settled:
        if (entry := numbers.get(answer.number)) is not None and entry.key in marks:
            verdict = Settled(true=answer.verdict.true, useful=answer.verdict.useful, note=answer.note)
            marks[entry.key] = marks[entry.key].model_copy(update={"settled": verdict})
    of_sheet = [(entry, marks[entry.key]) for entry in real if entry.key in marks]
    notes = {(reader, answer.number): answer.note for reader, given in answers.items() for answer in given}
    apart = [
        Disagreement(entry, mark.readings, {name: notes.get((name, entry.number), "") for name in _names(mark)})
        for entry, mark in of_sheet
        if mark.verdict is None and len(mark.readings) > 1
    ]
    return Merged(
        marks=tuple(marks.values()),
        scores=tuple(_score(key, reader, given) for reader, given in sorted(answers.items())),
        disagreements=tuple(apart),
        single=sum(len(mark.readings) == 1 and mark.settled is None for _, mark in of_sheet),
    )


def _names(mark: Mark) -> list[str]:
    return [reading.reader for reading in mark.readings]


def _new(key: Key, entry: KeyEntry) -> Mark:
    place = {name: getattr(entry, name) for name in Place.model_fields}
    return Mark(**place, repository=key.repository, readings=())


def _score(key: Key, reader: str, given: Sequence[Answer]) -> Score:
    said = {answer.number: answer.verdict.true for answer in given}
    planted = {
        kind: [said[e.number] for e in key.entries if e.planted == kind and e.number in said]
        for kind in ("true", "false")
    }
    return Score(
        reader=reader,
        sheet=key.name,
        answered=len(given),
        planted_true=len(planted["true"]),
        planted_true_right=sum(planted["true"]),
        planted_false=len(planted["false"]),
        planted_false_right=sum(not true for true in planted["false"]),
    )
