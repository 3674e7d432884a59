"""As root, below a folder that other users may not enter: what gives up root has loaded all that it needs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import review_bot
from review_bot.configuration import rule_registry
from tests.joined_examples import joined

PROGRAM = """
import json
import sys
sys.path.insert(0, sys.argv[1])
import review_bot
assert review_bot.__file__.startswith(sys.argv[1]), review_bot.__file__
from review_bot.configuration import rule_registry
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.examination import Texts, examine
from review_bot.sandbox.worker_client import Limits, Worker
from review_bot.engine.plan import make_plan
from review_bot.rules.examples import make_case
start = f"import sys; sys.path.insert(0, {sys.argv[1]!r}); from review_bot.sandbox.worker import main; main()"
book = rule_registry.builtin_rulebook()
case = make_case(book.rules[0], json.loads(sys.argv[2]))
plan = make_plan(case.pull_request, book)
asked = ExaminationRequest(case.pull_request, plan, Texts(case.new, case.old), case.repository, book)
with Worker(Limits(file_seconds=60.0), (sys.executable, "-I", "-c", start)) as worker:
    there = worker.examine(asked, jobs=2)
here = examine(asked)
print(there == here, len({each.rule for each in here.findings}) > 70, there.unreviewed, there.failures)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives up rights")
def test_the_worker_needs_no_file_once_it_is_another_user(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    parts = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(review_bot.__file__).parent, closed / "lib/review_bot", ignore=parts)
    source = Path(review_bot.__file__).parents[1]
    if (source / "rules").is_dir() and (source / "pyproject.toml").is_file():
        shutil.copytree(source / "rules", closed / "lib/rules", ignore=parts)
        shutil.copytree(source / "contracts", closed / "lib/contracts", ignore=parts)
        shutil.copy(source / "pyproject.toml", closed / "lib")
    pages = rule_registry.builtin_pages()
    of_contracts = [each for each in pages if each.rule.id == "tensor/operand-mismatch"]
    readable = [each for each in pages if each.rule.id != "workflows/not-yaml"]  # a file that other rules skip
    trees = joined([*readable[::6], *of_contracts])
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, str(closed / "lib"), json.dumps(trees)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout == "True True () ()\n", done.stderr
