"""The order in which findings are read."""

from __future__ import annotations

from review_bot.reports.content.topics import group
from tests.reviews import finding


def test_rows_of_one_severity_begin_with_what_harms_users():
    rows = [
        finding("docs/a", aspect="Documentation", line=1),
        finding("docs/a", aspect="Documentation", line=2),
        finding("style/b", aspect="Code Quality", severity="error"),
        finding("errors/c", aspect="Functional Correctness"),
        finding("security/d", aspect="Security"),
        finding("errors/b", aspect="Functional Correctness", line=1),
        finding("errors/b", aspect="Functional Correctness", line=2),
    ]

    assert [topic.first.rule for topic in group(rows)] == ["style/b", "security/d", "errors/b", "errors/c", "docs/a"]
