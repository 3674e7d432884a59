"""Garbage collection: a caller of our functions finds the collector as it was, so a process of many reviews stays small."""

import gc

from review_bot.cli import main
from review_bot.processes.process_pool import ProcessPool


def test_a_review_leaves_the_collector_on(tmp_path, capsys):
    diff = tmp_path / "change.diff"
    diff.write_text("--- /dev/null\n+++ b/steps.py\n@@ -0,0 +1 @@\n+STEPS = 20\n")
    assert main(["review", "--diff", str(diff)]) == 0
    assert "No findings" in capsys.readouterr().out
    assert gc.isenabled()


def test_what_is_frozen_for_children_is_released_after_them():
    before = gc.get_freeze_count()
    assert ProcessPool()(range(4), lambda task: gc.get_freeze_count() > before, lambda _task, _why: False) == [True] * 4
    assert gc.get_freeze_count() == before
