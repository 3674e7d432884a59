"""``python -m rule_lab judge``: merges annotators' answers into the labels, and prints their scores and agreement."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from pathlib import Path

from review_bot.errors import UsageError
from review_bot.text import console
from review_bot.text.listing import count
from rule_lab import agreement, annotation_sheet
from rule_lab import labels as label_records
from rule_lab.agreement import Agreement, AnnotatorScore
from rule_lab.annotation_sheet import Answer, Key
from rule_lab.errors import LabelError
from rule_lab.label_files import EVIDENCE, read_labels, read_scores, write_labels, write_scores
from rule_lab.labels import Judgement, Label
from rule_lab.merging import Disagreement, MergeResult, merge

_PLACED = {
    "inline": ("comment on a line", "comments on lines"),
    "file": ("comment on a file", "comments on files"),
    "summary": ("finding of the summary", "findings of the summary"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the action."""
    parser.epilog = "docs/evidence.md describes how to judge findings and the format of answers."
    parser.add_argument("sheet", metavar="SHEET", help="the sheet; its key is the file SHEET.key.json")
    parser.add_argument(
        "--answers",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="an annotator's name and answers: the filled-in sheet or a table; repeatable",
    )
    parser.add_argument("--settle", metavar="FILE", help="a table of adjudicated answers for disagreements")
    parser.add_argument(
        "--evidence", default=EVIDENCE, metavar="DIR", help=f"the folder of labels (default: {EVIDENCE})"
    )


def run(options: argparse.Namespace) -> int:
    """Merge the answers, write labels and scores, and print scores, agreement and disagreements."""
    key_file = options.sheet.removesuffix(annotation_sheet.KEY_SUFFIX) + annotation_sheet.KEY_SUFFIX
    key = annotation_sheet.read_key(_text(key_file), key_file)
    if not options.answers and not options.settle:
        raise UsageError("give answers of annotators (--answers NAME=FILE) or adjudicated answers (--settle FILE)")
    answers: dict[str, list[Answer]] = {}
    for each in options.answers:
        annotator, separator, file = each.partition("=")
        if not separator or not label_records.is_annotator_name(annotator):
            raise UsageError(f"--answers takes NAME=FILE with a name of a-z, 0-9 and -, not {each!r}")
        if annotator in answers:
            raise UsageError(f"{annotator} is named twice; put an annotator's answers to one sheet into one file")
        answers[annotator] = annotation_sheet.read_answers(_text(file), file, len(key.entries))
    adjudicated: list[Answer] = []
    if options.settle:
        adjudicated = annotation_sheet.read_answers(_text(options.settle), options.settle, len(key.entries))
    known = read_labels(options.evidence, key.repository)
    _check_adjudicated(adjudicated, options.settle, key, {label.key for label in known})
    merged = merge(key, answers, known, adjudicated)
    _write(merged, key, options.evidence)
    _print(merged, key)
    return 0


def _check_adjudicated(adjudicated: Sequence[Answer], file: str, key: Key, read: Collection[tuple[str, ...]]) -> None:
    """Raise LabelError for an adjudication of a control item or of an entry without annotations."""
    for answer in adjudicated:
        entry = key.entries[answer.number - 1]
        if entry.control is not None or entry.key not in read:
            why = "has no annotation yet; merge the annotators' answers first"
            why = "is a control item" if entry.control is not None else why
            raise LabelError(f"entry {answer.number} {why}", path=file, field="number")


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: the file is not UTF-8") from error
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from error


def _write(merged: MergeResult, key: Key, evidence: str) -> None:
    write_labels(evidence, key.repository, merged.labels)
    write_scores(evidence, [*read_scores(evidence), *merged.scores])


def _print(merged: MergeResult, key: Key) -> None:
    for score in merged.scores:
        console.say(score_line(score, len(key.entries)))
    here = {entry.key for entry in key.entries if entry.control is None}
    of_sheet = [label for label in merged.labels if label.key in here]
    console.say(agreement_line(agreement.agreement(of_sheet)))
    for placement, (singular, plural) in _PLACED.items():
        if placed := [label for label in of_sheet if label.placement == placement]:
            console.say(shares_line(placed, singular, plural))
    if merged.single:
        console.say(f"{merged.single} annotated once")
    if merged.disagreements:
        console.say(f"\n{count(len(merged.disagreements), 'disagreement')}; read the code again, then --settle FILE:")
        for each in merged.disagreements:
            _print_disagreement(each)


def shares_line(labels: Sequence[Label], singular: str, plural: str) -> str:
    """Return how many of the labels are judged, true and useful, and each annotator's own share of useful ones."""
    judged = [label.judgement for label in labels if label.judgement is not None]
    true = sum(judgement.true for judgement in judged)
    useful = sum(judgement.useful for judgement in judged)
    alone: dict[str, list[bool]] = {}
    for label in labels:
        for annotation in label.annotations:
            alone.setdefault(annotation.annotator, []).append(annotation.useful)
    each = ", ".join(f"{name} {sum(said)}/{len(said)}" for name, said in sorted(alone.items()))
    return f"{count(len(judged), singular, plural)} judged: {true} true, {useful} useful (useful alone: {each})"


def score_line(score: AnnotatorScore, entries: int | None = None) -> str:
    """Return the score of an annotator on a sheet in one line."""
    control = score.control_true + score.control_false
    right = score.control_true_right + score.control_false_right
    of = "" if entries is None else f" of {entries}"
    kinds = (
        f"true {score.control_true_right}/{score.control_true}, false {score.control_false_right}/{score.control_false}"
    )
    return f"{score.annotator}: {score.answered}{of} answered; control items: {right} of {control} right ({kinds})"


def agreement_line(found: Agreement) -> str:
    """Return the agreement of two annotators in one line."""
    if not found.pairs:
        return "agreement: no finding has two annotations yet"

    def shown(share: float, kappa: float | None) -> str:
        return f"{share:.0%}, kappa {'not defined' if kappa is None else f'{kappa:.2f}'}"

    return (
        f"agreement over {count(found.pairs, 'finding')}: true {shown(found.same_true, found.kappa_true)}; "
        f"useful {shown(found.same_useful, found.kappa_useful)}"
    )


def _print_disagreement(apart: Disagreement) -> None:
    entry = apart.entry
    at = entry.path or "the whole change"
    at += "" if entry.line is None else f":{entry.line}"
    console.say(f"{entry.number}\t{entry.rule}\t{at}\t{entry.head[:12]}")
    for annotation in apart.annotations:
        note = apart.notes.get(annotation.annotator, "")
        console.say(f"\t{annotation.annotator}: {_judgement(annotation.judgement)}{f' ({note})' if note else ''}")


def _judgement(judgement: Judgement) -> str:
    return f"true {'y' if judgement.true else 'n'}, useful {'y' if judgement.useful else 'n'}"
