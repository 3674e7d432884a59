"""Merges annotators' answers to a sheet into the labels, and scores their answers on control items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rule_lab.agreement import AnnotatorScore
from rule_lab.annotation_sheet import Answer, Key, KeyEntry
from rule_lab.labels import Adjudication, Annotation, FindingReference, Label


class Disagreement(NamedTuple):
    """An entry with differing annotations, and the notes by annotator."""

    entry: KeyEntry
    annotations: tuple[Annotation, ...]
    notes: Mapping[str, str]


class MergeResult(NamedTuple):
    """Labels and scores after a merge. ``single``: number of findings with only one annotation so far."""

    labels: tuple[Label, ...]
    scores: tuple[AnnotatorScore, ...]
    disagreements: tuple[Disagreement, ...]
    single: int


def merge(
    key: Key, answers: Mapping[str, Sequence[Answer]], known: Sequence[Label], adjudicated: Sequence[Answer] = ()
) -> MergeResult:
    """Merge the answers of annotators, by name, into the labels of a repository.

    ``adjudicated``: decisions on entries of which annotators disagreed. Control items never become labels.
    """
    labels = {label.key: label for label in known}
    real = [entry for entry in key.entries if entry.control is None]
    numbers = {entry.number: entry for entry in real}
    for annotator, given in sorted(answers.items()):
        for answer in given:
            if (entry := numbers.get(answer.number)) is not None:
                label = labels.get(entry.key)
                if label is None or label.words != entry.words:  # annotations hold for one wording only
                    label = _new(key, entry)
                annotation = Annotation(annotator=annotator, true=answer.judgement.true, useful=answer.judgement.useful)
                labels[entry.key] = label.with_annotation(annotation)
    for answer in adjudicated:
        if (entry := numbers.get(answer.number)) is not None and entry.key in labels:
            judgement = Adjudication(true=answer.judgement.true, useful=answer.judgement.useful, note=answer.note)
            labels[entry.key] = labels[entry.key].model_copy(update={"adjudicated": judgement})
    of_sheet = [(entry, labels[entry.key]) for entry in real if entry.key in labels]
    notes = {(annotator, answer.number): answer.note for annotator, given in answers.items() for answer in given}
    apart = [
        Disagreement(entry, label.annotations, {name: notes.get((name, entry.number), "") for name in _names(label)})
        for entry, label in of_sheet
        if label.judgement is None and len(label.annotations) > 1
    ]
    return MergeResult(
        labels=tuple(labels.values()),
        scores=tuple(_score(key, annotator, given) for annotator, given in sorted(answers.items())),
        disagreements=tuple(apart),
        single=sum(len(label.annotations) == 1 and label.adjudicated is None for _, label in of_sheet),
    )


def _names(label: Label) -> list[str]:
    return [annotation.annotator for annotation in label.annotations]


def _new(key: Key, entry: KeyEntry) -> Label:
    reference = {name: getattr(entry, name) for name in FindingReference.model_fields}
    return Label(**reference, repository=key.repository, annotations=())


def _score(key: Key, annotator: str, given: Sequence[Answer]) -> AnnotatorScore:
    given_true = {answer.number: answer.judgement.true for answer in given}
    control = {
        kind: [given_true[e.number] for e in key.entries if e.control == kind and e.number in given_true]
        for kind in ("true", "false")
    }
    return AnnotatorScore(
        annotator=annotator,
        sheet=key.name,
        answered=len(given),
        control_true=len(control["true"]),
        control_true_right=sum(control["true"]),
        control_false=len(control["false"]),
        control_false_right=sum(not true for true in control["false"]),
    )
