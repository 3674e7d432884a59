"""Reads and writes the label files, one per repository, and the scores of annotators."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from review_bot.files.file_writing import write_typed
from rule_lab import agreement, labels
from rule_lab.agreement import AnnotatorScore
from rule_lab.labels import Label

EVIDENCE = "rules/evidence"
"""The folder of label files in a checkout of Review Bot."""


def read_labels(folder: str, repository: str) -> list[Label]:
    """Return the labels of a repository. Raises LabelError."""
    path = Path(folder) / labels.file_name(repository)
    return labels.read(path.read_text(encoding="utf-8"), path.as_posix()) if path.is_file() else []


def read_all(folder: Path) -> list[Label]:
    """Return the labels of all repositories. Raises LabelError."""
    found = (labels.read(path.read_text(encoding="utf-8"), path.as_posix()) for path in sorted(folder.glob("*.jsonl")))
    return [label for each in found for label in each]


def read_scores(folder: str) -> list[AnnotatorScore]:
    """Return the scores of annotators. Raises LabelError."""
    path = Path(folder) / agreement.FILE_NAME
    return agreement.read_scores(path.read_text(encoding="utf-8"), path.as_posix()) if path.is_file() else []


def write_labels(folder: str, repository: str, known: Iterable[Label]) -> None:
    """Write the labels of a repository."""
    write_typed(os.path.join(folder, labels.file_name(repository)), labels.render(known), makes_folders=True)


def write_scores(folder: str, scores: Iterable[AnnotatorScore]) -> None:
    """Write the scores of annotators; of two scores for one annotator and sheet the later counts."""
    write_typed(os.path.join(folder, agreement.FILE_NAME), agreement.render_scores(scores), makes_folders=True)
