"""``python -m bench.evidence`` as a process: the figures of labels, with and without a clone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rule_lab.agreement import AnnotatorScore
from rule_lab.label_files import read_labels, write_labels, write_scores
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.rule_lab.label_of import label

SWALLOWS = "def read(path):\n    rows = []\n    try:\n        rows = parse(path)\n    except Exception:\n        pass\n    return rows\n"
RULE = "errors/swallowed-exception"


@pytest.fixture
def place(tmp_path):
    clone = GitRepository(tmp_path / "clones" / "halcyon+engine")
    base = clone.commit({"README.md": "An engine.\n"})
    head = clone.commit({"pkg/a.py": SWALLOWS}, "Add a (#1)")
    labels = [
        label(RULE, 5, base=base, head=head),
        label(RULE, 2, ("yn", "yn"), base=base, head=head),
        label("style/conflict-marker", 3, ("yy", "nn"), base=base, head=head),
        label(RULE, 7, ("nn", "nn"), base="c" * 40, head="d" * 40),
    ]
    folder = str(tmp_path / "labels")
    write_labels(folder, "halcyon/engine", labels)
    score = AnnotatorScore(
        annotator="one", sheet="halcyon/engine@0", answered=9,
        control_true=2, control_true_right=2, control_false=2, control_false_right=1,
    )  # fmt: skip
    write_scores(folder, [score])
    return tmp_path


def figures(place, *arguments):
    command = [sys.executable, "-m", "bench.evidence", "--evidence", str(place / "labels"), *arguments]
    environment = {**ENVIRONMENT, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.stderr == ""
    return done.stdout


def test_labels_alone_give_the_precision_and_the_rest_is_said_to_be_missing(place):
    text = figures(place)
    assert "3 findings judged in 1 repository, two annotations each" in text
    assert "of all rules                     3 judged, 2 true (66.7%), 1 useful (33.3%" in text
    assert "not counted: 0 no longer reported, 1 annotated once or not adjudicated" in text
    assert "all: 3 of 4 control items right (75.0%)" in text
    assert "agreement over 4 findings: true 75%" in text
    assert "Not computed without clones (CLONES=DIR): which findings are still reported" in text


def test_with_a_clone_the_findings_are_made_again(place):
    text = figures(place, "--clones", str(place / "clones"), "--write")
    assert "1 finding reported with another text than the judged one" in text
    assert "1 label of halcyon/engine, whose commits are not in the clone" in text
    assert "not counted: 2 no longer reported" in text
    assert "Not computed: the replay of vllm-project/vllm-omni" in text
    assert "halcyon/engine, the last 250 merged pull requests: 1 reviewed, 7 added lines\n  red: 0 (0.0%)" in text
    assert [each.fires for each in read_labels(str(place / "labels"), "halcyon/engine")].count(False) == 2


def test_labels_of_a_repository_that_is_not_there_stay_as_they_are(place):
    text = figures(place, "--clones", str(place / "labels"))
    assert "Not computed without clones" in text
