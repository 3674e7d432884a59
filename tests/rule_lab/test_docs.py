"""``python -m rule_lab docs``: figures and pages are generated from labels, and checked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

from rule_lab.label_files import write_labels
from tests.git_repository import ENVIRONMENT
from tests.rule_lab.label_of import label

RULE = "style/conflict-marker"


def docs(folder, *arguments):
    command = [sys.executable, "-m", "rule_lab", "docs", *arguments]
    environment = {**ENVIRONMENT, "PYTHONPATH": os.getcwd()}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)


def test_a_file_that_is_out_of_date_is_reported_and_then_written(tmp_path):
    write_labels(str(tmp_path / "rules/evidence"), "halcyon/engine", [label(RULE), label(RULE, 2, ("yn", "yn"))])
    shutil.copy("README.md", tmp_path)
    old = tmp_path / "docs/rules/errors/dropped.md"
    old.parent.mkdir(parents=True)
    old.write_text("# errors/dropped\n", encoding="utf-8")

    checked = docs(tmp_path, "--check")
    assert checked.returncode == 1
    assert "rules/evidence/precision.json: out of date; run `python -m rule_lab docs`\n" in checked.stdout
    assert old.exists()
    assert not (tmp_path / "docs/rules/README.md").exists()

    assert docs(tmp_path).returncode == 0
    figures = json.loads((tmp_path / "rules/evidence/precision.json").read_text(encoding="utf-8"))
    assert {name: figures[RULE][name] for name in ("judged", "true", "useful")} == {"judged": 2, "true": 2, "useful": 1}
    page = (tmp_path / f"docs/rules/{RULE}.md").read_text(encoding="utf-8")
    assert "2 hits judged in 1 repository (two annotators each), 2 true, 1 useful" in page
    assert not old.exists()

    checked = docs(tmp_path, "--check")
    assert checked.returncode == 0
    assert checked.stdout.endswith(" 0 out of date\n")


def test_a_wrong_label_is_named_with_its_line(tmp_path):
    evidence = tmp_path / "rules/evidence"
    evidence.mkdir(parents=True)
    (evidence / "halcyon+engine.jsonl").write_text('{"rule": 1}\n', encoding="utf-8")
    done = docs(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "halcyon+engine.jsonl:1: base: the key 'base' is missing" in done.stderr
