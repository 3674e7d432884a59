"""``review-bot rules judge``: what readers answered becomes marks, and their scores are told."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from pathlib import Path

from review_bot.errors import EvidenceError, UsageError
from review_bot.evidence import agreement, sheet
from review_bot.evidence import marks as mark_files
from review_bot.evidence.agreement import Agreement, Score
from review_bot.evidence.files import EVIDENCE, read_marks, read_scores, write_marks, write_scores
from review_bot.evidence.marks import Verdict
from review_bot.evidence.merging import Disagreement, Merged, merge
from review_bot.evidence.sheet import Answer, Key
from review_bot.reports.wording import count
from review_bot.text import console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the action."""
    parser.epilog = "See docs/evidence.md for how to judge, and for the form of answers."
    parser.add_argument("sheet", metavar="SHEET", help="the sheet; its key lies beside it")
    parser.add_argument(
        "--answers",
        action="append",
        default=[],
        metavar="READER=FILE",
        help="a reader's name and what he filled in: the sheet itself or a table; repeatable",
    )
    parser.add_argument("--settle", metavar="FILE", help="a table of what was found when the code was read again")
    parser.add_argument(
        "--evidence", default=EVIDENCE, metavar="DIR", help=f"the folder of marks (default: {EVIDENCE})"
    )


def run(options: argparse.Namespace) -> int:
    """Merge, write the marks and the scores, and print how well readers read and where they differ."""
    key_file = options.sheet.removesuffix(sheet.KEY_SUFFIX) + sheet.KEY_SUFFIX
    key = sheet.read_key(_text(key_file), key_file)
    if not options.answers and not options.settle:
        raise UsageError("give the answers of readers (--answers NAME=FILE) or what was settled (--settle FILE)")
    answers: dict[str, list[Answer]] = {}
    for each in options.answers:
        reader, separator, file = each.partition("=")
        if not separator or not mark_files.is_reader(reader):
            raise UsageError(f"--answers takes NAME=FILE, a name of a-z, 0-9 and -, not {each!r}")
        if reader in answers:
            raise UsageError(f"{reader} is named twice; put a reader's answers to one sheet into one file")
        answers[reader] = sheet.read_answers(_text(file), file, len(key.entries))
    settled = sheet.read_answers(_text(options.settle), options.settle, len(key.entries)) if options.settle else []
    known = read_marks(options.evidence, key.repository)
    _check_settled(settled, options.settle, key, {mark.key for mark in known})
    merged = merge(key, answers, known, settled)
    _write(merged, key, options.evidence)
    _print(merged, key)
    return 0


def _check_settled(settled: Sequence[Answer], file: str, key: Key, read: Collection[tuple[str, ...]]) -> None:
    """Raise EvidenceError for a verdict on what is planted or what nobody has read yet."""
    for answer in settled:
        entry = key.entries[answer.number - 1]
        if entry.planted is not None or entry.key not in read:
            why = "is planted" if entry.planted is not None else "has no reading yet; merge the readers' answers first"
            raise EvidenceError(f"entry {answer.number} {why}", path=file, field="number")


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: this is not UTF-8; save it as UTF-8") from error
    except OSError as error:
        raise UsageError(f"{file}: it cannot be read: {error.strerror}") from error


def _write(merged: Merged, key: Key, evidence: str) -> None:
    write_marks(evidence, key.repository, merged.marks)
    write_scores(evidence, [*read_scores(evidence), *merged.scores])


def _print(merged: Merged, key: Key) -> None:
    for score in merged.scores:
        console.say(score_line(score, len(key.entries)))
    here = {entry.key for entry in key.entries if entry.planted is None}
    of_sheet = [mark for mark in merged.marks if mark.key in here]
    console.say(agreement_line(agreement.agreement(of_sheet)))
    judged = [mark for mark in of_sheet if mark.verdict is not None]
    true = sum(mark.verdict.true for mark in judged if mark.verdict is not None)
    useful = sum(mark.verdict.useful for mark in judged if mark.verdict is not None)
    waiting = f"; {merged.single} read once" if merged.single else ""
    console.say(f"{count(len(judged), 'finding')} judged: {true} true, {useful} useful{waiting}")
    if merged.disagreements:
        console.say(f"\n{count(len(merged.disagreements), 'disagreement')}; read the code again, then --settle FILE:")
        for each in merged.disagreements:
            _print_disagreement(each)


def score_line(score: Score, entries: int | None = None) -> str:
    """Return what is known of one reader and sheet in one line."""
    planted = score.planted_true + score.planted_false
    right = score.planted_true_right + score.planted_false_right
    of = "" if entries is None else f" of {entries}"
    kinds = (
        f"true {score.planted_true_right}/{score.planted_true}, false {score.planted_false_right}/{score.planted_false}"
    )
    return f"{score.reader}: {score.answered}{of} answered; planted: {right} of {planted} right ({kinds})"


def agreement_line(found: Agreement) -> str:
    """Return how far two readers agree in one line."""
    if not found.pairs:
        return "agreement: no finding has two readings yet"

    def told(share: float, kappa: float | None) -> str:
        return f"{share:.0%}, kappa {'not defined' if kappa is None else f'{kappa:.2f}'}"

    return (
        f"agreement over {count(found.pairs, 'finding')}: true {told(found.same_true, found.kappa_true)}; "
        f"useful {told(found.same_useful, found.kappa_useful)}"
    )


def _print_disagreement(apart: Disagreement) -> None:
    entry = apart.entry
    at = entry.path or "the whole change"
    at += "" if entry.line is None else f":{entry.line}"
    console.say(f"{entry.number}\t{entry.rule}\t{at}\t{entry.head[:12]}")
    for reading in apart.readings:
        note = apart.notes.get(reading.reader, "")
        console.say(f"\t{reading.reader}: {_verdict(reading.verdict)}{f' ({note})' if note else ''}")


def _verdict(verdict: Verdict) -> str:
    return f"true {'y' if verdict.true else 'n'}, useful {'y' if verdict.useful else 'n'}"
