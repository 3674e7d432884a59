"""Builds labels, findings and sheets for tests."""

from __future__ import annotations

from typing import Any

from review_bot.findings import Finding
from rule_lab.labels import Adjudication, Annotation, Label
from rule_lab.sampling import Candidate, digest

BASE, HEAD = "a" * 40, "b" * 40


def finding(rule: str = "errors/one", path: str | None = "pkg/a.py", line: int | None = 1, **facts: Any) -> Finding:
    values: dict[str, Any] = {
        "rule": rule, "title": "Wrong", "severity": "warning", "confidence": "high", "aspect": "Code Quality",
        "path": path, "line": line, "end_line": line, "column": 1, "end_column": 2, "side": "RIGHT",
        "placement": "inline", "moved": False, "message": "This is wrong.", "why": "It fails.", "instead": "Mend it.",
        "effort_minutes": 5, "fingerprint": f"{digest(f'{rule} {path} {line}')}-00000000", "url": "https://example.org/x",
    }  # fmt: skip
    return Finding(**{**values, **facts})


def candidate(
    rule: str = "errors/one", path: str = "pkg/a.py", line: int = 1, *, pr: str = "#1", same: str = "", **facts: Any
) -> Candidate:
    statement = digest(same or f"{path} {line} {pr}")
    return Candidate(pr, BASE, digest(pr) * 2 + "0" * 8, finding(rule, path, line, **facts), statement)


def label(
    rule: str = "errors/one",
    line: int | None = 1,
    said: tuple[str, ...] = ("yy", "yy"),
    adjudicated: str = "",
    **facts: Any,
) -> Label:
    """``said``: one ``true useful`` pair of y and n for each annotator; ``adjudicated``: such a pair, or nothing."""
    annotations = tuple(
        Annotation(annotator=f"annotator-{number}", true=pair[0] == "y", useful=pair[1] == "y")
        for number, pair in enumerate(said, 1)
    )
    decided = Adjudication(true=adjudicated[0] == "y", useful=adjudicated[1] == "y") if adjudicated else None
    values: dict[str, Any] = {
        "base": BASE, "head": HEAD, "path": "pkg/a.py", "line": line, "side": "RIGHT", "rule": rule,
        "placement": "inline", "fingerprint": f"{digest(f'{rule} {line}')}-00000000", "statement": digest(f"{rule} {line}"),
        "words": digest("words"), "repository": "halcyon/engine", "annotations": annotations, "adjudicated": decided,
    }  # fmt: skip
    return Label(**{**values, **facts})
