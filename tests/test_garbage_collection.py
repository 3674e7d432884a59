"""Garbage collection: a caller of our functions finds the collector as it was, so a process of many reviews stays small."""

import ast
import gc

from review_bot.analysis.python.syntax import structure
from review_bot.changes.codebase import Snapshot
from review_bot.cli import main
from review_bot.flow.interpreter import follow
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


def test_what_follows_a_function_and_compares_code_leaves_no_circle():
    function = ast.parse("def f(x=None):\n    if x == a[1]:\n        return x.size\n    return x.b\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    gc.collect()
    gc.disable()
    try:
        assert follow(function).steps
        assert structure(function) == structure(ast.parse(ast.unparse(function)).body[0])
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_code_has_another_structure_if_anything_of_it_differs():
    texts = (
        "f(a, b)",
        "f(a)(b)",
        "f(a, *b)",
        "f([a, b])",
        "f('a', b)",
        "f(1)",
        "f('1')",
        "f(None)",
        "f(u'1')",
        "a = f",
    )
    assert len({structure(ast.parse(each)) for each in texts}) == len(texts)
    assert structure(ast.parse("f( a,\n b )")) == structure(ast.parse("f(a, b)"))


def test_both_sides_of_a_change_keep_a_bounded_part_of_their_trees():
    base = Snapshot(frozenset(), lambda _path: None)
    head = Snapshot(frozenset(), lambda _path: None, base)
    assert base.keeps("first.py", " " * 1_000_000)
    assert not head.keeps("second.py", "a")
    assert base.keeps("first.py", " " * 1_000_000)
