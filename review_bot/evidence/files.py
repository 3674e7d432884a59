"""Where marks are kept: one file a repository, and the scores of readers beside them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from review_bot.evidence import agreement, marks
from review_bot.evidence.agreement import Score
from review_bot.evidence.marks import Mark
from review_bot.files.file_writing import write_typed

EVIDENCE = "rules/evidence"
"""The folder in a checkout of Review Bot."""


def read_marks(folder: str, repository: str) -> list[Mark]:
    """Return the marks of a repository. Raises EvidenceError."""
    path = Path(folder) / marks.file_name(repository)
    return marks.read(path.read_text(encoding="utf-8"), path.as_posix()) if path.is_file() else []


def read_all(folder: Path) -> list[Mark]:
    """Return the marks of all repositories. Raises EvidenceError."""
    found = (marks.read(path.read_text(encoding="utf-8"), path.as_posix()) for path in sorted(folder.glob("*.jsonl")))
    return [mark for each in found for mark in each]


def read_scores(folder: str) -> list[Score]:
    """Return the scores of readers. Raises EvidenceError."""
    path = Path(folder) / agreement.FILE_NAME
    return agreement.read_scores(path.read_text(encoding="utf-8"), path.as_posix()) if path.is_file() else []


def write_marks(folder: str, repository: str, known: Iterable[Mark]) -> None:
    """Write the marks of a repository."""
    write_typed(os.path.join(folder, marks.file_name(repository)), marks.render(known), makes_folders=True)


def write_scores(folder: str, scores: Iterable[Score]) -> None:
    """Write the scores of readers; the later of two for the same reader and sheet counts."""
    write_typed(os.path.join(folder, agreement.FILE_NAME), agreement.render_scores(scores), makes_folders=True)
