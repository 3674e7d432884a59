"""``python -m bench.evidence`` as a process: the figures of marks, with and without a clone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from review_bot.evidence.agreement import Score
from review_bot.evidence.files import read_marks, write_marks, write_scores
from tests.evidence.marks_of import mark
from tests.git_repository import ENVIRONMENT, GitRepository

SWALLOWS = "def read(path):\n    rows = []\n    try:\n        rows = parse(path)\n    except Exception:\n        pass\n    return rows\n"
RULE = "errors/swallowed-exception"


@pytest.fixture
def place(tmp_path):
    clone = GitRepository(tmp_path / "clones" / "halcyon+engine")
    base = clone.commit({"README.md": "An engine.\n"})
    head = clone.commit({"pkg/a.py": SWALLOWS}, "Add a (#1)")
    marks = [
        mark(RULE, 5, base=base, head=head),
        mark(RULE, 2, ("yn", "yn"), base=base, head=head),
        mark("style/conflict-marker", 3, ("yy", "nn"), base=base, head=head),
        mark(RULE, 7, ("nn", "nn"), base="c" * 40, head="d" * 40),
    ]
    folder = str(tmp_path / "marks")
    write_marks(folder, "halcyon/engine", marks)
    score = Score(
        reader="one", sheet="halcyon/engine@0", answered=9,
        planted_true=2, planted_true_right=2, planted_false=2, planted_false_right=1,
    )  # fmt: skip
    write_scores(folder, [score])
    return tmp_path


def figures(place, *arguments):
    command = [sys.executable, "-m", "bench.evidence", "--evidence", str(place / "marks"), *arguments]
    environment = {**ENVIRONMENT, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.stderr == ""
    return done.stdout


def test_marks_alone_give_the_precision_and_the_rest_is_said_to_be_missing(place):
    text = figures(place)
    assert "3 findings judged in 1 repository, two readings each" in text
    assert "of all rules                     3 judged, 2 true (66.7%), 1 useful (33.3%" in text
    assert "not counted: 0 that the rules make no longer, 1 read once or not settled" in text
    assert "all: 3 of 4 planted right (75.0%)" in text
    assert "agreement over 4 findings: true 75%" in text
    assert "Not computed without clones (CLONES=DIR): which findings are still made" in text


def test_with_a_clone_the_findings_are_made_again(place):
    text = figures(place, "--clones", str(place / "clones"), "--write")
    assert "1 finding made in other words than those that were judged" in text
    assert "1 mark of halcyon/engine, whose commits are not in the clone" in text
    assert "not counted: 2 that the rules make no longer" in text
    assert "Not computed: the replay of vllm-project/vllm-omni" in text
    assert "halcyon/engine, the last 250 merged pull requests: 1 reviewed, 7 added lines\n  red: 0 (0.0%)" in text
    assert [each.fires for each in read_marks(str(place / "marks"), "halcyon/engine")].count(False) == 2


def test_marks_of_a_repository_that_is_not_there_stay_as_they_are(place):
    text = figures(place, "--clones", str(place / "marks"))
    assert "Not computed without clones" in text
