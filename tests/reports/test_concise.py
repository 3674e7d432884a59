"""One finding a line, as editors and grep read it."""

from __future__ import annotations

from review_bot.changes.pull_request import Unreviewed
from review_bot.findings import Examination, Failure
from review_bot.reports import concise
from tests.reviews import RUN_PY, SWALLOWED, finding, review_of


def lines(*findings, everything=False, **seen):
    review = review_of((RUN_PY,), Examination(findings=findings, **seen))
    return concise.render(review, everything=everything).splitlines()


def test_a_finding_is_a_line_in_the_order_of_the_files():
    whole_file = finding("pr/backup-file", path="b.py.bak", line=None, end_line=None, column=None, end_column=None)
    whole_change = whole_file._replace(rule="pr/too-large", path=None, severity="hint", message="Too large.\nSplit it.")
    assert lines(whole_file, SWALLOWED, whole_change) == [
        "(change): hint pr/too-large Too large. Split it.",
        f"b.py.bak:1:1: warning pr/backup-file {whole_file.message}",
        f"engine/run.py:12:9: warning errors/swallowed-exception {SWALLOWED.message}",
    ]


def test_a_deleted_line_is_marked_and_at_the_line_that_took_its_place():
    (line,) = lines(SWALLOWED._replace(side="LEFT", line=10, end_line=10))
    assert line == f"engine/run.py:10:1: warning errors/swallowed-exception (deleted line 10) {SWALLOWED.message}"


def test_what_is_counted_or_moved_is_left_out():
    counted, moved = SWALLOWED._replace(counted=True), SWALLOWED._replace(moved=True, line=1)
    assert lines(counted, moved) == []
    assert len(lines(counted, moved, everything=True)) == 1


def test_what_could_not_be_reviewed_is_an_error():
    assert lines(unreviewed=(Unreviewed("a\nb.csv", "too large"),), failures=(Failure("x/y", "a.py", "broke"),)) == [
        "a\\u000ab.csv:1:1: error incomplete too large",
        "(change): error incomplete rule x/y: failed on a.py: broke",
    ]
